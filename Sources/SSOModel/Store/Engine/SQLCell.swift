import Essentials

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
  /// The bytes, also of a text, which are valid until the next row, or `nil` if the column holds another
  /// type.
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
