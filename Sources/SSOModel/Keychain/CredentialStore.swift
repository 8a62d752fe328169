/// Where one device's keychain items lie. It knows no apps and no entitlements: `Keychain` asks for those first.
///
/// Two conformers: the store (SQLite) and `MemoryCredentialStore`. Items come back in the order of their row ID.
package protocol CredentialStore: AnyObject {
  /// Items that match; an empty `accessGroups` matches none.
  func items(matching query: KeychainQuery) throws -> [KeychainItem]
  /// Adds an item. Throws `KeychainError.duplicateItem` if its key is there already.
  func insert(_ item: KeychainItem) throws
  /// Replaces data, generic, label, type and modification date of the item with this key. False if there is none.
  func update(_ item: KeychainItem) throws -> Bool
  func delete(_ key: KeychainKey) throws
}
