import Essentials

/// A value for a `?` of a statement, for an engine other than SQLite.
///
/// Texts are bytes: PostgreSQL's `text` has no NUL, and its order is the database's locale's.
package enum SQLParameter {
  case null
  case integer(Int64)
  case bytes(Data)
}

/// A value of a row of such an engine.
package protocol SQLCell {
  var isNull: Bool { get }
  /// Nil if the column holds another type.
  var integer: Int64? { get }
  /// The bytes of a text too, valid until the next row; nil if the column holds another type.
  var bytes: UnsafeRawBufferPointer? { get }
  /// What an error says was found: `an integer`.
  var foundType: String { get }
}

/// The rows of a statement of such an engine.
package protocol SQLCursor: AnyObject {
  /// How errors call the database.
  var name: String { get }
  /// Goes to the next row; false after the last.
  func next() throws(StoreError) -> Bool
  /// A value of the row.
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
