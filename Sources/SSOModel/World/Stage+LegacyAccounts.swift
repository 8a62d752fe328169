/// What ADAL knows of the accounts of a device.
extension Stage {
  /// Names the apps with ADAL in the rows that unified accounts gave, and adds the accounts that lie in ADAL's format
  /// only: one row a user and environment.
  func addLegacyAccounts(to rows: inout [String: AccountRow], _ order: inout [String]) throws {
    let users = try adalUsers()
    for (id, row) in rows {
      rows[id]?.apps = row.apps + (users[normalized(row.username)] ?? [])
    }
    let known = Set(rows.values.map { normalized($0.username) })
    var items: [String: [(item: KeychainItem, legacy: LegacyItem)]] = [:]
    for found in try legacyItems(in: accessGroups()) {
      guard let user = found.legacy.user?.userID, !user.isEmpty, !known.contains(user) else { continue }
      items[user + " " + found.legacy.environment, default: []].append(found)
    }
    for key in items.keys.sorted() {
      guard let found = items[key], let row = try accountRow(found, users) else { continue }
      rows[row.id] = row
      order.append(row.id)
    }
  }

  /// Display names of the apps with ADAL by the users they have an item of.
  private func adalUsers() throws -> [String: [String]] {
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
    let readers = try readers()
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
