import Foundation
import GRDB
import SSOCore
import SSOKeychain

/// The rows of a statement over `ItemSQL.columns` and `sealed`.
struct ItemRows: ~Copyable {
  private var rows: StatementRows

  /// - Parameter statement: from GRDB's cache; it must not be used otherwise meanwhile.
  init(_ statement: Statement, texts: [String]) { rows = StatementRows(statement, texts: texts) }

  init(_ statement: Statement, arguments: StatementArguments) throws {
    rows = try StatementRows(statement, arguments: arguments)
  }

  /// Goes to the next row; false after the last.
  mutating func next() throws -> Bool { try rows.next() }

  /// `kSecAttrType` of the row.
  var type: Int? { rows.isNull(6) ? nil : Int(rows.integer(6)) }

  /// The item with its data.
  func item(device: String, in transaction: StoreTransaction) throws -> KeychainItem {
    var item = attributes()
    item.data = try transaction.open(Data(rows.bytes(10)), .item(device: device, item.key))
    return item
  }

  /// The item with its data if its attributes match.
  func item(matching query: KeychainQuery, device: String, in transaction: StoreTransaction) throws
    -> KeychainItem?
  {
    if let type = query.type, type != self.type { return nil }
    var item = attributes()
    guard item.matches(query) else { return nil }
    item.data = try transaction.open(Data(rows.bytes(10)), .item(device: device, item.key))
    return item
  }

  private func attributes() -> KeychainItem {
    KeychainItem(
      rowID: rows.integer(0),
      key: KeychainKey(
        accessGroup: rows.text(1), itemClass: KeychainClass(rawValue: rows.text(2)) ?? .genericPassword,
        account: rows.text(3), service: rows.text(4)),
      generic: rows.isNull(5) ? nil : Data(rows.bytes(5)), type: type,
      label: rows.isNull(7) ? nil : rows.text(7), data: Data(),
      createdAt: Instant(milliseconds: rows.integer(8)),
      modifiedAt: Instant(milliseconds: rows.integer(9)))
  }
}
