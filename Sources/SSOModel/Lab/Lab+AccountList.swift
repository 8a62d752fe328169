import Foundation
import SSODevice
import SSOKeychain
import SSOStore

/// What a list of very many accounts needs of each to show and sort it: what its keychain attributes say.
package struct AccountSummary: Hashable, Sendable {
  /// What ``Lab/accounts(rows:)`` reads it by: the row of its first item, or a negative number if it has
  /// none. Good as long as the program runs.
  package var row: Int64
  /// As it stands in the generic attribute: in lower case.
  package var username: String
  /// The home tenant's name if the directory knows it, and its ID.
  package var tenant: String
  /// What finds the account again: the home account ID, or where none is known the username.
  package var identifier: String
}

/// What a list of very many accounts is searched by besides: that takes unsealing each.
package struct AccountDetails: Hashable, Sendable {
  package var row: Int64
  /// As the provider wrote it.
  package var username: String
  package var name: String
  /// The apps it is signed in to.
  package var apps: String
}

extension Lab {
  /// Hands over every account. Nothing is unsealed and nothing is kept: 100 000 take half as long as MSAL Python's
  /// `get_accounts`.
  package func eachAccount(_ body: (AccountSummary) throws -> Void) throws {
    try view { try $0.eachAccount(body) }
  }

  /// Hands over the rest of every account, in the same order: of 100 000 after a third of a second.
  package func eachAccountDetails(_ body: (AccountDetails) throws -> Void) throws {
    try view { try $0.eachAccountDetails(body) }
  }

  /// The first accounts by username, for a list that is shown before the rest is read.
  package func firstAccounts(_ count: Int) throws -> [AccountSummary] {
    try view { try $0.firstAccounts(count) }
  }

  /// How many account items there are: about as many as accounts.
  package func accountItemCount() throws -> Int {
    try view { try $0.deviceItems.itemCount(type: AccountType.mssts.attributeType) }
  }
}

extension Stage {
  fileprivate func eachAccount(_ body: (AccountSummary) throws -> Void) throws {
    var summaries = AccountSummaries(on: self)
    try deviceItems.scanAccountNames { row, account, generic in
      if let summary = try summaries.next(row, account, generic) { try body(summary) }
    }
    for other in try otherAccounts(adalUsers()) { try body(other.summary) }
  }

  fileprivate func eachAccountDetails(_ body: (AccountDetails) throws -> Void) throws {
    let adalUsers = try adalUsers()
    var details = try AccountDetailsReader(on: self, adalUsers: adalUsers)
    try deviceItems.scanAccountItems { item in
      if let found = details.next(item) { try body(found) }
    }
    for other in try otherAccounts(adalUsers) { try body(other.details) }
  }

  fileprivate func firstAccounts(_ count: Int) throws -> [AccountSummary] {
    var summaries = AccountSummaries(on: self)
    let rows = try deviceItems.firstRows(
      type: AccountType.mssts.attributeType, groups: accessGroups(), limit: count)
    let items = try deviceItems.items(rows: rows).sorted {
      ($0.key.account, $0.rowID) < ($1.key.account, $1.rowID)
    }
    var found = try items.compactMap { item in
      try Array(item.key.account.utf8).withUnsafeBytes { account in
        try (item.generic ?? Data()).withUnsafeBytes { try summaries.next(item.rowID, account, $0) }
      }
    }
    found += try otherAccounts(adalUsers()).map(\.summary)
    return found.sorted { ($0.username.lowercased(), $0.row) < ($1.username.lowercased(), $1.row) }
  }

  /// The accounts that no item of the unified cache has: those in ADAL's format, and those of the broker alone.
  private func otherAccounts(
    _ adalUsers: [String: [String]]
  ) throws -> [(summary: AccountSummary, details: AccountDetails)] {
    var tenants = TenantNames(on: self)
    let legacy = try legacyAccountRows(adalUsers)
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
    let held = try brokerAccounts().filter { held in
      try !legacy.contains { $0.homeAccountID == held.homeAccountID } && !hasItem(held)
    }
    return try others
      + held.map { held in
        (
          AccountSummary(
            row: held.rowNumber, username: held.username,
            tenant: try tenants.text(held.homeAccountID.homeTenantID), identifier: held.homeAccountID),
          AccountDetails(row: held.rowNumber, username: held.username, name: held.displayName, apps: "")
        )
      }
  }

  /// Whether the unified cache has an account of the broker's in any group.
  private func hasItem(_ held: BrokerAccount) throws -> Bool {
    let groups = try accessGroups()
    return try EnvironmentAliases.publicCloud.clouds.flatMap(\.aliases).contains { host in
      let query = KeychainQuery(
        accessGroups: groups, account: CacheKey.account(held.homeAccountID, host),
        type: AccountType.mssts.attributeType)
      return try !credentials.items(matching: query).isEmpty
    }
  }
}

extension BrokerAccount {
  /// Its number in a list of accounts, if no item of the unified cache has one for it.
  var rowNumber: Int64 { Int64(homeAccountID.hashValue) | .min }
}
