import Essentials

/// The legacy cache as one app sees it (docs/behaviour/adal.md).
///
/// Items are looked up by their exact keys, with one query for each authority.
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does, and `LegacyCacheError`.
package struct LegacyCache {
  package let keychain: Keychain
  package let accessGroup: String

  /// Creates the cache of a full access group.
  ///
  /// The group is `com.microsoft.adalcache` after the team ID, unless the developer specified another one.
  package init(keychain: Keychain, accessGroup: String) {
    self.keychain = keychain
    self.accessGroup = accessGroup
  }
}

package enum LegacyCacheError: Error, Hashable, Sendable {
  /// No user was specified, and there are several (adal.md §5).
  case multipleUsers([String])
}

extension LegacyCache {
  /// Returns the item with this key for the first authority that has one (adal.md §5).
  /// - Parameters:
  ///   - userID: `nil` for the only user, if there are not several; empty for the unknown user of AD FS.
  ///   - authorities: Full URLs, with the preferred cache first.
  ///   - resource: `nil` for a multi-resource refresh token.
  ///   - clientID: The app's client ID, or `foci-1` for the family's copy.
  /// - Returns: The item, or `nil` if no authority has one.
  /// - Throws: `LegacyCacheError.multipleUsers` if no user is specified and several have an item.
  package func item(
    userID: String?, authorities: [String], resource: String?, clientID: String
  ) throws -> LegacyItem? {
    for authority in authorities {
      let key = LegacyKey(authority: authority, resource: resource, clientID: clientID, userID: userID)
      var query = key.query(in: accessGroup)
      if userID == nil { query.account = nil }
      let found = try read(query, what: resource == nil ? "legacy refresh token" : "legacy access token")
      guard found.count < 2 else {
        throw LegacyCacheError.multipleUsers(found.compactMap { $0.user?.userID }.sorted())
      }
      if let item = found.first { return item }
    }
    return nil
  }

  /// Returns every item, or every item of one user, by the generic attribute and the account.
  package func items(userID: String? = nil) throws -> [LegacyItem] {
    try read(
      KeychainQuery(
        accessGroups: [accessGroup], account: userID.map { LegacyKey.account($0) }, generic: LegacyKey.generic
      ),
      what: "legacy items")
  }

  /// Reads items, deleting tombstones and skipping items that cannot be unarchived (adal.md §2, §7).
  ///
  /// ADAL also writes a line to its log for each skipped item.
  private func read(_ query: KeychainQuery, what: String) throws -> [LegacyItem] {
    var found: [LegacyItem] = []
    for item in try keychain.items(matching: query, what: what) {
      guard let legacy = try? LegacyItem(data: item.data) else { continue }
      if legacy.isTombstone {
        try keychain.delete(matching: KeychainQuery(item), what: what)
      } else if legacy.kind != nil {
        found.append(legacy)
      }
    }
    return found
  }

  /// Adds or replaces an item under its composed key.
  package func write(_ item: LegacyItem) throws {
    try keychain.set(
      LegacyKey(item).item(in: accessGroup, data: item.data, at: keychain.now), what: item.words)
  }

  /// Deletes one item; it is not an error if there is none.
  @discardableResult
  package func remove(_ item: LegacyItem) throws -> Int {
    let count = try keychain.delete(matching: LegacyKey(item).query(in: accessGroup), what: item.words)
    if count > 0, item.refreshToken != nil { try keychain.noteWipe(in: accessGroup) }
    return count
  }
}

extension LegacyKey {
  init(_ item: LegacyItem) {
    self.init(
      authority: item.authority, resource: item.resource, clientID: item.clientID, userID: item.user?.userID,
      appIdentifier: item[.applicationIdentifier].string)
  }
}

extension LegacyItem {
  /// The name of the item in lists and traces.
  package var words: String {
    switch kind {
    case .accessToken, nil: "legacy access token"
    case .refreshToken: isFamilyCopy ? "legacy family refresh token" : "legacy refresh token"
    case .singleResourceToken: "legacy single-resource token"
    }
  }
}
