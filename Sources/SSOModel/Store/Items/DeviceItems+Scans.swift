import Essentials

/// Scans that read very many keychain items one by one without keeping them in memory.
extension DeviceItems {
  /// Passes the items of a type with their data to `body`, sorted by row ID, until it returns `false`.
  ///
  /// If `accessGroup` is `nil`, scans all groups of the device. `generic` limits the scan to items with this
  /// generic attribute, and requires a group.
  ///
  /// - Throws: `StoreError`, and the error of `body`.
  package func scanItems(
    type: Int, accessGroup: String? = nil, generic: String? = nil, _ body: (KeychainItem) throws -> Bool
  ) throws {
    var sql = "SELECT \(ItemSQL.columns), sealed FROM item WHERE device = ? AND type = ?"
    var values: [any SQLBindable] = [device, type]
    if let accessGroup {
      sql += " AND access_group = ?"
      values.append(accessGroup)
    }
    if let generic {
      sql += " AND generic = ?"
      values.append(Data(generic.utf8))
    }
    try scan(sql + " ORDER BY id", values) { row throws(StoreError) in
      try transaction.item(row, device: device)
    } body: {
      try body($0)
    }
  }

  /// Passes the row ID, account, and service of a group's items to `body` until it returns `false`.
  ///
  /// The order is by account and service. One index contains all of it, so no item is read.
  package func scanKeys(
    accessGroup: String, _ body: (Int64, _ account: String, _ service: String) throws -> Bool
  ) throws {
    for itemClass in [KeychainClass.genericPassword, .key] {
      var goesOn = true
      try scan(
        """
        SELECT id, account, service FROM item WHERE device = ? AND access_group = ? AND class = ?
        ORDER BY account, service
        """, [device, accessGroup, itemClass]
      ) { row throws(StoreError) -> (id: Int64, account: String, service: String)? in
        try transaction.intact(row.name(in: "item")) { () throws(StoreError) in
          (try row[0], try row[1], try row[2])
        }
      } body: {
        goesOn = try body($0.id, $0.account, $0.service)
        return goesOn
      }
      guard goesOn else { return }
    }
  }

  /// Returns the account attributes, with a given prefix, of a group's passwords: one range of the same
  /// index.
  package func accounts(accessGroup: String, beginningWith start: String) throws -> [String] {
    var accounts: [String] = []
    try scan(
      """
      SELECT DISTINCT account FROM item WHERE device = ? AND access_group = ? AND class = ? AND account >= ?
      ORDER BY account
      """, [device, accessGroup, KeychainClass.genericPassword, start]
    ) { row throws(StoreError) -> String? in
      try transaction.intact("item of \(accessGroup)") { () throws(StoreError) in try row[0] }
    } body: { account in
      guard account.utf8.starts(with: start.utf8) else { return false }
      accounts.append(account)
      return true
    }
    return accounts
  }

  /// Passes the account attribute of each item with this type and generic attribute to `body`.
  package func scanAccounts(
    accessGroup: String, type: Int, generic: String, _ body: (String) -> Void
  ) throws {
    try scan(
      "SELECT account FROM item WHERE device = ? AND access_group = ? AND type = ? AND generic = ?",
      [device, accessGroup, type, Data(generic.utf8)]
    ) { row throws(StoreError) -> String? in
      try transaction.intact("item of \(accessGroup)") { () throws(StoreError) in try row[0] }
    } body: {
      body($0)
      return true
    }
  }

  /// Passes the row ID, account attribute, and generic attribute (the lowercase username) of each account
  /// item to `body`.
  ///
  /// The order is by account attribute, username, and row. The bytes are UTF-8 and valid only during the
  /// call.
  package func scanAccountNames(
    _ body: (Int64, _ account: UnsafeRawBufferPointer, _ generic: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    typealias Bytes = UnsafeRawBufferPointer
    try scan(Self.inOrderOfAccounts("id, account, generic"), [device]) {
      row throws(StoreError) -> (id: Int64, account: Bytes, generic: Bytes)? in
      try transaction.intact(row.name(in: "item")) { () throws(StoreError) in
        (try row[0], try row.bytes(1), try row.bytes(2))
      }
    } body: {
      try body($0.id, $0.account, $0.generic)
      return true
    }
  }

  /// Passes the account items with their data to `body`, in the order of ``scanAccountNames(_:)``.
  package func scanAccountItems(_ body: (KeychainItem) throws -> Void) throws {
    try scan(Self.inOrderOfAccounts("\(ItemSQL.columns), sealed"), [device]) { row throws(StoreError) in
      try transaction.item(row, device: device)
    } body: {
      try body($0)
      return true
    }
  }

  private static func inOrderOfAccounts(_ columns: String) -> String {
    """
    SELECT \(columns) FROM item INDEXED BY item_account
    WHERE device = ? AND type = \(AccountType.mssts.attributeType)
    ORDER BY account, generic NULLS FIRST, id
    """
  }

  /// Returns the usernames, in lowercase as in the generic attribute, keyed by the hash of the account
  /// attribute.
  ///
  /// The attributes as keys would take three times as much memory.
  package func usernames() throws -> [Int: String] {
    var names: [Int: String] = [:]
    names.reserveCapacity(min(try itemCount(type: AccountType.mssts.attributeType), 1_000_000))
    try scanAccountNames { _, account, generic in
      names[String(decoding: account, as: UTF8.self).hashValue] = String(decoding: generic, as: UTF8.self)
    }
    return names
  }

  /// Passes the result of `read` for each row to `body` until it returns `false`.
  ///
  /// A damaged row is skipped.
  ///
  /// A scan reads each page once, so a large cache would only fill up with pages that are not needed again.
  private func scan<T>(
    _ sql: String, _ values: [any SQLBindable],
    _ read: (borrowing SQLRows) throws(StoreError) -> T?, body: (T) throws -> Bool
  ) throws {
    try transaction.withPageCache(kibibytes: 1000) { connection in
      var rows = try connection.scan(sql, values)
      while try rows.next() {
        if let found = try read(rows), try !body(found) { return }
      }
    }
  }
}
