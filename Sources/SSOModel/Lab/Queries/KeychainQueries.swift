import Essentials

/// The keychain of the device, as a user with every entitlement would see it.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct KeychainQueries {
  let reader: LabReader

  private var tokens: TokenQueries { TokenQueries(reader: reader) }

  /// Returns the access groups and their readers.
  package func groups() throws -> [KeychainGroupRow] {
    let apps = try reader.allApps()
    return try reader.accessGroups().map { group in
      KeychainGroupRow(
        accessGroup: group,
        readers: apps.filter { $0.entitledGroups.contains(group) }.map {
          KeychainGroupRow.Reader(
            bundleID: $0.bundleID, displayName: $0.displayName, isConfigured: $0.sharedAccessGroup == group)
        },
        outsiders: outsiders(of: group), itemCount: try itemCount(group: group))
    }
  }

  package func itemCount(group: String) throws -> Int { try reader.items.itemCount(accessGroup: group) }

  /// Passes the items of a group to `body` in the order of their keys, until it returns `false`.
  ///
  /// Nothing is unsealed.
  package func each(group: String, _ body: (KeychainItemSummary) throws -> Bool) throws {
    let usernames = try reader.items.usernames()
    try reader.items.scanKeys(accessGroup: group) { row, account, service in
      try body(
        KeychainItemSummary(
          row: row, username: usernames[account.hashValue] ?? "", account: account, service: service))
    }
  }

  /// Returns the items with these row numbers of the store.
  package func rows(_ numbers: [Int64]) throws -> [Int64: KeychainItemRow] {
    Dictionary(
      uniqueKeysWithValues: try reader.items.items(rows: numbers).map { ($0.rowID, try row(of: $0)) })
  }

  /// Returns the items of a group, in keychain order, without their values.
  package func rows(group: String, limit: Int? = nil) throws -> [KeychainItemRow] {
    try [KeychainClass.genericPassword, .key].flatMap { itemClass in
      try reader.credentials.items(
        matching: KeychainQuery(accessGroups: [group], itemClass: itemClass, limit: limit))
    }.map { try row(of: $0) }
  }

  /// Returns the apps whose SDK is configured to use a group of this name but that cannot read it, with the
  /// reason.
  private func outsiders(of group: String) -> [String] {
    let bare = group.split(separator: ".", maxSplits: 1).last.map(String.init) ?? group
    let team = group.split(separator: ".").first.map(String.init) ?? ""
    return reader.installed.compactMap { app in
      guard !app.entitledGroups.contains(group), (app.keychainSharingGroup ?? app.bundleID) == bare else {
        return nil
      }
      let reason = app.teamID == team ? "not in its entitlements" : "another team (\(app.teamID))"
      return "\(app.displayName): \(reason)"
    }
  }

  private func row(of item: KeychainItem) throws -> KeychainItemRow {
    let token = item.credential
    let account = (1000..<2000).contains(item.type ?? 0) ? AccountItem(data: item.data) : nil
    if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
      return KeychainItemRow(
        id: item.rowID, key: item.key, generic: LegacyKey.library, type: item.type, kind: legacy.words,
        username: legacy.user?.userID, standing: try LegacyTokens(reader: reader).standing(of: legacy),
        size: item.data.count,
        createdAt: item.createdAt, modifiedAt: item.modifiedAt)
    }
    let holder = try token.flatMap {
      try tokens.username(of: $0.homeAccountID, $0.environment, group: item.key.accessGroup)
    }
    let isRefresh = token?.type == .refreshToken || token?.type == .familyRefreshToken
    return KeychainItemRow(
      id: item.rowID, key: item.key, generic: item.generic.flatMap { String(bytes: $0, encoding: .utf8) },
      type: item.type, kind: ItemKind(item).rawValue, username: account?.username ?? holder,
      standing: try token.map {
        isRefresh ? try reader.standing(ofRefreshToken: $0.secret) : TokenStanding($0, at: reader.now)
      }
        ?? TokenStanding(.none),
      size: item.data.count, createdAt: item.createdAt, modifiedAt: item.modifiedAt)
  }
}
