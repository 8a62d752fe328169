import Glibc
import Testing

/// `nohup` and some supervisors start programs that ignore SIGHUP.
@Suite("A program that inherited an ignored SIGHUP ends with its terminal", .serialized)
struct HangUpTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func start(_ arguments: [String], showing words: String) throws -> Terminal {
    let command = ["/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh", Program.path] + arguments
    var environment = Program.environment(home: folder.root)
    environment["XDG_RUNTIME_DIR"] = folder.root  // `notes` follows a file that may appear there.
    let terminal = try Terminal(command, environment: environment, rows: 60)
    try terminal.waitFor(words)
    terminal.child.send(SIGHUP)
    #expect(terminal.child.poll() == nil, "it is ignored")
    return terminal
  }

  @Test(
    arguments: [
      (["demo"], "? help"), (["demo", "--plain"], "A number chooses a row"), (["tui"], "? help"),
      (["tui", "--plain"], "A number chooses a row"),
      (["signin", "mytestapp1", "--account", "ada@contoso.com", "--approve", "--plain"], "Password"),
      (["signin", "mytestapp1", "--plain"], "Continue"),
      (["notes"], "Press q to quit"),
      (["view", "--watch", Program.samples + "/msal_python_cache.json"], "3 accounts"),
      (["doctor", "--watch", Program.repository + "/assets/projects/no-callback"], "com.contoso"),
      (["serve", "--port", "0"], "● on, port"),
    ])
  func whatUsesTheTerminalEnds(_ arguments: [String], _ words: String) throws {
    let terminal = try start(arguments, showing: words)
    terminal.hangUp()
    let ending = try terminal.child.ending(within: 10)
    guard case .exit = ending else {
      Issue.record("\(arguments) ended with \(ending)")
      return
    }
  }

  /// A server that only prints continues, as `nohup` intends.
  @Test func aServerThatOnlyPrintsGoesOn() throws {
    let terminal = try start(
      ["serve", "--port", "0", "--approve", "browser"], showing: "serves the store")
    terminal.hangUp()
    usleep(300_000)
    #expect(terminal.child.poll() == nil)
    terminal.child.send(SIGTERM)
    #expect(try terminal.child.ending(within: 10) == .exit(0))
  }
}
