import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOScenarios
import SSOServer
import SSOStore
import SSOTermApp
import SafeText

/// `ssoterm serve`: serves the provider on this machine's loopback addresses, for external clients.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "serve", "Let real programs sign in at the lab's provider, over https on loopback.",
    examples: [
      "ssoterm serve", "ssoterm serve --port 9000 --approve auto:ada@contoso.com",
      "ssoterm serve --approve browser --fault token=503,times=2", "ssoterm serve --managed-identity imds",
      "ssoterm serve --scenario ./mine.yaml --until 3",
      "ssoterm serve --control --approve auto:ada@contoso.com",
    ],
    after: """
      Their tokens appear in the lists beside those of the apps; expire, invalidate, and the clock apply to them too. \
      ssoterm serve env prints what a program needs, such as the authority URL and the certificate authority.

      On a terminal, the Provider screen opens and prompts for each sign-in. With --approve browser or auto:UPN, \
      or if there are no screens (a pipe, a file, --plain), serve prints a line for each request.

      With --scenario, it serves a new lab with the users, registrations, and policies of a scenario; without --store, \
      that lab is temporary. --until performs the scenario's steps that precede the given step, so that a program \
      finds their consents, sessions, faults, and time.

      For tests, ssoterm serve next sets how the user of auto:UPN answers next. With --control, a test on another host \
      sends the server commands such as clock, revoke, or lab reset as POST /lab/control, with the token in \
      SSOTERM_CONTROL_TOKEN.

      A browser must trust the lab's certificate authority; ssoterm ca show prints the path of its file.
      """,
    subcommands: [RunServerCommand.self, ServerEnvironmentCommand.self, NextAnswersCommand.self],
    defaultSubcommand: RunServerCommand.self)
}

/// `ssoterm serve run`, or just `ssoterm serve`.
struct RunServerCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "run", "Serve until ^C, SIGTERM, or, on the screen, q (as serve without a subcommand does).",
    examples: ["ssoterm serve", "ssoterm serve --port 9000 --approve auto:ada@contoso.com"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @Option(help: "The port; 0 picks a free one.")
  var port = 8443

  @Option(
    help: "Who answers: terminal (the default on a terminal), browser, or auto:UPN for scripts.",
    completion: .list(["terminal", "browser"]), transform: Approval.init(typed:))
  var approve: Approval?

  @Option(
    help: "The port that programs use, if a load balancer is in front of several servers of a lab.")
  var publicPort: Int?

  @Option(
    help: "localhost (both), 127.0.0.1, or ::1.", completion: .list(Loopback.allCases.map(\.rawValue)))
  var bind: String?

  @Flag(
    help:
      "Also offer what Entra lacks, and list it in discovery: registration, revocation, introspection, PKCE, and the grants."
  )
  var generic = false

  @Option(
    name: .customLong("mcp-resource"),
    help: ArgumentHelp(
      "Publish an API for MCP clients: url, which Entra accepts, api, which Entra rejects, or an App ID URI.",
      valueName: "identifier"),
    completion: .list(["url", "api"]))
  var resource: String?

  @Flag(help: "Accept commands from tests at /lab/control, with the token in SSOTERM_CONTROL_TOKEN.")
  var control = false

  @OptionGroup var start: ScenarioStart
  @OptionGroup var additions: LabAdditions
  @OptionGroup var machine: MachineOption
  @OptionGroup var screen: ScreenOptions

  func perform(on console: Console) throws -> ExitStatus {
    let token = try controlToken()
    let addresses = try LoopbackAddress.listening(on: bind)
    if let wrong = [port, publicPort ?? port].first(where: { !(0...65_535).contains($0) }) {
      throw CommandFailure(
        usage: "There is no port \(wrong).", why: "ports are 0 to 65535", next: "ssoterm serve --port 0")
    }
    if let resource, !["url", "api"].contains(resource), URLParts(resource)?.authority.isEmpty != false {
      throw CommandFailure(
        usage: "“\(resource)” cannot identify the resource.",
        why: "expected url, api, or an App ID URI such as api://orders",
        next: "ssoterm serve --mcp-resource url")
    }
    // Reserve the port before anything is written, and hold it until the server has bound it.
    let free = try FreePort(port, on: addresses)
    defer { withExtendedLifetime(free) {} }
    let isDefault = try options.storePath() == GlobalOptions.defaultStorePath()
    let temporary = try start.file().flatMap { isDefault ? try TemporaryLab($0) : nil }
    defer { withExtendedLifetime(temporary) {} }
    let lab = try temporary?.lab ?? newLab() ?? console.openLab(options)
    try lab.checkWritable()
    try additions.add(to: lab)
    if let resource {
      let url = try lab.publishResource(resource, at: serverOrigin(port: publicPort ?? free.port))
      console.note("the protected resource for MCP clients is \(url)")
    }
    let approval = try (approve ?? (console.dialogue() == nil ? .browser : .terminal)).checked(on: lab)
    var serving = ServeOptions(
      port: free.port, addresses: addresses, approval: approval, machine: machine.options,
      publicPort: publicPort, isGeneric: generic)
    serving.start = ServedStart(
      scenario: start.words, additions: additions.words, resource: resource, port: free.port)
    if approval == .terminal, token == nil, console.canShowScreens {
      // ^C is the usual way to end a server, with or without screens.
      _ = try console.startTerminal(
        lab: lab, title: storeName(lab), start: .server(serving), screen: screen)
      return .done
    }
    try CertificateAuthorityFile(of: lab).keep(CertificateAuthority(of: lab))
    if machine.options != nil { try lab.registerManagedIdentities() }
    let commands = ControlCommands(store: lab.store.location.full)
    try serve(lab, serving, control: token.map { LabControl(token: $0, run: commands.run) }, on: console)
    return .done
  }

  /// Returns the token of the control interface, or `nil` without `--control`.
  private func controlToken() throws(CommandFailure) -> String? {
    guard control else { return nil }
    let shortest = LabControl.shortestToken
    guard let token = StandardStreams.variable("SSOTERM_CONTROL_TOKEN"), token.count >= shortest else {
      throw CommandFailure(
        usage: "--control needs a token.",
        why:
          "SSOTERM_CONTROL_TOKEN must have at least \(shortest) characters, because its holder may change the lab",
        next: "SSOTERM_CONTROL_TOKEN=$(openssl rand -hex 16) ssoterm serve --control")
    }
    return token
  }

  /// Creates the lab of a scenario in the store, or returns `nil` without one.
  /// - Throws: `StoreError` if the store exists.
  private func newLab() throws -> Lab? {
    guard let file = try start.file() else { return nil }
    let location = try storeLocation(option: options.storePath())
    let (lab, isNew) = try Lab.open(location, user: .ofProcess(), creating: { file })
    guard isNew else { throw StoreError.exists(path: location.name) }
    return lab
  }

  private func serve(
    _ lab: Lab, _ serving: ServeOptions, control: LabControl?, on console: Console
  ) throws {
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
    let server = try LoopbackServer(lab, serving, endsOnSignals: true, control: control, events: events)
    try lab.noteServer(port: server.publicPort, machine: server.machine, start: serving.start)
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
      note("generic: has endpoints that Entra lacks, so a client may pass that Entra refuses")
    }
    note("serves the store \(store); what a program needs: eval \"$(\(command))\"; ^C ends it")
  }
}

/// The value of `--approve`.
extension Approval {
  init(typed word: String) throws {
    guard let approval = Approval(word: word) else {
      throw ValidationError("--approve must be terminal, browser, or auto:UPN, not “\(word)”")
    }
    self = approval
  }

  /// Returns the approval with the username of `auto:` as the lab writes it.
  ///
  /// An unambiguous part of the username is enough.
  /// - Throws: if no user of the lab matches, or several do.
  func checked(on lab: Lab) throws -> Approval {
    guard case .automatic(let name) = self else { return self }
    return .automatic(username: try lab.read { try $0.records.row(.person, named: name) }.name)
  }
}

/// The options for the records and faults that a server adds to its lab before it starts.
struct LabAdditions: ParsableArguments {
  @Option(
    help: "A scenario (name or file) whose tenants, users, and registrations are added to the lab.",
    completion: .scenario)
  var people: String?

  @Option(
    help: "ENDPOINT=KIND[,client=ID][,times=N]: set a fault, as ssoterm fault add does; repeatable."
  )
  var fault: [String] = []

  /// The options as another process takes them, in any folder.
  var words: [String] {
    (people.map { ["--people", scenarioInAnyFolder($0)] } ?? []) + fault.flatMap { ["--fault", $0] }
  }

  /// Adds the scenario and the faults, or nothing if any of them is invalid.
  func add(to lab: Lab) throws {
    let world = try people.map { try ScenarioLibrary.ofProgram.scenario($0).world }
    let faults = try fault.map { spec throws(LabError) in try Fault(spec: spec) }
    if let world { try lab.admit(world) }
    try lab.registerExternalClients()
    for fault in faults { _ = try runUnattended(AddFault(fault), on: lab) }
  }
}

/// The `--managed-identity` option, for the commands that serve.
struct MachineOption: ParsableArguments {
  @Option(
    name: .customLong("managed-identity"),
    help: ArgumentHelp(
      "Simulate a machine with managed identities too, on plain HTTP: imds, app-service, machine-learning or "
        + "arc, with :PORT for a fixed port.", valueName: "kind"),
    completion: .list(ManagedIdentityHost.Kind.allCases.map(\.rawValue)), transform: Self.options)
  var options: MachineOptions?

  static func options(_ word: String) throws -> MachineOptions {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard let kind = parts.first.flatMap(ManagedIdentityHost.Kind.init(rawValue:)),
      let port = parts.count < 2 ? 0 : Int(parts[1]), (0...65_535).contains(port)
    else {
      let kinds = ManagedIdentityHost.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--managed-identity must be one of \(kinds), with :PORT or without, not “\(word)”")
    }
    return MachineOptions(kind: kind, port: port)
  }
}

/// `ssoterm serve env`: prints what a program needs to sign in at the server, as lines for a shell.
struct ServerEnvironmentCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "env", "Print export lines for a shell: authority, certificate authority, clients, users.",
    examples: ["eval \"$(ssoterm serve env)\""],
    after: """
      SSOTERM_CLIENT_ID and SSOTERM_CLIENT_ID2 are two apps of one family (Azure CLI, Azure PowerShell), \
      SSOTERM_CLIENT_ID3 is a public app outside it, SSOTERM_CONFIDENTIAL_ID is an app with a secret, and \
      SSOTERM_USERNAME, SSOTERM_USERNAME2, … are the users; SSOTERM_MCP_RESOURCE is the API of --mcp-resource. \
      With serve --scenario, SSOTERM_APP_ID, SSOTERM_APP_REDIRECT_URI, and SSOTERM_APP_AUTHORITY (then with 2, 3, …) are \
      the scenario's own apps. REQUESTS_CA_BUNDLE and SSL_CERT_FILE then trust only the \
      lab. --unmask adds the passwords and the secret.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "The port, if it is not the one of the server that started last.")
  var port: Int?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    try lab.registerExternalClients()
    let file = CertificateAuthorityFile(of: lab)
    try file.keep(CertificateAuthority(of: lab))
    let port = try self.port ?? lab.read { try $0.provider.notedServerPort() } ?? 8443
    if !isListening(on: port) {
      console.note("nothing listens on port \(port) now; to start it: ssoterm serve --port \(port)")
    }
    let machine = try lab.read { try $0.provider.notedMachine() }
    let variables = try ServerEnvironment(
      lab, port: port, certificates: file.path, machine: machine, unmasked: options.unmask
    ).variables
    let values = Dictionary(uniqueKeysWithValues: variables.map { ($0.name, JSONValue.string($0.value)) })
    return try console.show(["variables": .object(values)]) {
      variables.map { "export \($0.name)=\(shellWord($0.value))" }.joined(separator: "\n")
    }
  }
}

/// Returns whether a program listens on a loopback port, which then cannot be bound.
func isListening(on port: Int) -> Bool { (try? FreePort(port, on: LoopbackAddress.allCases)) == nil }

/// The environment variables for a program that signs in at a served lab.
struct ServerEnvironment {
  private(set) var variables: [NameValue] = []

  /// Creates the variables that a program needs to sign in at the server.
  ///
  /// `certificates` is the path of the file with the authority's certificate, and `machine` is the machine with managed
  /// identities if one is simulated. With `unmasked`, the variables include passwords and the secret of the
  /// confidential client.
  init(
    _ lab: Lab, port: Int, certificates: String, machine: ServedMachine?, unmasked: Bool
  ) throws {
    let origin = serverOrigin(port: port)
    let tenant = try lab.read { try $0.directory.tenants() }.first?.id ?? "common"
    variables = [
      NameValue("SSOTERM_ORIGIN", origin), NameValue("SSOTERM_AUTHORITY", "\(origin)/\(tenant)"),
      NameValue("SSOTERM_ISSUER", "\(origin)/\(tenant)/v2.0"), NameValue("SSOTERM_CA", certificates),
      NameValue("REQUESTS_CA_BUNDLE", certificates), NameValue("SSL_CERT_FILE", certificates),
    ]
    let clients = try lab.read { try $0.directory.wellKnownClients() }
    for (index, client) in clients.filter({ !$0.isConfidential }).enumerated() {
      add("SSOTERM_CLIENT_ID" + Self.suffix(index), client.clientID)
    }
    // A federated credential makes any of the clients confidential; the last one always is.
    if let client = clients.last(where: \.isConfidential) {
      add("SSOTERM_CONFIDENTIAL_ID", client.clientID)
      if unmasked, let secret = client.secrets.first { add("SSOTERM_CONFIDENTIAL_SECRET", secret) }
    }
    try addApps(of: lab, origin: origin)
    if let machine { variables += machine.variables }
    if let url = try lab.publishedResource(at: origin) { add("SSOTERM_MCP_RESOURCE", url) }
    for (index, person) in try lab.read({ try $0.directory.people() }).prefix(9).enumerated() {
      add("SSOTERM_USERNAME" + Self.suffix(index), person.username)
      if unmasked { add("SSOTERM_PASSWORD" + Self.suffix(index), person.password) }
    }
  }

  /// Adds the registrations of the scenario that the server was started with, each with its first redirect URI and the
  /// authority of its app.
  private mutating func addApps(of lab: Lab, origin: String) throws {
    let scenario = try lab.read { try $0.provider.notedStart() }?.scenario ?? []
    guard scenario.first == "--scenario", scenario.last != ScenarioLibrary.usual else { return }
    let (clients, apps) = try lab.read { (try $0.directory.registrations(), $0.installed) }
    let others = WellKnownClients.clientIDs + [ClientRegistration.brokerClientID]
    let own = clients.filter { !others.contains($0.clientID.lowercased()) }
    for (index, client) in own.prefix(9).enumerated() {
      let app = apps.first { $0.clientID.lowercased() == client.clientID.lowercased() }
      let redirects = client.redirectURIs + (client.webRedirectURIs ?? []) + (client.spaRedirectURIs ?? [])
      let suffix = Self.suffix(index)
      add("SSOTERM_APP_ID" + suffix, client.clientID)
      if let uri = app?.redirectURI ?? redirects.first { add("SSOTERM_APP_REDIRECT_URI" + suffix, uri) }
      if let path = app.flatMap({ URLParts($0.authority)?.path }) {
        add("SSOTERM_APP_AUTHORITY" + suffix, origin + path)
      }
    }
  }

  private mutating func add(_ name: String, _ value: String) { variables.append(NameValue(name, value)) }

  /// Returns the suffix of a numbered variable.
  ///
  /// The first has no suffix, as in `SSOTERM_USERNAME`, `SSOTERM_USERNAME2`.
  private static func suffix(_ index: Int) -> String { index == 0 ? "" : String(index + 1) }
}
