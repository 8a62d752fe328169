import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

/// The names of the accounts in the lab, for suggestions.
///
/// Throws `LabError` for a name that does not match exactly one account, and `StoreError`.
package struct KnownAccounts {
  let reader: LabReader

  /// The maximum number of names to compare.
  private static let compared = 200

  /// Returns the usernames of some users in the lab's directory.
  package func usernames() throws -> [String] {
    try reader.directory.people().prefix(Self.compared).map(\.username)
  }

  /// Returns the account for a call, or `nil` if the call does not specify one.
  ///
  /// The account may be unknown to the app, in which case its SDK reports that.
  ///
  /// - Throws: `LabError` if no app, broker, or directory has this account.
  func account(named name: String?, in sdk: any IdentitySDK) throws -> SDKAccount? {
    let known = try sdk.account(named: name)
    guard let name, known == nil, try !contains(name) else { return known }
    throw try LabError(
      .unknownAccount, "There is no account “\(name)”.",
      why: "It is unknown to every app, broker, and directory.",
      next: next(afterUnknown: name))
  }

  /// Returns whether an app, the broker, or the directory has the account.
  private func contains(_ name: String) throws -> Bool {
    if try reader.directory.person(username: name) != nil { return true }
    if try reader.brokerAccounts().contains(where: { $0.homeAccountID == name || $0.username == name }) {
      return true
    }
    return try reader.installed.contains {
      try $0.isEntitled && reader.cachedAccount(name, of: $0) != nil
    }
  }

  /// Returns the username of a home account ID, according to an app or the broker, or any other name
  /// unchanged.
  func username(_ name: String) -> String {
    reader.installed.lazy.compactMap { app in
      try? reader.cachedAccount(name, of: app)?.username
    }.first ?? (try? reader.brokerAccounts())?.first { $0.homeAccountID == name }?.username ?? name
  }

  /// Resolves an optional name as the function below does.
  ///
  /// - Throws: `LabError` if several accounts match.
  package func name(_ typed: String?) throws -> String? { try typed.map { try name($0) } }

  /// Returns the username that contains the typed text, if exactly one account or user matches.
  ///
  /// A complete name, an ID, and a text without a match are returned unchanged. If there are very many names,
  /// no match is attempted.
  ///
  /// - Throws: `LabError` if several accounts match.
  package func name(_ typed: String) throws -> String {
    guard !typed.isEmpty, !typed.contains("@"), !typed.contains(".") else { return typed }
    let accounts = try AccountQueries(reader: reader).rows(limit: Self.compared).map(\.username)
    let people = try usernames()
    guard max(accounts.count, people.count) < Self.compared else { return typed }
    let fitting = Set(accounts + people).filter { $0.lowercased().contains(typed.lowercased()) }.sorted()
    guard fitting.count > 1 else { return fitting.first ?? typed }
    throw LabError.ambiguous(.unknownAccount, "account", typed, in: fitting)
  }

  /// Returns the advice after a name without a match: a sign-in to an app, which is the first of the lab if none is given,
  /// or a similar name.
  func next(afterUnknown name: String?, in app: String? = nil) throws -> Advice {
    let known =
      try AccountQueries(reader: reader).rows(limit: Self.compared).map(\.username) + usernames()
    if let name, known.contains(name) {
      let app = try app ?? reader.apps.rows().first { $0.kind == .simulated }?.bundleID
      return "Sign in first: \(.signIn, app ?? "APP", with: [.account: name])"
    }
    let near = name.flatMap { nearestName(to: $0, among: known) }
    return near.map { "Did you mean \($0)?" } ?? "List them: \(.accounts)"
  }
}

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
    guard !reader.device.locksKeychain else { return users }
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
      refreshToken: try refresh.first.map { try tokens.status(of: $0.legacy) } ?? TokenStatus(.none),
      places: Set(found.map(\.item.key.accessGroup)).sorted())
  }
}

/// The users that apps list from ADAL's items, by username, with the home account ID if the SDK knows it.
struct LegacyUsers {
  private struct Listing {
    var app: String
    /// The home account ID, or `nil` if the app calls by username only, as ADAL does, or its SDK does not know the ID.
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
  /// The number of the account in a list, if the unified cache does not contain it.
  var rowNumber: Int64 { Int64(id.hashValue) | .min }
}
