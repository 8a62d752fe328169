/// An access group of the current device's keychain, with its readers.
package struct KeychainGroupRow: Codable, Hashable, Sendable, Identifiable {
  /// An app that is entitled to the group.
  package struct Reader: Codable, Hashable, Sendable {
    package var bundleID: String
    package var displayName: String
    /// Whether the app's SDK is also configured to use this group.
    package var isConfigured: Bool
  }
  package var id: String { accessGroup }
  package var accessGroup: String
  package var readers: [Reader]
  /// The apps that seem to share the group but do not, with the reason: "another team" or "not in its
  /// entitlements".
  package var outsiders: [String]
  package var itemCount: Int
}

/// A keychain item without its value.
package struct KeychainItemRow: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var key: KeychainKey
  /// `kSecAttrGeneric` as text, or `nil` if it is not text.
  package var generic: String?
  /// `kSecAttrType`.
  package var type: Int?
  /// The kind, such as "access token", "refresh token", "account", or "app metadata".
  package var kind: String
  package var username: String?
  package var standing: TokenStanding
  /// The size of the value in bytes.
  package var size: Int
  package var createdAt: Instant
  package var modifiedAt: Instant

  /// Whether the item is a credential.
  ///
  /// Other items, such as accounts and broker keys, have no state.
  package var isDated: Bool { standing.state != .none }
}

/// The attributes of a keychain item that a very long list needs.
package struct KeychainItemSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// The username of the item's owner, if an account item contains it.
  package var username: String
  package var account: String
  package var service: String
}
