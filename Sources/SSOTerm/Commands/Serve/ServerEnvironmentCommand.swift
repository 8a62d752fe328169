import ArgumentParser

/// `ssoterm serve env`: what a program needs to sign in here, as lines for a shell.
struct ServerEnvironmentCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "env",
    abstract: "Print export lines for a shell: authority, certificate authority, clients, people.",
    discussion:
      "REQUESTS_CA_BUNDLE and SSL_CERT_FILE then trust the lab only. Passwords and the secret come with --unmask."
  )

  @OptionGroup var options: GlobalOptions

  @Option(help: "The port, if it is not the one of the server that started last.")
  var port: Int?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    try lab.registerExternalClients()
    let file = CertificateAuthorityFile(of: lab)
    try file.keep(CertificateAuthority(of: lab))
    let port = try self.port ?? lab.read { try $0.provider.notedServerPort() } ?? 8443
    // A port that can be taken is one where nothing listens.
    if (try? FreePort(port, on: LoopbackAddress.allCases)) != nil {
      console.note("nothing listens on port \(port) now; to start it: ssoterm serve --port \(port)")
    }
    let variables = try variables(of: lab, port: port, file: file.path)
    try console.show(
      .object(Dictionary(uniqueKeysWithValues: variables.map { ($0.name, .string($0.value)) }))
    ) {
      variables.map { "export \($0.name)=\(shellWord($0.value))" }.joined(separator: "\n")
    }
    return .done
  }

  private func variables(of lab: Lab, port: Int, file: String) throws -> [NameValue] {
    let origin = serverOrigin(port: port)
    let tenant = try lab.read { try $0.directory.tenants() }.first?.id ?? "common"
    var list = [
      NameValue("SSOTERM_ORIGIN", origin), NameValue("SSOTERM_AUTHORITY", "\(origin)/\(tenant)"),
      NameValue("SSOTERM_ISSUER", "\(origin)/\(tenant)/v2.0"), NameValue("SSOTERM_CA", file),
      NameValue("REQUESTS_CA_BUNDLE", file), NameValue("SSL_CERT_FILE", file),
    ]
    let clients = try lab.read { try $0.directory.wellKnownClients() }
    for (index, client) in clients.filter({ !$0.isConfidential }).enumerated() {
      list.append(NameValue("SSOTERM_CLIENT_ID" + Self.suffix(index), client.clientID))
    }
    for client in clients.filter(\.isConfidential) {
      list.append(NameValue("SSOTERM_CONFIDENTIAL_ID", client.clientID))
      guard options.unmask, let secret = client.secrets.first else { continue }
      list.append(NameValue("SSOTERM_CONFIDENTIAL_SECRET", secret))
    }
    for (index, person) in try lab.read({ try $0.directory.people() }).prefix(9).enumerated() {
      list.append(NameValue("SSOTERM_USER" + Self.suffix(index), person.username))
      if options.unmask { list.append(NameValue("SSOTERM_PASSWORD" + Self.suffix(index), person.password)) }
    }
    return list
  }

  /// The first has none: `SSOTERM_USER`, `SSOTERM_USER2`.
  private static func suffix(_ index: Int) -> String { index == 0 ? "" : String(index + 1) }
}
