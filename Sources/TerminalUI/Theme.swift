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
