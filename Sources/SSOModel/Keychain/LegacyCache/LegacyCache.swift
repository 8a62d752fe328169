import Essentials
import KeyedArchive
import SSOCore

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
  /// - Returns: The item, or `nil` if it is not found under any authority.
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
      LegacyKey(item).item(in: accessGroup, data: item.data, at: keychain.now), what: item.displayText)
  }

  /// Deletes one item; it is not an error if the item does not exist.
  @discardableResult
  package func remove(_ item: LegacyItem) throws -> Int {
    let count = try keychain.delete(matching: LegacyKey(item).query(in: accessGroup), what: item.displayText)
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
  package var displayText: String {
    switch kind {
    case .accessToken, nil: "legacy access token"
    case .refreshToken: isFamilyCopy ? "legacy family refresh token" : "legacy refresh token"
    case .singleResourceToken: "legacy single-resource token"
    }
  }
}

/// ADAL's removal calls (docs/behaviour/adal.md §7), each of which returns the number of deleted items.
extension LegacyCache {
  /// Removes the items of one user and one client (`removeAllForUserId:clientId:`).
  ///
  /// The family's copy has another client ID and is not removed.
  ///
  /// If `environments` is empty, the items of every host are removed.
  /// - Returns: The number of deleted items.
  /// - Throws: `KeychainError`, `StoreError`.
  package func removeAll(userID: String, clientID: String, environments: [String] = []) throws -> Int {
    try remove(
      try items(userID: userID).filter { item in
        normalized(item.clientID) == normalized(clientID)
          && (environments.isEmpty || environments.contains(item.environment.lowercased()))
      })
  }

  /// Removes the items of every user of one client (`removeAllForClientId:`).
  package func removeAll(clientID: String) throws -> Int {
    try remove(try items().filter { normalized($0.clientID) == normalized(clientID) })
  }

  /// Removes the items of one user for every client, by the account attribute (`wipeAllItemsForUserId:`).
  ///
  /// ADAL up to 2.6.6 ignores the generic attribute, so it deletes everything with that account.
  package func wipe(userID: String, byAccountAlone: Bool) throws -> Int {
    let count = try keychain.delete(
      matching: KeychainQuery(
        accessGroups: [accessGroup], account: LegacyKey.account(userID),
        generic: byAccountAlone ? nil : LegacyKey.generic),
      what: "legacy items")
    try keychain.noteWipe(in: accessGroup)
    return count
  }

  private func remove(_ items: [LegacyItem]) throws -> Int {
    try items.reduce(0) { try $0 + remove($1) }
  }
}

/// The values of one token response that go into the legacy cache (docs/behaviour/adal.md §3).
package struct LegacySave: Hashable, Sendable {
  /// The authority as stored: the preferred-cache host and the tenant of the request (adal.md §1).
  package var authority: String
  /// The client ID, with its case preserved.
  package var clientID: String
  /// The `resource` of the response, or `nil` if it does not contain one (AD FS).
  package var resource: String?
  /// The resource of the request, which applies if the response does not contain one.
  package var requestedResource: String
  package var accessToken: String
  package var tokenType: String
  package var refreshToken: String?
  package var expiresOn: Instant
  package var extendedExpiresOn: Instant?
  package var cachedAt: Instant
  package var idToken: String?
  /// The `foci` value of the response: `1`, or `nil`.
  package var familyID: String?
  package var homeAccountID: String?
  /// Whether the items are written by ADAL 2.7 or later.
  package var isUnified: Bool

  package init(
    authority: String, clientID: String, resource: String?, requestedResource: String, accessToken: String,
    tokenType: String, refreshToken: String?, expiresOn: Instant, cachedAt: Instant, idToken: String?,
    isUnified: Bool
  ) {
    self.authority = authority
    self.clientID = clientID
    self.resource = resource
    self.requestedResource = requestedResource
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.refreshToken = refreshToken
    self.expiresOn = expiresOn
    self.cachedAt = cachedAt
    self.idToken = idToken
    self.isUnified = isUnified
  }

  /// Whether this is a multi-resource response, which has both `resource` and `refresh_token`.
  package var isMultiResource: Bool { resource?.isEmpty == false && refreshToken?.isEmpty == false }
}

extension LegacySave {
  /// The access token, the multi-resource refresh token, and the copy for the family, or one item with both tokens.
  package var items: [LegacyItem] {
    guard isMultiResource else {
      var item = accessTokenItem
      item[.refreshToken] = ArchivedValue(refreshToken)
      return [item]
    }
    var refresh = LegacyItem(isUnified: isUnified, common)
    refresh[.refreshToken] = ArchivedValue(refreshToken)
    refresh[.familyID] = ArchivedValue(familyID)
    guard let familyID, !familyID.isEmpty else { return [accessTokenItem, refresh] }
    var family = refresh
    family[.clientID] = .string(LegacyKey.familyClientID(familyID))
    return [accessTokenItem, refresh, family]
  }

  private var accessTokenItem: LegacyItem {
    var item = LegacyItem(isUnified: isUnified, common)
    item[.accessToken] = .string(accessToken)
    item[.resource] = .string(resource ?? requestedResource)
    item[.expiresOn] = .date(expiresOn)
    // Since 2.7, only the refresh token contains the family (adal.md §3(4)).
    if !isUnified { item[.familyID] = ArchivedValue(familyID) }
    if let extendedExpiresOn {
      let key = isUnified ? "extended_expires_on" : "ext_expires_on"
      item[.additionalServer] = .dictionary([.string(key): .date(extendedExpiresOn)])
    }
    return item
  }

  private var common: [LegacyField: ArchivedValue] {
    var values: [LegacyField: ArchivedValue] = [
      .authority: .string(authority), .clientID: .string(clientID),
      .accessTokenType: .string(tokenType.isEmpty ? "Bearer" : tokenType),
      .additionalServer: .dictionary([:]), .additionalClient: .dictionary([:], isMutable: true),
    ]
    if let user = idToken.flatMap(LegacyUser.init(idToken:)) {
      values[.userInformation] = .object(user.object)
    }
    if isUnified {
      values[.cachedAt] = .date(cachedAt)
      values[.homeAccountID] = ArchivedValue(homeAccountID)
    }
    return values
  }
}

extension ArchivedValue {
  init(_ text: String?) { self = text.map(ArchivedValue.string) ?? .nothing }
}

extension LegacyCache {
  /// Writes the items of a response, or only its refresh tokens if `withAccessToken` is false.
  /// - Throws: The first error of the keychain.
  package func save(_ response: LegacySave, withAccessToken: Bool = true) throws {
    for item in response.items where withAccessToken || item.accessToken == nil { try write(item) }
  }
}
