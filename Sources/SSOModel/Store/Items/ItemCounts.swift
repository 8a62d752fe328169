import Essentials

/// The number of keychain items, which triggers maintain in a table.
///
/// To count, SQLite walks an index, which for half a million items takes longer than the entire first screen.
/// The triggers see every change of `item`, including undo. Credentials (types 2000 to 2999) are counted by
/// their generic attribute, which contains type, client, and realm. All other items are counted by type,
/// because an account's generic attribute is its username. Items without a type are counted as -1.
enum ItemCounts {
  static let table = """
    CREATE TABLE item_count(
      device TEXT NOT NULL, access_group TEXT NOT NULL, type INTEGER NOT NULL, generic BLOB NOT NULL,
      count INTEGER NOT NULL, PRIMARY KEY(device, access_group, type, generic)) WITHOUT ROWID;

    """

  /// The triggers for SQLite.
  ///
  /// A server has its own.
  static let triggers = """
    CREATE TRIGGER item_added AFTER INSERT ON item BEGIN \(add) END;
    CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN \(remove) END;
    CREATE TRIGGER item_changed AFTER UPDATE OF type, generic ON item
      WHEN old.type IS NOT new.type OR old.generic IS NOT new.generic BEGIN \(remove) \(add) END;
    """

  /// Returns the SQL of the type and generic attribute by which a row is counted.
  private static func kind(_ row: String) -> String {
    """
    coalesce(\(row).type, -1),
    CASE WHEN \(row).type BETWEEN 2000 AND 2999 THEN coalesce(\(row).generic, x'') ELSE x'' END
    """
  }

  private static let add = """
    INSERT INTO item_count VALUES(new.device, new.access_group, \(kind("new")), 1)
      ON CONFLICT DO UPDATE SET count = count + 1;
    """
  private static let remove = """
    UPDATE item_count SET count = count - 1
      WHERE (device, access_group, type, generic) = (old.device, old.access_group, \(kind("old")));
    DELETE FROM item_count
      WHERE (device, access_group, type, generic) = (old.device, old.access_group, \(kind("old"))) AND count <= 0;
    """
}

/// The number of credentials in an access group with the same type, client, and realm.
package struct CredentialCount: Hashable, Sendable {
  package var accessGroup: String
  /// `kSecAttrType`: 2000 to 2999.
  package var type: Int
  package var generic: Data
  package var count: Int
}

extension DeviceItems {
  /// Returns the number of the device's items, of one type or of all.
  package func itemCount(type: Int? = nil) throws -> Int {
    try count("device = ? AND type = coalesce(?, type)", [device, type])
  }

  /// Returns the number of items in an access group of the device, of one type or of all.
  package func itemCount(accessGroup: String, type: Int? = nil) throws -> Int {
    try count("device = ? AND access_group = ? AND type = coalesce(?, type)", [device, accessGroup, type])
  }

  /// Returns the number of credentials with this type and generic attribute in an access group of the device.
  package func credentialCount(accessGroup: String, type: Int, generic: String) throws -> Int {
    try count(
      "device = ? AND access_group = ? AND type = ? AND generic = ?",
      [device, accessGroup, type, Data(generic.utf8)])
  }

  /// Returns the number of the device's credentials.
  package func credentialCount() throws -> Int {
    try count("device = ? AND type BETWEEN 2000 AND 2999", [device])
  }

  /// Returns the kinds of credentials on the device, with their numbers.
  package func credentialCounts() throws -> [CredentialCount] {
    try transaction.reading().all(
      """
      SELECT access_group, type, generic, count FROM item_count WHERE device = ? AND type BETWEEN 2000 AND 2999
      """, [device]
    ) { row throws(StoreError) in
      try transaction.intact("item_count") { () throws(StoreError) in
        CredentialCount(
          accessGroup: try row[0], type: try row[1], generic: try row[2], count: try Self.count(row, 3))
      }
    }.compactMap(\.self)
  }

  /// Reads a number of items.
  ///
  /// A value that triggers cannot have counted indicates damage, and would overflow a sum.
  private static func count(_ row: borrowing SQLRows, _ column: Int32) throws(StoreError) -> Int {
    let count: Int = try row[column]
    guard (0...1 << 40).contains(count) else { throw row.unexpected(column, "a number of items") }
    return count
  }

  /// Returns the access groups in which the device has items, in alphabetical order.
  package func accessGroups() throws -> [String] {
    try transaction.reading().column(
      "SELECT DISTINCT access_group FROM item_count WHERE device = ? ORDER BY access_group", [device])
  }

  private func count(_ condition: String, _ values: [any SQLBindable]) throws -> Int {
    try transaction.reading().all("SELECT count FROM item_count WHERE \(condition)", values) {
      row throws(StoreError) in
      try transaction.intact("item_count") { () throws(StoreError) in try Self.count(row, 0) } ?? 0
    }.reduce(0, +)
  }
}
