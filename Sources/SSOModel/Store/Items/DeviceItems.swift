import Essentials

/// The keychain items of one device, of all apps, for lists and counts in one transaction.
///
/// Throws `StoreError`, and the error of a closure that receives the items.
package struct DeviceItems {
  let device: String
  let transaction: StoreTransaction

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
