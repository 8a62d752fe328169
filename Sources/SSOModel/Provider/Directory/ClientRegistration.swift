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
  /// Whether the app needs no user consent, as Microsoft's own apps do.
  package var isPreauthorized: Bool
  /// The secrets that authenticate a confidential client.
  ///
  /// They are not hashed, like a user's password.
  package var secrets: [String]
  /// The public keys for the app's client assertions (RFC 7523).
  package var publicKeys: [TokenVerificationKey]
  /// The URIs to which a browser may be redirected after a sign-out, besides the redirect URIs.
  package var logoutURIs: [String] = []
  /// `refresh_in` of the app's access tokens, in seconds, or `nil` to omit it.
  package var refreshIn: Int?
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
  /// Whether the authorization endpoint may issue ID tokens (Entra's manifest:
  /// `oauth2AllowIdTokenImplicitFlow`).
  package var enableIDTokenIssuance: Bool?
  /// Whether the authorization endpoint may issue access tokens (Entra's manifest:
  /// `oauth2AllowImplicitFlow`).
  package var enableAccessTokenIssuance: Bool?
  /// Entra's `logoutUrl`, which a browser loads in a frame at sign-out (OpenID Connect Front-Channel Logout
  /// §2).
  package var frontChannelLogoutURI: String?
  /// The user's groups that the app's tokens contain, or `nil` for no groups.
  package var groupMembershipClaims: GroupMembershipClaims?
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

  /// The redirect URIs of all types.
  var allRedirectURIs: [String] { redirectURIs + (spaRedirectURIs ?? []) }

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
