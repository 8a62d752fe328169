import Testing

@testable import TerminalUI

@Suite struct BackgroundTests {
  /// The backgrounds of black, VS Code, One Dark, Solarized, Nord, and Ubuntu.
  static let dark = [0x000000, 0x1E1E1E, 0x282C34, 0x002B36, 0x2E3440, 0x300A24]
  /// The backgrounds of white, Solarized light, a grey, and One Light.
  static let light = [0xFFFFFF, 0xFDF6E3, 0xEEEEEE, 0xFAFAFA]

  static func rgb(_ number: Int) -> RGB {
    RGB(red: number >> 16, green: number >> 8 & 255, blue: number & 255)
  }

  @Test func theSamplesAreTakenForWhatTheyAre() {
    for sample in Self.dark { #expect(Background(Self.rgb(sample)) == .dark) }
    for sample in Self.light { #expect(Background(Self.rgb(sample)) == .light) }
  }

  @Test func contrastIsTheOneOfWCAG() {
    #expect(abs(RGB.white.contrast(with: .black) - 21) < 0.1)
    #expect(abs(Self.rgb(0x767676).contrast(with: .white) - 4.54) < 0.05)
  }

  @Test(
    arguments: [
      ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", .light), ("\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", .dark),
      ("\u{1B}]11;rgb:ff/f6/e3\u{7}", .light), ("\u{1B}]11;rgb:0/0/0\u{7}", .dark),
      ("\u{1B}]11;rgb:zz/0/0\u{7}", nil), ("\u{1B}]11;rgb:1e1e/1e1e\u{7}", nil), ("\u{1B}]11;?\u{7}", nil),
      ("\u{1B}]10;rgb:ffff/ffff/ffff\u{7}", nil), ("\u{1B}]11;rgb:fffff/0/0\u{7}", nil),
    ] as [(String, Background?)])
  func anAnswerIsReadAndNothingElseIsTyped(_ bytes: String, _ background: Background?) {
    var decoder = KeyDecoder()
    let events = decoder.feed(bytes.utf8)
    #expect(events == background.map { [.background($0)] } ?? [])
  }

  @Test(
    arguments: [("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("", nil), ("x;y", nil)]
      as [(String, Background?)])
  func colorFGBGIsReadFromItsEnd(_ text: String, _ background: Background?) {
    #expect(Background(colorFGBG: text) == background)
  }

  @Test(arguments: [("xterm-256color", true), ("tmux-256color", true), ("linux", false), ("vt100", false)])
  func onlyTerminalsThatUnderstandAreAsked(_ type: String, _ isAsked: Bool) {
    #expect(Background.canBeAsked(type: type) == isAsked)
  }
}
