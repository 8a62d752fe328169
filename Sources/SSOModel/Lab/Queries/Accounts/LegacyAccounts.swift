import Essentials

/// ADAL's accounts on a device.
struct LegacyAccounts {
  let reader: LabReader

  private var tokens: LegacyTokens { LegacyTokens(reader: reader) }

  /// Returns the accounts that exist only in ADAL's format, one row for each user and environment.
  ///
  /// - Parameter users: The users from ``users()``.
  /// - Returns: The rows, sorted by username.
  /// - Throws: `StoreError`.
  func rows(_ users: LegacyUsers) throws -> [AccountRow] {
    var items: [String: [(item: KeychainItem, legacy: LegacyItem)]] = [:]
    for found in try tokens.items(in: reader.accessGroups()) {
      guard let user = found.legacy.user?.userID, !user.isEmpty else { continue }
      items[user + " " + found.legacy.environment, default: []].append(found)
    }
    return try items.keys.sorted().compactMap { key in
      guard let found = items[key], let user = found.first?.legacy.user?.userID else { return nil }
      return try hasUnifiedAccount(username: user) ? nil : accountRow(found, users)
    }
  }

  /// Returns whether a unified account has this username, which is its generic attribute in lowercase
  /// (docs/behaviour/msal-cache.md §1).
  private func hasUnifiedAccount(username: String) throws -> Bool {
    let query = KeychainQuery(
      accessGroups: try reader.accessGroups(), generic: Data(normalized(username).utf8),
      type: AccountType.mssts.attributeType, limit: 1)
    return try !reader.credentials.items(matching: query).isEmpty
  }

  /// Returns the users that the apps list from ADAL's items.
  func users() throws -> LegacyUsers {
    var users = LegacyUsers()
    guard !reader.device.isLocked else { return users }
    for app in reader.installed where app.isEntitled {
      let sdk = reader.sdk(of: app)
      for user in try sdk.legacyUsers() { users.add(user, of: app, calledBy: sdk.callName(of: user)) }
    }
    return users
  }

  private func accountRow(
    _ found: [(item: KeychainItem, legacy: LegacyItem)], _ users: LegacyUsers
  ) throws -> AccountRow? {
    guard let legacy = found.first?.legacy, let user = legacy.user else { return nil }
    let readers = try SharingQueries(reader: reader).appsByGroup()
    let refresh = found.filter { $0.legacy.refreshToken != nil }
    let rows = try refresh.map { try tokens.row(of: $0.legacy, $0.item, readers: readers, unmasked: false) }
    let sharing = rows.max { $0.apps.count < $1.apps.count }?.apps ?? []
    let tenant = user.claims["tid"]?.string ?? ""
    let homeAccountID = found.lazy.compactMap(\.legacy.homeAccountID).first ?? ""
    return AccountRow(
      homeAccountID: homeAccountID, username: user.userID,
      displayName: user.claims["name"]?.string, environment: legacy.environment, homeTenantID: tenant,
      homeTenantName: try reader.directory.tenant(byNameOrID: tenant)?.displayName,
      guestRealms: [], apps: users.apps(of: user.userID, homeAccountID),
      sharingApps: sharing.count > 1 ? sharing : [],
      refreshToken: try refresh.first.map { try tokens.standing(of: $0.legacy) } ?? TokenStanding(.none),
      places: Set(found.map(\.item.key.accessGroup)).sorted())
  }
}

/// The users that apps list from ADAL's items, by username, with the home account ID if the SDK knows it.
struct LegacyUsers {
  private struct Listing {
    var app: String
    /// The home account ID, or `nil` if the app calls by username only, as ADAL does, or its SDK knows no ID.
    var homeAccountID: String?
  }

  private var listings: [String: [Listing]] = [:]
  var isEmpty: Bool { listings.isEmpty }

  /// Adds a user.
  ///
  /// `name` is the username or home account ID with which the app's SDK identifies the user.
  mutating func add(_ user: SDKAccount, of app: InstalledApp, calledBy name: String) {
    listings[normalized(user.username), default: []].append(
      Listing(app: app.displayName, homeAccountID: name == user.username ? nil : name))
  }

  /// Returns the display names of the apps that can make calls for this user (claim F5).
  ///
  /// They identify the user by home account ID, or by username if no ID is known.
  func apps(of username: String, _ homeAccountID: String) -> [String] {
    (listings[normalized(username)] ?? []).filter { listing in
      listing.homeAccountID.map { normalized($0) == normalized(homeAccountID) } ?? true
    }.map(\.app)
  }
}

extension AccountRow {
  /// The number of the account in a list, if it has no item in the unified cache.
  var rowNumber: Int64 { Int64(id.hashValue) | .min }
}
