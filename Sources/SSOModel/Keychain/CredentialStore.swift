/// One device's keychain items, to be read.
///
/// It knows no apps and no entitlements: `Keychain` asks for those first.
///
/// Throws `StoreError`; a store in memory throws nothing.
package protocol CredentialReader: AnyObject {
  /// Items that match, in the order of their row ID; an empty `accessGroups` matches none.
  func items(matching query: KeychainQuery) throws -> [KeychainItem]
}

/// Where one device's keychain items are: the store (SQLite), `MemoryCredentialStore`, or a scratch copy over one of them.
///
/// Throws `StoreError`, and `KeychainError.duplicateItem` from `insert`.
package protocol CredentialStore: CredentialReader {
  /// Adds an item, whose key must be new.
  func insert(_ item: KeychainItem) throws
  /// Replaces data, generic, label, type and modification date of the item with this key. False if there is none.
  func update(_ item: KeychainItem) throws -> Bool
  func delete(_ key: KeychainKey) throws
}
