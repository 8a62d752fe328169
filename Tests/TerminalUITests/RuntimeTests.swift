import Testing

@testable import TerminalUI

@Suite struct RuntimeTests {
  @Test func eventsThatComeTogetherAreDrawnOnce() {
    let driver = OffscreenDriver(
      width: 10, height: 1,
      script: [[.key(.up), .key(.down)], [.key(.left)], [.key(.character("q")), .key(.up)]])
    var count = 0
    runTerminal(driver: driver) { event in
      count += 1
      return event == .key(.character("q")) ? .quit : event == .key(.left) ? .ignore : .redraw
    } draw: { grid in
      grid.put("\(count)", at: 0, 0, width: 10)
    }
    #expect(driver.shown.map { $0.text() } == ["0", "2"])
    #expect(count == 4, "nothing is handled after quit")
  }

  @Test func aResizeIsDrawnAtTheNewSizeWhateverTheProgramSays() {
    let driver = OffscreenDriver(width: 10, height: 1, script: [[.resize(width: 4, height: 2)]])
    runTerminal(driver: driver) { _ in
      .ignore
    } draw: {
      $0.box($0.bounds)
    }
    #expect(driver.shown.map { $0.bounds.width } == [10, 4])
    #expect(driver.shown.last?.text() == "┌──┐\n└──┘")
  }

  @Test func theLoopSleepsWithoutATimeUnlessOneWasAskedFor() {
    let driver = OffscreenDriver(
      width: 1, height: 1, script: [[.key(.up)], [.key(.down)], [.deadline], [.key(.down)]])
    var wish: Int?
    let take = { (event: InputEvent) -> LoopVerdict in
      if event == .key(.up) { wish = 600_000 }
      if event == .deadline { wish = nil }
      return .ignore
    }
    runTerminal(driver: driver, nextWake: { wish }, onEvent: take, draw: { _ in })
    #expect(driver.waits == [nil, 600_000, 600_000, nil, nil])
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("é>?", "w6k+Pw=="),
  ])
  func theClipboardGetsBase64(_ text: String, _ encoded: String) {
    #expect(Clipboard.base64(Array(text.utf8)) == encoded)
    #expect(Clipboard.sequence(for: text, through: .none) == "\u{1B}]52;c;\(encoded)\u{7}")
  }

  @Test func aMultiplexerIsAskedToPassTheClipboardOn() {
    #expect(
      Clipboard.sequence(for: "foo", through: .tmux)
        == "\u{1B}]52;c;Zm9v\u{7}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;Zm9v\u{7}\u{1B}\\")
    #expect(Clipboard.sequence(for: "foo", through: .screen) == "\u{1B}P\u{1B}]52;c;Zm9v\u{7}\u{1B}\\")
    #expect(Clipboard.sequence(for: String(repeating: "a", count: 80_000), through: .none) == nil)
  }
}
