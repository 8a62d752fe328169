import Essentials

/// The legacy cache as one app has it (docs/behaviour/adal.md).
///
/// Items are addressed by exact key, one query an authority.
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does, and `LegacyCacheError`.
package struct LegacyCache {
  package let keychain: Keychain
  package let accessGroup: String

  /// `accessGroup` is the full group: `com.microsoft.adalcache` behind the team ID unless the developer set another.
  package init(keychain: Keychain, accessGroup: String) {
    self.keychain = keychain
    self.accessGroup = accessGroup
  }
}

package enum LegacyCacheError: Error, Hashable, Sendable {
  /// No user was named, and there are several (adal.md §5).
  case multipleUsers([String])
}

extension LegacyCache {
  /// The item with this key under the first authority that has one (adal.md §5).
  /// - Parameters:
  ///   - userID: nil: the only user, if there are not several; empty: the unknown user of AD FS.
  ///   - authorities: full URLs, preferred cache first.
  ///   - resource: nil for a multi-resource refresh token.
  ///   - clientID: of the app, or `foci-1` for the family's copy.
  /// - Returns: the item, or nil if no authority has one.
  /// - Throws: `LegacyCacheError.multipleUsers` if no user is named and several have one.
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

  /// Every item, of one user if one is named: by the generic attribute, and account.
  package func items(userID: String? = nil) throws -> [LegacyItem] {
    try read(
      KeychainQuery(
        accessGroups: [accessGroup], account: userID.map { LegacyKey.account($0) }, generic: LegacyKey.generic
      ),
      what: "legacy items")
  }

  /// Reads items; a tombstone is deleted, one that cannot be unarchived passed over, as ADAL does with a line in
  /// its log (adal.md §2, §7).
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

  /// Deletes one item; none there is no error.
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
  /// As lists and traces name it.
  package var words: String {
    switch kind {
    case .accessToken, nil: "legacy access token"
    case .refreshToken: isFamilyCopy ? "legacy family refresh token" : "legacy refresh token"
    case .singleResourceToken: "legacy single-resource token"
    }
  }
}
