import Glibc
import Testing

@Suite("Whatever ends the program, the terminal is as before", .serialized)
struct RestoringTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test func leavingRestoresTheModesTheScreenTheCursorAndThePasteMode() throws {
    let terminal = try Terminal.suite(in: folder)
    #expect(terminal.modes.c_lflag & tcflag_t(ICANON) == 0)
    terminal.send("M")
    try terminal.waitFor("the mouse") { String(decoding: $0.raw, as: UTF8.self).contains("\u{1b}[?1006h") }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectRestored()
  }

  /// All signals that would terminate a process.
  ///
  /// `fatalError` and a trap are SIGILL or SIGTRAP, `abort` is SIGABRT, and a bad access is SIGSEGV or SIGBUS; `ulimit
  /// -f` and `-t` send SIGXFSZ and SIGXCPU. SIGPIPE is not included, because it is ignored.
  static let endings: [Int32] =
    [
      SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGUSR1,
      SIGUSR2,
      SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR, SIGSTKFLT, 34, 50, 64,
    ]

  @Test(arguments: endings)
  func aSignalEndsTheProgramByThatSignalWithTheTerminalRestored(_ signal: Int32) throws {
    let terminal = try Terminal.suite(in: folder)
    terminal.send("M")
    try terminal.waitFor("the mouse") { String(decoding: $0.raw, as: UTF8.self).contains("\u{1b}[?1006h") }
    terminal.child.send(signal)
    #expect(try terminal.ending() == .signal(signal))
    terminal.expectRestored()
    #expect(!String(decoding: terminal.raw, as: UTF8.self).contains("Backtrace"), "it may hold secrets")
  }

  /// Whatever happens while a password is typed in lines, the terminal echoes again in the shell.
  @Test(arguments: endings + [SIGPIPE])
  func aSignalAtThePasswordPromptLeavesTheEchoOn(_ signal: Int32) throws {
    let terminal = try passwordPrompt()
    terminal.child.send(signal)
    #expect(try terminal.ending() == .signal(signal))
    #expect(terminal.modes.c_lflag == terminal.modesBefore.c_lflag)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGSEGV])
  func aSignalToACommandThatReadsKeysLeavesTheEchoOn(_ signal: Int32) throws {
    let cache = Program.samples + "/msal_python_cache.json"
    let terminal = try Terminal(program: ["view", "--watch", cache], in: folder, rows: 60)
    try terminal.waitFor("the cache, and keys without echo") {
      $0.shows("3 accounts") && $0.modes.c_lflag & tcflag_t(ECHO) == 0
    }
    terminal.child.send(signal)
    #expect(try terminal.ending() == .signal(signal))
    #expect(terminal.modes.c_lflag == terminal.modesBefore.c_lflag)
  }

  /// The shell does not restore the terminal itself.
  @Test func aStopAtThePasswordPromptLeavesTheEchoOnUntilItGoesOn() throws {
    let tmux = try Tmux(in: folder, shell: ["sh", "-i"])
    let terminal = open(try tmux.state("pane_tty"), O_RDWR | O_NOCTTY)
    defer { close(terminal) }
    func isEchoing() -> Bool {
      var modes = termios()
      return tcgetattr(terminal, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }
    let store = folder.path("s.sqlite")
    try tmux.type(
      "\(Program.path) signin mytestapp1 --account ada@contoso.com --approve --plain --store \(store)")
    try tmux.press("Enter")
    try tmux.waitFor("Password, empty to cancel:")
    try tmux.waitFor("no echo") { _ in !isEchoing() }
    try tmux.press("C-z")
    try tmux.waitFor("the echo") { _ in isEchoing() }
    try tmux.type("fg")
    try tmux.press("Enter")
    try tmux.waitFor("no echo again") { _ in !isEchoing() }
    try tmux.type(Program.password)
    try tmux.press("Enter")
    try tmux.waitFor("Accept all of them?")
    #expect(isEchoing())
    #expect(try !tmux.screen().contains(Program.password))
  }

  private func passwordPrompt() throws -> Terminal {
    let terminal = try Terminal(
      program: [
        "signin", "mytestapp1", "--account", "ada@contoso.com", "--approve", "--plain", "--store",
        folder.path("s.sqlite"),
      ],
      in: folder)
    try terminal.waitFor("the password prompt without echo") {
      $0.shows("Password, empty to cancel:") && $0.modes.c_lflag & tcflag_t(ECHO) == 0
    }
    return terminal
  }

  @Test func aTerminalThatIsClosedEndsTheProgram() throws {
    let terminal = try Terminal.suite(in: folder)
    terminal.hangUp()
    #expect(try terminal.child.ending(within: 5) == .signal(SIGHUP))
  }
}
