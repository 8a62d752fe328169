import CNcurses

/// What each ink looks like on this terminal.
///
/// The background stays the terminal's own. With 256 colours the inks are bright on a dark background and deep on a
/// light one. As long as the terminal has not said which it has, and with fewer colours, the person's own theme decides
/// what "red" is. Without colour the attributes speak.
struct Palette {
  private let colors: Int
  private let direct: Bool
  private let monochrome: Bool
  /// Whether an ink, by its number, has a colour here; the pair's number is the ink's.
  private var isColored = [Bool](repeating: false, count: Ink.allCases.count)

  init(colors: Int, direct: Bool, monochrome: Bool) {
    self.colors = colors
    self.direct = direct
    self.monochrome = monochrome || colors < 8
  }

  /// Whether the background makes a difference here.
  var dependsOnBackground: Bool { !monochrome && colors >= 256 }

  /// Gives the inks their colours; ncurses draws again what has one of them.
  mutating func choose(for background: Background) {
    guard !monochrome else { return }
    for ink in Ink.allCases {
      let color = colors >= 256 ? ink.color(on: background) : nil
      // Terminals with direct colour take the first eight numbers for the theme's.
      let number = color.map { direct ? RGB(index: $0).number : $0 } ?? ink.themeColor
      isColored[Int(ink.rawValue)] = number != nil
      if let number { cn_color_pair(Int32(ink.rawValue), number) }
    }
  }

  func look(of style: Style) -> (attributes: UInt32, pair: Int32) {
    var attributes: UInt32 = 0
    if style.bold { attributes |= CN_BOLD.rawValue }
    if style.underline { attributes |= CN_UNDERLINE.rawValue }
    if style.reverse { attributes |= CN_REVERSE.rawValue }
    if isColored[Int(style.ink.rawValue)] { return (attributes, Int32(style.ink.rawValue)) }
    return (attributes | style.ink.attributes, 0)
  }
}

extension Ink {
  /// One of the 256 colours; a contrast of 4.5 to 1 on backgrounds of that kind.
  ///
  /// Nil: the theme's.
  func color(on background: Background) -> Int32? {
    switch (self, background) {
    case (.normal, _), (_, .unknown): nil
    case (.dim, .dark): 248
    case (.dim, .light): 241
    case (.accent, .dark): 111
    case (.accent, .light): 25
    case (.good, .dark): 114
    case (.good, .light): 22
    case (.warning, .dark): 215
    case (.warning, .light): 94
    case (.bad, .dark): 210
    case (.bad, .light): 124
    case (.title, .dark): 177
    case (.title, .light): 91
    }
  }

  /// One of the first eight, which every theme sets to what it takes for readable.
  fileprivate var themeColor: Int32? {
    switch self {
    case .normal, .dim: nil
    case .accent: 6
    case .good: 2
    case .warning: 3
    case .bad: 1
    case .title: 5
    }
  }

  fileprivate var attributes: UInt32 {
    switch self {
    case .normal, .good: 0
    case .dim: CN_DIM.rawValue
    case .accent, .title: CN_BOLD.rawValue
    case .warning: CN_UNDERLINE.rawValue
    case .bad: CN_BOLD.rawValue | CN_UNDERLINE.rawValue
    }
  }
}
