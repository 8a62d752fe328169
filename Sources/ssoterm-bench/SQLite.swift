import CSQLite
import SSOKeychain

/// The baseline: the same file or disk, accessed directly through SQLite's C interface.
final class SQLite {
  private var connection: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open(path, &connection) == SQLITE_OK else { throw Failure("SQLite does not open \(path)") }
  }

  deinit { sqlite3_close(connection) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Measures `count` reads of one item by its key, in one transaction, and returns the milliseconds that each took.
  func lookups(_ key: KeychainKey, count: Int) throws -> [Double] {
    let sql = """
      SELECT sealed FROM item WHERE device = (SELECT device FROM item LIMIT 1) AND access_group = ?
      AND class = ? AND account = ? AND service = ?
      """
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
    defer { sqlite3_finalize(statement) }
    let values = [key.accessGroup, key.itemClass.rawValue, key.account, key.service]
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try run("BEGIN")
    defer { sqlite3_exec(connection, "COMMIT", nil, nil, nil) }
    return try (0..<count).map { _ in
      try milliseconds {
        for (index, value) in values.enumerated() {
          sqlite3_bind_text(statement, Int32(index + 1), value, -1, copied)
        }
        guard sqlite3_step(statement) == SQLITE_ROW, sqlite3_column_bytes(statement, 0) > 0 else {
          throw failure(sql)
        }
        sqlite3_reset(statement)
      }
    }
  }

  /// Inserts items of the same number and sizes as a sign-in writes, for a device that is not in any lab.
  ///
  /// It does this in one commit, with only the store's indexes.
  func insertItems(like key: KeychainKey, number: Int) throws {
    let items = [(2001, 1700), (2003, 1300), (2002, 1300), (2002, 1300), (1003, 400)].enumerated().map {
      """
      INSERT INTO item(device, access_group, class, account, service, generic, type, sealed, created_at, modified_at)
      VALUES('bench', '\(key.accessGroup)', 'genp', 'new\(number)-\(key.account)', '\($0.offset)-\(key.service)',
        '\($0.offset)-generic', \($0.element.0), randomblob(\($0.element.1)), 0, 0);
      """
    }
    try run("BEGIN IMMEDIATE; \(items.joined()) COMMIT")
  }

  private func failure(_ sql: String) -> Failure {
    Failure("\(sql): \(String(cString: sqlite3_errmsg(connection)))")
  }
}
