/// What is known of the colour behind the text.
package enum Background: Equatable, Sendable {
  case unknown, dark, light

  /// Which of white and black can be read better on it.
  init(_ color: RGB) {
    self = color.contrast(with: .white) >= color.contrast(with: .black) ? .dark : .light
  }

  /// `COLORFGBG`, which some terminals set: `15;0` is white on black.
  init?(colorFGBG: String?) {
    guard let last = colorFGBG?.split(separator: ";").last, let number = Int(last) else { return nil }
    switch number {
    case 0...6, 8: self = .dark
    case 7, 9...15: self = .light
    default: return nil
    }
  }

  /// What a terminal answers to ``query``: `ESC ] 11 ; rgb:1e1e/1e1e/1e1e`, in one to four digits each.
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

  /// Asks the terminal for its background (OSC 11).
  static let query = "\u{1B}]11;?\u{1B}\\"

  /// Terminals of old would print the query, so only those are asked whose kin understand it.
  static func canBeAsked(type: String) -> Bool {
    [
      "xterm", "tmux", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "konsole", "vte", "st-",
      "rxvt",
    ]
    .contains { type.hasPrefix($0) }
  }
}

/// A colour in three parts of 0 to 255.
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

  /// One of the 256 colours from 16 on: a cube of six steps, and greys.
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

  /// As a terminal with direct colour takes it.
  var number: Int32 { Int32(red << 16 | green << 8 | blue) }

  /// 1 to 21, as WCAG 2 defines it.
  func contrast(with other: RGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private var luminance: Double {
    func linear(_ part: Int) -> Double {
      let value = Double(part) / 255
      // A power of 2.4, as a polynomial that is within 0.003 of it: no mathematics library for seven colours.
      return value <= 0.04045
        ? value / 12.92 : value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
