import CSQLite
import Essentials

/// SQLite's constant for bytes that it must copy.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension Int64: SQLValue {
  package static var expectation: String { "an integer" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    self = sqlite3_column_int64(statement, column)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: SQLValue {
  package static var expectation: String { Int64.expectation }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: column, of: statement) else { return nil }
    self.init(exactly: value)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    Int64(self).bind(to: statement, at: index)
  }
}

/// A text, which may contain NUL characters because it is bound and read by its length.
extension String: SQLValue {
  package static var expectation: String { "a text" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    self.init(decoding: columnBytes(statement, column), as: UTF8.self)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes in
        // Without a start address, SQLite would bind NULL.
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
        return sqlite3_bind_text64(statement, index, start, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }
}

extension Data: SQLValue {
  package static var expectation: String { "bytes" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    self.init(columnBytes(statement, column))
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes { bytes in
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), copied)
    }
  }
}

/// An optional value, in which `nil` is NULL.
extension Optional: SQLBindable where Wrapped: SQLBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
  }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
  package static var expectation: String { "\(Wrapped.expectation) or nothing" }

  package init?(column: Int32, of statement: OpaquePointer) {
    if sqlite3_column_type(statement, column) == SQLITE_NULL {
      self = .none
    } else {
      guard let value = Wrapped(column: column, of: statement) else { return nil }
      self = .some(value)
    }
  }
}

/// An instant in milliseconds since 1970.
extension Instant: SQLValue {
  package static var expectation: String { Int64.expectation }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: column, of: statement) else { return nil }
    self.init(milliseconds: value)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    milliseconds.bind(to: statement, at: index)
  }
}

/// An enumeration, stored as its raw value.
extension RawRepresentable where Self: SQLColumn, RawValue: SQLColumn {
  package static var expectation: String { "one of its names" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard let value = RawValue(column: column, of: statement) else { return nil }
    self.init(rawValue: value)
  }
}

extension RawRepresentable where Self: SQLBindable, RawValue: SQLBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    rawValue.bind(to: statement, at: index)
  }
}

extension DocumentKind: SQLBindable {}
extension KeychainClass: SQLValue {}
extension JournalEntry.Kind: SQLValue {}
