/// The registrations that external clients expect.
///
/// They are added to a lab that serves such clients, unless it has a registration with the same client ID.
package enum WellKnownClients {
  /// Azure CLI's client ID, which azure-identity also uses for developer sign-in.
  package static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  package static let azurePowerShell = "1950a258-227b-4e31-a9cf-717495945fc2"
  /// A fictitious public client outside the family of client IDs.
  ///
  /// `confidentialClient` is its confidential counterpart.
  package static let publicClient = "33333333-cccc-4ccc-8ccc-333333333333"
  package static let confidentialClient = "44444444-dddd-4ddd-8ddd-444444444444"

  package static let clientIDs = [azureCLI, azurePowerShell, publicClient, confidentialClient]

  /// Returns the name of the Microsoft program with this client ID, or `nil` for any other.
  package static func name(of clientID: String) -> String? {
    [azureCLI: "Azure CLI", azurePowerShell: "Azure PowerShell"][clientID.lowercased()]
  }

  /// The loopback redirect URIs, which match any port (RFC 8252 §7.3), with the paths that libraries use.
  static let loopback = loopbackHosts.flatMap { host in
    ["", "/", "/cb", "/callback", "/secure/redirect_uri", "/loggedout"].map { "http://" + host + $0 }
  }

  /// The redirect URI of programs that read the response in their own web view.
  package static let nativeRedirectURI = PublicCloud.commonAuthority + "/oauth2/nativeclient"

  /// Returns the registrations of the clients of `ssoterm serve`.
  ///
  /// - Parameter secret: The secret of the confidential client.
  /// - Returns: One registration for each client.
  package static func registrations(secret: String) -> [ClientRegistration] {
    func microsoft(_ clientID: String) -> ClientRegistration {
      ClientRegistration(
        clientID: clientID, displayName: name(of: clientID) ?? clientID, publisher: "Microsoft",
        redirectURIs: loopback + [nativeRedirectURI], familyID: "1", isPreauthorized: true)
    }
    return [
      microsoft(azureCLI),
      microsoft(azurePowerShell),
      // Requires user consent, like the lab's own apps.
      ClientRegistration(
        clientID: publicClient, displayName: "Lab Public App", publisher: "SSOTerm",
        redirectURIs: loopback + [nativeRedirectURI, "edu.kit.data.oidc-agent:/redirect"]),
      // Has administrator consent, so that it may act on behalf of its callers.
      ClientRegistration(
        clientID: confidentialClient, displayName: "Lab Confidential App", publisher: "SSOTerm",
        redirectURIs: loopback, isPreauthorized: true, secrets: [secret]),
    ]
  }
}

extension DocumentStore {
  /// Adds the missing registrations.
  ///
  /// The confidential client gets a random secret.
  package func addWellKnownClients(random: RandomSource) throws {
    let secret = "lab~" + Base64URL.encode(random.bytes(24))
    for wanted in WellKnownClients.registrations(secret: secret)
    where try Directory(documents: self).registration(clientID: wanted.clientID) == nil {
      try save(wanted)
    }
  }
}

extension Directory {
  /// Returns the well-known clients that the lab has, in the order of `clientIDs`.
  package func wellKnownClients() throws -> [ClientRegistration] {
    try WellKnownClients.clientIDs.compactMap { try registration(clientID: $0) }
  }
}
