/// What a piece of text means.
///
/// The driver chooses the colour, so that a theme, a terminal with eight colours and `NO_COLOR` need no change in any
/// screen. `accent` says where the person is; what is important beside that is bold.
package enum Ink: UInt8, CaseIterable, Sendable {
  case normal, dim, accent, good, warning, bad
}

/// How a cell looks: an ink and three attributes every terminal has.
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
  /// The row, tab or button where the person is.
  package static let selected = Style(.accent, reverse: true)
  package static let accent = Style(.accent)
  package static let good = Style(.good)
  package static let warning = Style(.warning)
  package static let bad = Style(.bad)
  package static let title = Style(.accent, bold: true)

  /// The style in one byte, as a cell holds it.
  var bits: UInt8 {
    ink.rawValue | (bold ? 0x08 : 0) | (reverse ? 0x10 : 0) | (underline ? 0x20 : 0)
  }

  init(bits: UInt8) {
    self.init(
      Ink(rawValue: bits & 0x07) ?? .normal, bold: bits & 0x08 != 0, reverse: bits & 0x10 != 0,
      underline: bits & 0x20 != 0)
  }

  /// One letter for golden files: the ink's initial, a capital when bold, a digit when reverse.
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
