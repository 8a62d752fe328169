import Foundation
import Glibc
import Testing

@Suite("The built program in a terminal", .serialized)
struct EndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  func start(
    _ arguments: String..., columns: Int32 = 100, term: String = "xterm-256color",
    output: String = "/dev/null"
  ) throws -> Terminal {
    try Terminal(program: arguments, in: folder, columns: columns, term: term, output: output)
  }

  func startSuite() throws -> Terminal { try Terminal.suite(in: folder) }

  func signIn(on terminal: Terminal) throws {
    terminal.send("i")
    try terminal.waitFor("Continue")
    terminal.send("\r")
    try terminal.waitFor("Username")
    terminal.send("ada@contoso.com\r")
    try terminal.waitFor("waiting for password")
    terminal.send(Program.password + "\r")
    try terminal.waitFor("asks for permission")
    terminal.send("\r")
    try terminal.waitFor("Token for ada@contoso.com in a web session")
  }

  @Test("A sign-in typed in app 1 lets app 2 in silently, and undo takes all of it back")
  func journey() throws {
    let terminal = try startSuite()
    try signIn(on: terminal)
    #expect(!terminal.shows(Program.password))
    terminal.send("js")
    try terminal.waitFor("Token for ada@contoso.com from the cache, after instance discovery")
    terminal.send("s")
    try terminal.waitFor("Token for ada@contoso.com from the cache, no network")
    terminal.send("z")
    // The silent calls, which only read, are taken back with the sign-in before them.
    try terminal.waitFor("app 1 signed out again") { $0.shows("Undone", "no account is signed in") }
    #expect(terminal.text().split(separator: "\n").contains { $0.contains("> My Test App 2") })
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }

  @Test("Keys typed ahead act on what they were meant for")
  func typedAhead() throws {
    let terminal = try startSuite()
    terminal.send("i\rada@contoso.com\r\(Program.password)\r\rjs")
    try terminal.waitFor("app 2 got its token") {
      $0.shows("Token for ada@contoso.com from the cache, after instance discovery", "> My Test App 2")
    }
    #expect(!terminal.shows(Program.password))
    terminal.send("\u{3}")
    #expect(try terminal.ending() == .exit(130))
  }

  @Test("No byte sent to the terminal holds the password or a token")
  func noSecretInBytes() throws {
    let terminal = try startSuite()
    try signIn(on: terminal)
    terminal.send("q")
    try terminal.waitFor("Quit the demo?")
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
    let output = String(decoding: terminal.raw, as: UTF8.self)
    #expect(!output.contains(Program.password))
    #expect(!output.contains("eyJ"))
  }

  @Test("The filter narrows the list as it is typed, and Esc clears it")
  func filter() throws {
    let terminal = try startSuite()
    terminal.send("/zzzz")
    try terminal.waitFor("0 of 3")
    terminal.send("\u{1b}")
    try terminal.waitFor("all apps again") { !$0.shows("of 3") && $0.shows("My Test App 1", "? help") }
  }

  @Test("? lists the keys that work here, and Esc closes it")
  func help() throws {
    let terminal = try startSuite()
    terminal.send("?")
    try terminal.waitFor("[Here]")
    terminal.send("\u{1b}")
    try terminal.waitFor("the apps again") { !$0.shows("[Here]") && $0.shows("Apps 3") }
  }

  @Test("With a broker, i offers both of its accounts")
  func chooseAnAccount() throws {
    let terminal = try start("demo", "two-vendors")
    try terminal.waitFor("the apps") { $0.shows("Fabrikam Notes", "? help") }
    terminal.send("i")
    try terminal.waitFor("the picker") {
      $0.shows("Choose an account", "ada@contoso.com", "grace@contoso.com")
    }
  }

  @Test("The mouse is on at start: a click selects a row, a second one opens it, and the wheel moves")
  func mouse() throws {
    let terminal = try startSuite()
    #expect(String(decoding: terminal.raw, as: UTF8.self).contains("\u{1b}[?1006h"))
    let row = try #require((0..<24).first { terminal.line($0).contains("My Test App 3") })
    terminal.send("\u{1b}[<0;10;\(row + 1)M\u{1b}[<0;10;\(row + 1)m")
    try terminal.waitFor("> My Test App 3")
    terminal.send("\u{1b}[<64;10;5M")
    try terminal.waitFor("> My Test App 1")
    terminal.send("\u{1b}[<0;40;2M")
    try terminal.waitFor("the screen whose tab was clicked") { !$0.shows("[1 Apps]") }
    terminal.send("1q")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectRestored()
  }

  @Test("A note on a step is kept for the next start")
  func note() throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let terminal = try start("tui", "trace/1", "--store", store)
    try terminal.waitFor("step 1/")
    terminal.send(";")
    try terminal.waitFor("note on step 1")
    terminal.send("here it begins\r")
    try terminal.waitFor("The note on step 1 is kept.")
    terminal.send("Q")
    #expect(try terminal.ending() == .exit(0))
    let shown = try Program.run(["trace", "show", "1", "--store", store], in: folder)
    #expect(shown.out.contains("; here it begins"))
    let mermaid = try Program.run(["trace", "export", "1", "--as", "mermaid", "--store", store], in: folder)
    #expect(mermaid.out.hasPrefix("sequenceDiagram\n"))
    #expect(mermaid.out.contains("Note over person: here it begins"))
    #expect(
      try Program.run(["trace", "export", "--as", "gif", "--store", store], in: folder).status == .exit(2))
  }

  @Test("Twice one hour is two hours, and no clock ticks in between")
  func clock() throws {
    let terminal = try startSuite()
    terminal.send("t")
    try terminal.waitFor("+1h FAKE")
    terminal.send("t")
    try terminal.waitFor("+2h FAKE")
    #expect(terminal.line(0).contains("lab time 11:0"))
  }

  @Test("The program follows every size: small, too small, and back")
  func resizing() throws {
    let terminal = try startSuite()
    terminal.resize(rows: 12, columns: 40)
    try terminal.waitFor("the apps in 40x12") { $0.line(0).contains("SSOTerm") && $0.line(2).hasSuffix("━━") }
    terminal.resize(rows: 9, columns: 31)
    try terminal.waitFor("SSOTerm needs 40x12")
    terminal.resize(rows: 24, columns: 100)
    try terminal.waitFor("the apps again") {
      $0.shows("next silent call", "? help") && !$0.shows("needs 40x12")
    }
  }

  @Test(
    "On a terminal that cannot place the cursor, the session in numbered lines takes the place of the screens"
  )
  func dumbTerminal() throws {
    let terminal = try start("--create", "--store", folder.path("s.sqlite"), columns: 200, term: "dumb")
    try terminal.waitFor("the numbered apps") { $0.shows("A number chooses a row", "My Test App 3") }
    terminal.send("q\r")
    #expect(try terminal.ending() == .exit(0))
    #expect(!terminal.raw.contains(0x1b))
  }

  @Test("Into a pipe or a file, the plain status is printed")
  func redirected() throws {
    let output = folder.path("status.txt")
    let terminal = try start("--create", "--store", folder.path("s.sqlite"), output: output)
    #expect(try terminal.ending() == .exit(0))
    let text = folder.text("status.txt")
    #expect(text.contains("com.contoso.mytestapp1"))
    #expect(!(text.utf8 + terminal.raw).contains(0x1b))
  }

  @Test("A sign-in by another process appears without a key press, and the selection stays")
  func twoProcesses() throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.run(["clock", "show", "--create", "--store", store], in: folder).status == .exit(0))
    let terminal = try start("--store", store)
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "needs sign-in", "? help") }
    terminal.send("j")
    try terminal.waitFor("> My Test App 2")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    try terminal.waitFor("the sign-in of the other process", within: 5) {
      $0.shows("ada@contoso", "silent: ")
    }
    #expect(terminal.shows("> My Test App 2"))
  }
}
