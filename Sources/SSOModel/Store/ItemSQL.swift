import Foundation
import GRDB
import SSOCore
import SSOKeychain

/// The statements on table `item`. Each text stays the same from call to call, so that the prepared statement
/// is found again. GRDB binds empty `Data` as NULL, so an empty `generic` is part of the text.
enum ItemSQL {
  static let isKey = "device = ? AND access_group = ? AND class = ? AND account = ? AND service = ?"
  static let columns =
    "id, access_group, class, account, service, generic, type, label, created_at, modified_at"

  static let insert = insert(generic: "?")
  static let insertEmptyGeneric = insert(generic: "x''")
  static let update = update(generic: "?")
  static let updateEmptyGeneric = update(generic: "x''")
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

  private static func insert(generic: String) -> String {
    """
    INSERT INTO item(id, device, access_group, class, account, service, generic, type, label, sealed,
      created_at, modified_at) VALUES(?, ?, ?, ?, ?, ?, \(generic), ?, ?, ?, ?, ?)
    """
  }

  private static func update(generic: String) -> String {
    """
    UPDATE item SET generic = \(generic), type = ?, label = ?, sealed = ?, modified_at = ? WHERE \(isKey)
    """
  }

  /// The arguments of `isKey`.
  static func key(_ device: String, _ key: KeychainKey) -> StatementArguments {
    [
      device.storedText, key.accessGroup.storedText, key.itemClass.rawValue, key.account.storedText,
      key.service.storedText,
    ]
  }

  /// An item from `columns`, with empty data.
  static func attributes(_ row: Row) -> KeychainItem {
    let key = KeychainKey(
      accessGroup: String(storedText: row[1]), itemClass: KeychainClass(rawValue: row[2]) ?? .genericPassword,
      account: String(storedText: row[3]), service: String(storedText: row[4]))
    return KeychainItem(
      rowID: row[0], key: key, generic: row[5], type: row[6],
      label: (row[7] as String?).map(String.init(storedText:)), data: Data(),
      createdAt: Instant(milliseconds: row[8]), modifiedAt: Instant(milliseconds: row[9]))
  }
}

/// The text and the arguments of a keychain query without an account.
struct ItemSelection {
  var sql: String
  var arguments: StatementArguments

  init(_ query: KeychainQuery, device: String) {
    let groups =
      query.accessGroups.isEmpty ? "" : "?" + String(repeating: ", ?", count: query.accessGroups.count - 1)
    // SQLite knows nothing of how rows spread. It would take the index of the type alone, under which a hundred thousand
    // rows of other groups may lie; for a type in several groups that is right, as it needs no sorting.
    // A generic attribute without a type means one of those items that have none: see `DeviceCredentials`.
    let isNarrow = query.generic != nil || query.type != nil && query.accessGroups.count == 1
    sql = "SELECT \(ItemSQL.columns), sealed FROM item" + (isNarrow ? " INDEXED BY item_type_generic" : "")
    sql += " WHERE device = ? AND access_group IN (\(groups))"
    arguments = [device.storedText]
    arguments += StatementArguments(query.accessGroups.map(\.storedText))
    add("class", query.itemClass.rawValue)
    add("service", query.service?.storedText)
    if query.generic?.isEmpty == true {
      sql += " AND generic = x''"
    } else {
      add("generic", query.generic)
    }
    if query.generic != nil, query.type == nil { sql += " AND type IS NULL" } else { add("type", query.type) }
    add("label", query.label?.storedText)
    sql += " ORDER BY id"
    if let limit = query.limit {
      sql += " LIMIT ?"
      arguments += [limit]
    }
  }

  private mutating func add(_ column: String, _ value: (any DatabaseValueConvertible)?) {
    guard let value else { return }
    sql += " AND \(column) = ?"
    arguments += [value]
  }
}
