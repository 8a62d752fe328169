import CSQLite
import Foundation

/// A value that can stand for a `?` of a statement.
protocol SQLiteBindable {
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

/// A value that can be read from a column.
protocol SQLiteColumn {
  /// Nil if the column holds another type: SQLite types each value, not the column, and would convert.
  init?(column: Int32, of statement: OpaquePointer)
  /// What an error says was expected: `an integer`.
  static var expectation: String { get }
}

typealias SQLiteValue = SQLiteBindable & SQLiteColumn

/// SQLite's mark for bytes that it copies.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension Int64: SQLiteValue {
  static var expectation: String { "an integer" }

  init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    self = sqlite3_column_int64(statement, column)
  }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: SQLiteValue {
  static var expectation: String { Int64.expectation }

  init?(column: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: column, of: statement) else { return nil }
    self.init(exactly: value)
  }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    Int64(self).bind(to: statement, at: index)
  }
}

/// With the NULs that it may have: texts are bound and read by their length.
extension String: SQLiteValue {
  static var expectation: String { "a text" }

  init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    self.init(decoding: columnBytes(statement, column), as: UTF8.self)
  }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes in
        // Without a start SQLite would bind NULL.
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
        return sqlite3_bind_text64(statement, index, start, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }
}

extension Data: SQLiteValue {
  static var expectation: String { "bytes" }

  init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    self.init(columnBytes(statement, column))
  }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes { bytes in
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), copied)
    }
  }
}

/// Nil is NULL.
extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
  }
}

extension Optional: SQLiteColumn where Wrapped: SQLiteColumn {
  static var expectation: String { "\(Wrapped.expectation) or nothing" }

  init?(column: Int32, of statement: OpaquePointer) {
    if sqlite3_column_type(statement, column) == SQLITE_NULL {
      self = .none
    } else {
      guard let value = Wrapped(column: column, of: statement) else { return nil }
      self = .some(value)
    }
  }
}

/// Milliseconds since 1970.
extension Instant: SQLiteValue {
  static var expectation: String { Int64.expectation }

  init?(column: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: column, of: statement) else { return nil }
    self.init(milliseconds: value)
  }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    milliseconds.bind(to: statement, at: index)
  }
}

/// An enumeration is stored as its raw value.
extension RawRepresentable where Self: SQLiteColumn, RawValue: SQLiteColumn {
  static var expectation: String { "one of its names" }

  init?(column: Int32, of statement: OpaquePointer) {
    guard let value = RawValue(column: column, of: statement) else { return nil }
    self.init(rawValue: value)
  }
}

extension RawRepresentable where Self: SQLiteBindable, RawValue: SQLiteBindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    rawValue.bind(to: statement, at: index)
  }
}

extension DocumentKind: SQLiteBindable {}
extension KeychainClass: SQLiteValue {}
extension JournalEntry.Kind: SQLiteValue {}
