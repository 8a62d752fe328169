import Foundation
import SSODevice
import SSOKeychain
import SSOStore

extension Lab {
  /// Access groups of the current device and who reads them.
  package func keychainGroups() throws -> [KeychainGroupRow] {
    try view { stage in
      let apps = try stage.allApps()
      return try stage.accessGroups().map { group in
        KeychainGroupRow(
          accessGroup: group,
          readers: apps.filter { $0.entitledGroups.contains(group) }.map {
            KeychainGroupRow.Reader(
              bundleID: $0.bundleID, displayName: $0.displayName, isConfigured: $0.sharedAccessGroup == group)
          },
          outsiders: stage.outsiders(of: group),
          itemCount: try stage.deviceItems.itemCount(accessGroup: group))
      }
    }
  }

  /// How many items a group has.
  package func keychainItemCount(group: String) throws -> Int {
    try view { try $0.deviceItems.itemCount(accessGroup: group) }
  }

  /// Hands over the items of a group in the order of their keys, until `body` answers false. Nothing is unsealed.
  package func eachKeychainItem(group: String, _ body: (KeychainItemSummary) throws -> Bool) throws {
    try view { stage in
      let usernames = try stage.deviceItems.usernames()
      try stage.deviceItems.scanKeys(accessGroup: group) { row, account, service in
        try body(
          KeychainItemSummary(
            row: row, username: usernames[account.hashValue] ?? "", account: account, service: service))
      }
    }
  }

  /// The items in these rows of the store.
  package func keychainItems(rows: [Int64]) throws -> [Int64: KeychainItemRow] {
    try view { stage in
      let items = try stage.deviceItems.items(rows: rows)
      return Dictionary(uniqueKeysWithValues: try items.map { ($0.rowID, try stage.row(of: $0)) })
    }
  }

  /// Items of a group, in keychain order, without their values.
  package func keychainItems(group: String, limit: Int? = nil) throws -> [KeychainItemRow] {
    try view { stage in
      try [KeychainClass.genericPassword, .key].flatMap { itemClass in
        try stage.credentials.items(
          matching: KeychainQuery(accessGroups: [group], itemClass: itemClass, limit: limit))
      }.map { try stage.row(of: $0) }
    }
  }
}

extension Stage {
  /// Apps whose SDK is set to a group of this name but that cannot read it, with the reason.
  fileprivate func outsiders(of group: String) -> [String] {
    let bare = group.split(separator: ".", maxSplits: 1).last.map(String.init) ?? group
    let team = group.split(separator: ".").first.map(String.init) ?? ""
    return installed.compactMap { app in
      guard !app.entitledGroups.contains(group), (app.keychainSharingGroup ?? app.bundleID) == bare else {
        return nil
      }
      let reason = app.teamID == team ? "not in its entitlements" : "another team (\(app.teamID))"
      return "\(app.displayName): \(reason)"
    }
  }

  fileprivate func row(of item: KeychainItem) throws -> KeychainItemRow {
    let token = (2000..<3000).contains(item.type ?? 0) ? CredentialItem(data: item.data) : nil
    let account = (1000..<2000).contains(item.type ?? 0) ? AccountItem(data: item.data) : nil
    if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
      return KeychainItemRow(
        id: item.rowID, key: item.key, generic: LegacyKey.library, type: item.type, kind: legacy.words,
        username: legacy.user?.userID, standing: try standing(of: legacy), size: item.data.count,
        createdAt: item.createdAt, modifiedAt: item.modifiedAt)
    }
    let holder = try token.flatMap {
      try username(of: $0.homeAccountID, $0.environment, group: item.key.accessGroup)
    }
    let isRefresh = token?.type == .refreshToken || token?.type == .familyRefreshToken
    return KeychainItemRow(
      id: item.rowID, key: item.key, generic: item.generic.flatMap { String(bytes: $0, encoding: .utf8) },
      type: item.type, kind: ItemKind(item).rawValue, username: account?.username ?? holder,
      standing: try token.map { isRefresh ? try refreshStanding(of: $0) : standing(of: $0) }
        ?? TokenStanding(.none),
      size: item.data.count, createdAt: item.createdAt, modifiedAt: item.modifiedAt)
  }
}
