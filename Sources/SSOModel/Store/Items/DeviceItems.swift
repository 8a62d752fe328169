import Essentials

/// Reads the keychain items of one device for lists and counts: whatever their app, in one transaction.
///
/// Throws `StoreError`, and what a closure that gets the items throws.
package struct DeviceItems {
  let device: String
  let transaction: StoreTransaction

  /// The item with this row ID, with its data; nil if it is not there.
  package func item(row: Int64) throws -> KeychainItem? {
    try transaction.reading().first(
      "SELECT \(ItemSQL.columns), sealed FROM item WHERE id = ? AND device = ?", [row, device]
    ) { row throws(StoreError) in try transaction.item(row, device: device) } ?? nil
  }

  /// The items with these row IDs that are there, with their data.
  package func items(rows: [Int64]) throws -> [KeychainItem] { try rows.compactMap(item(row:)) }

  /// The row IDs of the first items of a type by their generic attribute, which of accounts is the username.
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
