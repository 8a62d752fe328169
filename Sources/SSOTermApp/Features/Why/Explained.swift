extension KeyContext { static let explained = KeyContext("explained") }

/// What a code, a state or the source of a check means: a text to read.
struct Explained: TextDialog {
  var title: String
  /// The check it is about, if it is one.
  var check: Check?
  var codes: [Explanation]
  /// The error as the SDK prints it.
  var printed = ""
  var scroll = 0

  /// A check's source, and every code that occurs in it.
  init(_ check: Check) {
    title = check.name
    self.check = check
    // "none" and "valid" are states only where a list shows them.
    codes = Explanation.find(in: "\(check.name) \(check.expected) \(check.found)").filter {
      $0.family != .state
    }
  }

  /// The codes and states of a text; nil if there is none in it.
  init?(_ text: String, title: String, printed: String = "") {
    let found = Explanation.find(in: text)
    guard !found.isEmpty else { return nil }
    // Beside a code, a state is meant only where the text begins with it, not in "found in cache".
    let hasCode = found.contains { $0.family != .state }
    codes = found.filter { $0.family != .state || !hasCode || text.hasPrefix($0.code) }
    self.title = title
    self.printed = printed
  }

  /// Its advice names keys where the command line's names commands.
  mutating func adapt(to keys: KeyTable) {
    for place in codes.indices { codes[place].remedy = keys.onScreens(codes[place].remedy) }
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .explained: [
      .close(
        [.escape, .enter, .character("q")], "back", name: "close", "Goes back to the previous screen.")
    ]
  ]

  var context: KeyContext { .explained }

  func lines(width: Int) -> [PanelLine] {
    var lines: [PanelLine] = []
    if let check {
      lines += wrapped("\(check.glyph) \(check.name)", width, indent: "  ").map { PanelLine($0, check.style) }
      lines += fieldLines("Expected", check.expected, width: width)
      lines += fieldLines("Found", check.found, width: width)
      lines += fieldLines("Source", check.source, width: width)
      lines += RuleSource(check.source).sentences.flatMap { fieldLines("", $0, width: width, style: .dim) }
    }
    for code in codes {
      if !lines.isEmpty { lines.append(PanelLine("")) }
      lines += code.lines(width: width)
    }
    if !printed.isEmpty {
      lines += [PanelLine(""), PanelLine("As the SDK prints it", .dim)]
      lines += wrapped(printed, width).map { PanelLine($0) }
    }
    if codes.isEmpty, check == nil {
      lines += [PanelLine(""), PanelLine("No error code occurs in it.", .dim)]
    }
    return lines
  }
}

extension Explanation {
  /// The words of `ssoterm explain`.
  func lines(width: Int) -> [PanelLine] {
    let title = [code, name].filter { !$0.isEmpty }.joined(separator: "  ")
    return wrapped(title, width).map { PanelLine($0, .bold) } + [PanelLine(family.domain, .dim)]
      + fieldLines("Meaning", meaning, width: width) + fieldLines("Cause", cause, width: width)
      + fieldLines("To do", remedy, width: width)
  }
}
