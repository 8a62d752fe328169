import Foundation
import Testing

/// Terminals and users that do unusual things to the screens: huge pastes, windows that change all the time, and no
/// answers to queries.
@Suite("On terminals that behave badly", .serialized)
struct BadTerminalTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// The time after which a machine counts as hung, not as slow.
  private static let hung = 600.0

  private func megabyte(_ line: String) -> String {
    "\u{1b}[200~" + String(repeating: line, count: (1 << 20) / line.utf8.count) + "\u{1b}[201~"
  }

  @Test func aPasteOfAMegabytePressesNoKeyAndFillsAFieldThatStaysUsable() throws {
    let terminal = try Terminal.suite(in: folder)
    // Each of these letters is a key of Apps, and q would end the program.
    terminal.send(megabyte("q2dsi\r"))
    terminal.send("2")
    try terminal.waitFor("Accounts, which only the key after the paste opens", within: Self.hung) {
      $0.shows("No accounts on this device")
    }
    terminal.send("1/")
    try terminal.waitFor("the filter", within: Self.hung) { $0.shows("words  !not") }
    terminal.send(megabyte("test app 2 \r\n"))
    try terminal.waitFor("the text in the filter, in one line", within: Self.hung) {
      $0.line(22).hasPrefix(" /") && $0.line(22).contains("app 2")
    }
    terminal.send("\u{15}mytestapp3")
    try terminal.waitFor("another filter", within: Self.hung) { $0.shows("/mytestapp3", "1 of 3") }
    terminal.send("\u{1b}")
    try terminal.waitFor("the apps without the filter", within: Self.hung) { !$0.shows("/mytestapp3") }
    terminal.send("q")
    #expect(try terminal.ending(within: Self.hung) == .exit(0))
    terminal.expectRestored()
  }

  @Test func aStormOfSizesEndsWithThePictureOfTheLastOne() throws {
    let terminal = try Terminal.suite(in: folder)
    for step in 0..<400 {
      let (rows, columns) = ([24, 1, 60, 12, 9, 40][step % 6], [80, 200, 3, 40, 31, 120, 79][step % 7])
      terminal.resize(rows: Int32(rows), columns: Int32(columns))
      if step % 10 == 0 { terminal.send("j") }
    }
    terminal.resize(rows: 30, columns: 100)
    try terminal.waitFor("the picture of 100x30", within: Self.hung) {
      $0.line(0).hasPrefix(" SSOTerm") && $0.line(0).hasSuffix("MASKED") && $0.line(29).hasSuffix("help")
        && $0.shows("Apps 3", "next silent call")
    }
    #expect(!terminal.shows("needs 40x12"))
    terminal.send("2")
    try terminal.waitFor("a screen that takes keys", within: Self.hung) {
      $0.shows("No accounts on this device")
    }
    terminal.send("q")
    #expect(try terminal.ending(within: Self.hung) == .exit(0))
    terminal.expectRestored()
  }

  @Test func aTerminalThatAnswersNoQueryIsNotWaitedFor() throws {
    let terminal = try Terminal(program: ["demo"], in: folder, answersQueries: false)
    try terminal.waitFor("the apps", within: Self.hung) { $0.shows("Apps 3", "? help") }
    #expect(String(decoding: terminal.raw, as: UTF8.self).contains("\u{1b}]11;?"), "it was asked")
    terminal.send("2")
    try terminal.waitFor("the next screen", within: Self.hung) { $0.shows("No accounts on this device") }
    terminal.send("q")
    #expect(try terminal.ending(within: Self.hung) == .exit(0))
    terminal.expectRestored()
  }
}
