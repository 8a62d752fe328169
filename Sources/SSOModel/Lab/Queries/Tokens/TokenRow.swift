/// One credential (Tokens screen, `tokens --json`).
package struct TokenRow: Codable, Hashable, Sendable, Identifiable {
  /// Short and stable: `t` and the row of the store.
  package var id: String
  /// `AccessToken`, `RefreshToken`, `FamilyRefreshToken` (a refresh token with a family ID), `IdToken`, ….
  package var type: String
  package var clientID: String
  package var redirectURIs: [String]
  /// Display names of the apps that can use it.
  package var apps: [String]
  package var homeAccountID: String
  package var username: String?
  package var environment: String
  package var realm: String?
  /// Scopes, of an access token.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  package var state: TokenState
  package var expiresOn: Instant?
  package var cachedAt: Instant?
  /// Negative if it has expired; nil if nothing says when it ends.
  package var secondsLeft: Int?
  /// Masked, unless the query asked for it.
  package var secret: String
  package var keychain: KeychainKey
  /// Seconds until time alone changes the state; nil if it never does.
  package var changesIn: Int?
}

/// The tree of claim C3: client ID, then redirect URI, then credentials.
package struct TokenTree: Codable, Hashable, Sendable {
  package struct Client: Codable, Hashable, Sendable {
    package var clientID: String
    package var name: String?
    package var redirects: [Redirect]
  }
  package struct Redirect: Codable, Hashable, Sendable {
    /// nil: credentials of a client no installed app belongs to (imported caches).
    package var redirectURI: String?
    package var app: String?
    package var tokens: [TokenRow]
  }
  package var clients: [Client]
}
