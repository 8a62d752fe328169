/// The registrations that programs from outside expect to find: added to a lab that is served to them, unless
/// it has one of the same ID.
package enum WellKnownClients {
  /// Azure CLI's client ID; azure-identity takes the same for a developer's sign-in.
  package static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  package static let azurePowerShell = "1950a258-227b-4e31-a9cf-717495945fc2"
  /// Made up: a public client outside the family, and a confidential one.
  package static let publicClient = "33333333-cccc-4ccc-8ccc-333333333333"
  package static let confidentialClient = "44444444-dddd-4ddd-8ddd-444444444444"

  package static let clientIDs = [azureCLI, azurePowerShell, publicClient, confidentialClient]

  /// The name of Microsoft's own program with this client ID; nil for any other.
  package static func name(of clientID: String) -> String? {
    [azureCLI: "Azure CLI", azurePowerShell: "Azure PowerShell"][clientID.lowercased()]
  }

  /// Any port of the loopback addresses (RFC 8252 §7.3), with the paths that libraries choose.
  static let loopback = loopbackHosts.flatMap { host in
    ["", "/", "/cb", "/callback", "/secure/redirect_uri", "/loggedout"].map { "http://" + host + $0 }
  }

  /// Of programs that read the answer in their own web view.
  package static let nativeRedirectURI = PublicCloud.commonAuthority + "/oauth2/nativeclient"

  /// - Parameter secret: of the confidential client.
  /// - Returns: one for each client of `ssoterm serve`.
  package static func registrations(secret: String) -> [ClientRegistration] {
    func microsoft(_ clientID: String) -> ClientRegistration {
      ClientRegistration(
        clientID: clientID, displayName: name(of: clientID) ?? clientID, publisher: "Microsoft",
        redirectURIs: loopback + [nativeRedirectURI], familyID: "1", isPreauthorized: true)
    }
    return [
      microsoft(azureCLI),
      microsoft(azurePowerShell),
      // Asks for consent, as the lab's apps do.
      ClientRegistration(
        clientID: publicClient, displayName: "Lab Public App", publisher: "SSOTerm",
        redirectURIs: loopback + [nativeRedirectURI, "edu.kit.data.oidc-agent:/redirect"]),
      // Consented by an administrator: it may act on behalf of its callers.
      ClientRegistration(
        clientID: confidentialClient, displayName: "Lab Confidential App", publisher: "SSOTerm",
        redirectURIs: loopback, isPreauthorized: true, secrets: [secret]),
    ]
  }
}

extension DocumentStore {
  /// Adds the registrations that are missing; the confidential client gets a random secret.
  package func addWellKnownClients(random: RandomSource) throws {
    let secret = "lab~" + Base64URL.encode(random.bytes(24))
    for wanted in WellKnownClients.registrations(secret: secret)
    where try Directory(documents: self).registration(clientID: wanted.clientID) == nil {
      try save(wanted)
    }
  }
}

extension Directory {
  /// Those of them that the lab has, in the order of `clientIDs`.
  package func wellKnownClients() throws -> [ClientRegistration] {
    try WellKnownClients.clientIDs.compactMap { try registration(clientID: $0) }
  }
}
