/// What a list of very many accounts needs of each: what it is searched and sorted by.
public struct AccountSummary: Hashable, Sendable {
  /// What ``Lab/accounts(rows:)`` reads it by: the row of its first item, or a negative number if it has
  /// none. Good as long as the program runs.
  public var row: Int64
  public var username: String
  public var name: String
  /// The home tenant's name if the directory knows it, and its ID.
  public var tenant: String
  /// The apps it is signed in to.
  public var apps: String
  /// What finds the account again: the home account ID, or where none is known the username.
  public var identifier: String
}

extension Lab {
  /// Hands over every account, in the order of the store's rows. Nothing is kept: 100 000 take a third of a second.
  public func eachAccount(_ body: (AccountSummary) throws -> Void) throws {
    try view { try $0.eachAccount(body) }
  }

  /// The first accounts by username, for a list that is shown before the rest is read.
  public func firstAccounts(_ count: Int) throws -> [AccountSummary] {
    try view { try $0.firstAccounts(count) }
  }

  /// How many account items there are: about as many as accounts.
  public func accountItemCount() throws -> Int {
    try view { try $0.transaction.itemCount(device: $0.device.id, type: AccountType.mssts.attributeType) }
  }
}

extension Stage {
  fileprivate func eachAccount(_ body: (AccountSummary) throws -> Void) throws {
    var summaries = try AccountSummaries(on: self, holders: true)
    try transaction.scanItems(device: device.id, type: AccountType.mssts.attributeType) { item in
      if let summary = try summaries.next(item) { try body(summary) }
      return true
    }
    for summary in try summaries.rest() { try body(summary) }
  }

  fileprivate func firstAccounts(_ count: Int) throws -> [AccountSummary] {
    var summaries = try AccountSummaries(on: self, holders: false)
    let rows = try transaction.firstRows(
      device: device.id, type: AccountType.mssts.attributeType, groups: accessGroups(), limit: count)
    var found = try transaction.items(device: device.id, rows: rows).compactMap { try summaries.next($0) }
    found += try summaries.rest()
    return found.sorted { ($0.username.lowercased(), $0.row) < ($1.username.lowercased(), $1.row) }
  }
}

/// Makes the summaries of one pass: each account once, though it may have an item for each realm and group.
/// Account attributes are kept as hashes of 64 bits: a hundred thousand texts would take more than the list itself.
private struct AccountSummaries {
  private let stage: Stage
  private let adalUsers: [String: [String]]
  private let uses: [(use: RefreshTokenUse, holders: Set<Int>?)]
  private var seen: Set<Int> = []
  private var tenants: [String: String] = [:]
  private var lastUsers: [Bool] = []
  private var lastApps = ""

  private static let texts = EntityText(
    [
      AccountField.homeAccountID, .environment, .username, .name,
    ].map(\.rawValue))

  /// - Parameter holders: reads who has refresh tokens at once, else one by one.
  init(on stage: Stage, holders: Bool) throws {
    self.stage = stage
    adalUsers = try stage.adalUsers()
    uses = try stage.refreshTokenUses().map { ($0, holders ? try $0.holders() : nil) }
    if holders {
      seen.reserveCapacity(
        try stage.transaction.itemCount(device: stage.device.id, type: AccountType.mssts.attributeType))
    }
  }

  mutating func next(_ item: KeychainItem) throws -> AccountSummary? {
    let hash = item.key.account.hashValue
    guard seen.insert(hash).inserted, let texts = Self.texts.read(item.data) else {
      return nil
    }
    let home = texts[0] ?? ""
    return AccountSummary(
      row: item.rowID, username: texts[2] ?? "", name: texts[3] ?? "", tenant: try tenant(home.homeTenantID),
      apps: try apps(home, environment: texts[1] ?? "", hash, username: texts[2] ?? ""), identifier: home)
  }

  /// The accounts that no item of the unified cache has: those in ADAL's format, and those of the broker alone.
  mutating func rest() throws -> [AccountSummary] {
    let legacy = try stage.legacyAccountRows(adalUsers)
    let held = try stage.brokerAccounts().filter { held in
      !isSeen(held) && !legacy.contains { $0.homeAccountID == held.homeAccountID }
    }
    return try legacy.map { row in
      AccountSummary(
        row: row.rowNumber, username: row.username, name: row.displayName ?? "",
        tenant: try tenant(row.homeTenantID), apps: row.apps.joined(separator: ", "),
        identifier: row.identifier)
    }
      + held.map { held in
        AccountSummary(
          row: held.rowNumber, username: held.username, name: held.displayName,
          tenant: try tenant(held.homeAccountID.homeTenantID), apps: "", identifier: held.homeAccountID)
      }
  }

  private func isSeen(_ held: BrokerAccount) -> Bool {
    EnvironmentAliases.publicCloud.clouds.flatMap(\.aliases).contains {
      seen.contains(CacheKey.account(held.homeAccountID, $0).hashValue)
    }
  }

  private mutating func apps(
    _ home: String, environment: String, _ hash: Int, username: String
  ) throws -> String {
    let users = try uses.map { use, holders in
      let holds =
        try holders.map { holders in
          holders.contains(hash)
            || use.hosts(of: environment).contains {
              holders.contains(CacheKey.account(home, $0).hashValue)
            }
        } ?? (use.token(homeAccountID: home, environment: environment) != nil)
      return use.isSignedIn(home, holdsToken: holds)
    }
    if users != lastUsers {
      lastUsers = users
      lastApps = zip(uses, users).flatMap { $1 ? $0.use.apps.map(\.displayName) : [] }.joined(separator: ", ")
    }
    guard !adalUsers.isEmpty, let withADAL = adalUsers[normalized(username)] else { return lastApps }
    return ((lastApps.isEmpty ? [] : [lastApps]) + withADAL).joined(separator: ", ")
  }

  private mutating func tenant(_ id: String) throws -> String {
    if let known = tenants[id] { return known }
    let name = try Directory(documents: stage.transaction).tenant(byNameOrID: id)?.displayName
    let text = name.map { "\($0) \(id)" } ?? id
    tenants[id] = text
    return text
  }
}

extension BrokerAccount {
  /// Its number in a list of accounts, if no item of the unified cache has one for it.
  var rowNumber: Int64 { Int64(homeAccountID.hashValue) | .min }
}
