import Essentials

/// The unified cache as one app sees it: a keychain and one full access group (docs/behaviour/msal-cache.md §10, §11).
///
/// Lookups never load all items. The SDK reads by generic and type, and filters by home account ID and host in memory
/// (msal-cache.md §6). The call is the SDK's, as the trace shows; the store finds the wanted items by the `account`
/// attribute, which is composed of exactly these two. If there are several, the order of environments (preferred cache
/// first) determines which item comes first; the SDK leaves this open.
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does.
package struct TokenCache {
  package let keychain: Keychain
  package let accessGroup: String
  let lastMetadata: LastMetadata

  /// Creates the cache of an app in an access group.
  ///
  /// `accessGroup` is the full group, from `fullAccessGroup(_:teamID:bundleID:)`. The app need not be entitled to it:
  /// as on a real device, only the first read or write fails.
  package init(keychain: Keychain, accessGroup: String, lastMetadata: LastMetadata = LastMetadata()) {
    self.keychain = keychain
    self.accessGroup = accessGroup
    self.lastMetadata = lastMetadata
  }

  package var now: Instant { keychain.now }
}

// MARK: - Queries

extension TokenCache {
  /// Returns the credentials with this ID in the environments, of one account or, if it is `nil`, of all accounts.
  func credentials(
    _ type: CredentialType, id: String, homeAccountID: String?, environments: [String]
  ) throws -> [CredentialItem] {
    var query = KeychainQuery(
      accessGroups: [accessGroup], service: type.isAccessToken ? nil : id + "-", generic: Data(id.utf8),
      type: type.attributeType)
    query.want(homeAccountID, environments)
    return try read(query, what: type.keyName).filter { item in
      homeAccountID.map { normalized($0) == normalized(item.homeAccountID) } ?? true
        && isWanted(item.environment, among: environments)
    }
  }

  /// Reads credentials, deleting tombstones and skipping incomplete credentials (msal-cache.md §2).
  func read(_ query: KeychainQuery, what: String) throws -> [CredentialItem] {
    var found: [CredentialItem] = []
    for item in try keychain.items(matching: query, what: what) {
      guard let credential = CredentialItem(data: item.data) else { continue }
      if credential.isTombstone {
        try keychain.delete(matching: KeychainQuery(item), what: what)
      } else if credential.isComplete {
        found.append(credential)
      }
    }
    return found
  }

  /// Adds or replaces a credential under its composed key.
  package func write(_ item: CredentialItem) throws {
    let key = CacheKey(item)
    try keychain.set(key.item(in: accessGroup, data: item.data, at: now), what: item.type.keyName)
  }
}

/// Returns whether an item of this host is wanted; an empty `environments` matches any host.
func isWanted(_ environment: String, among environments: [String]) -> Bool {
  environments.isEmpty || environments.contains { normalized($0) == normalized(environment) }
}

extension KeychainQuery {
  /// Restricts the wanted matches to one home account ID under these hosts; an empty array means any host.
  mutating func want(_ homeAccountID: String?, _ environments: [String]) {
    guard let homeAccountID else { return }
    if environments.isEmpty {
      accountPrefix = CacheKey.account(homeAccountID, "")
    } else {
      wantedAccounts = environments.map { CacheKey.account(homeAccountID, $0) }
    }
  }
}
