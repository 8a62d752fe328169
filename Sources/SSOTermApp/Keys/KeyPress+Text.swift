extension KeyPress {
  /// As keys are written in help: `C-x`, `Esc`.
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
