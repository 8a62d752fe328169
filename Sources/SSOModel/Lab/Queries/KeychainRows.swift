/// One access group of the current device's keychain, and who can read it.
package struct KeychainGroupRow: Codable, Hashable, Sendable, Identifiable {
  /// An app that is entitled to the group.
  package struct Reader: Codable, Hashable, Sendable {
    package var bundleID: String
    package var displayName: String
    /// True: this is also the group the app's SDK is configured to use.
    package var isConfigured: Bool
  }
  package var id: String { accessGroup }
  package var accessGroup: String
  package var readers: [Reader]
  /// Apps that look as if they should share but do not, with the reason: "another team", "not in its entitlements".
  package var outsiders: [String]
  package var itemCount: Int
}

/// One keychain item, without its value.
package struct KeychainItemRow: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var key: KeychainKey
  /// `kSecAttrGeneric` as text; nil if it is not text.
  package var generic: String?
  /// `kSecAttrType`.
  package var type: Int?
  /// "access token", "refresh token", "account", "app metadata", ….
  package var kind: String
  package var username: String?
  package var standing: TokenStanding
  /// Of the value, in bytes.
  package var size: Int
  package var createdAt: Instant
  package var modifiedAt: Instant

  /// Whether it is a credential; an account or a broker key is not "none", it just has no state.
  package var isDated: Bool { standing.state != .none }
}

/// What a list of very many keychain items needs of each.
package struct KeychainItemSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// Whose item it is, if an account item says so.
  package var username: String
  package var account: String
  package var service: String
}
