/// A branch of the tree in a store with very many credentials: a client with one redirect URI, and the number
/// of credentials that its app can use.
///
/// The credentials themselves are read when the branch is opened.
package struct TokenBranch: Hashable, Sendable {
  package var clientID: String
  /// The client's name in the directory.
  package var clientName: String?
  /// The redirect URI, or `nil` if no installed app belongs to the client (imported caches).
  package var redirectURI: String?
  package var app: String?
  package var count: Int
}

/// The attributes of a credential that a very long list needs.
package struct TokenSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// The type, as in ``TokenRow/type``.
  package var type: String
  /// The username, or the account attribute if no account item contains it.
  package var account: String
  /// The realm and scopes, as in the credential's key.
  package var target: String
}
