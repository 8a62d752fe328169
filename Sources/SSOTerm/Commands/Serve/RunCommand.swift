import ArgumentParser
import Essentials

/// `ssoterm run -- COMMAND`: runs a server for one program, for tests and CI.
struct RunCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a program, or its tests, with a separate provider; ends with its exit code.",
    discussion: """
      The provider listens on a free port, on a temporary store with the scenario contoso-suite, which is removed at the \
      end. The program gets the variables of ssoterm serve env --unmask, and SSOTERM_STORE, so that it may call \
      ssoterm expire, fault or clock. The exit code is 128 plus the signal's number if a signal ends it, and 127 if \
      there is no such program.

      Examples:
        ssoterm run --approve auto:ada --report junit requests.xml -- pytest -q

      The report has each request that reached the provider; a rejected request has the check that failed.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
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
    let (files, more) = try report.parsed(of: Self.example)
    guard !words.isEmpty, more.isEmpty else {
      throw CommandFailure(
        usage: "No program is named.", why: "it comes after --, with its arguments",
        next: Self.example + " -- pytest")
    }
    guard options.store == nil else {
      throw CommandFailure(
        usage: "run takes no --store.", why: "it makes a temporary store, and removes it",
        next: Self.example + " -- pytest")
    }
    guard approve != .terminal else {
      throw CommandFailure(
        usage: "The terminal belongs to the program that is run.", why: "--approve is browser or auto:UPN",
        next: Self.example + " -- pytest")
    }
    return files
  }

  private func run(_ reports: [(kind: ReportFile, path: String)]) throws -> Int32 {
    let temporary = try TemporaryLab()
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
    try lab.noteServer(port: server.port, machine: server.machine)
    let served =
      try ServerEnvironment(
        lab, port: server.port, certificates: file.path, machine: server.machine, unmasked: true
      ).variables + [NameValue("SSOTERM_STORE", lab.store.location.full)]
    let variables = Dictionary(served.map { ($0.name, $0.value) }) { $1 }
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
        try report.kind.write(requests.text(report.kind), to: report.path, of: Self.example)
      }
    }
    return code
  }

  /// Runs the program until it exits, on a thread that may block.
  private static func ending(of words: [String], _ variables: [String: String]) async -> Int32 {
    await withCheckedContinuation { ended in
      detachThread {
        ended.resume(returning: ForegroundProgram.run(words, adding: variables, of: "ssoterm run"))
      }
    }
  }
}
