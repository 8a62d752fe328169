/// Which colours the inks have.
///
/// Each pair that differs by colour also differs by a glyph or a word, so every theme shows the same.
package enum Theme: String, CaseIterable, Sendable {
  /// By the terminal's background; where the terminal does not say which it has, as `terminal`.
  case auto
  case dark
  case light
  /// The 16 colours that the person has chosen for the terminal.
  case terminal
  /// A contrast of at least 7 to 1, and nothing faint.
  case highContrast = "high-contrast"
  /// Good is blue and bad is orange: they differ for people who cannot tell red from green.
  case blueOrange = "blue-orange"

  /// The colours on a background.
  ///
  /// One of the 256 for each ink, so that the contrast is known: 4.5 to 1 at least. Where the background is not known,
  /// no such colour is safe, and the terminal's own take their place.
  func inks(on background: Background, colors: Int) -> Inks {
    guard self != .terminal, colors >= 256, let kind = kind(of: background) else {
      return own(colors: colors)
    }
    return switch (self, kind) {
    case (.highContrast, .dark): Inks(dim: 252, accent: 117, good: 120, warning: 228, bad: 217)
    // No deep green, yellow or brown reaches 7 to 1 on all light backgrounds: weight and glyphs say it.
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

  /// Of the terminal's own colours those that most themes make readable: 4.5 to 1 on the six of the tests.
  ///
  /// Red reaches that on few of them and "bright black" on none, so a bad or faint word has the text's own colour;
  /// ✗ and lines, which need 3 to 1 or are decoration, have these.
  private func own(colors: Int) -> Inks {
    let red: Int32 = colors >= 16 ? 9 : 1
    return switch self {
    case .highContrast: Inks(isOwn: true)
    case .blueOrange: Inks(good: 6, bad: 3, isOwn: true)
    default: Inks(accent: 6, good: 2, warning: 3, symbolOnly: red, isOwn: true)
    }
  }
}

/// The colours of the inks: numbers of the 256, nil for the colour that plain text has.
struct Inks: Equatable {
  var dim: Int32?
  var accent: Int32?
  var good: Int32?
  var warning: Int32?
  var bad: Int32?
  /// For what is bad, if only its glyph may have a colour.
  var symbolOnly: Int32?
  /// Whether the numbers are those of the terminal's own theme, in which faint text may be unreadable.
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
