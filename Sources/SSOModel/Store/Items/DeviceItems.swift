import Essentials
import SSOKeychain
import SSOReference

/// The keychain items of one device, of all apps, for lists and counts in one transaction.
///
/// Throws `StoreError`, and the error of a closure that receives the items.
package struct DeviceItems {
  let device: String
  let transaction: StoreTransaction

  /// Returns the types of the items in these groups, in which `nil` represents items without a type.
  func itemTypes(accessGroups: [String]) throws -> [Int?] {
    var types: Set<Int> = []
    for group in Set(accessGroups) {
      types.formUnion(
        try transaction.reading().column(
          "SELECT DISTINCT type FROM item_count WHERE device = ? AND access_group = ?", [device, group]))
    }
    return types.sorted().map { $0 == -1 ? nil : $0 }
  }

  /// Returns the item with this row ID and its data, or `nil` if it does not exist.
  package func item(row: Int64) throws -> KeychainItem? {
    try transaction.reading().first(
      "SELECT \(ItemSQL.columns), sealed FROM item WHERE id = ? AND device = ?", [row, device]
    ) { row throws(StoreError) in try transaction.item(row, device: device) } ?? nil
  }

  /// Returns the existing items with these row IDs and their data.
  package func items(rows: [Int64]) throws -> [KeychainItem] { try rows.compactMap(item(row:)) }

  /// Returns the row IDs of the first items of a type, sorted by generic attribute, which is the username of
  /// an account.
  package func firstRows(type: Int, groups: [String], limit: Int) throws -> [Int64] {
    var found: [(id: Int64, generic: Data)] = []
    for group in groups {
      found += try transaction.reading().all(
        """
        SELECT id, generic FROM item WHERE device = ? AND access_group = ? AND type = ?
        ORDER BY generic NULLS FIRST, id LIMIT ?
        """, [device, group, type, limit]
      ) { row throws(StoreError) in
        try transaction.intact(row.name(in: "item")) { () throws(StoreError) -> (id: Int64, generic: Data) in
          (try row[0], try row[1] ?? Data())
        }
      }.compactMap(\.self)
    }
    return found.sorted { $0.generic.lexicographicallyPrecedes($1.generic) }.prefix(limit).map(\.id)
  }
}

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
  /// The order is by account and service. One index contains all of it, so items are not read.
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

extension KeychainItem {
  /// Creates an item from `ItemSQL.columns`, with empty data.
  init(attributesOf row: borrowing SQLRows) throws(StoreError) {
    let key = KeychainKey(
      accessGroup: try row[1], itemClass: try row[2], account: try row[3], service: try row[4])
    self.init(
      rowID: try row[0], key: key, generic: try row[5], type: try row[6], label: try row[7], data: Data(),
      createdAt: try row[8], modifiedAt: try row[9])
  }
}

extension StoreTransaction {
  /// Reads an item with its data from `ItemSQL.columns` and `sealed`, or returns `nil` if it does not match
  /// or is damaged.
  func item(
    _ row: borrowing SQLRows, matching query: KeychainQuery? = nil, device: String
  ) throws(StoreError) -> KeychainItem? {
    try intact(row.name(in: "item")) { () throws(StoreError) -> KeychainItem? in
      // The type excludes most rows, and reading it does not create strings.
      if let type = query?.type, try row[6] != type { return nil }
      var item = try KeychainItem(attributesOf: row)
      guard query.map({ item.matches($0) }) ?? true else { return nil }
      item.data = try open(row[10], .item(device: device, item.key))
      return item
    } ?? nil
  }
}

/// The statements on the table `item`.
///
/// Each text is constant, so that its prepared statement is found again.
enum ItemSQL {
  static let isKey = "device = ? AND access_group = ? AND class = ? AND account = ? AND service = ?"
  static let columns =
    "id, access_group, class, account, service, generic, type, label, created_at, modified_at"

  /// Inserts an item.
  ///
  /// `changedRows` is 0 if there already is an item with this key.
  static let insert = """
    INSERT INTO item(id, device, access_group, class, account, service, generic, type, label, sealed,
      created_at, modified_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(device, access_group, class, account, service) DO NOTHING
    """
  static let update = """
    UPDATE item SET generic = ?, type = ?, label = ?, sealed = ?, modified_at = ? WHERE \(isKey)
    """
  static let delete = "DELETE FROM item WHERE \(isKey)"
  static let find = "SELECT \(columns), sealed FROM item WHERE \(isKey)"
  static let findAccount = """
    SELECT \(columns), sealed FROM item WHERE device = ? AND access_group = ? AND class = ? AND account = ?
    """
  static let imageColumns = "id, generic, type, label, sealed, created_at, modified_at"
  static let image = "SELECT \(imageColumns) FROM item WHERE \(isKey)"
  static let images = """
    SELECT \(imageColumns), device, access_group, class, account, service FROM item
    WHERE id BETWEEN ? AND ? ORDER BY id DESC
    """

  /// Returns the values of `isKey`.
  static func key(_ device: String, _ key: KeychainKey) -> [any SQLBindable] {
    [device, key.accessGroup, key.itemClass, key.account, key.service]
  }
}

/// The text and the values of a keychain query without an account.
struct ItemSelection {
  var sql: String
  var values: [any SQLBindable]

  init(_ query: KeychainQuery, device: String) {
    let groups =
      query.accessGroups.isEmpty ? "" : "?" + String(repeating: ", ?", count: query.accessGroups.count - 1)
    // SQLite does not know how rows are distributed. It would use only the index on the type, which may
    // contain a hundred thousand rows of other groups. For a type in several groups this is right, because it
    // does not need sorting. A generic attribute without a type selects items without a type: see
    // `DeviceCredentials`.
    let isNarrow =
      query.accountPrefix == nil
      && (query.generic != nil || query.type != nil && query.accessGroups.count == 1)
    sql = "SELECT \(ItemSQL.columns), sealed FROM item" + (isNarrow ? " INDEXED BY item_type_generic" : "")
    sql += " WHERE device = ? AND access_group IN (\(groups))"
    values = [device] + query.accessGroups
    add("class", query.itemClass)
    if let prefix = query.accountPrefix {
      // The index on the keys contains the accounts in byte order.
      sql += " AND account >= ? AND account < ?"
      values += [prefix, prefix + "\u{10FFFF}"] as [any SQLBindable]
    }
    add("service", query.service)
    add("generic", query.generic)
    if query.generic != nil, query.type == nil { sql += " AND type IS NULL" } else { add("type", query.type) }
    add("label", query.label)
    sql += " ORDER BY id"
    if let limit = query.limit {
      sql += " LIMIT ?"
      values.append(limit)
    }
  }

  private mutating func add(_ column: String, _ value: (any SQLBindable)?) {
    guard let value else { return }
    sql += " AND \(column) = ?"
    values.append(value)
  }
}

/// The keychain items of one device inside a transaction.
final class DeviceCredentials: CredentialStore {
  private let device: String
  private let transaction: StoreTransaction

  init(device: String, in transaction: StoreTransaction) {
    self.device = device
    self.transaction = transaction
  }

  func items(matching query: KeychainQuery) throws -> [KeychainItem] {
    guard !query.accessGroups.isEmpty else { return [] }
    if let account = query.account { return try items(of: account, matching: query) }
    if query.generic != nil, query.type == nil { return try items(ofAnyType: query) }
    return try items(ItemSelection(query, device: device))
  }

  /// Searches each existing type separately, because the index of generic attributes begins with the type.
  private func items(ofAnyType query: KeychainQuery) throws -> [KeychainItem] {
    var found: [KeychainItem] = []
    let types = try transaction.items(ofDevice: device).itemTypes(accessGroups: query.accessGroups)
    for type in types {
      var query = query
      query.type = type
      found += try items(ItemSelection(query, device: device))
    }
    return Self.sorted(found, limit: query.limit)
  }

  private func items(_ selection: ItemSelection) throws -> [KeychainItem] {
    try transaction.reading().all(selection.sql, selection.values) { row throws(StoreError) in
      try transaction.item(row, device: device)
    }.compactMap(\.self)
  }

  /// Returns the few items of one account without building a statement or sorting in the database.
  ///
  /// A silent call makes a dozen such queries.
  private func items(of account: String, matching query: KeychainQuery) throws -> [KeychainItem] {
    let groups = query.accessGroups.count == 1 ? query.accessGroups : Array(Set(query.accessGroups))
    let connection = try transaction.reading()
    var found: [KeychainItem] = []
    for group in groups {
      var values: [any SQLBindable] = [device, group, query.itemClass, account]
      if let service = query.service { values.append(service) }
      var rows = try connection.rows(query.service == nil ? ItemSQL.findAccount : ItemSQL.find, values)
      while try rows.next() {
        if let item = try transaction.item(rows, matching: query, device: device) { found.append(item) }
      }
    }
    return Self.sorted(found, limit: query.limit)
  }

  private static func sorted(_ items: [KeychainItem], limit: Int?) -> [KeychainItem] {
    let items = items.count > 1 ? items.sorted { $0.rowID < $1.rowID } : items
    return limit.map { Array(items.prefix(max(0, $0))) } ?? items
  }

  func insert(_ item: KeychainItem) throws {
    let connection = try transaction.writing()
    let sealed = try transaction.seal(item.data, .item(device: device, item.key))
    try connection.run(
      ItemSQL.insert,
      [connection.newRowID(in: .item)] + ItemSQL.key(device, item.key)
        + [item.generic, item.type, item.label, sealed, item.createdAt, item.modifiedAt])
    guard connection.changedRows > 0 else { throw KeychainError.duplicateItem }
    try transaction.journal.record(newItem: connection.lastRowID)
  }

  func update(_ item: KeychainItem) throws -> Bool {
    let connection = try transaction.writing()
    guard try recordImage(of: item.key) else { return false }
    let sealed = try transaction.seal(item.data, .item(device: device, item.key))
    try connection.run(
      ItemSQL.update,
      [item.generic, item.type, item.label, sealed, item.modifiedAt] + ItemSQL.key(device, item.key))
    return connection.changedRows > 0
  }

  func delete(_ key: KeychainKey) throws {
    let connection = try transaction.writing()
    guard try recordImage(of: key) else { return }
    try connection.run(ItemSQL.delete, ItemSQL.key(device, key))
  }

  /// Records the image of an item in the journal, if there is an entry.
  ///
  /// Returns `false` if the item does not exist.
  private func recordImage(of key: KeychainKey) throws -> Bool {
    guard transaction.entry != nil else { return true }
    let row = RowKey.item(device: device, key)
    guard let before = try transaction.journal.images.image(of: row) else { return false }
    try transaction.journal.record(row, before: before)
    return true
  }
}
