import Foundation

/// A value for a `$n`, in binary form.
///
/// Texts are bytes: PostgreSQL's `text` has no NUL, and its order is the database's locale's.
enum PostgresParameter {
  case null
  case integer(Int64)
  case bytes(Data)
}

extension Int64 {
  init?(_ cell: PostgresCell) {
    guard let value = cell.integer else { return nil }
    self = value
  }

  var parameter: PostgresParameter { .integer(self) }
}

extension Int {
  init?(_ cell: PostgresCell) {
    guard let value = cell.integer else { return nil }
    self.init(exactly: value)
  }

  var parameter: PostgresParameter { .integer(Int64(self)) }
}

extension String {
  init?(_ cell: PostgresCell) {
    guard let bytes = cell.bytes else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }

  var parameter: PostgresParameter { .bytes(Data(utf8)) }
}

extension Data {
  init?(_ cell: PostgresCell) {
    guard let bytes = cell.bytes else { return nil }
    self.init(bytes)
  }

  var parameter: PostgresParameter { .bytes(self) }
}

extension Optional where Wrapped: SQLBindable {
  var parameter: PostgresParameter { self?.parameter ?? .null }
}

extension Optional where Wrapped: SQLColumn {
  init?(_ cell: PostgresCell) {
    if cell.isNull {
      self = .none
    } else {
      guard let value = Wrapped(cell) else { return nil }
      self = .some(value)
    }
  }
}

extension Instant {
  init?(_ cell: PostgresCell) {
    guard let value = cell.integer else { return nil }
    self.init(milliseconds: value)
  }

  var parameter: PostgresParameter { .integer(milliseconds) }
}

extension RawRepresentable where Self: SQLColumn, RawValue: SQLColumn {
  init?(_ cell: PostgresCell) {
    guard let value = RawValue(cell) else { return nil }
    self.init(rawValue: value)
  }
}

extension RawRepresentable where Self: SQLBindable, RawValue: SQLBindable {
  var parameter: PostgresParameter { rawValue.parameter }
}
