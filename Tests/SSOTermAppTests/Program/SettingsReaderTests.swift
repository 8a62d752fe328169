import Foundation
import LabTestSupport
import SSOCore
import TestSamples
import Testing

@testable import SSOTermApp
@testable import TerminalUI

@Suite("The settings file") struct SettingsReaderTests {
  private static let whole = """
    # my own
    time: utc
    theme: light
    clipboard: "off"
    store: /tmp/lab.sqlite
    keys:
      silent: [S, F2]
      mouse:
      demo next: "~"
      repeat: C-r
    commands:
      - name: open portal
        key: X
        scope: [apps, accounts]
        run: xdg-open "https://portal.example/$CLIENT_ID?u=$ACCOUNT" 'a b' --x=$ROW
        confirm: true
    """

  private func read(_ text: String) throws(SettingsError) -> Settings {
    let (settings, mistakes) = Settings.examined(text, file: "c.yaml")
    if let first = mistakes.first { throw first }
    return settings
  }

  @Test func aDamagedFileIsReadOrRefusedInOneLine() {
    var random = Randomness(seed: fuzzSeed(18))
    var (taken, refused) = (0, 0)
    for _ in 0..<fuzzRounds(1000) {
      let text = random.damaged(Self.whole, inserting: Randomness.yaml)
      do throws(SettingsError) {
        _ = try read(text)
        taken += 1
      } catch {
        #expect(isPresentable(error.problem) && !error.problem.contains("\n"), "\(error)")
        refused += 1
      }
    }
    #expect(taken > 50 && refused > 200)
  }

  @Test func everyKeyOfTheFileIsRead() throws {
    let settings = try read(Self.whole)
    #expect(settings.time == .utc && settings.theme == .light)
    #expect(settings.clipboard == .off && settings.store == "/tmp/lab.sqlite")
    #expect(
      settings.keys == [
        KeyBinding(name: "silent", keys: [.character("S"), .function(2)], line: 7),
        KeyBinding(name: "mouse", keys: [], line: 8),
        KeyBinding(name: "demo next", keys: [.character("~")], line: 9),
        KeyBinding(name: "repeat", keys: [.control("r")], line: 10),
      ])
    let command = try #require(settings.commands.first)
    #expect(command.keys == [.character("X")] && command.scope == [.apps, .accounts] && command.asksFirst)
    #expect(
      command.words == [
        [.text("xdg-open")],
        [.text("https://portal.example/"), .value(.clientID), .text("?u="), .value(.account)],
        [.text("a b")], [.text("--x="), .value(.row)],
      ])
  }

  @Test(arguments: ["", "# nothing\n\n  # more\n", "\n"])
  func aFileWithoutContentSetsNothing(_ text: String) throws {
    #expect(try read(text) == Settings())
  }

  @Test(
    arguments: [
      ("tme: utc", 1, "“tme” is not known here", "Did you mean time?"),
      ("\ntime: utcc", 2, "which is not known here", "Did you mean utc?"),
      ("store: lab.sqlite", 1, "must begin with /, ~/ or postgresql://", nil),
      ("store: postgresql://ada:pw@db/qa?lab=team1", 1, "has a password", nil),
      ("keys:\n  silnet: S", 2, "“silnet” is not a command of the screens", "Did you mean silent?"),
      ("keys:\n  silent: [S,\n    PgUpp]", 3, "has the key “PgUpp”", "Did you mean PgUp?"),
      ("keys:\n  silent: C-c", 2, "cannot have C-c", nil),
      ("keys:\n  interrupt: X", 2, "keeps its key C-c", nil),
      ("keys:\n  silent: j", 2, "cannot have j, which moves in lists", nil),
      (
        "keys:\n  silent: e", 2, "“silent” and “expire” would both have the key e on Apps",
        "Give “expire” another key too, or [] to leave it without a key."
      ),
      ("commands:\n  - {name: x, run: 'echo $CLIENTID'}", 2, "has $CLIENTID", "Did you mean $CLIENT_ID?"),
      ("commands:\n  - {name: x, run: 'echo hi | less'}", 2, "has “|”, but no shell runs it", nil),
      ("commands:\n  - {name: x, run: 'echo \"hi'}", 2, "has a quote that does not end", nil),
      ("commands:\n  - {name: x, run: '$ROW'}", 2, "must begin with the name of a program", nil),
      ("commands:\n  - {name: x, run: ' '}", 2, "is empty", nil),
      ("commands:\n  - {name: silent, run: ls}", 2, "must be a name that no other command has", nil),
      ("commands:\n  - {name: x, run: ls, scope: app}", 2, "which is not known here", "Did you mean apps?"),
      (
        "commands:\n  - {name: x, run: ls, key: s, scope: apps}", 2,
        "“x” and “silent” would both have the key s on Apps", nil
      ),
      ("commands:\n  - {name: x, run: ls, key: q}", 2, "other commands have q on every screen", nil),
      (
        "commands:\n  - {name: x, run: ls, key: U}\n  - {name: y, run: ls, key: U}", 3,
        "“y” and “x” would both have the key U on Apps", nil
      ),
      ("time: [", 1, "this is not YAML", nil),
    ] as [(String, Int, String, String?)])
  func aMistakeIsSaidWithItsLineAndTheNearestName(
    _ text: String, _ line: Int, _ problem: String, _ remedy: String?
  ) throws {
    let error = #expect(throws: SettingsError.self) { try read(text) }
    #expect(error?.line == line && error?.file == "c.yaml", "\(error?.what ?? "")")
    #expect(error?.problem.contains(problem) == true, "\(error?.what ?? "")")
    if let remedy { #expect(error?.next == remedy) }
  }

  @Test func everyMistakeIsFoundAndTheFirstSaysHowManyThereAre() throws {
    let text = """
      tme: utc
      theme: lihgt
      store: lab.sqlite
      keys:
        silnet: S
        silent: C-c
      commands:
        - {name: x, run: 'echo $CLIENTID', scope: app, kye: U}
        - {name: y}
      """
    let mistakes = Settings.examined(text, file: "c.yaml").mistakes
    #expect(mistakes.map(\.line) == [1, 2, 3, 5, 6, 8, 8, 8, 9])
    let path = NSTemporaryDirectory() + "ssoterm-config-\(UUID().uuidString).yaml"
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try Settings.examined(at: path)?.mistakes.count == 9)
    let first = #expect(throws: SettingsError.self) { try Settings.read(at: path) }
    #expect(first?.next == "Did you mean time? All 9 mistakes: ssoterm config check")
  }

  @Test func theFormerNameOfACommandIsAccepted() throws {
    let settings = try read("keys: {matrix: F6, story next: F8}")
    #expect(settings.keys.map(\.name) == ["who reuses", "demo next"])
  }

  @Test func aCommandForAllScreensLeavesTheKeysThatAScreenHas() throws {
    let table = KeyTable(try read("commands: [{name: x, run: ls, key: [s, U]}]"))
    func keys(_ context: KeyContext) -> [KeyPress]? {
      table.commands(in: context).first { $0.name == "x" }?.keys
    }
    #expect(keys(.apps) == [.character("U")], "s is the silent call there")
    #expect(keys(.records) == [.character("s"), .character("U")])
  }

  @Test func aTeamsLabIsNamedByItsAddress() throws {
    #expect(try read("store: postgresql://db/qa?lab=team1").store == "postgresql://db/qa?lab=team1")
  }

  @Test func whatIsReadFromTheFolderIsBounded() throws {
    #expect(try Settings.read(at: "/nonexistent/config.yaml") == nil)
    #expect(try Settings.read(at: "/dev/null") == nil)
    for (path, problem) in [("/dev/zero", "is not a file"), ("/", "is not a file")] {
      let error = #expect(throws: SettingsError.self) { try Settings.read(at: path) }
      #expect(error?.problem == problem)
    }
  }

  @Test func eachKeyIsReadAsItIsWritten() {
    for key in KeyTable.contexts.flatMap(KeyTable.standard.commands).flatMap(\.keys) {
      #expect(KeyPress(displayText: key.displayText) == key, "\(key)")
    }
  }
}
