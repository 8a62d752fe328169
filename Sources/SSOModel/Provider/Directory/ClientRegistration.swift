import SSOCore

/// An app registration at the identity provider.
///
/// An app with a secret, a key or a federated credential is a confidential client (RFC 6749 §2.1), otherwise
/// a public client.
package struct ClientRegistration: Codable, Hashable, Sendable {
  package var clientID: String
  package var displayName: String
  package var publisher: String
  /// The redirect URIs, compared exactly.
  ///
  /// One app may have URIs for several platforms (claim C3).
  package var redirectURIs: [String]
  /// The family of client IDs: `1` for Microsoft's own apps, `nil` for all others.
  package var familyID: String?
  /// The scopes that the app may request besides the OpenID scopes.
  ///
  /// An empty array allows any scope.
  package var allowedScopes: [String]
  package var isMultiTenant = true
  /// The only tenant of a single-tenant app, or `nil` for the tenant that the request specifies.
  package var homeTenantID: String?
  /// The scopes that only an administrator may consent to.
  package var adminOnlyScopes: [String]
  /// Whether the app does not need user consent, like Microsoft's own apps.
  package var isPreauthorized: Bool
  /// The secrets that authenticate a confidential client.
  ///
  /// They are not hashed, like a user's password.
  package var secrets: [String]
  /// The time at which the secrets expire, or `nil` if they do not expire.
  package var secretsExpireAt: Instant?
  /// The public keys for the app's client assertions (RFC 7523).
  package var publicKeys: [TokenVerificationKey]
  /// The URIs to which a browser may be redirected after a sign-out, besides the redirect URIs.
  package var logoutURIs: [String] = []
  /// `refresh_in` of the app's access tokens, in seconds, or `nil` to omit it.
  package var refreshIn: Int?
  /// `ext_expires_in` of the app's access tokens, in seconds, or `nil` for the lifetime of the token, as at Entra today.
  package var extExpiresIn: Int?
  /// The scopes that are silently omitted from every grant.
  package var declinedScopes: [String] = []
  /// The App ID URIs that identify the app as an API, besides `api://<client ID>`.
  package var identifierURIs: [String]?
  /// The delegated permissions that the app offers as an API, or `nil` for any.
  package var exposedScopes: [String]?
  /// `requestedAccessTokenVersion` of the tokens for this API: 1 or 2.
  ///
  /// Entra treats null as 1.
  package var accessTokenVersion: Int?
  /// The redirect URIs of type “single-page application”, whose codes are redeemed by a page in the browser.
  package var spaRedirectURIs: [String]?
  /// The redirect URIs of type “Web”, whose codes only a client that authenticates may redeem.
  package var webRedirectURIs: [String]?
  /// Whether a program may use flows without a redirect URI, such as device codes and passwords, without
  /// authentication (Entra's manifest: `isFallbackPublicClient`).
  ///
  /// `nil` means that only a public client may.
  package var allowsPublicClient: Bool?
  /// The APIs whose permissions the registration lists (Entra's manifest: `requiredResourceAccess`), or `nil` for
  /// any API.
  ///
  /// Each is an app ID or an App ID URI.
  package var requiredAPIs: [String]?
  /// Whether only assigned users may sign in (Entra: `appRoleAssignmentRequired` of the enterprise application).
  package var isAssignmentRequired: Bool?
  /// The usernames and group names that are assigned to the app, in addition to the members of its roles.
  package var assigned: [String]?
  /// Whether an administrator switched the app off (Entra: `accountEnabled` of the enterprise application).
  package var isDisabled: Bool?
  /// The number of requests that the app may send to the token endpoint within five minutes, or `nil` for any.
  ///
  /// Entra's limit is not public.
  package var requestLimit: Int?
  /// The accounts that the app accepts (Entra's manifest: `signInAudience`), or `nil` for all that the tenant allows.
  package var accounts: AccountKind?
  /// Whether the app accepts work and personal accounts by one registration; `nil` means yes.
  ///
  /// Registrations in the Azure portal did not until 2018.
  package var isConverged: Bool?
  /// Whether the tenant lacks the app's enterprise application, without which it does not issue app-only access tokens.
  ///
  /// The first consent adds it.
  package var hasNoServicePrincipal: Bool?
  /// Whether the authorization endpoint may issue ID tokens (Entra's manifest:
  /// `oauth2AllowIdTokenImplicitFlow`).
  package var enableIDTokenIssuance: Bool?
  /// Whether the authorization endpoint may issue access tokens (Entra's manifest:
  /// `oauth2AllowImplicitFlow`).
  package var enableAccessTokenIssuance: Bool?
  /// Entra's `logoutUrl`, which a browser loads in a frame at sign-out (OpenID Connect Front-Channel Logout
  /// §2).
  package var frontChannelLogoutURI: String?
  /// The user's groups and directory roles that the app's tokens contain, or `nil` if they do not contain any.
  package var groupMembershipClaims: GroupMembershipClaims?
  /// The claims that the app's tokens have beyond the usual ones.
  package var optionalClaims: OptionalClaims?
  /// The credentials with which tokens of other issuers authenticate this client.
  package var federatedCredentials: [FederatedCredential]?
  /// Whether the app is on Microsoft's list of approved client apps, for which Intune can enforce protection.
  package var isApprovedApp = false

  package init(
    clientID: String, displayName: String, publisher: String, redirectURIs: [String],
    familyID: String? = nil, allowedScopes: [String] = [], adminOnlyScopes: [String] = [],
    isPreauthorized: Bool = false,
    secrets: [String] = [], publicKeys: [TokenVerificationKey] = [], refreshIn: Int? = nil
  ) {
    self.clientID = clientID
    self.displayName = displayName
    self.publisher = publisher
    self.redirectURIs = redirectURIs
    self.familyID = familyID
    self.allowedScopes = allowedScopes
    self.adminOnlyScopes = adminOnlyScopes
    self.isPreauthorized = isPreauthorized
    self.secrets = secrets
    self.publicKeys = publicKeys
    self.refreshIn = refreshIn
  }

  /// A kind of accounts.
  package enum AccountKind: String, Codable, CaseIterable, Sendable { case organizations, personal }

  /// The redirect URIs of all types.
  var allRedirectURIs: [String] { redirectURIs + (spaRedirectURIs ?? []) + (webRedirectURIs ?? []) }

  /// Whether Microsoft owns the app, in which case it does not need consent.
  var isOfMicrosoft: Bool { publisher == "Microsoft" }

  package var isConfidential: Bool {
    !secrets.isEmpty || !publicKeys.isEmpty || federatedCredentials?.isEmpty == false
  }

  /// The broker's client ID.
  ///
  /// Its authorization code is redeemed for a primary refresh token.
  package static let brokerClientID = "29d9ed98-a469-4536-ade2-f981bc1d605e"

  /// The broker's registration at Entra, for iOS and Android.
  package static let authenticationBroker = ClientRegistration(
    clientID: brokerClientID, displayName: "Microsoft Authentication Broker", publisher: "Microsoft",
    redirectURIs: [
      "urn:ietf:wg:oauth:2.0:oob", "msauth.com.microsoft.azureauthenticator://auth",
      "msauth://Microsoft.AAD.BrokerPlugin", "ms-appx-web://Microsoft.AAD.BrokerPlugin/\(brokerClientID)",
    ],
    familyID: "1", isPreauthorized: true)
}

/// An external issuer whose tokens an app accepts in place of a secret (docs/behaviour/workloads.md §3).
package struct FederatedCredential: Codable, Hashable, Sendable {
  package var name: String?
  /// The expected `iss` of the token, compared exactly.
  package var issuer: String
  /// The expected `sub` of the token, compared exactly.
  package var subject: String
  /// The accepted values of `aud`, or `nil` for `usualAudience`.
  package var audiences: [String]?

  package init(name: String? = nil, issuer: String, subject: String, audiences: [String]? = nil) {
    self.name = name
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
  }

  package static let usualAudience = "api://AzureADTokenExchange"
  /// The app ID of the API with this identifier, which is the `aud` of a managed identity's token for it (Microsoft Learn,
  /// "Configure an application to trust a managed identity").
  static let usualAudienceAppID = "fb60f99c-7a34-4190-8149-302f77469936"

  var acceptedAudiences: [String] { audiences ?? [Self.usualAudience] }
}

/// The registrations that external clients expect.
///
/// They are added to a lab that serves such clients, unless it has a registration with the same client ID.
package enum WellKnownClients {
  /// Azure CLI's client ID, which azure-identity also uses for developer sign-in.
  static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  static let azurePowerShell = "1950a258-227b-4e31-a9cf-717495945fc2"
  /// A fictitious public client outside the family of client IDs.
  ///
  /// `confidentialClient` is its confidential counterpart.
  package static let publicClient = "33333333-cccc-4ccc-8ccc-333333333333"
  static let confidentialClient = "44444444-dddd-4ddd-8ddd-444444444444"

  package static let clientIDs = [azureCLI, azurePowerShell, publicClient, confidentialClient]

  /// Returns the name of the Microsoft program with this client ID, or `nil` for any other.
  package static func name(of clientID: String) -> String? {
    [azureCLI: "Azure CLI", azurePowerShell: "Azure PowerShell"][clientID.lowercased()]
  }

  /// The loopback redirect URIs, which match any port (RFC 8252 §7.3), with the paths that libraries use.
  static let loopback = [Loopback.name, .ipv4].flatMap { host in
    ["", "/", "/cb", "/callback", "/secure/redirect_uri", "/loggedout"].map { "http://" + host.inURL + $0 }
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
  /// The confidential client gets the secret, or a random one.
  package func addWellKnownClients(secret: String? = nil, random: RandomSource) throws {
    let secret = secret ?? "lab~" + Base64URL.encode(random.bytes(24))
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

extension ClientRegistration {
  /// Whether the registration is in each cloud: the broker's or one of ``WellKnownClients``.
  var isInEachCloud: Bool {
    clientID == Self.authenticationBroker.clientID || WellKnownClients.clientIDs.contains(clientID)
  }
}
