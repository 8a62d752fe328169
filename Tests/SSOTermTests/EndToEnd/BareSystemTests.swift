import Foundation
import SSOTermApp
import Testing

@Suite("The program where something of the system is missing", .serialized)
struct BareSystemTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func run(_ command: [String]) throws -> Run {
    let child = try Child(
      command, environment: Program.environment(home: folder.root), terminal: nil,
      output: folder.path("stdout"), error: folder.path("stderr"))
    return Run(
      status: try child.ending(within: 20), out: folder.text("stdout"), err: folder.text("stderr"))
  }

  private func terminal(
    _ command: [String], rows: Int32 = 24, columns: Int32 = 100, term: String = "xterm-256color"
  ) throws -> Terminal {
    try Terminal(
      command, environment: Program.environment(home: folder.root, term: term), rows: rows, columns: columns)
  }

  // MARK: - No /proc

  @Test(.enabled(if: BareSystem.isPossible, BareSystem.reason))
  func withoutProcTheCommandLineIsRead() throws {
    let version = try run(BareSystem.without(["/proc"], [Program.path, "--version"]))
    #expect(version.status == .exit(0) && version.out == programVersion + "\n", "\(version)")
    let unknown = try run(BareSystem.without(["/proc"], [Program.path, "statsu", "--json"]))
    #expect(unknown.status == .exit(2) && unknown.out.contains("There is no command “statsu”"), "\(unknown)")
    #expect(!FileManager.default.fileExists(atPath: folder.path(".local")), "no store was made")
  }

  @Test(.enabled(if: BareSystem.isPossible, BareSystem.reason))
  func withoutProcTheLabIsUsedAndTheScenariosAreFound() throws {
    func ssoterm(_ arguments: String...) throws -> Run {
      try run(
        BareSystem.without(["/proc"], [Program.path] + arguments + ["--store", folder.path("s.sqlite")]))
    }
    #expect(try ssoterm("status", "--create").status == .exit(0))
    #expect(try ssoterm("clock", "+1h").status == .exit(0))
    #expect(try ssoterm("undo").out.contains("Undone: clock +1h"))
    let scenario = try run(
      BareSystem.without(["/proc"], [Program.path, "scenario", "run", "two-vendors"]))
    #expect(scenario.status == .exit(0), "\(scenario.err)")
  }

  /// libdispatch would terminate a server's process.
  @Test(
    .enabled(if: BareSystem.isPossible, BareSystem.reason),
    arguments: [["serve", "--port", "0"], ["run", "--", "/bin/true"], ["broker", "serve"]])
  func withoutProcAServerSaysWhatItLacks(_ arguments: [String]) throws {
    let run = try run(
      BareSystem.without(["/proc"], [Program.path] + arguments))
    #expect(run.status == .exit(7), "\(run)")
    #expect(run.err.contains("The server cannot start: /proc is not mounted: "), "\(run.err)")
    #expect(run.err.contains("try: mount -t proc proc /proc"), "\(run.err)")
  }

  @Test(.enabled(if: BareSystem.isPossible, BareSystem.reason))
  func withoutProcTheScreensOpen() throws {
    let terminal = try terminal(BareSystem.without(["/proc"], [Program.path, "demo"]))
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "? help") }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }

  // MARK: - No terminfo

  @Test(
    .enabled(if: BareSystem.isPossible, BareSystem.reason),
    arguments: [
      "xterm-256color", "xterm", "xterm-kitty", "linux", "screen", "screen-256color", "tmux",
      "tmux-256color", "vt100",
    ])
  func withoutTerminfoTheScreensOpenOnAnUsualTerminal(_ type: String) throws {
    let terminal = try terminal(
      BareSystem.without(BareSystem.terminfo, [Program.path, "demo"]), term: type)
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "My Test App 3", "? help") }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
    #expect(terminal.modes.c_lflag == terminal.modesBefore.c_lflag)
  }

  @Test(.enabled(if: BareSystem.isPossible, BareSystem.reason))
  func withoutTerminfoAnUnusualTerminalIsNamed() throws {
    let terminal = try terminal(
      BareSystem.without(BareSystem.terminfo, [Program.path, "demo"]), term: "wyse60")
    #expect(try terminal.ending() == .exit(6))
    #expect(terminal.shows("TERM is 'wyse60'"))
    #expect(terminal.shows("try: TERM=xterm-256color"))
  }

  @Test func aTypeThatTerminfoHasComesFromThere() throws {
    // This is a separate terminal description, which lacks colours.
    let run = try Program.shell(
      "infocmp -1 xterm-256color | sed '/setaf/d; /colors#/d' | tic -o ti -", in: folder)
    #expect(run.status == .exit(0), "\(run.err)")
    let terminal = try Terminal(program: ["demo"], in: folder, variables: ["TERMINFO": folder.path("ti")])
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "? help") }
    #expect(StartingTests.colours(in: terminal.raw).isEmpty)
  }

  // MARK: - No inotify

  static let inotify: [(instances: Int, watches: Int)] = [(0, 0), (100, 0)]

  @Test(
    .enabled(if: BareSystem.limitsInotify, "the limits of inotify cannot be set here"), arguments: inotify)
  func withoutInotifyTheScreensStillFollowTheStore(_ limit: (instances: Int, watches: Int)) throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.run(["status", "--create", "--store", store], in: folder).status == .exit(0))
    let terminal = try terminal(
      BareSystem.withInotify(
        instances: limit.instances, watches: limit.watches, [Program.path, "--store", store]))
    try terminal.waitFor("the apps, not signed in") { $0.shows("Apps 3", "needs sign-in", "? help") }
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    try terminal.waitFor("the sign-in of another process") { $0.shows("ada@contoso.com") }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }

  @Test(
    .enabled(if: BareSystem.limitsInotify, "the limits of inotify cannot be set here"), arguments: inotify)
  func withoutInotifyFilesAreStillWatched(_ limit: (instances: Int, watches: Int)) throws {
    let cache = try Data(contentsOf: URL(fileURLWithPath: Program.samples + "/msal_python_cache.json"))
    try folder.write("{}", to: "cache.json")
    func watch(_ arguments: String...) throws -> Terminal {
      try terminal(
        BareSystem.withInotify(
          instances: limit.instances, watches: limit.watches, [Program.path] + arguments), rows: 60)
    }
    let view = try watch("view", "--watch", folder.path("cache.json"))
    try view.waitFor("0 accounts")
    try folder.write(cache, to: "cache.json")
    try view.waitFor("the accounts of the new file") { $0.shows("fatima@") || $0.shows("account") }
    view.send("q")
    #expect(try view.ending() == .exit(0))
  }

  // MARK: - No room, no terminal, no streams

  @Test(arguments: [(1, 1), (2, 20), (6, 20), (1, 200), (60, 1)] as [(Int32, Int32)])
  func aTinyTerminalIsNoTrapAndGrows(_ rows: Int32, _ columns: Int32) throws {
    let terminal = try terminal([Program.path, "demo"], rows: rows, columns: columns)
    try terminal.waitFor("something drawn") {
      String(decoding: $0.raw, as: UTF8.self).contains("\u{1b}[?2004h")
    }
    for key in ["j", "?", "\u{1b}", "2", "\r", "4", "8", "i"] { terminal.send(key) }
    terminal.resize(rows: 24, columns: 100)
    try terminal.waitFor("the frame") { $0.shows("SSOTerm") }
    terminal.child.send(SIGTERM)
    #expect(try terminal.ending() == .signal(SIGTERM))
  }

  @Test(arguments: ["status", "status --json", "--version", "scenario list", "explain -50000"])
  func aClosedOutputIsAnErrorAndNotWrittenIntoTheStore(_ command: String) throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.run(["status", "--create", "--store", store], in: folder).status == .exit(0))
    for streams in [">&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"] {
      let run = try Program.shell("export SSOTERM_STORE=\(store); ssoterm \(command) \(streams)", in: folder)
      #expect(run.status == .exit(7), "\(command) \(streams)")
      let words = "The output could not be written: Bad file descriptor."
      #expect(streams.contains("2>&-") || run.err.contains(words), "\(run.err)")
    }
    #expect(try Program.run(["clock", "+1h", "--store", store], in: folder).status == .exit(0))
  }

  @Test func aClosedInputIsNotAnAnswer() throws {
    let store = folder.path("s.sqlite")
    let run = try Program.shell(
      "ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --store \(store) <&-", in: folder)
    #expect(run.status != .exit(0))
    #expect(run.err.contains("ssoterm: ") && run.err.contains("try: "), "\(run.err)")
    let child = try Program.shell("ssoterm run -- sh -c 'cat <&0' <&-", in: folder)
    #expect(child.err.contains("Bad file descriptor"), "the child finds it closed: \(child)")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount"))
  func aReadOnlyHomeIsNamedAndADemoNeedsNone() throws {
    let disk = try SmallDisk(in: folder, size: "1m")
    try disk.makeReadOnly()
    let status = try Program.shell("HOME=\(disk.path) ssoterm status", in: folder)
    #expect(status.status == .exit(5), "\(status)")
    #expect(status.err.contains("There is no store at \(disk.path)/.local/share/"), "\(status.err)")
    #expect(status.err.contains("expected to create it in \(disk.path), the nearest folder"), "\(status.err)")
    #expect(
      status.err.contains("try: ssoterm status --store /tmp/ssoterm.sqlite --create\n"), "\(status.err)")
    let terminal = try Terminal(
      program: ["demo"], in: folder, variables: ["HOME": disk.path, "TMPDIR": disk.path])
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "? help") }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }

  @Test(.enabled(if: getuid() == 0, "only root may start a program as another user"))
  func theHomeOfAnotherUserAndNoHomeAreNamed() throws {
    chmod(folder.root, 0o755)
    func status(_ environment: String) throws -> Run {
      try Program.shell(
        "setpriv --reuid 12345 --regid 12345 --clear-groups env -u XDG_DATA_HOME -u SSOTERM_STORE \(environment) "
          + "\(Program.path) status", in: folder)
    }
    let foreign = try status("HOME=\(folder.root)")
    #expect(foreign.status == .exit(5), "\(foreign)")
    #expect(foreign.err.contains("expected to create it in \(folder.root), the nearest"), "\(foreign.err)")
    let homeless = try status("-u HOME")
    #expect(homeless.status == .exit(5), "\(homeless)")
    #expect(
      homeless.err.contains(
        "HOME is not set, and this user has no home folder: expected a folder for the store"),
      "\(homeless.err)")
    #expect(homeless.err.contains("try: ssoterm status --store /tmp/ssoterm.sqlite --create\n"))
  }

  @Test func aMissingTemporaryFolderIsNamed() throws {
    let run = try Program.shell("TMPDIR=\(folder.path("none")) ssoterm run -- true", in: folder)
    #expect(run.status == .exit(5), "\(run)")
    #expect(
      run.err.contains(
        "No temporary store can be created in \(folder.path("none")): No such file or directory."),
      "\(run.err)")
    #expect(run.err.contains("try: TMPDIR=/") && run.err.contains(" ssoterm run -- true\n"), "\(run.err)")
  }

  /// A disk that is full is an error of the system; a path that cannot be written is a mistake in the command line.
  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount"))
  func aFullDiskHasAnotherExitCodeThanAWrongPath() throws {
    let disk = try SmallDisk(in: folder, size: "64k")
    _ = try Program.shell("cat /dev/zero > \(disk.path)/filler 2>/dev/null", in: folder)
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    for command in [
      "export -o", "ca export -o", "scenario run two-vendors --report junit",
      "reproduce sample:no-callback -o",
    ] {
      let full = try Program.shell("ssoterm \(command) \(disk.path)/x --store \(store)", in: folder)
      #expect(full.status == .exit(7) && full.err.contains("No space left on device"), "\(command): \(full)")
      let wrong = try Program.shell(
        "ssoterm \(command) \(folder.path("none"))/x --store \(store)", in: folder)
      #expect(wrong.status == .exit(2) && wrong.err.contains("No such file"), "\(command): \(wrong)")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount"))
  func aFullTemporaryFolderIsNamed() throws {
    let disk = try SmallDisk(in: folder, size: "64k")
    let run = try Program.shell(
      "cat /dev/zero > \(disk.path)/filler 2>/dev/null; TMPDIR=\(disk.path) ssoterm run -- true", in: folder)
    #expect(run.status == .exit(5), "\(run)")
    #expect(run.err.contains("No temporary store can be created in \(disk.path): "), "\(run.err)")
    #expect(run.err.contains("try: TMPDIR=/") && run.err.contains(" ssoterm run -- true\n"), "\(run.err)")
    let home = try Program.shell("HOME=\(disk.path) ssoterm status", in: folder)
    #expect(
      home.status == .exit(5) && home.err.contains("df -h \(disk.path)/.local/share/ssoterm\n"), "\(home.err)"
    )
  }
}
