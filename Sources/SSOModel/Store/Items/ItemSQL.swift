import Essentials

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
    // needs no sorting. A generic attribute without a type selects items without a type: see
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
