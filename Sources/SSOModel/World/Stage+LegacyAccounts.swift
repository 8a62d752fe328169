/// Accounts that lie in ADAL's format only.
extension Stage {
  /// One row a user and environment, of those whose username no unified account has.
  func legacyAccountRows(besides known: [String]) throws -> [AccountRow] {
    let known = Set(known.map { normalized($0) })
    var items: [String: [(item: KeychainItem, legacy: LegacyItem)]] = [:]
    for found in try legacyItems(in: accessGroups()) {
      guard let user = found.legacy.user?.userID, !user.isEmpty, !known.contains(user) else { continue }
      items[user + " " + found.legacy.environment, default: []].append(found)
    }
    return try items.keys.sorted().compactMap { try items[$0].flatMap { try accountRow($0) } }
  }

  private func accountRow(_ found: [(item: KeychainItem, legacy: LegacyItem)]) throws -> AccountRow? {
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
      guestRealms: [], apps: try adalApps(of: user.userID), sharingApps: sharing.count > 1 ? sharing : [],
      refreshToken: try refresh.first.map { try standing(of: $0.legacy) } ?? TokenStanding(.none),
      places: Set(found.map(\.item.key.accessGroup)).sorted())
  }

  /// Display names of the apps with ADAL that have an item of this user.
  private func adalApps(of userID: String) throws -> [String] {
    try installed.filter { app in
      guard app.sdk == .adal, app.entitledGroups.contains(app.sharedAccessGroup) else { return false }
      return try quietADALClient(app).users().contains { $0.userID == userID }
    }.map(\.displayName)
  }
}
