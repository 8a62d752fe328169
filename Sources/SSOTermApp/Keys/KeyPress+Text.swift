extension KeyPress {
  /// The key as written in the help, such as `C-x` or `Esc`.
  var words: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let letter): "C-\(letter)"
    case .function(let number): "F\(number)"
    case .escape: "Esc"
    case .backTab: "S-Tab"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .enter, .tab, .backspace, .delete, .up, .down, .left, .right, .home, .end:
      "\(self)".prefix(1).uppercased() + "\(self)".dropFirst()
    }
  }
}

extension KeyPress {
  /// The keys that have a name.
  private static let byName: [String: KeyPress] = {
    let keys: [KeyPress] = [
      .character(" "), .escape, .backTab, .pageUp, .pageDown, .enter, .tab, .backspace, .delete, .up, .down,
      .left,
      .right, .home, .end,
    ]
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.words, $0) })
  }()

  static var named: [String] { byName.keys.sorted() }

  /// Creates a key from its text in `words`, or returns `nil` if there is no such key.
  init?(words: String) {
    if let key = Self.byName[words] {
      self = key
    } else if words.count == 1, let character = words.first {
      self = .character(character)
    } else if words.hasPrefix("C-"), words.count == 3, let letter = words.last, letter.isASCII,
      letter.isLowercase
    {
      self = .control(letter)
    } else if words.first == "F", let number = Int(words.dropFirst()), (1...12).contains(number) {
      self = .function(number)
    } else {
      return nil
    }
  }
}
