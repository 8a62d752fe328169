/// The registrations that programs from outside expect to find: added to a lab that is served to them, unless
/// it has its own of the same ID.
public enum RealClients {
  /// Azure CLI's client ID; azure-identity takes the same for a developer's sign-in.
  public static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  public static let azurePowerShell = "1950a258-227b-4e31-a9cf-717495945fc2"
  /// Made up: a public client outside the family, and a confidential one.
  public static let publicClient = "33333333-cccc-4ccc-8ccc-333333333333"
  public static let confidentialClient = "44444444-dddd-4ddd-8ddd-444444444444"

  /// Any port of the loopback addresses (RFC 8252 §7.3), with the paths that libraries choose.
  static let loopback = ["http://localhost", "http://127.0.0.1", "http://[::1]"].flatMap { host in
    ["", "/", "/cb", "/callback", "/secure/redirect_uri", "/loggedout"].map { host + $0 }
  }

  /// - Parameter secret: of the confidential client.
  public static func registrations(secret: String) -> [ClientRegistration] {
    let native = "https://login.microsoftonline.com/common/oauth2/nativeclient"
    func microsoft(_ clientID: String, _ name: String) -> ClientRegistration {
      ClientRegistration(
        clientID: clientID, displayName: name, publisher: "Microsoft", redirectURIs: loopback + [native],
        familyID: "1", isPreauthorized: true)
    }
    return [
      microsoft(azureCLI, "Microsoft Azure CLI"),
      microsoft(azurePowerShell, "Microsoft Azure PowerShell"),
      // Asks for consent, as an app of the lab's own.
      ClientRegistration(
        clientID: publicClient, displayName: "Lab public client", publisher: "SSOTerm",
        redirectURIs: loopback + [native, "edu.kit.data.oidc-agent:/redirect"]),
      // Consented by an administrator: it may act on behalf of whoever calls it.
      ClientRegistration(
        clientID: confidentialClient, displayName: "Lab confidential client", publisher: "SSOTerm",
        redirectURIs: loopback, isPreauthorized: true, secrets: [secret]),
    ]
  }
}

extension Directory {
  /// Adds the registrations that are missing.
  /// - Returns: all of `RealClients`, as the lab has them.
  public func addRealClients(chance: Chance) throws -> [ClientRegistration] {
    let secret = "lab~" + Base64URL.encode(chance.bytes(24))
    return try RealClients.registrations(secret: secret).map { wanted in
      if let own = try registration(clientID: wanted.clientID) { return own }
      try save(wanted)
      return wanted
    }
  }
}
