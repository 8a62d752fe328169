import CNcurses

/// The colours of the inks.
///
/// Everything that differs by colour also differs by a glyph or a word, so every theme conveys the same information.
package enum Theme: String, CaseIterable, Sendable {
  /// Follows the terminal's background, or is the same as `terminal` if the terminal does not report its background.
  case auto
  case dark
  case light
  /// The 16 colours that the user has chosen for the terminal.
  case terminal
  /// A contrast ratio of at least 7:1, without faint text.
  case highContrast = "high-contrast"
  /// Blue for good and orange for bad, which are distinguishable for people who cannot tell red from green.
  case blueOrange = "blue-orange"

  /// Returns the colours on a background.
  ///
  /// Each ink has one of the 256 colours, so that the contrast ratio is known: at least 4.5:1. If the background is
  /// unknown, no such colour is safe, and the terminal's own colours are used instead.
  func inks(on background: Background, colors: Int) -> Inks {
    guard self != .terminal, colors >= 256, let kind = kind(of: background) else {
      return own(colors: colors)
    }
    return switch (self, kind) {
    case (.highContrast, .dark): Inks(dim: 252, accent: 117, good: 120, warning: 228, bad: 217)
    // No deep green, yellow, or brown reaches 7:1 on all light backgrounds, so weight and glyphs convey the meaning.
    case (.highContrast, .light): Inks(dim: 236, accent: 18, good: nil, warning: nil, bad: 88)
    case (.blueOrange, .dark): Inks(dim: 248, accent: 231, good: 75, warning: 229, bad: 208)
    case (.blueOrange, .light): Inks(dim: 241, accent: 16, good: 25, warning: 90, bad: 94)
    case (_, .dark): Inks(dim: 248, accent: 111, good: 114, warning: 215, bad: 210)
    case (_, .light): Inks(dim: 241, accent: 25, good: 22, warning: 94, bad: 124)
    }
  }

  private enum Kind { case dark, light }

  private func kind(of background: Background) -> Kind? {
    switch self {
    case .dark: return .dark
    case .light: return .light
    default: break
    }
    return switch background {
    case .dark: .dark
    case .light: .light
    case .unknown: nil
    }
  }

  /// Returns those of the terminal's own colours that most themes make readable, with 4.5:1 on the six themes of the
  /// tests.
  ///
  /// Red reaches this ratio on few themes and "bright black" on none, so a bad or faint word has the text's own colour.
  /// `✗` and lines, which need 3:1 or are decoration, have these colours.
  private func own(colors: Int) -> Inks {
    let red: Int32 = colors >= 16 ? 9 : 1
    return switch self {
    case .highContrast: Inks(isOwn: true)
    case .blueOrange: Inks(good: 6, bad: 3, isOwn: true)
    default: Inks(accent: 6, good: 2, warning: 3, symbolOnly: red, isOwn: true)
    }
  }
}

/// The colours of the inks, as numbers from the 256 colours; `nil` stands for the colour of plain text.
struct Inks: Equatable {
  var dim: Int32?
  var accent: Int32?
  var good: Int32?
  var warning: Int32?
  var bad: Int32?
  /// The colour for the bad ink if only its glyph may be coloured.
  var symbolOnly: Int32?
  /// Whether the numbers refer to the terminal's own theme, in which faint text may be unreadable.
  var isOwn = false

  func color(of ink: Ink) -> Int32? {
    switch ink {
    case .normal: nil
    case .dim: dim
    case .accent: accent
    case .good: good
    case .warning: warning
    case .bad: bad ?? symbolOnly
    }
  }
}

/// The brightness of the terminal's background, as far as it is known.
package enum Background: Equatable, Sendable {
  case unknown, dark, light

  /// Creates the background on which white text is more readable (`dark`) or black text is (`light`).
  init(_ color: RGB) {
    self = color.contrast(with: .white) >= color.contrast(with: .black) ? .dark : .light
  }

  /// Creates a background from `COLORFGBG`, which some terminals set.
  ///
  /// The value `15;0`, for example, is white on black.
  init?(colorFGBG: String?) {
    guard let last = colorFGBG?.split(separator: ";").last, let number = Int(last) else { return nil }
    switch number {
    case 0...6, 8: self = .dark
    case 7, 9...15: self = .light
    default: return nil
    }
  }

  /// Creates a background from a terminal's response to ``query``.
  ///
  /// The response is `ESC ] 11 ; rgb:1e1e/1e1e/1e1e`, with one to four digits for each colour component.
  init?(answer: String) {
    let prefix = "\u{1B}]11;rgb:"
    guard answer.hasPrefix(prefix) else { return nil }
    let digits = answer.dropFirst(prefix.count).prefix { $0.isHexDigit || $0 == "/" }.split(separator: "/")
    let parts = digits.compactMap { part -> Int? in
      guard (1...4).contains(part.count), let value = Int(part, radix: 16) else { return nil }
      return value * 255 / ((1 << (4 * part.count)) - 1)
    }
    guard digits.count == 3, parts.count == 3 else { return nil }
    self.init(RGB(red: parts[0], green: parts[1], blue: parts[2]))
  }

  /// The query for the terminal's background colour (OSC 11).
  static let query = "\u{1B}]11;?\u{1B}\\"

  /// Returns whether a terminal of this type can be queried for its background.
  ///
  /// Old terminals would print the query, so only terminals of families that understand it are queried.
  static func canBeAsked(type: String) -> Bool {
    [
      "xterm", "tmux", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "konsole", "vte", "st-",
      "rxvt",
    ]
    .contains { type.hasPrefix($0) }
  }
}

/// A colour whose red, green, and blue components range from 0 to 255.
struct RGB: Equatable, Sendable {
  var red: Int
  var green: Int
  var blue: Int

  static let white = RGB(red: 255, green: 255, blue: 255)
  static let black = RGB(red: 0, green: 0, blue: 0)

  init(red: Int, green: Int, blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates one of the 256 colours from its number, which must be 16 or more: a colour of the 6×6×6 cube, or a grey.
  init(index: Int32) {
    if index >= 232 {
      let level = 8 + 10 * (Int(index) - 232)
      self.init(red: level, green: level, blue: level)
    } else {
      let levels = [0, 95, 135, 175, 215, 255]
      let cube = Int(max(16, index)) - 16
      self.init(red: levels[cube / 36], green: levels[cube / 6 % 6], blue: levels[cube % 6])
    }
  }

  /// The colour as a number for terminals with direct colour.
  var number: Int32 { Int32(red << 16 | green << 8 | blue) }

  /// Returns the contrast ratio between two colours as defined by WCAG 2, from 1 to 21.
  func contrast(with other: RGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private var luminance: Double {
    func linear(_ part: Int) -> Double {
      let value = Double(part) / 255
      // Approximates raising to the power of 2.4 with a polynomial that is accurate to 0.003, because seven colours do
      // not justify a mathematics library.
      return value <= 0.04045
        ? value / 12.92 : value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}

/// The characters that the terminal can display reliably.
package enum GlyphSet: Equatable, Sendable {
  case unicode, ascii

  /// Returns the glyph to draw for a scalar.
  ///
  /// If the glyphs are ASCII, this is one ASCII character for each of SSOTerm's own symbols, and `?` for any other
  /// scalar that is not ASCII.
  func glyph(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    if self == .unicode || scalar.isASCII { return scalar }
    return Self.table[scalar] ?? Self.boxPart(scalar) ?? "?"
  }

  private static func boxPart(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "━": "="
    case "─", "┄", "┈", "╌", "═", "╴", "╶": "-"
    case "│", "┃", "┆", "┊", "╎", "║", "╵", "╷", "▏", "▕": "|"
    case "\u{2500}"..."\u{257F}": "+"
    case "█", "▓", "▉", "▊", "▋", "▌": "#"
    case "▒": ":"
    case "░": "."
    case "\u{2581}"..."\u{2587}": "_"
    default: nil
    }
  }

  private static let table: [Unicode.Scalar: Unicode.Scalar] = [
    "●": "*", "◔": "~", "○": "o", "✗": "x", "✘": "x", "×": "x", "·": ".", "•": "*", "✓": "+", "✔": "+",
    "▸": ">", "▶": ">", "►": ">", "◂": "<", "◀": "<", "▾": "v", "▼": "v", "▴": "^", "▲": "^",
    "→": ">", "⇒": ">", "←": "<", "⇐": "<", "↑": "^", "↓": "v", "↔": "-", "↵": "<", "⏎": "<",
    "…": "~", "–": "-", "—": "-", "−": "-", "‑": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'",
    "«": "<", "»": ">", "\u{A0}": " ", "◆": "*", "◇": "o", "■": "#", "□": "o", "★": "*", "☆": "*",
    "◐": "~", "◑": "~", "◕": "~", "⚠": "!", "≥": ">", "≤": "<", "≠": "!", "⇄": "=",
    "⟳": "@", "↶": "<", "↻": "@",
  ]
}

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
