internal import ArgumentParser
internal import SSOModel
internal import SSOServer

/// `ssoterm serve`: the provider on this machine's loopback addresses, for programs that are not simulated.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Let real programs sign in at the lab's provider, over https on loopback.",
    discussion: """
      Their tokens appear in the lists as those of any app; expire, invalidate and the clock act on them.
      A program needs the lab's certificate authority and an authority URL: ssoterm serve env
      """,
    subcommands: [RunServerCommand.self, ServerEnvironmentCommand.self],
    defaultSubcommand: RunServerCommand.self)
}

/// `ssoterm serve run`, or just `ssoterm serve`.
struct RunServerCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Serve until ^C or SIGTERM (this is what serve alone does).")

  @OptionGroup var options: GlobalOptions

  @Option(help: "The port; 0 takes a free one.")
  var port = 8443

  @Option(help: "localhost (both), 127.0.0.1 or ::1.")
  var bind: String?

  @Option(help: "Who answers the pages: browser, or auto:UPN for scripts.", transform: ApprovalWord.init)
  var approve: ApprovalWord?

  func perform(on console: Console) throws -> ExitStatus {
    let addresses = try LoopbackAddress.listening(on: bind)
    guard (0...65_535).contains(port) else {
      throw CommandFailure(usage: "There is no port \(port).", why: "ports are 0 to 65535")
    }
    let lab = try console.openLab(options)
    try lab.registerRealClients()
    let approval = try (approve ?? .browser).approval(on: lab)
    try CertificateAuthorityFile(of: lab).keep(CertificateAuthority(of: lab))
    let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer(
      lab, ServeOptions(port: port, addresses: addresses, approval: approval), endsOnSignals: true,
      log: { console.note($0.text) }, onReady: { continuation.finish() })
    try lab.noteServer(port: server.port)
    let name = storeName(lab)
    try waiting {
      async let end: Void = server.run()
      for await _ in ready {}
      try console.showAddress(port: server.port, store: name)
      try await end
    }
    return .done
  }
}

extension Console {
  fileprivate func showAddress(port: Int, store: String) throws {
    let address = "https://localhost:\(port)"
    try show(["url": .string(address)]) { address }
    note("serves the store \(store); what a program needs: eval \"$(ssoterm serve env)\"; ^C ends it")
  }
}

extension ServedLine {
  fileprivate var text: String {
    [method, path, client.isEmpty ? "" : "(\(client))", result].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
