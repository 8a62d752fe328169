import Essentials

/// All rows of one statement of PostgreSQL.
final class PostgresResult: SQLCursor {
  let library: PostgresLibrary
  let pointer: OpaquePointer
  /// The name of the database in error messages.
  let name: String
  private var row: Int32 = -1

  init(_ pointer: OpaquePointer, _ library: PostgresLibrary, name: String) {
    self.pointer = pointer
    self.library = library
    self.name = name
  }

  deinit { library.clear(pointer) }

  /// Advances to the next row, or returns `false` after the last.
  func next() -> Bool {
    row += 1
    return row < library.rowCount(pointer)
  }

  func cell(_ column: Int32) -> PostgresCell { PostgresCell(result: self, row: row, column: column) }

  func value(_ column: Int32) -> any SQLCell { cell(column) }

  func columnName(_ column: Int32) -> UnsafePointer<CChar>? { library.columnName(pointer, column) }

  var rowCount: Int { Int(library.rowCount(pointer)) }

  /// The number of rows that the statement inserted, changed, or deleted.
  var changedRows: Int { library.changedRows(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// The command tag, such as `SELECT 1` or `COMMIT`.
  var command: String { library.commandStatus(pointer).map { String(cString: $0) } ?? "" }

  /// The SQLSTATE of an error (https://www.postgresql.org/docs/current/errcodes-appendix.html), or `nil`
  /// without an error.
  var errorCode: String? {
    // PGRES_COMMAND_OK, PGRES_TUPLES_OK.
    guard ![1, 2].contains(library.resultStatus(pointer)) else { return nil }
    return library.resultField(pointer, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
  }

  /// The server's message, without severity and context.
  var errorMessage: String {
    let text = library.resultField(pointer, Int32(UInt8(ascii: "M"))) ?? library.resultError(pointer)
    return text.map { String(cString: $0) } ?? "no reason given"
  }
}

/// A value of a row: in binary form, or as text in the result of a script.
struct PostgresCell: SQLCell {
  let result: PostgresResult
  let row: Int32
  let column: Int32

  /// The types of the store's columns (https://www.postgresql.org/docs/current/catalog-pg-type.html).
  private enum TypeID {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integers: Set<UInt32> = [20, 21, 23]
    static let text: UInt32 = 25
  }

  private var type: UInt32 { result.library.type(result.pointer, column) }
  var isNull: Bool { result.library.isNull(result.pointer, row, column) != 0 }

  private var raw: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: result.library.value(result.pointer, row, column),
      count: Int(result.library.length(result.pointer, row, column)))
  }

  /// The integer, or `nil` if the column holds another type.
  var integer: Int64? {
    guard !isNull, TypeID.integers.contains(type) || type == TypeID.boolean else { return nil }
    let raw = raw
    guard [1, 2, 4, 8].contains(raw.count), let first = raw.first else { return nil }
    return raw.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// The bytes, or `nil` if the column holds another type.
  var bytes: UnsafeRawBufferPointer? {
    guard !isNull, type == TypeID.bytes || type == TypeID.text else { return nil }
    return raw
  }

  /// The text of a value in the result of a script.
  var text: String { String(decoding: raw, as: UTF8.self) }

  var foundType: String {
    if isNull { return "nothing" }
    if TypeID.integers.contains(type) { return "an integer" }
    return bytes == nil ? "another type" : "bytes"
  }
}
