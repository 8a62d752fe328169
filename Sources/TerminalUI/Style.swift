/// The meaning of a piece of text.
///
/// The driver chooses the colour, so a theme, a terminal with eight colours, and `NO_COLOR` require no change in any
/// screen. `accent` marks the user's position; anything else that is important is bold.
package enum Ink: UInt8, CaseIterable, Sendable {
  case normal, dim, accent, good, warning, bad
}

/// The style of a cell: an ink, and three attributes that every terminal supports.
package struct Style: Equatable, Sendable {
  package var ink: Ink
  package var bold: Bool
  package var reverse: Bool
  package var underline: Bool

  package init(
    _ ink: Ink = .normal, bold: Bool = false, reverse: Bool = false, underline: Bool = false
  ) {
    self.ink = ink
    self.bold = bold
    self.reverse = reverse
    self.underline = underline
  }

  package static let plain = Style()
  package static let dim = Style(.dim)
  package static let bold = Style(bold: true)
  /// The style of the row, tab, or button that has the focus.
  package static let selected = Style(.accent, reverse: true)
  package static let accent = Style(.accent)
  package static let good = Style(.good)
  package static let warning = Style(.warning)
  package static let bad = Style(.bad)
  package static let title = Style(.accent, bold: true)

  /// The style encoded in one byte, as a cell stores it.
  var bits: UInt8 {
    ink.rawValue | (bold ? 0x08 : 0) | (reverse ? 0x10 : 0) | (underline ? 0x20 : 0)
  }

  init(bits: UInt8) {
    self.init(
      Ink(rawValue: bits & 0x07) ?? .normal, bold: bits & 0x08 != 0, reverse: bits & 0x10 != 0,
      underline: bits & 0x20 != 0)
  }

  /// The letter for golden files: the ink's initial, a capital for bold, or a digit for reverse.
  var letter: Character {
    if reverse { return Character("\(ink.rawValue)") }
    let letter: Character =
      switch ink {
      case .normal: underline ? "_" : bold ? "n" : "."
      case .dim: "d"
      case .accent: "a"
      case .good: "g"
      case .warning: "w"
      case .bad: "b"
      }
    return bold ? Character(letter.uppercased()) : letter
  }
}
