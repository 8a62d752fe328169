import Glibc
import Testing

@Suite("The built program in tmux", .serialized)
struct TmuxTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// The state of a terminal that a program has left, as tmux reports it: screen, cursor, and mouse.
  static let restored = "0 1 0"

  func state(_ tmux: Tmux) throws -> String {
    try tmux.state("alternate_on", "cursor_flag", "mouse_any_flag")
  }

  func expectRestored(_ tmux: Tmux) throws {
    try tmux.waitFor("a restored terminal") { try state($0) == Self.restored }
  }

  @Test func controlZStopsItWithTheScreenGivenBackAndFgBringsItBack() throws {
    let tmux = try Tmux(in: folder, shell: ["bash", "--norc", "--noprofile", "-i"])
    try tmux.type("\(Program.path) demo contoso-suite")
    try tmux.press("Enter")
    try tmux.waitFor("next silent call")
    #expect(try state(tmux).hasPrefix("1 1"))
    try tmux.press("C-z")
    try tmux.waitFor("Stopped")
    try expectRestored(tmux)
    try tmux.type("fg")
    try tmux.press("Enter")
    try tmux.waitFor("the screen again") { try $0.state("alternate_on") == "1" }
    try tmux.waitFor("next silent call")
    try tmux.type("q")
    try expectRestored(tmux)
    try tmux.type("echo back-$((40 + 2))")
    try tmux.press("Enter")
    try tmux.waitFor("back-42")
  }

  /// Regression: cells that did not change kept the attributes of the theme before.
  @Test func anotherThemeRepaintsEveryCell() throws {
    let screens = try ["terminal", "dark"].map { theme in
      let tmux = try Tmux(
        in: folder, shell: [Program.path, "demo", "contoso-suite-broken-team", "--theme", theme])
      try tmux.waitFor("next silent call")
      try tmux.type(":theme dark")
      try tmux.press("Enter")
      try tmux.waitFor("Theme: dark.")
      // The first line has the time.
      return try tmux.run(["capture-pane", "-p", "-e"]).split(separator: "\n").dropFirst(3)
    }
    #expect(screens[0] == screens[1])
  }

  @Test func aTraceIsWrittenBesideWhatIsThereAndNeverOverIt() throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    try folder.write("mine", to: "trace-1.mmd")
    let command = "cd \(folder.root) && exec \(Program.path) tui trace --store \(store)"
    let tmux = try Tmux(in: folder, shell: ["sh", "-c", command])
    try tmux.waitFor("Traces 1")
    try tmux.type("xm")
    try tmux.waitFor("Written to trace-1-2.mmd")
    #expect(folder.text("trace-1.mmd") == "mine")
    #expect(folder.text("trace-1-2.mmd").hasPrefix("sequenceDiagram\n"))
    try tmux.type("xJ")
    try tmux.waitFor("Written to trace-1.json")
    #expect(folder.text("trace-1.json").contains("\"correlationID\""))
    #expect(!folder.text("trace-1.json").contains("eyJ0"))
  }

  /// The mouse is captured at start, so that it has to be released.
  @Test(arguments: [SIGSEGV, SIGABRT, SIGTERM])
  func aCrashLeavesTheShellsScreenCursorAndMouse(_ signal: Int32) throws {
    // A shell that reads a script does not restore the terminal, unlike an interactive shell.
    let script = """
      stty -g > \(folder.path("before"))
      sh -c 'echo $$ > \(folder.path("pid")); exec \(Program.path) demo contoso-suite'
      stty -g > \(folder.path("after"))
      read wait
      """
    let tmux = try Tmux(in: folder, shell: ["sh", try folder.write(script, to: "script.sh")])
    try tmux.waitFor("next silent call")
    try tmux.waitFor("the mouse") { try state($0) == "1 1 1" }
    let pid = try #require(pid_t(folder.text("pid").filter(\.isNumber)))
    #expect(kill(pid, signal) == 0)
    try expectRestored(tmux)
    try tmux.waitFor("the shell") { _ in !folder.text("after").isEmpty }
    #expect(folder.text("after") == folder.text("before"))
  }
}
