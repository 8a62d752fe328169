import CSQLite
import Foundation

/// A prepared statement.
final class SQLiteStatement {
  let pointer: OpaquePointer
  /// Whether its rows are being read: another statement is then prepared for the same text.
  var isInUse = false

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }
}

/// The rows of a statement.
///
/// Columns count from 0; `rows[0]` is of the type that is asked for, or the read throws.
struct SQLiteRows: ~Copyable {
  private let statement: SQLiteStatement
  private let connection: SQLiteConnection

  init(_ statement: SQLiteStatement, of connection: SQLiteConnection) {
    self.statement = statement
    self.connection = connection
    statement.isInUse = true
  }

  deinit {
    sqlite3_reset(statement.pointer)
    sqlite3_clear_bindings(statement.pointer)
    statement.isInUse = false
  }

  func bind(_ values: [any SQLiteBindable]) throws(StoreError) {
    assert(values.count == sqlite3_bind_parameter_count(statement.pointer), "a value for each `?`")
    for (index, value) in values.enumerated() {
      let code = value.bind(to: statement.pointer, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw connection.failure(code) }
    }
  }

  /// Goes to the next row; false after the last.
  mutating func next() throws(StoreError) -> Bool {
    switch sqlite3_step(statement.pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.failure(code)
    }
  }

  /// The value of a column.
  /// - Throws: `damaged` if the column holds another type, as in a file that another program has changed.
  subscript<T: SQLiteColumn>(column: Int32) -> T {
    get throws(StoreError) {
      guard let value = T(column: column, of: statement.pointer) else {
        throw unexpected(column, T.expectation)
      }
      return value
    }
  }

  /// The bytes of a text or a BLOB, valid until the next row; none for NULL.
  /// - Throws: `damaged` if the column holds a number.
  func bytes(_ column: Int32) throws(StoreError) -> UnsafeRawBufferPointer {
    switch sqlite3_column_type(statement.pointer, column) {
    case SQLITE_TEXT, SQLITE_BLOB, SQLITE_NULL: columnBytes(statement.pointer, column)
    default: throw unexpected(column, "bytes")
    }
  }

  func unexpected(_ column: Int32, _ expectation: String) -> StoreError {
    let found =
      switch sqlite3_column_type(statement.pointer, column) {
      case SQLITE_INTEGER: "an integer"
      case SQLITE_FLOAT: "a real number"
      case SQLITE_TEXT: "a text"
      case SQLITE_BLOB: "bytes"
      default: "nothing"
      }
    let name = sqlite3_column_name(statement.pointer, column).map { String(cString: $0) } ?? "\(column)"
    return .damaged(
      path: connection.name, row: "", message: "\(found) in column \(name), where \(expectation) belongs")
  }
}

/// The bytes of a column as they lie in the database's page.
func columnBytes(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}
