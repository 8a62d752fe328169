import Essentials

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
