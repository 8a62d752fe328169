import ArgumentParser

/// `ssoterm serve env`: prints what a program needs to sign in at the server, as lines for a shell.
struct ServerEnvironmentCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "env", "Print export lines for a shell: authority, certificate authority, clients, people.",
    examples: ["eval \"$(ssoterm serve env)\""],
    after: """
      SSOTERM_CLIENT_ID and SSOTERM_CLIENT_ID2 are two apps of one family (Azure CLI, Azure PowerShell), \
      SSOTERM_CLIENT_ID3 is a public app outside of it, SSOTERM_CONFIDENTIAL_ID one with a secret, and \
      SSOTERM_USERNAME, SSOTERM_USERNAME2, … are the people. REQUESTS_CA_BUNDLE and SSL_CERT_FILE then trust the \
      lab only. Passwords and the secret come with --unmask.
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
    // If the port can be bound, nothing listens on it.
    if (try? FreePort(port, on: LoopbackAddress.allCases)) != nil {
      console.note("nothing listens on port \(port) now; to start it: ssoterm serve --port \(port)")
    }
    let machine = try lab.read { try $0.provider.notedMachine() }
    let variables = try ServerEnvironment(
      lab, port: port, certificates: file.path, machine: machine, unmasked: options.unmask
    ).variables
    return try console.show(
      .object(Dictionary(uniqueKeysWithValues: variables.map { ($0.name, .string($0.value)) }))
    ) {
      variables.map { "export \($0.name)=\(shellWord($0.value))" }.joined(separator: "\n")
    }
  }
}
