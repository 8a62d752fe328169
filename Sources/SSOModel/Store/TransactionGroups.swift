internal import Foundation
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

  /// How many items an access group of a device has.
  public func itemCount(device: String, accessGroup: String) throws -> Int {
    let statement = try reading().cachedStatement(
      sql: "SELECT count(*) FROM item WHERE device = ? AND access_group = ?")
    return try Int.fetchOne(statement, arguments: [device.storedText, accessGroup.storedText]) ?? 0
  }

  /// How many items with this type and generic attribute an access group of a device has.
  public func itemCount(device: String, accessGroup: String, type: Int, generic: String) throws -> Int {
    let statement = try reading().cachedStatement(
      sql: "SELECT count(*) FROM item WHERE device = ? AND access_group = ? AND type = ? AND generic = ?")
    return try Int.fetchOne(
      statement,
      arguments: [device.storedText, accessGroup.storedText, type, Data(generic.utf8)]) ?? 0
  }

  /// The account attributes of the items with this type and generic attribute.
  public func itemAccounts(device: String, accessGroup: String, type: Int, generic: String) throws -> [String]
  {
    let statement = try reading().cachedStatement(
      sql: "SELECT account FROM item WHERE device = ? AND access_group = ? AND type = ? AND generic = ?")
    return try String.fetchAll(
      statement, arguments: [device.storedText, accessGroup.storedText, type, Data(generic.utf8)]
    ).map(String.init(storedText:))
  }
}
