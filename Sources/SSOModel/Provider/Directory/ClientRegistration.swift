/// An app as the identity provider knows it: what its developer registered in the portal.
///
/// With a secret, a key or a federated credential it is a confidential client (RFC 6749 §2.1), otherwise a public one.
package struct ClientRegistration: Codable, Hashable, Sendable {
  package var clientID: String
  package var displayName: String
  package var publisher: String
  /// Compared character by character; several platforms of one app may nest here (claim C3).
  package var redirectURIs: [String]
  /// Family of client IDs: `1` for Microsoft's own apps, nil for all others.
  package var familyID: String?
  /// Scopes it may ask for, besides the OpenID ones; empty means any.
  package var allowedScopes: [String]
  package var isMultiTenant = true
  /// The only tenant of an app that is not multi-tenant; nil means whichever is asked by name.
  package var homeTenantID: String?
  /// Scopes that only an administrator may consent to.
  package var adminOnlyScopes: [String]
  /// No person is asked for consent, as for Microsoft's own apps.
  package var isPreauthorized: Bool
  /// What a confidential client proves itself with.
  ///
  /// In the clear, like a person's password.
  package var secrets: [String]
  /// Public halves of the keys that sign its assertions (RFC 7523).
  package var publicKeys: [TokenVerificationKey]
  /// Where a browser may go after signing out, besides the redirect URIs.
  package var logoutURIs: [String] = []
  /// `refresh_in` of its access tokens, in seconds; nil: none is sent.
  package var refreshIn: Int?
  /// Scopes that are left out of what is granted without refusing the request.
  package var declinedScopes: [String] = []
  /// App ID URIs by which others ask for tokens for it, besides `api://<client ID>`.
  package var identifierURIs: [String]?
  /// The delegated permissions that it offers as an API; nil: any.
  package var exposedScopes: [String]?
  /// `requestedAccessTokenVersion` of the tokens for it, 1 or 2; Entra reads null as 1.
  package var accessTokenVersion: Int?
  /// Redirect URIs of the type “single-page application”: a page in a browser redeems their codes itself.
  package var spaRedirectURIs: [String]?
  /// The authorization endpoint may hand out ID tokens (Entra's manifest: `oauth2AllowIdTokenImplicitFlow`).
  package var enableIDTokenIssuance: Bool?
  /// The authorization endpoint may hand out access tokens (Entra's manifest: `oauth2AllowImplicitFlow`).
  package var enableAccessTokenIssuance: Bool?
  /// Entra's `logoutUrl`: a browser loads it in a frame when the person signs out (OpenID Connect Front-Channel Logout §2).
  package var frontChannelLogoutURI: String?
  /// Whether its tokens name the groups of the person; nil: they do not.
  package var groupMembershipClaims: GroupMembershipClaims?
  /// Other issuers whose tokens prove this client.
  package var federatedCredentials: [FederatedCredential]?
  /// On Microsoft's list of approved client apps, whose protection Intune can enforce.
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

  /// The redirect URIs of every type.
  var allRedirectURIs: [String] { redirectURIs + (spaRedirectURIs ?? []) }

  package var isConfidential: Bool {
    !secrets.isEmpty || !publicKeys.isEmpty || federatedCredentials?.isEmpty == false
  }

  /// The broker's client ID: its code is redeemed for a primary refresh token.
  package static let brokerClientID = "29d9ed98-a469-4536-ade2-f981bc1d605e"

  /// The broker as Entra registers it, on iOS and Android.
  package static let authenticationBroker = ClientRegistration(
    clientID: brokerClientID, displayName: "Microsoft Authentication Broker", publisher: "Microsoft",
    redirectURIs: [
      "urn:ietf:wg:oauth:2.0:oob", "msauth.com.microsoft.azureauthenticator://auth",
      "msauth://Microsoft.AAD.BrokerPlugin", "ms-appx-web://Microsoft.AAD.BrokerPlugin/\(brokerClientID)",
    ],
    familyID: "1", isPreauthorized: true)
}
