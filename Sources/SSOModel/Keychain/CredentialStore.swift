/// Read access to the keychain items of one device.
///
/// It does not know about apps or entitlements; `Keychain` checks these first.
///
/// Throws `StoreError`; an in-memory store does not throw.
package protocol CredentialReader: AnyObject {
  /// Returns the matching items in the order of their row IDs; an empty `accessGroups` matches none.
  func items(matching query: KeychainQuery) throws -> [KeychainItem]
}

/// The storage of one device's keychain items: the store (SQLite), `MemoryCredentialStore`, or a scratch copy over one
/// of these.
///
/// Throws `StoreError`, and `KeychainError.duplicateItem` from `insert`.
package protocol CredentialStore: CredentialReader {
  /// Adds an item, whose key must be new.
  func insert(_ item: KeychainItem) throws
  /// Replaces the data, generic, label, type, and modification date of the item with this key.
  ///
  /// Returns false if there is no such item.
  func update(_ item: KeychainItem) throws -> Bool
  func delete(_ key: KeychainKey) throws
}
