import Foundation
import Glibc
import Testing

@Suite("The built program runs another", .serialized)
struct RunEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func run(_ words: String..., options: [String] = []) throws -> Run {
    try Program.run(["run"] + options + ["--"] + words, in: folder)
  }

  /// Starts a script that prints its process ID first, and returns the process of ssoterm and the script's.
  private func start(_ script: String) throws -> (child: Child, program: pid_t) {
    let child = try Child(
      [Program.path, "run", "--", "/bin/sh", "-c", script],
      environment: Program.environment(home: folder.root), terminal: nil, output: folder.path("out"),
      error: folder.path("err"))
    try child.waiting(until: { folder.text("out").contains("\n") })
    return (child, try #require(pid_t(folder.text("out").dropLast())))
  }

  /// Checks that nothing is left in the folder for temporary files.
  private func expectNothingLeft() throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.root)
    #expect(!left.contains { $0.hasPrefix("ssoterm-run") }, "\(left)")
  }

  @Test func givesTheEnvironmentAndEndsWithTheExitCode() throws {
    let ended = try run(
      "/bin/sh", "-c",
      #"echo "$SSOTERM_ORIGIN $SSOTERM_USERNAME"; test -n "$SSOTERM_PASSWORD" -a -s "$REQUESTS_CA_BUNDLE"; echo $?; "#
        + #"test -f "$SSOTERM_STORE"; echo $?; cat; exit 7"#)
    #expect(ended.status == .exit(7))
    let lines = ended.out.split(separator: "\n")
    #expect(lines[0].hasPrefix("https://localhost:") && lines[0].hasSuffix(" ada@contoso.com"))
    #expect(lines.dropFirst() == ["0", "0"])
    #expect(ended.err.isEmpty)
    try expectNothingLeft()
  }

  @Test(arguments: [
    ("exit 0", Int32(0)), ("kill -TERM $$", 143), ("kill -9 $$", 137), ("kill -INT $$", 130),
    ("ssoterm-no-such-program", 127),
  ])
  func endsAsAShellHasIt(_ script: String, _ status: Int32) throws {
    #expect(try run("/bin/sh", "-c", script).status == .exit(status))
    try expectNothingLeft()
  }

  @Test(arguments: [("ssoterm-no-such-program", Int32(127)), ("/etc/passwd", 126), ("/tmp", 126)])
  func aProgramThatCannotBeRunIsNamed(_ name: String, _ status: Int32) throws {
    let ended = try run(name)
    #expect(ended.status == .exit(status))
    #expect(ended.err.hasPrefix("ssoterm: \(name) cannot be run: "))
    try expectNothingLeft()
  }

  @Test(arguments: [
    ["run"], ["run", "--"], ["run", "pytest"], ["run", "--approve", "terminal", "--", "true"],
    ["run", "--store", "x.sqlite", "--", "true"], ["run", "--approve", "auto:nobody", "--", "true"],
    ["run", "--people", "nowhere", "--", "true"], ["run", "--report", "pdf", "x", "--", "true"],
  ])
  func aCommandLineThatIsWrongRunsNothing(_ words: [String]) throws {
    let ended = try Program.run(words, in: folder)
    guard case .exit(let code) = ended.status else { return #expect(Bool(false), "\(ended.status)") }
    #expect(code == 2 || code == 3)
    #expect(!ended.err.isEmpty)
    try expectNothingLeft()
  }

  /// A part of the name is enough wherever a user is specified, as the help says.
  @Test func aPartOfThePersonsNameIsEnough() throws {
    #expect(try Program.run(["run", "--approve", "auto:ada", "--", "true"], in: folder).status == .exit(0))
    try expectNothingLeft()
  }

  /// The terminal sends ^C to both processes, and the program receives it once.
  @Test func controlCReachesTheProgramOnce() throws {
    let script =
      #"n=0; trap 'n=$((n+1))' INT; echo ready; while [ $n = 0 ]; do sleep 0.02; done; sleep 0.2; exit $((40+n))"#
    let terminal = try Terminal(program: ["run", "--", "/bin/sh", "-c", script], in: folder)
    try terminal.waitFor("the program") { $0.shows("ready") }
    terminal.send("\u{3}")
    #expect(try terminal.ending() == .exit(41))
    try expectNothingLeft()
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aSignalIsPassedOn(_ signal: Int32) throws {
    let script = #"trap 'exit 9' TERM HUP INT; echo ready; while :; do sleep 0.02; done"#
    let child = try Child(
      [Program.path, "run", "--", "/bin/sh", "-c", script],
      environment: Program.environment(home: folder.root), terminal: nil, output: folder.path("out"),
      error: folder.path("err"))
    try child.waiting(until: { folder.text("out").contains("ready") })
    kill(child.pid, signal)
    #expect(try child.ending(within: 20) == .exit(9))
    try expectNothingLeft()
  }

  /// A service manager waits ten seconds or more, and then kills only this program.
  @Test func aProgramThatIgnoresSIGTERMIsKilled() throws {
    let (child, program) = try start("trap '' TERM; echo $$; while :; do sleep 0.1; done")
    kill(child.pid, SIGTERM)
    #expect(try child.ending(within: 60) == .exit(137))
    #expect(kill(program, 0) != 0 && errno == ESRCH)
    try expectNothingLeft()
  }

  @Test func aVariableThatIsNotUTF8KeepsItsBytes() throws {
    let ended = try Program.shell(
      #"WORD=$(printf 'caf\351') ssoterm run -- sh -c 'printf %s "$WORD" | od -An -tx1'"#, in: folder)
    #expect(ended.out == " 63 61 66 e9\n")
  }

  /// SIGUSR1 and the others would end this program without its cleaning up.
  @Test(arguments: [
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT, SIGQUIT, 34,
    64,
  ])
  func everySignalEndsTheProgramAndLeavesNothing(_ signal: Int32) throws {
    let (child, program) = try start("echo $$; exec sleep 60")
    kill(child.pid, signal)
    #expect(try child.ending(within: 20) == .exit(128 + signal))
    #expect(kill(program, 0) != 0 && errno == ESRCH)
    try expectNothingLeft()
  }

  /// The lab's sockets, and those of its connections, stay this program's.
  @Test func theProgramGetsNoDescriptorOfThisOne() throws {
    let list = "cd /proc/self/fd; for one in *; do [ $one -gt 2 ] && readlink $one; done"
    // The folder that the shell itself reads is one of them.
    #expect(try run("/bin/sh", "-c", list).out.split(separator: "\n").filter { !$0.contains("/fd") } == [])
  }

  /// As with `<(command)` of bash.
  @Test func theProgramGetsTheDescriptorsThatTheCallerOpened() throws {
    try folder.write("given", to: "file")
    let ended = try Program.shell("ssoterm run -- cat /dev/fd/7 7<file", in: folder)
    #expect(ended.out == "given")
  }

  @Test func aDaemonThatTheProgramLeavesEndsWithIt() throws {
    let started = Date()
    let ended = try run("/bin/sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!; exit 0")
    let daemon = try #require(pid_t(ended.out.dropLast()))
    #expect(ended.status == .exit(0) && -started.timeIntervalSinceNow < 15)
    for _ in 0..<500 where kill(daemon, 0) == 0 { usleep(10_000) }
    #expect(kill(daemon, 0) != 0)
    try expectNothingLeft()
  }

  /// Nothing can be cleaned up then, but the program does not stay behind.
  @Test func theProgramEndsWithThisOneThatIsKilled() throws {
    let (child, program) = try start("echo $$; exec sleep 60")
    kill(child.pid, SIGKILL)
    #expect(try child.ending(within: 20) == .signal(SIGKILL))
    for _ in 0..<500 where kill(program, 0) == 0 { usleep(10_000) }
    #expect(kill(program, 0) != 0)
  }

  @Test func leavesTheTraceAsReports() throws {
    let ended = try run(
      "/bin/sh", "-c",
      "\(Program.path) silent com.contoso.mytestapp1 --account ada@contoso.com >/dev/null 2>&1; exit 0",
      options: ["--report", "junit", folder.path("r.xml"), "--report", "markdown", folder.path("r.md")])
    #expect(ended.status == .exit(0))
    #expect(folder.text("r.xml").contains(#"<testsuites name="ssoterm run" tests="1" failures="1">"#))
    #expect(folder.text("r.xml").contains("<testcase classname=\"sh\" name=\"1 "))
    #expect(folder.text("r.md").hasPrefix("# Requests to the provider\n\n/bin/sh -c "))
    #expect(folder.text("r.md").contains("\n1 request, 1 refused.\n"))
  }
}
