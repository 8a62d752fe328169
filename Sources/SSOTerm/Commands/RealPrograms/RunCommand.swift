import ArgumentParser
import CDispatch
import Essentials
import SSOCore
import SSOLab
import SSOScenarios
import SSOServer
import SSOStore
import SSOTermApp
import SafeText
import TerminalUI

/// `ssoterm run -- COMMAND`: runs a server for one program, for tests and CI.
struct RunCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", _superCommandName: "ssoterm",
    abstract: "Run a program, or its tests, with a separate provider, and exit with its exit code.",
    discussion: """
      The provider listens on a free port, on a temporary store with the scenario contoso-suite, or with that of \
      --scenario in its state before the step --until. The store is removed at the \
      end. The program gets the variables of ssoterm serve env --unmask, and SSOTERM_STORE, so that it can call \
      ssoterm expire, fault, or clock. The exit code is 128 plus the signal's number if a signal ends the program, and \
      127 if there is no such program.

      Examples:
        ssoterm run --approve auto:ada --report junit requests.xml -- pytest -q

      The report lists each request that reached the provider and, for a rejected request, the check that failed.
      """, version: programVersion)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var start: ScenarioStart
  @OptionGroup var additions: LabAdditions
  @OptionGroup var machine: MachineOption

  @Option(
    help: "Who answers: browser (the default: pages, which the program fills in), or auto:UPN.",
    completion: .list(["browser"]), transform: Approval.init(typed:))
  var approve: Approval = .browser

  @OptionGroup var report: ReportOption

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("The program and its arguments.", valueName: "command"),
    completion: .shellCommand("command"))
  var words: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    let reports = try checkedReports()
    ForegroundChild.catchEnds()
    let code = try run(reports)
    guard code == 0 else { throw ExitCode(code) }
    return .done
  }

  private static let example = "ssoterm run --approve auto:ada@contoso.com"

  private func checkedReports() throws -> [(kind: ReportFile, path: String)] {
    let (files, more) = try report.parsed()
    guard !words.isEmpty, more.isEmpty else {
      throw CommandFailure(
        usage: "No program specified.", why: "it comes after --, with its arguments",
        next: Self.example + " -- pytest")
    }
    guard options.store == nil else {
      throw CommandFailure(
        usage: "run takes no --store.", why: "it creates a temporary store, and removes it afterwards",
        next: Self.example + " -- pytest")
    }
    return files
  }

  func validate() throws {
    guard approve != .terminal else {
      throw ValidationError("--approve must be browser or auto:UPN, not “terminal”.")
    }
  }

  private func run(_ reports: [(kind: ReportFile, path: String)]) throws -> Int32 {
    let temporary = try TemporaryLab(
      start.file() ?? ScenarioLibrary.ofProgram.scenario(ScenarioLibrary.usual))
    defer { withExtendedLifetime(temporary) {} }
    let lab = temporary.lab
    try additions.add(to: lab)
    if machine.options != nil { try lab.registerManagedIdentities() }
    let file = CertificateAuthorityFile(of: lab)
    try file.keep(CertificateAuthority(of: lab))
    let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
    var events = ServerEvents()
    events.ready = { continuation.yield() }
    let server = try LoopbackServer(
      lab, ServeOptions(port: 0, approval: approve.checked(on: lab), machine: machine.options),
      endsOnSignals: false, events: events)
    let usual = ["--scenario", ScenarioLibrary.usual]
    let served = ServedStart(
      scenario: start.words.isEmpty ? usual : start.words, additions: additions.words, port: server.port)
    try lab.noteServer(port: server.port, machine: server.machine, start: served)
    let provided =
      try ServerEnvironment(
        lab, port: server.port, certificates: file.path, machine: server.machine, unmasked: true
      ).variables + [NameValue("SSOTERM_STORE", lab.store.location.full)]
    let variables = Dictionary(provided.map { ($0.name, $0.value) }) { $1 }
    let code = try waiting {
      async let end: Void = {
        defer { continuation.finish() }
        try await server.run()
      }()
      var code: Int32 = 0
      for await _ in ready {
        code = await Self.ending(of: words, variables)
        server.stop()
      }
      try await end
      return code
    }
    if !reports.isEmpty {
      let requests = try RunReport(lab, of: words)
      for report in reports {
        try report.kind.write(requests.text(report.kind), to: report.path)
      }
    }
    return code
  }

  /// Runs the program until it exits, on a thread that may block.
  private static func ending(of words: [String], _ variables: [String: String]) async -> Int32 {
    await withCheckedContinuation { ended in
      detachThread {
        ended.resume(returning: ForegroundProgram.run(words, adding: variables))
      }
    }
  }
}

/// The requests that reached the provider while a program ran, oldest first.
///
/// A rejected one has the check that failed.
struct RunReport {
  private let name: String
  private let command: String
  private let cases: [ReportSuite.Case]

  /// Reads the provider's responses from the traces of a program's own lab.
  ///
  /// `words` are the program's name and arguments.
  init(_ lab: Lab, of words: [String]) throws {
    name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    command = words.map(shellWord).joined(separator: " ")
    cases = try lab.read { reader in
      try reader.traces.rows(limit: 1000).reversed().enumerated().map { index, row in
        let name = "\(index + 1) \(row.title): \(row.summary)"
        guard row.verdict != Outcome.Verdict.succeeded.rawValue else { return ReportSuite.Case(name: name) }
        let failed = try reader.traces.trace(row.id)?.outcome?.failedCheck
        return ReportSuite.Case(
          name: name,
          failure: (
            row.summary,
            failed?.reasonInFull ?? row.summary
          ))
      }
    }
  }

  func text(_ kind: ReportFile) -> String {
    switch kind {
    case .junit: junitText("ssoterm run", [ReportSuite(name: name, cases: cases)])
    case .markdown: table
    case .html: HTMLPage("Requests to the provider", [ReportSuite(name: command, cases: cases)]).text
    }
  }

  private var table: String {
    let refused = cases.count { $0.failure != nil }
    let lines = [
      "# Requests to the provider", "", Escaping.markdown(command), "",
      "\(counted(cases.count, "request")), \(refused) refused.", "", "| request | | what failed |",
      "|---|---|---|",
    ]
    let rows = cases.map { one in
      "| \(Escaping.markdown(one.name)) | \(one.failure == nil ? "✓" : "✗") | "
        + "\(Escaping.markdown(one.failure?.text ?? "")) |"
    }
    return (lines + rows + [""]).joined(separator: "\n")
  }
}

/// A program that runs in the foreground in place of this process.
enum ForegroundProgram {
  /// - Returns: the exit status as in a shell, which is 127 if there is no such program and 126 if it cannot be run.
  static func run(
    _ words: [String], adding variables: [String: String]
  ) -> Int32 {
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    ForegroundChild.catchEnds()
    if let signal = ForegroundChild.earlyEnd { return 128 + signal }
    do throws(SystemError) {
      return try SpawnedProgram(words, environment: environment).ending()
    } catch {
      let failure = CommandFailure(
        usage: "\(words.first ?? "") cannot be run.", why: error.displayText,
        next: "Name the program by its path, or add its folder to PATH.")
      Console(json: false).complain(failure)
      return error.code == ENOENT ? 127 : 126
    }
  }
}

/// A lab in a new store, in a folder that only the user can read.
///
/// Both are deleted with this object.
final class TemporaryLab {
  let lab: Lab
  private let folder: String

  init(_ file: ScenarioFile) throws {
    let place = FileManager.default.temporaryDirectory.path
    var name = Array((place + "/ssoterm-run-XXXXXX").utf8CString)
    guard let made = mkdtemp(&name) else {
      throw Self.failure(in: place, SystemError(code: errno).displayText)
    }
    folder = String(cString: made)
    do {
      lab = try Lab.open(
        .file(path: folder + "/store.sqlite"), creating: { file }
      ).lab
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      guard case StoreError.full = error else { throw error }
      throw Self.failure(in: place, "the disk is full")
    }
  }

  /// Returns the failure for a folder in which no store can be created; it proposes a folder on another disk.
  private static func failure(in place: String, _ why: String) -> CommandFailure {
    let others: [String] = ["/tmp", "/var/tmp", "/dev/shm"].filter { access($0, W_OK) == 0 }
    let other = others.first { device(of: $0) != device(of: place) } ?? "FOLDER"
    let line = TypedLine.isRepeatable ? TypedLine.text(of: TypedLine.words) : "ssoterm run -- COMMAND"
    return CommandFailure(
      status: .storeUnusable, kind: "store", what: "No temporary store can be created in \(place).", why: why,
      next: "TMPDIR=\(other) \(line)")
  }

  private static func device(of folder: String) -> UInt64? {
    var status = stat()
    return stat(folder, &status) == 0 ? UInt64(status.st_dev) : nil
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}
