import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOStore

/// The accounts of the device across apps and broker.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct AccountQueries {
  let reader: LabReader

  private var legacy: LegacyAccounts { LegacyAccounts(reader: reader) }

  /// Returns the accounts sorted by username.
  ///
  /// - Parameter limit: The maximum number of account items to read.
  /// - Returns: One row for each user and environment.
  /// - Throws: `StoreError`.
  package func rows(limit: Int? = nil) throws -> [AccountRow] {
    let uses = try RefreshTokenUse.all(in: reader)
    if limit == nil { for use in uses { try use.readAll() } }
    var joiner = AccountJoiner(on: reader, uses, adalUsers: try legacy.users())
    try reader.items.scanItems(type: AccountType.mssts.attributeType) { item in
      if reader.shows(accessGroup: item.key.accessGroup) { try joiner.add(item) }
      return limit.map { joiner.itemCount < $0 } ?? true
    }
    joiner.add(try legacy.rows(joiner.adalUsers))
    for held in try reader.brokerAccounts() { try joiner.add(held) }
    // Sort indexes and not rows, because moving a row copies a dozen references.
    let rows = joiner.rows
    return rows.indices.sorted {
      (rows[$0].username, rows[$0].homeAccountID) < (rows[$1].username, rows[$1].homeAccountID)
    }.map { rows[$0] }
  }

  /// Returns the accounts with row numbers from ``each(_:)``.
  ///
  /// Omits accounts that have been removed in the meantime.
  package func rows(_ numbers: [Int64]) throws -> [Int64: AccountRow] {
    let uses = try RefreshTokenUse.all(in: reader)
    let groups = try reader.accessGroups()
    let held = try reader.brokerAccounts()
    let adalUsers = try legacy.users()
    var found: [Int64: AccountRow] = [:]
    for item in try reader.items.items(rows: numbers.filter { $0 > 0 }) {
      var joiner = AccountJoiner(on: reader, uses, adalUsers: adalUsers)
      let query = KeychainQuery(
        accessGroups: groups, account: item.key.account, type: AccountType.mssts.attributeType)
      for item in try reader.credentials.items(matching: query) { try joiner.add(item) }
      for held in held where held.homeAccountID == joiner.rows.first?.homeAccountID { try joiner.add(held) }
      found[item.rowID] = joiner.rows.first
    }
    for row in try numbers.contains(where: { $0 < 0 }) ? legacy.rows(adalUsers) : []
    where numbers.contains(row.rowNumber) {
      var joiner = AccountJoiner(on: reader, uses, adalUsers: adalUsers)
      joiner.add([row])
      for held in held where held.homeAccountID == row.homeAccountID { try joiner.add(held) }
      found[row.rowNumber] = joiner.rows.first
    }
    for held in held where numbers.contains(held.rowNumber) {
      var joiner = AccountJoiner(on: reader, uses, adalUsers: adalUsers)
      try joiner.add(held)
      found[held.rowNumber] = joiner.rows.first
    }
    return found
  }
}

// MARK: - Very many accounts

extension AccountQueries {
  /// Returns the number of account items, which is about the number of accounts.
  package func itemCount() throws -> Int {
    guard reader.device.simulationCheck == nil else {
      return try rows().filter { $0.places != ["broker"] }.count
    }
    return try reader.items.itemCount(type: AccountType.mssts.attributeType)
  }

  /// Passes every account to `body`.
  ///
  /// Nothing is unsealed or kept in memory: 100,000 accounts take half as long as MSAL Python's
  /// `get_accounts`.
  package func each(_ body: (AccountSummary) throws -> Void) throws {
    var summaries = AccountSummaries(on: reader)
    try reader.items.scanAccountNames { row, account, generic in
      if let summary = try summaries.next(row, account, generic) { try body(summary) }
    }
    for other in try otherAccounts(legacy.users()) { try body(other.summary) }
  }

  /// Passes the details of every account to `body` in the same order, for 100,000 accounts in a third of a
  /// second.
  package func eachDetails(_ body: (AccountDetails) throws -> Void) throws {
    let adalUsers = try legacy.users()
    var details = try AccountDetailsReader(on: reader, adalUsers: adalUsers)
    try reader.items.scanAccountItems { item in
      if let found = try details.next(item) { try body(found) }
    }
    for other in try otherAccounts(adalUsers) { try body(other.details) }
  }

  /// Returns the first accounts by username, for a list that is displayed before the rest is read.
  package func first(_ count: Int) throws -> [AccountSummary] {
    var summaries = AccountSummaries(on: reader)
    let rows = try reader.items.firstRows(
      type: AccountType.mssts.attributeType, groups: reader.accessGroups(), limit: count)
    let items = try reader.items.items(rows: rows).sorted {
      // As in a scan, the first of an account's items counts.
      ($0.key.account, String(decoding: $0.generic ?? Data(), as: UTF8.self), $0.rowID)
        < ($1.key.account, String(decoding: $1.generic ?? Data(), as: UTF8.self), $1.rowID)
    }
    var found = try items.compactMap { item in
      try Array(item.key.account.utf8).withUnsafeBytes { account in
        try (item.generic ?? Data()).withUnsafeBytes { try summaries.next(item.rowID, account, $0) }
      }
    }
    found += try otherAccounts(legacy.users()).map(\.summary)
    return found.sorted { ($0.username.lowercased(), $0.row) < ($1.username.lowercased(), $1.row) }
  }

  /// Returns the accounts without an item in the unified cache: those in ADAL's format, and those of only the
  /// broker.
  private func otherAccounts(
    _ adalUsers: LegacyUsers
  ) throws -> [(summary: AccountSummary, details: AccountDetails)] {
    var tenants = TenantNames(on: reader)
    let legacy = try legacy.rows(adalUsers)
    let others = try legacy.map { row in
      (
        AccountSummary(
          row: row.rowNumber, username: row.username, tenant: try tenants.text(row.homeTenantID),
          identifier: row.identifier),
        AccountDetails(
          row: row.rowNumber, username: row.username, name: row.displayName ?? "",
          apps: row.apps.joined(separator: ", "))
      )
    }
    let held = try reader.brokerAccounts().filter { held in
      try !legacy.contains { $0.homeAccountID == held.homeAccountID } && !hasItem(held)
    }
    return try others
      + held.map { held in
        (
          AccountSummary(
            row: held.rowNumber, username: held.username,
            tenant: try tenants.text(held.homeAccountID.homeTenantID), identifier: held.homeAccountID),
          AccountDetails(
            row: held.rowNumber, username: held.username, name: held.displayName,
            apps: try (adalUsers.apps(of: held.username, held.homeAccountID) + reader.apps(listing: held))
              .joined(separator: ", "))
        )
      }
  }

  /// Returns whether the unified cache has an item for a broker account in any group.
  private func hasItem(_ held: BrokerAccount) throws -> Bool {
    try reader.holdsAccount(
      held.homeAccountID, hosts: EnvironmentAliases.publicCloud.clouds.flatMap(\.aliases),
      in: reader.accessGroups())
  }
}

extension LabReader {
  /// Returns whether one of the groups has the account's item for one of the hosts.
  func holdsAccount(_ homeAccountID: String, hosts: [String], in groups: [String]) throws -> Bool {
    try hosts.contains { host in
      let query = KeychainQuery(
        accessGroups: groups, account: CacheKey.account(homeAccountID, host),
        type: AccountType.mssts.attributeType)
      return try !credentials.items(matching: query).isEmpty
    }
  }

  /// Returns the display names of the apps whose SDK lists an account of the broker, as MSAL for Android does.
  fileprivate func apps(listing held: BrokerAccount) throws -> [String] {
    guard device.platform.listsBrokerAccounts else { return [] }
    return try installed.filter { app in
      do { return try sdk(of: app).listedAccount(held.homeAccountID) != nil } catch is SDKError {
        return false
      }
    }.map(\.displayName)
  }
}

extension BrokerAccount {
  /// The number of the account in a list, if the unified cache does not contain it.
  var rowNumber: Int64 { Int64(homeAccountID.hashValue) | .min }
}

/// An account across apps (Accounts screen).
package struct AccountRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { identifier + " " + environment }
  /// The identifier for finding the account again: the home account ID, or the username if that is unknown.
  package var identifier: String { homeAccountID.isEmpty ? username : homeAccountID }
  /// The home account ID.
  ///
  /// Empty if only ADAL before 2.7 knows the account (claim F3).
  package var homeAccountID: String
  package var username: String
  package var displayName: String?
  package var environment: String
  package var homeTenantID: String
  package var homeTenantName: String?
  /// The realms other than the home tenant.
  package var guestRealms: [String]
  /// The display names of the apps in which the account is signed in.
  package var apps: [String]
  /// The display names of the apps that can use the same refresh token.
  package var sharingApps: [String]
  package var refreshToken: TokenStatus
  /// The places that contain the account: access groups and "broker".
  package var places: [String]
}

/// A type that merges account items of several realms and access groups and the broker's accounts into one
/// row for each user.
struct AccountJoiner {
  private let reader: LabReader
  private let uses: [RefreshTokenUse]
  let adalUsers: LegacyUsers
  private var tenants: TenantNames
  /// The indexes in `rows` by the hash of the items' account attribute.
  private var places: [Int: Int] = [:]
  private(set) var rows: [AccountRow] = []
  private(set) var itemCount = 0

  init(on reader: LabReader, _ uses: [RefreshTokenUse], adalUsers: LegacyUsers) {
    self.reader = reader
    self.adalUsers = adalUsers
    self.uses = uses
    tenants = TenantNames(on: reader)
  }

  private static let texts = EntityText(
    [
      AccountField.homeAccountID, .environment, .username, .name, .realm,
    ].map(\.rawValue))

  mutating func add(_ item: KeychainItem) throws {
    itemCount += 1
    guard let texts = Self.texts.read(item.data) else { return }
    let home = texts[0] ?? ""
    let place: Int
    let hash = item.key.account.hashValue
    if let known = places[hash] {
      place = known
    } else {
      place = rows.count
      places[hash] = place
      rows.append(try row(home, environment: texts[1] ?? "", username: texts[2] ?? "", name: texts[3]))
    }
    let realm = texts[4] ?? ""
    // MSAL Python writes the tenant of the authority, which may be a name for many tenants.
    if !Authority.tenantless.contains(realm), realm != rows[place].homeTenantID,
      !rows[place].guestRealms.contains(realm)
    {
      rows[place].guestRealms.append(realm)
    }
    if !rows[place].places.contains(item.key.accessGroup) {
      rows[place].places.append(item.key.accessGroup)
      rows[place].refreshToken = try rows[place].refreshToken.better(imported(item.key))
    }
  }

  /// Returns the state of the refresh token of an imported account, whose group is not used by an app of the device.
  private func imported(_ account: KeychainKey) throws -> TokenStatus {
    guard account.accessGroup.hasPrefix(ImportCache.accessGroup("")) else { return TokenStatus(.none) }
    let query = KeychainQuery(
      accessGroups: [account.accessGroup], account: account.account,
      type: CredentialType.refreshToken.attributeType)
    return try reader.credentials.items(matching: query).compactMap { CredentialItem(data: $0.data) }
      .reduce(TokenStatus(.none)) { try $0.better(reader.status(ofRefreshToken: $1.secret)) }
  }

  /// Adds accounts that exist only in ADAL's format.
  mutating func add(_ legacy: [AccountRow]) { rows += legacy }

  mutating func add(_ held: BrokerAccount) throws {
    let apps = try reader.apps(listing: held)
    if let place = rows.firstIndex(where: { $0.homeAccountID == held.homeAccountID }) {
      rows[place].places.append("broker")
      rows[place].apps += apps.filter { !rows[place].apps.contains($0) }
      return
    }
    let tenant = held.homeAccountID.homeTenantID
    rows.append(
      AccountRow(
        homeAccountID: held.homeAccountID, username: held.username, displayName: held.displayName,
        environment: "broker", homeTenantID: tenant, homeTenantName: try tenants.name(tenant),
        guestRealms: [], apps: adalUsers.apps(of: held.username, held.homeAccountID) + apps, sharingApps: [],
        refreshToken: try reader.status(of: held),
        places: ["broker"]))
  }

  private mutating func row(
    _ home: String, environment: String, username: String, name: String?
  ) throws -> AccountRow {
    var row = AccountRow(
      homeAccountID: home, username: username, displayName: name, environment: environment,
      homeTenantID: home.homeTenantID, homeTenantName: try tenants.name(home.homeTenantID), guestRealms: [],
      apps: [], sharingApps: [], refreshToken: TokenStatus(.none), places: [])
    var users: [String: [String]] = [:]
    for use in uses {
      let token = try use.token(homeAccountID: home, environment: environment)
      let names = use.apps.map(\.displayName)
      if try use.isSignedIn(home, environment: environment, holdsToken: token != nil) { row.apps += names }
      guard let token, use.serves(token) else { continue }
      users[use.accessGroup + " " + token.service, default: []] += names
      row.refreshToken = row.refreshToken.better(token.status)
    }
    if !adalUsers.isEmpty {
      row.apps += adalUsers.apps(of: username, home).filter { !row.apps.contains($0) }
    }
    row.sharingApps = users.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
    return row
  }
}

extension String {
  /// The tenant of a home account ID, `uid.utid`.
  var homeTenantID: String {
    guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")), dot != utf8.indices.last else {
      return split(separator: ".").last.map(String.init) ?? ""
    }
    return String(self[utf8.index(after: dot)...])
  }
}

extension TokenStatus {
  /// Returns the more useful of two states, because a silent call uses the token that works.
  fileprivate func better(_ other: TokenStatus) -> TokenStatus {
    let order: [TokenState] = [.none, .invalid, .revoked, .expired, .unknown, .expiring, .valid]
    func rank(_ state: TokenState) -> Int { order.firstIndex(of: state) ?? 0 }
    return rank(other.state) > rank(state) ? other : self
  }
}
