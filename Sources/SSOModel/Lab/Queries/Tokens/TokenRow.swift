/// A credential (Tokens screen, `tokens --json`).
package struct TokenRow: Codable, Hashable, Sendable, Identifiable {
  /// A short and stable ID: `t` and the row of the store.
  package var id: String
  /// The type, such as `AccessToken`, `RefreshToken`, `FamilyRefreshToken` (a refresh token with a family
  /// ID), or `IdToken`.
  package var type: String
  package var clientID: String
  package var redirectURIs: [String]
  /// The display names of the apps that can use the credential.
  package var apps: [String]
  package var homeAccountID: String
  package var username: String?
  package var environment: String
  package var realm: String?
  /// The scopes of an access token.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  package var state: TokenState
  package var expiresOn: Instant?
  package var cachedAt: Instant?
  /// The seconds until expiration, negative if expired, or `nil` if the expiration is unknown.
  package var secondsLeft: Int?
  /// The secret, masked unless the query requested otherwise.
  package var secret: String
  package var keychain: KeychainKey
  /// The seconds until the state changes because time passes, or `nil` if it never does.
  package var changesIn: Int?
}

/// The tree of claim C3: client ID, redirect URI, credentials.
package struct TokenTree: Codable, Hashable, Sendable {
  package struct Client: Codable, Hashable, Sendable {
    package var clientID: String
    package var name: String?
    package var redirects: [Redirect]
  }
  package struct Redirect: Codable, Hashable, Sendable {
    /// The redirect URI, or `nil` for the credentials of a client without an installed app (imported caches).
    package var redirectURI: String?
    package var app: String?
    package var tokens: [TokenRow]
  }
  package var clients: [Client]
}
