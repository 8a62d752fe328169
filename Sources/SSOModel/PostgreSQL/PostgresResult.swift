import Essentials
import SSOStore

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

/// The indexed form of an item's attributes in PostgreSQL.
///
/// An index row has at most 2,704 bytes, and a keychain attribute may be longer: an access token's service
/// contains all its scopes. For a long value, the index contains its start and its digest. No short value can
/// equal this form, and it begins with the value's own first bytes, so range conditions find it. A lab from
/// an earlier version has the attributes themselves in its index; the same statements work with it.
enum IndexedValue {
  /// The length of the longest value that is indexed entirely.
  ///
  /// `start` is the length of a long value's start.
  private static let (longest, start) = (400, 369)
  private static let columns = ["access_group", "account", "service", "generic"]

  static func of(_ value: String) -> String {
    "(CASE WHEN length(\(value)) > \(longest) THEN \(begin(value)) || sha256(\(value)) ELSE \(value) END)"
  }

  private static func begin(_ value: String) -> String { "substring(\(value) FROM 1 FOR \(start))" }

  /// The replacements in the texts of `Schema` and `ItemCounts`.
  static let schema: [(String, String)] = [
    (
      ",\n  UNIQUE(device, access_group, class, account, service));",
      """
      );
      CREATE UNIQUE INDEX item_key ON item(
        device, \(of("access_group")), class, \(of("account")), \(of("service")));
      """
    ),
    (
      "item(device, access_group, type, generic)",
      "item(device, \(of("access_group")), type, \(of("generic")))"
    ),
    ("item(device, account, generic)", "item(device, \(of("account")))"),
    (
      ", PRIMARY KEY(device, access_group, type, generic)) WITHOUT ROWID;",
      """
      );
      CREATE UNIQUE INDEX item_count_key ON item_count(
        device, \(of("access_group")), type, \(of("generic")));
      """
    ),
  ]

  /// Adds the conditions that use the indexes to a statement on items.
  static func added(to statement: String) -> String {
    let isOfItems = ["FROM item ", "UPDATE item "].contains { statement.contains($0) }
    guard isOfItems, let conditions = statement.firstRange(of: "WHERE ") else {
      // The index is on expressions, which an ON CONFLICT would have to repeat.
      return statement.replacing(
        "ON CONFLICT(device, access_group, class, account, service)", with: "ON CONFLICT")
    }
    return columns.reduce(String(statement[conditions.lowerBound...])) { added($1, to: $0) }
      .prefixed(by: statement[..<conditions.lowerBound])
  }

  private static func added(_ column: String, to conditions: String) -> String {
    let column = (name: column, indexed: of(column))
    var result = ""
    var rest = Substring(conditions)
    // `column = $1`, `column >= $1`, `column < $1`, `column IN ($1, $2)`.
    while let found = rest.firstRange(of: column.name + " ") {
      result += rest[..<found.upperBound]
      rest = rest[found.upperBound...]
      guard let mark = rest.firstIndex(of: " ") else { continue }
      let sign = rest[..<mark]
      let isList = sign == "IN"
      let operand = rest[rest.index(after: mark)...].prefix { isList ? $0 != ")" : $0 == "$" || $0.isNumber }
      let text = String(operand) + (isList ? ")" : "")
      guard text.hasPrefix("$") || text.hasPrefix("($"), rest.hasPrefix(sign + " " + text) else { continue }
      rest = rest.dropFirst(sign.count + 1 + text.count)
      result += sign + " " + text + " AND " + column.indexed + " \(sign) " + value(text, sign)
    }
    return result + rest
  }

  private static func value(_ operand: String, _ sign: Substring) -> String {
    let bytes = operand + "::bytea"
    switch sign {
    case "IN":
      let values = operand.dropFirst().dropLast().split(separator: ", ").map { of($0 + "::bytea") }
      return "(" + values.joined(separator: ", ") + ")"
    case ">=": return begin(bytes)
    // UTF-8 never contains this byte. A longer bound is left to the condition on the value itself.
    case "<": return "(CASE WHEN length(\(bytes)) > \(start) THEN '\\xff'::bytea ELSE \(bytes) END)"
    default: return of(bytes)
    }
  }
}

extension String {
  fileprivate func prefixed(by start: Substring) -> String { start + self }
}
