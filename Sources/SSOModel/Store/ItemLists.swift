import Foundation
import GRDB
import SSOKeychain

/// A device's keychain items in the order of their row ID, for long lists: nothing is unsealed, `data` is empty.
extension StoreTransaction {
  /// A page of items.
  ///
  /// - Parameters:
  ///   - type: Only items with this `kSecAttrType`; nil for all.
  ///   - offset: Items to skip. Costs time in proportion: prefer `afterRowID`.
  ///   - afterRowID: The last row ID of the page before.
  package func itemAttributes(
    device: String, type: Int? = nil, limit: Int, offset: Int = 0, afterRowID: Int64 = 0
  ) throws -> [KeychainItem] {
    let statement = try reading().cachedStatement(sql: Self.list(type) + " LIMIT ? OFFSET ?")
    var arguments = Self.arguments(device, type, after: afterRowID)
    arguments += [limit, offset]
    return try Row.fetchAll(statement, arguments: arguments).map(ItemSQL.attributes)
  }

  /// Without a type no index is wanted (`+`): the rows are in the order of their ID.
  static func list(_ type: Int?) -> String {
    let condition = type == nil ? "+device = ?" : "device = ? AND type = ?"
    return "SELECT \(ItemSQL.columns) FROM item WHERE \(condition) AND id > ? ORDER BY id"
  }

  private static func arguments(_ device: String, _ type: Int?, after rowID: Int64) -> StatementArguments {
    var arguments: StatementArguments = [device.storedText]
    if let type { arguments += [type] }
    arguments += [rowID]
    return arguments
  }
}
