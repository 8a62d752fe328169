import Foundation
import GRDB

/// How many keychain items there are, without counting: SQLite walks an index to count, which takes longer than all of
/// the first screen when there are half a million.
///
/// Triggers keep it, so that no path into `item` forgets it, undo included. Credentials (types 2000 to 2999) are counted
/// by their generic attribute, which says type, client and realm; all else by type, as an account's generic attribute
/// is its username. Items without a type count under -1.
enum Tally {
  static let migration = """
    CREATE TABLE tally(
      device TEXT NOT NULL, access_group TEXT NOT NULL, type INTEGER NOT NULL, generic BLOB NOT NULL,
      count INTEGER NOT NULL, PRIMARY KEY(device, access_group, type, generic)) WITHOUT ROWID;
    INSERT INTO tally SELECT device, access_group, \(kind("item")), count(*) FROM item GROUP BY 1, 2, 3, 4;
    CREATE TRIGGER item_added AFTER INSERT ON item BEGIN \(add) END;
    CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN \(remove) END;
    CREATE TRIGGER item_changed AFTER UPDATE OF type, generic ON item
      WHEN old.type IS NOT new.type OR old.generic IS NOT new.generic BEGIN \(remove) \(add) END;
    """

  /// Type and generic attribute as they are counted.
  private static func kind(_ row: String) -> String {
    """
    coalesce(\(row).type, -1),
    CASE WHEN \(row).type BETWEEN 2000 AND 2999 THEN coalesce(\(row).generic, x'') ELSE x'' END
    """
  }

  private static let add = """
    INSERT INTO tally VALUES(new.device, new.access_group, \(kind("new")), 1) ON CONFLICT DO UPDATE SET count = count + 1;
    """
  private static let remove = """
    UPDATE tally SET count = count - 1
      WHERE (device, access_group, type, generic) = (old.device, old.access_group, \(kind("old")));
    DELETE FROM tally
      WHERE (device, access_group, type, generic) = (old.device, old.access_group, \(kind("old"))) AND count <= 0;
    """
}

/// Credentials of one kind in one access group: those that have the same type, client and realm.
package struct CredentialTally: Hashable, Sendable {
  package var accessGroup: String
  package var type: Int
  package var generic: Data
  package var count: Int
}

extension StoreTransaction {
  /// How many items a device has, of one type or of all.
  package func itemCount(device: String, type: Int? = nil) throws -> Int {
    try count("device = ? AND type = coalesce(?, type)", [device.storedText, type])
  }

  /// How many items an access group of a device has, of one type or of all.
  package func itemCount(device: String, accessGroup: String, type: Int? = nil) throws -> Int {
    try count(
      "device = ? AND access_group = ? AND type = coalesce(?, type)",
      [device.storedText, accessGroup.storedText, type])
  }

  /// How many credentials with this type and generic attribute an access group of a device has.
  package func credentialCount(device: String, accessGroup: String, type: Int, generic: String) throws -> Int
  {
    try count(
      "device = ? AND access_group = ? AND type = ? AND generic = ?",
      [device.storedText, accessGroup.storedText, type, Data(generic.utf8)])
  }

  /// How many credentials a device has.
  package func credentialCount(device: String) throws -> Int {
    try count("device = ? AND type BETWEEN 2000 AND 2999", [device.storedText])
  }

  /// The kinds of credential that a device has.
  package func credentialTallies(device: String) throws -> [CredentialTally] {
    let statement = try reading().cachedStatement(
      sql: """
        SELECT access_group, type, generic, count FROM tally WHERE device = ? AND type BETWEEN 2000 AND 2999
        """)
    return try Row.fetchAll(statement, arguments: [device.storedText]).map { row in
      CredentialTally(
        accessGroup: String(storedText: row[0]), type: row[1], generic: row[2], count: row[3])
    }
  }

  /// The types of the items that are in these groups; nil stands for items without one.
  func itemTypes(device: String, accessGroups: [String]) throws -> [Int?] {
    let statement = try reading().cachedStatement(
      sql: "SELECT DISTINCT type FROM tally WHERE device = ? AND access_group = ?")
    var types: Set<Int> = []
    for group in Set(accessGroups) {
      types.formUnion(
        try Int.fetchAll(statement, arguments: [device.storedText, group.storedText]))
    }
    return types.sorted().map { $0 == -1 ? nil : $0 }
  }

  /// The access groups in which a device has items.
  package func accessGroups(device: String) throws -> [String] {
    let statement = try reading().cachedStatement(
      sql: "SELECT DISTINCT access_group FROM tally WHERE device = ? ORDER BY access_group")
    return try String.fetchAll(statement, arguments: [device.storedText]).map(String.init(storedText:))
  }

  private func count(_ condition: String, _ arguments: StatementArguments) throws -> Int {
    let statement = try reading().cachedStatement(sql: "SELECT total(count) FROM tally WHERE \(condition)")
    return Int(try Double.fetchOne(statement, arguments: arguments) ?? 0)
  }
}
