import Essentials

/// Reads very many keychain items one after the other and keeps none.
extension DeviceItems {
  /// Hands over the items of a type with their data, in the order of row IDs, until `body` answers false.
  ///
  /// `accessGroup` nil means all of the device's groups. `generic` limits it to items with this generic attribute, and asks
  /// for a group too.
  /// - Throws: `StoreError`, and what `body` throws.
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

  /// Hands over row ID, account and service of a group's items in the order of these two, until `body` answers false:
  /// all of it is in one index, and no item is touched.
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

  /// The account attributes of a group's passwords that begin with a text: one range of the same index.
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

  /// Hands over the account attribute of each item with this type and generic attribute.
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

  /// Hands over row ID, account attribute and generic attribute (the username in lower case) of each account item, in the
  /// order of the account attribute, then of the username and the row.
  ///
  /// The bytes are UTF-8, and valid during the call.
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

  /// Hands over the account items with their data in the order of ``scanAccountNames(_:)``.
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

  /// Usernames, in lower case as written in the generic attribute, by the hash of the account attribute: the texts
  /// themselves would take three times as much.
  package func usernames() throws -> [Int: String] {
    var names: [Int: String] = [:]
    names.reserveCapacity(min(try itemCount(type: AccountType.mssts.attributeType), 1_000_000))
    try scanAccountNames { _, account, generic in
      names[String(decoding: account, as: UTF8.self).hashValue] = String(decoding: generic, as: UTF8.self)
    }
    return names
  }

  /// Hands over what `read` makes of one row after the other until `body` answers false; nil is a damaged row.
  ///
  /// A scan reads each page once, so a large cache would only fill memory with what is not asked for again.
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
