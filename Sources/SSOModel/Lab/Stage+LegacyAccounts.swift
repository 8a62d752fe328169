import Foundation
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

/// What ADAL knows of the accounts of a device.
extension Stage {
  /// The accounts that lie in ADAL's format only: one row a user and environment, of those whose username no unified
  /// account has.
  /// - Parameter users: from ``adalUsers()``.
  func legacyAccountRows(_ users: [String: [String]]) throws -> [AccountRow] {
    var items: [String: [(item: KeychainItem, legacy: LegacyItem)]] = [:]
    for found in try legacyItems(in: accessGroups()) {
      guard let user = found.legacy.user?.userID, !user.isEmpty else { continue }
      items[user + " " + found.legacy.environment, default: []].append(found)
    }
    return try items.keys.sorted().compactMap { key in
      guard let found = items[key], let user = found.first?.legacy.user?.userID else { return nil }
      return try hasUnifiedAccount(username: user) ? nil : accountRow(found, users)
    }
  }

  /// By the generic attribute, which of an account is its username in lower case (fact sheet §1.2).
  private func hasUnifiedAccount(username: String) throws -> Bool {
    let query = KeychainQuery(
      accessGroups: try accessGroups(), generic: Data(normalized(username).utf8),
      type: AccountType.mssts.attributeType, limit: 1)
    return try !credentials.items(matching: query).isEmpty
  }

  /// Display names of the apps with ADAL by the users they have an item of.
  func adalUsers() throws -> [String: [String]] {
    var apps: [String: [String]] = [:]
    for app in installed where app.sdk == .adal && app.entitledGroups.contains(app.sharedAccessGroup) {
      for user in try quietADALClient(app).users() { apps[user.userID, default: []].append(app.displayName) }
    }
    return apps
  }

  private func accountRow(
    _ found: [(item: KeychainItem, legacy: LegacyItem)], _ users: [String: [String]]
  ) throws -> AccountRow? {
    guard let legacy = found.first?.legacy, let user = legacy.user else { return nil }
    let readers = try SharingQueries(stage: self).appsByGroup()
    let refresh = found.filter { $0.legacy.refreshToken != nil }
    let rows = try refresh.map { try row(of: $0.legacy, $0.item, readers: readers, unmasked: false) }
    let sharing = rows.max { $0.apps.count < $1.apps.count }?.apps ?? []
    let tenant = user.claims["tid"]?.string ?? ""
    return AccountRow(
      homeAccountID: found.lazy.compactMap(\.legacy.homeAccountID).first ?? "", username: user.userID,
      displayName: user.claims["name"]?.string, environment: legacy.environment, homeTenantID: tenant,
      homeTenantName: try Directory(documents: transaction).tenant(byNameOrID: tenant)?.displayName,
      guestRealms: [], apps: try (users[user.userID] ?? []) + msalApps(listing: user.userID),
      sharingApps: sharing.count > 1 ? sharing : [],
      refreshToken: try refresh.first.map { try standing(of: $0.legacy) } ?? TokenStanding(.none),
      places: Set(found.map(\.item.key.accessGroup)).sorted())
  }

  /// Display names of the apps with MSAL that list an account for what ADAL left of it.
  private func msalApps(listing user: String) throws -> [String] {
    try installed.filter { app in
      guard app.sdk == .msal, app.entitledGroups.contains(app.sharedAccessGroup) else { return false }
      return try quietClient(app).legacyAccount(user) != nil
    }.map(\.displayName)
  }
}

extension AccountRow {
  /// Its number in a list of accounts, if no item of the unified cache has one for it.
  var rowNumber: Int64 { Int64(id.hashValue) | .min }
}
