import ArgumentParser

/// `ssoterm serve`: serves the provider on this machine's loopback addresses, for external clients.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "serve", "Let real programs sign in at the lab's provider, over https on loopback.",
    examples: [
      "ssoterm serve", "ssoterm serve --port 9000 --approve auto:ada@contoso.com",
      "ssoterm serve --approve browser --fault token=503,times=2", "ssoterm serve --managed-identity imds",
    ],
    after: """
      Their tokens appear in the lists like those of the apps; expire, invalidate and the clock apply to them. \
      What a program needs (authority URL, certificate authority) is printed by: ssoterm serve env

      On a terminal the Provider screen opens and asks about each sign-in. With --approve browser or auto:UPN, \
      or where there are no screens (a pipe, a file, --plain), it prints a line for each request.

      A browser has to trust the lab's certificate authority: ssoterm ca show names its file.
      """,
    subcommands: [RunServerCommand.self, ServerEnvironmentCommand.self],
    defaultSubcommand: RunServerCommand.self)
}

/// `ssoterm serve run`, or just `ssoterm serve`.
struct RunServerCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "run", "Serve until ^C, SIGTERM or, on screen, q (this is what serve alone does).",
    examples: ["ssoterm serve", "ssoterm serve --port 9000 --approve auto:ada@contoso.com"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @Option(help: "The port; 0 takes a free one.")
  var port = 8443

  @Option(
    help: "Who answers: terminal (the default on a terminal), browser, or auto:UPN for scripts.",
    completion: .list(["terminal", "browser"]), transform: Approval.init(typed:))
  var approve: Approval?

  @Option(
    help: "The port that programs use: that of a load balancer in front of several servers of a lab.")
  var publicPort: Int?

  @Option(
    help: "localhost (both), 127.0.0.1 or ::1.", completion: .list(Loopback.allCases.map(\.rawValue)))
  var bind: String?

  @Flag(
    help: "Name in discovery what Entra lacks: registration, revocation, introspection, PKCE and the grants.")
  var generic = false

  @OptionGroup var additions: LabAdditions
  @OptionGroup var machine: MachineOption
  @OptionGroup var screen: ScreenOptions

  func perform(on console: Console) throws -> ExitStatus {
    let addresses = try LoopbackAddress.listening(on: bind)
    if let wrong = [port, publicPort ?? port].first(where: { !(0...65_535).contains($0) }) {
      throw CommandFailure(
        usage: "There is no port \(wrong).", why: "ports are 0 to 65535", next: "ssoterm serve --port 0")
    }
    // Reserve the port before anything is written, and hold it until the server has bound it.
    let free = try FreePort(port, on: addresses)
    defer { withExtendedLifetime(free) {} }
    let lab = try console.openLab(options)
    try lab.checkWritable()
    try additions.add(to: lab)
    let approval = try (approve ?? (console.dialogue() == nil ? .browser : .terminal)).checked(on: lab)
    let serving = ServeOptions(
      port: free.port, addresses: addresses, approval: approval, machine: machine.options,
      publicPort: publicPort, isGeneric: generic)
    if approval == .terminal, console.canShowScreens {
      // ^C is the usual way to end a server, with or without screens.
      _ = try console.startTerminal(
        lab: lab, title: storeName(lab), start: .server(serving), screen: screen)
      return .done
    }
    try CertificateAuthorityFile(of: lab).keep(CertificateAuthority(of: lab))
    if machine.options != nil { try lab.registerManagedIdentities() }
    try serve(lab, serving, on: console)
    return .done
  }

  private func serve(_ lab: Lab, _ serving: ServeOptions, on console: Console) throws {
    let log = ServerLog { console.note($0) }
    let asking = serving.approval == .terminal ? TerminalApprovals(lab, console, log) : nil
    defer {
      asking?.end()
      log.settle()
    }
    let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
    var events = ServerEvents()
    events.ready = { continuation.yield() }
    events.served = { log.add($0.text) }
    events.waits = { asking?.look() }
    let server = try LoopbackServer(lab, serving, endsOnSignals: true, events: events)
    try lab.noteServer(port: server.publicPort, machine: server.machine)
    let name = storeName(lab)
    let words =
      ["ssoterm", "serve", "env"] + (storeOption(of: lab).map { ["--store", $0] } ?? [])
    let command = words.map(shellWord).joined(separator: " ")
    try waiting {
      async let end: Void = {
        defer { continuation.finish() }
        try await server.run()
      }()
      for await _ in ready {
        try console.showAddress(port: server.port, store: name, serving, command: command)
        // A sign-in may already be waiting.
        asking?.look()
      }
      try await end
    }
  }
}

extension Approval {
  fileprivate var place: String {
    switch self {
    case .terminal: "here"
    case .browser: "on the browser's pages"
    case .automatic(let username): "at once, by \(username)"
    }
  }
}

extension Console {
  fileprivate func showAddress(port: Int, store: String, _ serving: ServeOptions, command: String) throws {
    let address = serverOrigin(port: port)
    try show(["url": .string(address)]) { address }
    note("sign-ins are answered \(serving.approval.place)")
    if serving.isGeneric {
      note("generic: discovery names what Entra lacks, so a client may pass that Entra refuses")
    }
    note("serves the store \(store); what a program needs: eval \"$(\(command))\"; ^C ends it")
  }
}
