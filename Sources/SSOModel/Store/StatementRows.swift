import Foundation
import GRDB
import GRDBSQLite

/// The rows of a statement, read through SQLite's own interface: GRDB makes a dictionary of the column names for each
/// query, which takes longer than to find a row.
struct StatementRows: ~Copyable {
  private let statement: OpaquePointer

  /// - Parameter statement: from GRDB's cache; it must not be used otherwise meanwhile.
  init(_ statement: Statement, texts: [String]) {
    self.statement = statement.sqliteStatement
    sqlite3_reset(self.statement)
    for (index, text) in texts.enumerated() {
      sqlite3_bind_text(self.statement, Int32(index + 1), text.storedText, -1, Self.copied)
    }
  }

  init(_ statement: Statement, arguments: StatementArguments) throws {
    try statement.setArguments(arguments)
    self.statement = statement.sqliteStatement
  }

  deinit {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  /// SQLite's mark for a text that it copies.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Goes to the next row; false after the last.
  mutating func next() throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String {
    String(storedText: String(decoding: bytes(column), as: UTF8.self))
  }

  /// Good until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
  }
}
