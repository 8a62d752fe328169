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
    for client in clients.filter(\.isConfidential) {
      add("SSOTERM_CONFIDENTIAL_ID", client.clientID)
      guard unmasked, let secret = client.secrets.first else { continue }
      add("SSOTERM_CONFIDENTIAL_SECRET", secret)
    }
    if let machine { variables += machine.variables }
    for (index, person) in try lab.read({ try $0.directory.people() }).prefix(9).enumerated() {
      add("SSOTERM_USERNAME" + Self.suffix(index), person.username)
      if unmasked { add("SSOTERM_PASSWORD" + Self.suffix(index), person.password) }
    }
  }

  private mutating func add(_ name: String, _ value: String) { variables.append(NameValue(name, value)) }

  /// Returns the suffix of a numbered variable.
  ///
  /// The first has none, as in `SSOTERM_USERNAME`, `SSOTERM_USERNAME2`.
  private static func suffix(_ index: Int) -> String { index == 0 ? "" : String(index + 1) }
}
