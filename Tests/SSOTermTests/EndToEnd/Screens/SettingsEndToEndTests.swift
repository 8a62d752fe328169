import Foundation
import Testing

@Suite("The user's own settings through the built program", .serialized)
struct SettingsEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func settings(_ text: String) throws -> [String: String] {
    ["SSOTERM_CONFIG": try folder.write(text, to: "config.yaml")]
  }

  @Test func aProgramHasTheTerminalAndGivesItBack() throws {
    let variables = try settings(
      """
      keys: {silent: S}
      commands:
        - name: show row
          key: B
          run: printf '<%s>' "$ROW" $CLIENT_ID "\\$HOME"
      """)
    let terminal = try Terminal(program: ["demo"], in: folder, variables: variables)
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "S silent", "? help") }
    terminal.send("B")
    try terminal.waitFor("what it printed") {
      $0.shows("<com.contoso.mytestapp1><b6c69a37-df96-4db0-9088-2ab96e1d8215><$HOME>", "Press Enter")
    }
    terminal.send("\r")
    try terminal.waitFor("the screens again") { $0.shows("Apps 3", "“show row” has ended.") }
    terminal.send("q")
  }

  /// Another process's actions are reported at once, and not after the next typed line.
  @Test func aPlainSessionHasTheSettingsAndSaysWhatOthersDo() throws {
    let store = folder.path("s.sqlite")
    let variables = try settings(
      "keys: {silent: S}\ncommands: [{name: show row, key: B, run: 'printf %s $ROW'}]\n")
    let terminal = try Terminal(
      program: ["tui", "--plain", "--store", store], in: folder, rows: 60, columns: 200,
      variables: variables)
    try terminal.waitFor("the apps") { $0.shows("1. My Test App 1") }
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    try terminal.waitFor("the account") { $0.shows("ada@contoso.com") }
    terminal.send("S\r")
    try terminal.waitFor("the token") { $0.shows("✓ Token for ada@contoso.com") }
    terminal.send("B\r")
    try terminal.waitFor("what it printed") { $0.shows("com.contoso.mytestapp1", "Press Enter") }
    terminal.send("\r")
    try terminal.waitFor("the session again") { $0.shows("“show row” has ended.") }
    terminal.send("q\r")
    #expect(try terminal.ending() == .exit(0))
  }

  @Test func aMistakeEndsTheStartWithItsLine() throws {
    let variables = try settings("time: utc\nkeys: {silnet: S}\n")
    let terminal = try Terminal(program: ["demo"], in: folder, columns: 200, variables: variables)
    try terminal.waitFor("the mistake") { $0.shows("config.yaml:2: “silnet”", "Did you mean silent?") }
    let file = folder.path("config.yaml")
    let checked = try Program.run(["config", "check", file], in: folder)
    #expect(checked.status == .exit(2) && checked.err.contains(file + ":2: “silnet”"))
    try folder.write("keys: {silent: S}\n", to: "config.yaml")
    #expect(try Program.run(["config", "check", file], in: folder).status == .exit(0))
    #expect(try Program.run(["config", "check"], in: folder).status == .exit(3))
  }

  @Test func theStoreOfTheSettingsIsTheUsualOne() throws {
    let store = folder.path("mine.sqlite")
    try folder.write("store: \(store)\n", to: "config.yaml")
    let run = try Program.shell(
      "export SSOTERM_CONFIG=config.yaml; ssoterm status; SSOTERM_STORE=other.sqlite ssoterm status",
      in: folder)
    #expect(run.out.contains(store))
    #expect(run.err.contains("no store at other.sqlite"))
    #expect(FileManager.default.fileExists(atPath: store))
  }
}
