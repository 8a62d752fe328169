import Essentials
import KeyedArchive
import SSOCore
import SSOReference

extension TokenCache {
  /// Deletes one credential by its composed key; it is not an error if the credential does not exist.
  package func remove(_ item: CredentialItem) throws {
    try keychain.delete(matching: CacheKey(item).query(in: accessGroup), what: item.type.keyName)
  }

  /// Deletes a refresh token that was rejected, if the cache still contains the same secret (silent-call.md §5).
  @discardableResult
  package func removeIfUnchanged(_ item: CredentialItem) throws -> Bool {
    let query = CacheKey(item).query(in: accessGroup)
    let stored = try read(query, what: item.type.keyName).first
    guard let stored, stored.secret == item.secret else { return false }
    try keychain.delete(matching: query, what: item.type.keyName)
    if keepsMetadata { try keychain.noteWipe(in: accessGroup) }
    return true
  }

  /// Removes an account from the account metadata of every client (silent-call.md §5, `user_account_deleted`).
  package func removeMetadata(homeAccountID: String) throws {
    let query = KeychainQuery(accessGroups: [accessGroup], account: "authority_map", type: 5001)
    for item in try keychain.items(matching: query, what: "accountmetadata") {
      guard var metadata = AccountMetadata(data: item.data) else { continue }
      let before = metadata.entries.count
      metadata.entries = metadata.entries.filter { normalized($0.key) != normalized(homeAccountID) }
      if metadata.entries.count < before { try write(metadata) }
    }
  }

  /// Removes an account for one client (`removeAccount:`, docs/behaviour/msal-cache.md §11).
  ///
  /// Deletes the credentials of the account whose JSON `client_id` is this client. Account items are not deleted.
  ///
  /// The family refresh token is deleted if this client was the last to write it, but not if another member has
  /// refreshed it since (msal-cache.md §6). Call `markSignedOut` as well, because the SDK does both.
  ///
  /// If `environments` is empty, the entries of every host match.
  /// - Returns: The number of deleted items.
  /// - Throws: `KeychainError`, `StoreError`.
  @discardableResult
  package func remove(homeAccountID: String, clientID: String, environments: [String] = []) throws -> Int {
    try removeCredentials(homeAccountID: homeAccountID, environments: environments) {
      normalized($0.clientID) == normalized(clientID)
    }
  }

  /// Deletes the credentials of the account for all clients, and its account items (`wipeAccount`).
  @discardableResult
  package func wipe(homeAccountID: String, environments: [String] = []) throws -> Int {
    try removeCredentials(homeAccountID: homeAccountID, environments: environments) { _ in true }
      + removeAccounts(homeAccountID: homeAccountID, environments: environments)
  }

  /// Deletes the account items of every realm.
  package func removeAccounts(homeAccountID: String, environments: [String] = []) throws -> Int {
    try accounts(homeAccountID: homeAccountID, environments: environments).reduce(0) { count, account in
      try count + keychain.delete(matching: CacheKey(account).query(in: accessGroup), what: "account")
    }
  }

  /// Deletes every generic password of the group, including other apps' and legacy items (`wipeCacheForAllAccounts`).
  @discardableResult
  package func clear() throws -> Int {
    try keychain.delete(matching: KeychainQuery(accessGroups: [accessGroup]))
  }

  /// Records that the account is signed out of this client: it is no longer listed, and its URL maps are cleared.
  package func markSignedOut(homeAccountID: String, clientID: String) throws {
    guard keepsMetadata else { return }
    var metadata = try accountMetadata(clientID: clientID) ?? AccountMetadata(clientID: clientID)
    metadata.signOut(homeAccountID)
    try write(metadata)
  }

  /// Returns whether AccountMetadata contains `signed_out` for this client.
  ///
  /// A silent call then requires user interaction (msal-cache.md §11).
  package func isSignedOut(homeAccountID: String, clientID: String) throws -> Bool {
    try accountMetadata(clientID: clientID)?.entries[homeAccountID]?.signInState == .signedOut
  }

  private func removeCredentials(
    homeAccountID: String, environments: [String], where condition: (CredentialItem) -> Bool
  ) throws -> Int {
    var count = 0
    var hasRefreshToken = false
    // Match any type of credential: the SDK specifies only the group, and compares the rest in memory.
    var query = KeychainQuery(accessGroups: [accessGroup])
    query.want(homeAccountID, environments)
    for item in try keychain.items(matching: query, what: "credentials") {
      guard let credential = item.credential,
        normalized(credential.homeAccountID) == normalized(homeAccountID), condition(credential)
      else { continue }
      count += try keychain.delete(matching: KeychainQuery(item), what: credential.type.keyName)
      hasRefreshToken = hasRefreshToken || credential.type.isRefreshToken
    }
    if hasRefreshToken, keepsMetadata { try keychain.noteWipe(in: accessGroup) }
    return count
  }
}

/// The app that last deleted a refresh token of the access group, and the time at which it did.
///
/// The SDKs store it as an item, which they read only for their log (docs/behaviour/keychain.md §6(1)).
package struct WipeInfo: Hashable {
  package var bundleID: String
  package var wipedAt: Instant
}

extension WipeInfo {
  package static func key(in accessGroup: String) -> KeychainKey {
    KeychainKey(accessGroup: accessGroup, account: "TokenWipe", service: "")
  }
  package static let generic = Data("Microsoft.ADAL.WipeAll.1".utf8)

  /// Creates a value from `kSecValueData`, or returns `nil` if it is not such an archive.
  init?(data: Data) {
    guard let root = try? KeyedArchiveReader.value(of: data).dictionary,
      let bundleID = root[.string("bundleId")]?.string, let wipedAt = root[.string("wipeTime")]?.instant
    else { return nil }
    self.init(bundleID: bundleID, wipedAt: wipedAt)
  }

  var data: Data {
    KeyedArchiveWriter.data(
      of: .dictionary([.string("bundleId"): .string(bundleID), .string("wipeTime"): .date(wipedAt)]))
  }
}

extension Keychain {
  /// Records that this app deleted a refresh token.
  ///
  /// The record is only for the SDK's log, so a keychain error is ignored.
  func noteWipe(in accessGroup: String) throws {
    let item = KeychainItem(
      key: WipeInfo.key(in: accessGroup), generic: WipeInfo.generic,
      data: WipeInfo(bundleID: app.bundleID, wipedAt: now).data, createdAt: now, modifiedAt: now)
    do { try set(item, what: "wipe info") } catch is KeychainError {}
  }

  /// Returns the app that last deleted a refresh token of the group, or `nil` if none was deleted.
  package func lastWipe(in accessGroup: String) throws -> WipeInfo? {
    let key = WipeInfo.key(in: accessGroup)
    let query = KeychainQuery(accessGroups: [accessGroup], account: key.account, generic: WipeInfo.generic)
    return try items(matching: query, what: "wipe info").first.flatMap { WipeInfo(data: $0.data) }
  }
}
