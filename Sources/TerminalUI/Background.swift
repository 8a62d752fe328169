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
