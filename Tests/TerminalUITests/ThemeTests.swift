import Testing

@testable import TerminalUI

/// The colours as a user sees them, with contrast as WCAG 2 defines it.
@Suite struct ThemeTests {
  /// A terminal theme's values for the colours that are used: text, red, green, yellow, cyan, and bright red.
  struct Terminal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var background: Int
    var text: Int
    var colors: [Int32: Int]

    init(_ name: String, _ background: Int, text: Int, green: Int, yellow: Int, cyan: Int, brightRed: Int) {
      testDescription = name
      self.background = background
      self.text = text
      colors = [2: green, 3: yellow, 6: cyan, 9: brightRed]
    }
  }

  /// Six popular themes, with the colours that their authors publish.
  static let terminals = [
    Terminal(
      "Dracula", 0x282A36, text: 0xF8F8F2, green: 0x50FA7B, yellow: 0xF1FA8C, cyan: 0x8BE9FD,
      brightRed: 0xFF6E6E),
    Terminal(
      "Gruvbox", 0x282828, text: 0xEBDBB2, green: 0x98971A, yellow: 0xD79921, cyan: 0x689D6A,
      brightRed: 0xFB4934),
    Terminal(
      "Nord", 0x2E3440, text: 0xD8DEE9, green: 0xA3BE8C, yellow: 0xEBCB8B, cyan: 0x88C0D0, brightRed: 0xBF616A
    ),
    Terminal(
      "Solarized", 0x002B36, text: 0x839496, green: 0x859900, yellow: 0xB58900, cyan: 0x2AA198,
      brightRed: 0xCB4B16),
    Terminal(
      "Visual Studio Code", 0x1E1E1E, text: 0xCCCCCC, green: 0x0DBC79, yellow: 0xE5E510, cyan: 0x11A8CD,
      brightRed: 0xF14C4C),
    Terminal(
      "Tango on Ubuntu", 0x300A24, text: 0xFFFFFF, green: 0x4E9A06, yellow: 0xC4A000, cyan: 0x06989A,
      brightRed: 0xEF2929),
  ]

  /// The light variants of three of them, and white, for terminals that report their background.
  static let light = [0xFDF6E3, 0xFAFAFA, 0xEEEEEE, 0xFFFFFF]

  private func rgb(_ number: Int) -> RGB { BackgroundTests.rgb(number) }

  /// A state keeps its colour in the selected row, whose text has the background's colour, so the contrast is the same.
  ///
  /// Where red is for glyphs only, a letter in the row has the colours of the bar, or of plain text without colour.
  @Test func aStateKeepsItsColourUnderTheCursor() {
    for ink in [Ink.good, .warning, .bad] {
      #expect(Style(ink).inSelectedRow == Style(ink, reverse: true))
    }
    for ink in [Ink.normal, .dim, .accent] { #expect(Style(ink).inSelectedRow == .selected) }
    var palette = Palette(theme: .terminal, colors: 16, direct: false, monochrome: true)
    palette.choose(for: .unknown)
    #expect(palette.look(of: Style(.bad, reverse: true), isSymbol: false).pair == 0)
  }

  /// Text needs a contrast ratio of 4.5:1; a glyph, which is a picture, needs 3:1.
  @Test(arguments: terminals, Theme.allCases.filter { $0 != .dark && $0 != .light })
  func whereTheBackgroundIsUnknownTheOwnColoursCanBeRead(_ terminal: Terminal, _ theme: Theme) throws {
    let inks = theme.inks(on: .unknown, colors: 256)
    let background = rgb(terminal.background)
    #expect(inks.isOwn && inks.dim == nil)
    #expect(rgb(terminal.text).contrast(with: background) >= 4.5)
    for ink in Ink.allCases {
      guard let number = inks.color(of: ink) else { continue }
      let contrast = rgb(try #require(terminal.colors[number])).contrast(with: background)
      let least = number == inks.symbolOnly ? 3.0 : 4.5
      #expect(contrast >= least, "\(ink): \(contrast)")
    }
  }

  @Test(arguments: Theme.allCases.filter { $0 != .terminal }, Ink.allCases)
  func whereTheBackgroundIsKnownEveryInkCanBeRead(_ theme: Theme, _ ink: Ink) {
    let least = theme == .highContrast ? 7.0 : 4.5
    let dark = BackgroundTests.dark + Self.terminals.map(\.background)
    for (background, samples) in [(Background.dark, dark), (.light, Self.light)] {
      guard let color = theme.inks(on: background, colors: 256).color(of: ink) else { continue }
      let isForced = theme == .light && background == .dark || theme == .dark && background == .light
      for sample in isForced ? [] : samples {
        let contrast = RGB(index: color).contrast(with: rgb(sample))
        #expect(contrast >= least, "\(ink) on \(String(sample, radix: 16)): \(contrast)")
      }
    }
  }

  /// The bar of the selected row has the colour of an ink behind it, and its text the colour of the background.
  @Test(arguments: Theme.allCases, Ink.allCases)
  func theSelectedRowCanBeReadInEveryTheme(_ theme: Theme, _ ink: Ink) throws {
    let style = Style(ink).inSelectedRow
    #expect(style.reverse)
    let least = theme == .highContrast ? 7.0 : 4.5
    let dark = BackgroundTests.dark + Self.terminals.map(\.background)
    for (background, samples) in [(Background.dark, dark), (.light, Self.light)] {
      let isForced = theme == .light && background == .dark || theme == .dark && background == .light
      let inks = theme.inks(on: background, colors: 256)
      guard !isForced, !inks.isOwn, let bar = inks.color(of: style.ink) else { continue }
      for sample in samples {
        let contrast = RGB(index: bar).contrast(with: rgb(sample))
        #expect(contrast >= least, "\(ink) on \(String(sample, radix: 16)): \(contrast)")
      }
    }
    // With the terminal's own colours, a bar behind letters has a colour that letters may have.
    let inks = theme.inks(on: .unknown, colors: 256)
    guard inks.isOwn, let bar = inks.color(of: style.ink), bar != inks.symbolOnly else { return }
    for terminal in Self.terminals {
      let contrast = rgb(try #require(terminal.colors[bar])).contrast(with: rgb(terminal.background))
      #expect(contrast >= 4.5, "\(ink) in \(terminal): \(contrast)")
    }
  }

  @Test func aThemeThatNamesItsBackgroundAsksNobody() {
    for theme in Theme.allCases {
      let palette = Palette(theme: theme, colors: 256, direct: false, monochrome: false)
      #expect(palette.dependsOnBackground == ![.dark, .light, .terminal].contains(theme), "\(theme)")
    }
    #expect(Theme.dark.inks(on: .light, colors: 256) == Theme.auto.inks(on: .dark, colors: 256))
    #expect(Theme.light.inks(on: .unknown, colors: 256) == Theme.auto.inks(on: .light, colors: 256))
    #expect(Theme.auto.inks(on: .dark, colors: 16) == Theme.terminal.inks(on: .unknown, colors: 16))
  }

  /// Viénot, Brettel, and Mollon 1999: the red, green, and blue that people without red or green receptors see, in
  /// linear values.
  private static let blindness: [(String, [Double])] = [
    ("protanopia", [0.11238, 0.88762, 0.00401]), ("deuteranopia", [0.29275, 0.70725, -0.02234]),
  ]

  private func seen(_ color: Int32, _ matrix: [Double]) -> [Double] {
    let rgb = RGB(index: color)
    let linear = [rgb.red, rgb.green, rgb.blue].map { Double($0 * $0) / 65_025 }
    let yellow = matrix[0] * linear[0] + matrix[1] * linear[1]
    return [yellow, linear[2] + matrix[2] * (linear[0] - linear[1])].map { max(0, $0).squareRoot() }
  }

  /// The remaining colours are a yellow and a blue, and good and bad are on different sides.
  @Test(arguments: [Background.dark, .light])
  func goodAndBadDifferWithoutRedAndGreen(_ background: Background) throws {
    let inks = Theme.blueOrange.inks(on: background, colors: 256)
    let (good, bad) = (try #require(inks.good), try #require(inks.bad))
    for (name, matrix) in Self.blindness {
      let (one, other) = (seen(good, matrix), seen(bad, matrix))
      #expect(one[1] - one[0] > 0.1 && other[0] - other[1] > 0.1, "\(name): \(one) \(other)")
    }
  }

  /// If the terminal's own theme determines the colours, there is no faint text and there are no red letters.
  @Test func withOwnColoursOnlySymbolsAreFaintOrRed() {
    var palette = Palette(theme: .terminal, colors: 256, direct: false, monochrome: true)
    palette.choose(for: .unknown)
    #expect(palette.look(of: .dim, isSymbol: false).attributes != 0, "without colour the attributes speak")
    #expect(Cell("✗").isSymbol && Cell("─").isSymbol && Cell("●").isSymbol)
    #expect(
      !Cell("x").isSymbol && !Cell(":").isSymbol && !Cell("漢").isSymbol && !Cell("7").isSymbol
        && !Cell("é").isSymbol)
  }
}
