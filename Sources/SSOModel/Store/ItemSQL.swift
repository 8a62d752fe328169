internal import Foundation
internal import GRDB

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
  static let image =
    "SELECT id, generic, type, label, sealed, created_at, modified_at FROM item WHERE \(isKey)"

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

/// The text and the arguments of a keychain query.
struct ItemSelection {
  var sql: String
  var arguments: StatementArguments

  init(_ query: KeychainQuery, device: String) {
    let groups = repeatElement("?", count: query.accessGroups.count).joined(separator: ", ")
    sql = "SELECT \(ItemSQL.columns), sealed FROM item WHERE device = ? AND access_group IN (\(groups))"
    arguments = [device.storedText]
    arguments += StatementArguments(query.accessGroups.map(\.storedText))
    add("class", query.itemClass.rawValue)
    add("account", query.account?.storedText)
    add("service", query.service?.storedText)
    // With an account the unique index finds a handful of rows. SQLite, which knows nothing of how rows spread, would take
    // the index over (type, generic) instead, under which a hundred thousand may lie: `+` keeps it from that.
    let free = query.account == nil ? "" : "+"
    if query.generic?.isEmpty == true {
      sql += " AND \(free)generic = x''"
    } else {
      add(free + "generic", query.generic)
    }
    add(free + "type", query.type)
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
