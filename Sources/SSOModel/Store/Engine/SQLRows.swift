import CSQLite
import Essentials
import SSOCore

/// The rows of a statement.
///
/// Columns are counted from 0. `rows[0]` returns the requested type or throws.
package struct SQLRows: ~Copyable {
  private enum Source {
    case sqlite(SQLiteStatement, SQLiteConnection)
    case cursor(any SQLCursor)
  }

  private let source: Source
  /// SQLite's statement, separate from `source` for speed, or `nil` for another engine.
  private let statement: OpaquePointer?

  init(_ statement: SQLiteStatement, of connection: SQLiteConnection) {
    source = .sqlite(statement, connection)
    self.statement = statement.pointer
    statement.isInUse = true
  }

  package init(_ cursor: any SQLCursor) {
    source = .cursor(cursor)
    statement = nil
  }

  deinit {
    guard case .sqlite(let statement, _) = source else { return }
    sqlite3_reset(statement.pointer)
    sqlite3_clear_bindings(statement.pointer)
    statement.isInUse = false
  }

  /// Advances to the next row, or returns `false` after the last.
  package mutating func next() throws(StoreError) -> Bool {
    switch source {
    case .sqlite(let statement, let connection):
      switch sqlite3_step(statement.pointer) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw connection.failure(code)
      }
    case .cursor(let cursor): return try cursor.next()
    }
  }

  /// The value of a column.
  ///
  /// - Throws: `damaged` if the column holds another type, as in a file that another program changed.
  package subscript<T: SQLColumn>(column: Int32) -> T {
    get throws(StoreError) {
      if let statement {
        guard let value = T(column: column, of: statement) else { throw unexpected(column, T.expectation) }
        return value
      }
      guard case .cursor(let cursor) = source, let value = T(cell: cursor.value(column)) else {
        throw unexpected(column, T.expectation)
      }
      return value
    }
  }

  /// Returns the bytes of a text or a BLOB, which are valid until the next row, or no bytes for NULL.
  ///
  /// - Throws: `damaged` if the column holds a number.
  func bytes(_ column: Int32) throws(StoreError) -> UnsafeRawBufferPointer {
    if let statement {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_TEXT, SQLITE_BLOB, SQLITE_NULL: return columnBytes(statement, column)
      default: throw unexpected(column, "bytes")
      }
    }
    guard case .cursor(let cursor) = source, case let cell = cursor.value(column), !cell.isNull else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    guard let bytes = cell.bytes else { throw unexpected(column, "bytes") }
    return bytes
  }

  func unexpected(_ column: Int32, _ expectation: String) -> StoreError {
    let (database, found, name) =
      switch source {
      case .sqlite(let statement, let connection):
        (
          connection.name, foundType(statement.pointer, column),
          sqlite3_column_name(statement.pointer, column)
        )
      case .cursor(let cursor): (cursor.name, cursor.value(column).foundType, cursor.columnName(column))
      }
    let columnName = name.map { String(cString: $0) } ?? "\(column)"
    return .damaged(
      path: database, row: "", message: "\(found) in column \(columnName), where \(expectation) belongs")
  }
}

private func foundType(_ statement: OpaquePointer, _ column: Int32) -> String {
  switch sqlite3_column_type(statement, column) {
  case SQLITE_INTEGER: "an integer"
  case SQLITE_FLOAT: "a real number"
  case SQLITE_TEXT: "a text"
  case SQLITE_BLOB: "bytes"
  default: "nothing"
  }
}

/// Returns the bytes of a column as they are in the database page.
func columnBytes(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}

/// A value that can be bound to a `?` of a statement.
package protocol SQLBindable {
  /// Binds the value to a statement of SQLite.
  ///
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
  /// The value for another engine.
  var parameter: SQLParameter { get }
}

/// A value that can be read from a column.
package protocol SQLColumn {
  /// Creates a value from a column, or returns `nil` if the column holds another type.
  ///
  /// SQLite types values, not columns, and would convert.
  init?(column: Int32, of statement: OpaquePointer)
  /// Creates a value from a cell of another engine, or returns `nil` if it holds another type.
  init?(cell: any SQLCell)
  /// The expected type for error messages, such as `an integer`.
  static var expectation: String { get }
}

typealias SQLValue = SQLBindable & SQLColumn

/// A value for a `?` of a statement, for an engine other than SQLite.
///
/// Texts are bytes, because PostgreSQL's `text` cannot contain NUL, and its order depends on the database's
/// locale.
package enum SQLParameter {
  case null
  case integer(Int64)
  case bytes(Data)
}

/// A value in a row of such an engine.
package protocol SQLCell {
  var isNull: Bool { get }
  /// The integer, or `nil` if the column holds another type.
  var integer: Int64? { get }
  /// The bytes, even of a text, which are valid until the next row, or `nil` if the column holds
  /// another type.
  var bytes: UnsafeRawBufferPointer? { get }
  /// The type for error messages, such as `an integer`.
  var foundType: String { get }
}

/// The rows of a statement of such an engine.
package protocol SQLCursor: AnyObject {
  /// The name of the database in error messages.
  var name: String { get }
  /// Advances to the next row, or returns `false` after the last.
  func next() throws(StoreError) -> Bool
  /// Returns a value of the row.
  func value(_ column: Int32) -> any SQLCell
  func columnName(_ column: Int32) -> UnsafePointer<CChar>?
}

extension Int64 {
  package init?(cell: any SQLCell) {
    guard let value = cell.integer else { return nil }
    self = value
  }

  package var parameter: SQLParameter { .integer(self) }
}

extension Int {
  package init?(cell: any SQLCell) {
    guard let value = cell.integer else { return nil }
    self.init(exactly: value)
  }

  package var parameter: SQLParameter { .integer(Int64(self)) }
}

extension String {
  package init?(cell: any SQLCell) {
    guard let bytes = cell.bytes else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }

  package var parameter: SQLParameter { .bytes(Data(utf8)) }
}

extension Data {
  package init?(cell: any SQLCell) {
    guard let bytes = cell.bytes else { return nil }
    self.init(bytes)
  }

  package var parameter: SQLParameter { .bytes(self) }
}

extension Optional where Wrapped: SQLBindable {
  package var parameter: SQLParameter { self?.parameter ?? .null }
}

extension Optional where Wrapped: SQLColumn {
  package init?(cell: any SQLCell) {
    if cell.isNull {
      self = .none
    } else {
      guard let value = Wrapped(cell: cell) else { return nil }
      self = .some(value)
    }
  }
}

extension Instant {
  package init?(cell: any SQLCell) {
    guard let value = cell.integer else { return nil }
    self.init(milliseconds: value)
  }

  package var parameter: SQLParameter { .integer(milliseconds) }
}

extension RawRepresentable where Self: SQLColumn, RawValue: SQLColumn {
  package init?(cell: any SQLCell) {
    guard let value = RawValue(cell: cell) else { return nil }
    self.init(rawValue: value)
  }
}

extension RawRepresentable where Self: SQLBindable, RawValue: SQLBindable {
  package var parameter: SQLParameter { rawValue.parameter }
}
