internal import GRDB

extension StoreTransaction {
  /// The access groups in which a device has items; by skips through the unique index, one look-up a group.
  public func accessGroups(device: String) throws -> [String] {
    let statement = try reading().cachedStatement(
      sql: "SELECT min(access_group) FROM item WHERE device = ? AND access_group > ?")
    var groups: [String] = []
    var last = ""
    while let next = try String.fetchOne(statement, arguments: [device.storedText, last]) {
      groups.append(String(storedText: next))
      last = next
    }
    return groups
  }

  /// How many items of a kind a device has, by type and generic attribute.
  public func itemCount(device: String, accessGroup: String) throws -> Int {
    let statement = try reading().cachedStatement(
      sql: "SELECT count(*) FROM item WHERE device = ? AND access_group = ?")
    return try Int.fetchOne(statement, arguments: [device.storedText, accessGroup.storedText]) ?? 0
  }
}
