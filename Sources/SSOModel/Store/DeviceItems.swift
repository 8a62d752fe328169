import Foundation

/// Reads the keychain items of one device for lists and counts: whatever their app, in one transaction.
package struct DeviceItems {
  let device: String
  let transaction: StoreTransaction

  /// A page of items in the order of their row ID, their data left out.
  ///
  /// - Parameters:
  ///   - type: Only items with this `kSecAttrType`; nil for all.
  ///   - offset: Items to skip. Costs time in proportion: prefer `afterRowID`.
  ///   - afterRowID: The last row ID of the page before.
  package func itemAttributes(
    type: Int? = nil, limit: Int, offset: Int = 0, afterRowID: Int64 = 0
  ) throws -> [KeychainItem] {
    let types = type.map { [$0] } ?? []
    return try transaction.reading().all(
      Self.page(type) + " LIMIT ? OFFSET ?", [device] + types + [afterRowID, limit, offset]
    ) { row throws(StoreError) in try KeychainItem(attributesOf: row) }
  }

  /// Without a type no index is wanted (`+`): the rows are in the order of their ID.
  static func page(_ type: Int?) -> String {
    let condition = type == nil ? "+device = ?" : "device = ? AND type = ?"
    return "SELECT \(ItemSQL.columns) FROM item WHERE \(condition) AND id > ? ORDER BY id"
  }

  /// The items with these row IDs that are there, with their data.
  package func items(rows: [Int64]) throws -> [KeychainItem] {
    try rows.compactMap { id in
      try transaction.reading().first(
        "SELECT \(ItemSQL.columns), sealed FROM item WHERE id = ? AND device = ?", [id, device]
      ) { row throws(StoreError) in try transaction.item(row, device: device) }
    }
  }

  /// The row IDs of the first items of a type by their generic attribute, which of accounts is the username.
  package func firstRows(type: Int, groups: [String], limit: Int) throws -> [Int64] {
    var found: [(id: Int64, generic: Data)] = []
    for group in groups {
      found += try transaction.reading().all(
        """
        SELECT id, generic FROM item WHERE device = ? AND access_group = ? AND type = ?
        ORDER BY generic, id LIMIT ?
        """, [device, group, type, limit]
      ) { row throws(StoreError) in (try row[0], try row[1] ?? Data()) }
    }
    return found.sorted { $0.generic.lexicographicallyPrecedes($1.generic) }.prefix(limit).map(\.id)
  }
}
