import Foundation
import GRDB
import SSOCore
import SSOKeychain

/// Reads very many keychain items one after the other and keeps none.
extension StoreTransaction {
  /// Hands over the items of a type with their data, in the order of row IDs, until `body` answers false.
  ///
  /// - Parameters:
  ///   - accessGroup: only this group's; nil for all of the device's.
  ///   - generic: only items with this generic attribute; asks for a group too.
  package func scanItems(
    device: String, type: Int, accessGroup: String? = nil, generic: String? = nil,
    _ body: (KeychainItem) throws -> Bool
  ) throws {
    var sql = "SELECT \(ItemSQL.columns), sealed FROM item WHERE device = ? AND type = ?"
    var arguments: StatementArguments = [device.storedText, type]
    if let accessGroup {
      sql += " AND access_group = ?"
      arguments += [accessGroup.storedText]
    }
    if let generic {
      sql += " AND generic = ?"
      arguments += [Data(generic.utf8)]
    }
    try withSmallCache { database in
      let statement = try database.cachedStatement(sql: sql + " ORDER BY id")
      var rows = try ItemRows(statement, arguments: arguments)
      while try rows.next() {
        guard try body(rows.item(device: device, in: self)) else { return }
      }
    }
  }

  /// A scan reads each page once, so a large cache would only fill memory with what is not asked for again.
  func withSmallCache(_ body: (Database) throws -> Void) throws {
    let database = try reading()
    try database.execute(sql: "PRAGMA cache_size = -1000")
    defer { try? database.execute(sql: "PRAGMA cache_size = -\(WorldStore.cacheSize)") }
    try body(database)
  }

  /// Hands over one row after the other until `body` answers false.
  private func scanning(
    _ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Bool
  ) throws {
    try withSmallCache { database in
      let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
      while let row = try rows.next() {
        guard try body(row) else { return }
      }
    }
  }

  /// Hands over row ID, account and service of a group's items in the order of these two: all of it lies in one
  /// index, and no item is touched.
  package func scanKeys(
    device: String, accessGroup: String, _ body: (Int64, _ account: String, _ service: String) throws -> Bool
  ) throws {
    for itemClass in [KeychainClass.genericPassword, .key] {
      var goesOn = true
      try scanning(
        """
        SELECT id, account, service FROM item WHERE device = ? AND access_group = ? AND class = ?
        ORDER BY account, service
        """, [device.storedText, accessGroup.storedText, itemClass.rawValue]
      ) { row in
        goesOn = try body(row[0], String(storedText: row[1]), String(storedText: row[2]))
        return goesOn
      }
      guard goesOn else { return }
    }
  }

  /// The account attributes of a group's passwords that begin with a text: one range of the same index.
  package func accounts(device: String, accessGroup: String, beginningWith start: String) throws -> [String] {
    var accounts: [String] = []
    try scanning(
      """
      SELECT DISTINCT account FROM item WHERE device = ? AND access_group = ? AND class = ?
      AND account >= ? AND account < ?
      """,
      [
        device.storedText, accessGroup.storedText, KeychainClass.genericPassword.rawValue, start.storedText,
        start.storedText + "\u{10FFFF}\u{10FFFF}",
      ]
    ) { row in
      accounts.append(String(storedText: row[0]))
      return true
    }
    return accounts
  }

  /// Hands over the account attribute of each item with this type and generic attribute.
  package func scanAccounts(
    device: String, accessGroup: String, type: Int, generic: String, _ body: (String) -> Void
  ) throws {
    try scanning(
      "SELECT account FROM item WHERE device = ? AND access_group = ? AND type = ? AND generic = ?",
      [device.storedText, accessGroup.storedText, type, Data(generic.utf8)]
    ) { row in
      body(String(storedText: row[0]))
      return true
    }
  }

  /// The row IDs of the first items of a type by their generic attribute, which of accounts is the username.
  package func firstRows(device: String, type: Int, groups: [String], limit: Int) throws -> [Int64] {
    let statement = try reading().cachedStatement(
      sql: """
        SELECT id, generic FROM item WHERE device = ? AND access_group = ? AND type = ?
        ORDER BY generic, id LIMIT ?
        """)
    var found: [(id: Int64, generic: Data)] = []
    for group in groups {
      let rows = try Row.fetchAll(statement, arguments: [device.storedText, group.storedText, type, limit])
      found += rows.map { ($0[0], $0[1] ?? Data()) }
    }
    return found.sorted { $0.generic.lexicographicallyPrecedes($1.generic) }.prefix(limit).map(\.id)
  }

  /// The items with these row IDs that are there, with their data.
  package func items(device: String, rows: [Int64]) throws -> [KeychainItem] {
    let statement = try reading().cachedStatement(
      sql: "SELECT \(ItemSQL.columns), sealed FROM item WHERE id = ? AND device = ?")
    return try rows.compactMap { id in
      guard let row = try Row.fetchOne(statement, arguments: [id, device.storedText]) else { return nil }
      var item = ItemSQL.attributes(row)
      item.data = try open(row[10], .item(device: device, item.key))
      return item
    }
  }

  /// The keys of all documents of a kind, unopened.
  package func documentKeys(_ kind: DocumentKind) throws -> Set<String> {
    let statement = try reading().cachedStatement(sql: "SELECT key FROM document WHERE kind = ?")
    return Set(try String.fetchAll(statement, arguments: [kind.rawValue]).map(String.init(storedText:)))
  }
}
