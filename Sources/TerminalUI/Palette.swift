import CNcurses

/// What each ink looks like on this terminal.
///
/// The background stays the terminal's own, so every colour must be readable on white and on black.
/// With 256 colours they are fixed ones of middling brightness (a contrast of 4.5 to 1 both ways); with
/// fewer the person's own theme decides what "red" is. Without colour the attributes speak.
struct Palette {
  /// The inks that have a colour here; the pair's number is the ink's.
  private let colored: Set<Ink>

  init(colors: Int, direct: Bool, monochrome: Bool) {
    guard colors >= 8, !monochrome else {
      colored = []
      return
    }
    colored = Set(Ink.allCases.filter { Self.color(of: $0, of: colors) != nil })
    for ink in colored {
      guard let color = Self.color(of: ink, of: colors) else { continue }
      cn_color_pair(Int32(ink.rawValue), direct ? Self.rgb(color) : color)
    }
  }

  func look(of style: Style) -> (attributes: UInt32, pair: Int32) {
    var attributes: UInt32 = 0
    if style.bold { attributes |= CN_BOLD.rawValue }
    if style.underline { attributes |= CN_UNDERLINE.rawValue }
    if style.reverse { attributes |= CN_REVERSE.rawValue }
    if colored.contains(style.ink) { return (attributes, Int32(style.ink.rawValue)) }
    return (attributes | Self.attributes(of: style.ink), 0)
  }

  private static func attributes(of ink: Ink) -> UInt32 {
    switch ink {
    case .normal, .good: 0
    case .dim: CN_DIM.rawValue
    case .accent, .title: CN_BOLD.rawValue
    case .warning: CN_UNDERLINE.rawValue
    case .bad: CN_BOLD.rawValue | CN_UNDERLINE.rawValue
    }
  }

  private static func color(of ink: Ink, of count: Int) -> Int32? {
    let many = count >= 256
    switch ink {
    case .normal: return nil
    case .dim: return many ? 243 : nil
    case .accent: return many ? 63 : 6
    case .good: return many ? 29 : 2
    case .warning: return many ? 130 : 3
    case .bad: return many ? 131 : 1
    case .title: return many ? 98 : 4
    }
  }

  /// A terminal with direct colour takes a number from 8 on for an RGB value.
  private static func rgb(_ index: Int32) -> Int32 {
    if index < 16 { return index }
    if index >= 232 { return (8 + 10 * (index - 232)) * 0x01_01_01 }
    let levels: [Int32] = [0, 95, 135, 175, 215, 255]
    let cube = Int(index - 16)
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
  }
}
