import CNcurses

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

  /// The style of a cell in the selected row: a state keeps its colour, which the bar behind it takes.
  package var inSelectedRow: Style {
    switch ink {
    case .good, .warning, .bad: Style(ink, bold: bold, reverse: true, underline: underline)
    case .normal, .dim, .accent: Style(.accent, reverse: true, underline: underline)
    }
  }

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

/// The appearance of each ink on this terminal.
///
/// The background remains the terminal's own; the ``Theme`` determines the inks on it. Without colour, attributes
/// convey the difference.
struct Palette {
  /// The theme, which ``choose(for:)`` applies.
  var theme: Theme
  private let colors: Int
  private let direct: Bool
  private let monochrome: Bool
  private var inks = Inks()
  /// Whether each ink, by its number, has a colour on this terminal.
  ///
  /// The ink's number is also the number of its colour pair.
  private var isColored = [Bool](repeating: false, count: Ink.allCases.count)

  init(theme: Theme, colors: Int, direct: Bool, monochrome: Bool) {
    self.theme = theme
    self.colors = colors
    self.direct = direct
    self.monochrome = monochrome || colors < 8
  }

  /// Whether the colours depend on the background.
  var dependsOnBackground: Bool {
    !monochrome && theme.inks(on: .dark, colors: colors) != theme.inks(on: .light, colors: colors)
  }

  /// Assigns the inks their colours, so that ncurses redraws the cells that use them.
  mutating func choose(for background: Background) {
    guard !monochrome else { return }
    inks = theme.inks(on: background, colors: colors)
    for ink in Ink.allCases {
      let color = inks.color(of: ink)
      isColored[Int(ink.rawValue)] = color != nil
      // Terminals with direct colour interpret the first eight numbers as the colours of their own theme.
      if let color { cn_color_pair(Int32(ink.rawValue), direct ? directNumber(color) : color) }
    }
  }

  private func directNumber(_ color: Int32) -> Int32 {
    color >= 16 ? RGB(index: color).number : color % 8
  }

  /// Returns the attributes and the colour pair for a style.
  ///
  /// `isSymbol` tells whether a glyph or a line is drawn instead of a letter.
  func look(of style: Style, isSymbol: @autoclosure () -> Bool) -> (attributes: UInt32, pair: Int32) {
    var attributes: UInt32 = 0
    if style.bold { attributes |= CN_BOLD.rawValue }
    if style.underline { attributes |= CN_UNDERLINE.rawValue }
    if style.reverse { attributes |= CN_REVERSE.rawValue }
    let ink = style.ink
    guard ink != .normal else { return (attributes, 0) }
    guard inks.isOwn else {
      return isColored[Int(ink.rawValue)]
        ? (attributes, Int32(ink.rawValue)) : (attributes | ink.attributes, 0)
    }
    switch ink {
    // Only lines may be faint, because how faint is up to the terminal.
    case .dim: return (isSymbol() ? attributes | CN_DIM.rawValue : attributes, 0)
    case .bad where inks.bad == nil:
      // In reverse, the cell is a block of colour and the symbol itself has the colour of the background. A letter would
      // not be readable there, so words continue the bar of the selected row.
      let hasColor = inks.symbolOnly != nil && isSymbol()
      let words = style.reverse && isColored[Int(Ink.accent.rawValue)] ? Ink.accent : .normal
      return (attributes | CN_BOLD.rawValue, Int32((hasColor ? ink : words).rawValue))
    default:
      return isColored[Int(ink.rawValue)]
        ? (attributes, Int32(ink.rawValue)) : (attributes | ink.attributes, 0)
    }
  }
}

extension Ink {
  fileprivate var attributes: UInt32 {
    switch self {
    case .normal, .good: 0
    case .dim: CN_DIM.rawValue
    case .accent: CN_BOLD.rawValue
    case .warning: CN_UNDERLINE.rawValue
    case .bad: CN_BOLD.rawValue | CN_UNDERLINE.rawValue
    }
  }
}
