import Foundation
import Testing

@Suite("What the built program writes arrives, or it says that it did not", .serialized)
struct OutputEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  static let commands = [
    "status", "status --json", "tokens --json", "trace list", "trace export --as mermaid", "scenario list",
    "explain",
    "view \(Program.samples)/msal_python_cache.json", "export -o -", "ca export",
    "pick --choose ada@contoso.com",
    "silent mytestapp1", "--help", "silent --help", "help --all", "help manual", "--version", "--exit-codes",
    "completion bash",
    "clock +1s", "silent nothing --json",
  ]

  @Test("A full disk under standard output is an error, whatever the command prints")
  func fullOutput() throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    for command in Self.commands {
      let run = try Program.shell("export SSOTERM_STORE=\(store); ssoterm \(command) > /dev/full", in: folder)
      #expect(run.status == .exit(command.contains("nothing") ? 3 : 7), "\(command): \(run.err)")
      let words = "The output could not be written: No space left on device."
      #expect(run.err.contains(words), "\(command): \(run.err)")
    }
  }

  @Test("A file on a disk that fills up is not called done", .enabled(if: SmallDisk.isPossible))
  func cutOutput() throws {
    let disk = try SmallDisk(in: folder, size: "8k")
    let run = try Program.shell("ssoterm explain --json > \(disk.path)/out", in: folder)
    #expect(run.status == .exit(7))
    #expect(run.err.contains("The output could not be written: No space left on device."))
  }

  @Test("A reader that leaves ends the program as it ends others")
  func closedPipe() throws {
    let run = try Program.shell("ssoterm explain --json | head -n 1; ssoterm explain | true", in: folder)
    #expect(run.status == .exit(0) && run.err.isEmpty, "\(run.err)")
  }

  @Test("An export is written to the specified file, and nowhere else")
  func exportTargets() throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    func export(_ target: String, _ after: String = "") throws -> Run {
      try Program.shell(
        "ssoterm export --store \(store) -o \(target); status=$?; \(after) exit $status", in: folder)
    }
    #expect(try export(".").err.contains(": it is a folder or a device."))
    #expect(try export("/dev/null").status == .exit(2))
    let out = try export("-")
    #expect(out.status == .exit(0) && out.out.hasPrefix("{\"AccessToken\""))
    #expect(!FileManager.default.fileExists(atPath: folder.path("-")))
    try folder.write("{}", to: "real.json")
    let link = try Program.shell(
      "ln -s real.json link.json; ssoterm export --store \(store) -o link.json; test -L link.json", in: folder
    )
    #expect(link.status == .exit(0), "\(link.err)")
    #expect(folder.text("real.json").contains("RefreshToken"))
    #expect(try export("dangling", "rm -f dangling;").status == .exit(0))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.root)
    #expect(!files.contains { $0.contains("lockfile") || $0.contains("ssoterm-new") })
  }

  @Test(
    "A lock that a killed program left is taken over, and a lock that is held is waited for",
    arguments: [
      // With a process that has ended, the command continues at once; without a name, as after an early kill, after
      // five seconds.
      ("sh -c 'echo $$ program.py > c.json.lockfile'", Ending.exit(0), 0.0...4.0),
      (": > c.json.lockfile", .exit(0), 4.5...15),
      ("echo $$ me > c.json.lockfile; exec 9<>c.json.lockfile; flock 9", .exit(5), 4.5...15),
    ] as [(String, Ending, ClosedRange<Double>)])
  func leftLock(_ script: String, _ ending: Ending, _ seconds: ClosedRange<Double>) throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let start = secondsNow()
    let run = try Program.shell("\(script); ssoterm export --store \(store) -o c.json", in: folder)
    #expect(run.status == ending, "\(run.err)")
    #expect(seconds.contains(secondsNow() - start))
    if ending == .exit(0) { #expect(!FileManager.default.fileExists(atPath: folder.path("c.json.lockfile"))) }
    if ending != .exit(0) { #expect(run.err.contains("me has held c.json.lockfile")) }
  }

  @Test("Scenarios of a folder that somebody else prepared are not read")
  func foreignScenarios() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("assets/scenarios"), withIntermediateDirectories: true)
    try folder.write("name: theirs\ntitle: Theirs\nworld: {}", to: "assets/scenarios/theirs.yaml")
    try folder.write("name: contoso-suite\nworld: [", to: "assets/scenarios/contoso-suite.yaml")
    let run = try Program.shell("ssoterm scenario list; ssoterm status --create --store s.sqlite", in: folder)
    #expect(run.status == .exit(0), "\(run.err)")
    #expect(!run.out.contains("theirs") && run.out.contains("contoso-suite"))
  }

  @Test("The program alone has the scenarios and the sample projects")
  func alone() throws {
    let list = try Program.run(["scenario", "list", "--json"], in: folder)
    #expect(list.status == .exit(0) && list.out.contains("\"two-vendors\""), "\(list.err)")
    let scenario = try Program.run(["scenario", "run", "own-app-query-scheme"], in: folder)
    #expect(scenario.status == .exit(0) && scenario.out.contains("3 of 3 steps passed"), "\(scenario)")
    let sample = "sample:no-callback"
    let doctor = try Program.run(["doctor", sample, sample + "/registration.json"], in: folder)
    #expect(
      doctor.status == .exit(1) && doctor.out.contains(sample + "/Notes/AppDelegate.swift:9"), "\(doctor)")
    let wrong = try Program.run(["doctor", "sample:other"], in: folder)
    #expect(wrong.status == .exit(2) && wrong.err.contains("no-callback, no-query-scheme"), "\(wrong)")
  }
}
