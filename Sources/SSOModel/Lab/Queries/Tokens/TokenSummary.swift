/// A branch of the tree in a store with very many credentials: a client with one redirect URI, and how many credentials its
/// app can use.
///
/// The credentials themselves are read when the branch is opened.
package struct TokenBranch: Hashable, Sendable {
  package var clientID: String
  /// What the directory calls the client.
  package var clientName: String?
  /// nil: no installed app belongs to the client (imported caches).
  package var redirectURI: String?
  package var app: String?
  package var count: Int
}

/// What a list of very many credentials needs of each.
package struct TokenSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// As ``TokenRow/type`` has it.
  package var type: String
  /// The person, or the keychain's account attribute if no account item names one.
  package var account: String
  /// Realm and scopes, as written in its key.
  package var target: String
}
