import Essentials
import SSOStore

/// The translation of the store's statements from SQLite's dialect to PostgreSQL's.
enum PostgresDialect {
  /// Returns a statement with `$1` and `$3` for `?` and `?3`, without `INDEXED BY`, and with `IndexedValue`
  /// conditions.
  ///
  /// PostgreSQL knows how rows are distributed. The store's statements do not contain `?` in a string or a
  /// comment.
  static func statement(_ sql: String) -> String { IndexedValue.added(to: numbered(sql)) }

  private static func numbered(_ sql: String) -> String {
    var result = ""
    var count = 0
    var rest = Substring(sql)
    while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "I" }) {
      result += rest[..<mark]
      rest = rest[mark...]
      if rest.first == "I" {
        if rest.hasPrefix("INDEXED BY ") {
          rest = rest.dropFirst("INDEXED BY ".count).drop { $0 != " " && $0 != "\n" }
        } else {
          result.append("I")
          rest = rest.dropFirst()
        }
        continue
      }
      let number = rest.dropFirst().prefix { $0.isNumber }
      if number.isEmpty { count += 1 }
      result += "$" + (number.isEmpty ? String(count) : String(number))
      rest = rest.dropFirst(1 + number.count)
    }
    return result + rest
  }

  /// Returns the schema with texts as bytes (`PostgresParameter`), 64-bit numbers, and rows numbered by
  /// `PostgresRowIDs`.
  static func schema(_ statements: String) -> String {
    (IndexedValue.schema + [
      ("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT PRIMARY KEY"), ("WITHOUT ROWID", ""),
      (" INTEGER", " BIGINT"),
      (" TEXT", " BYTEA"), (" BLOB", " BYTEA"),
    ]).reduce(statements) { $0.replacing($1.0, with: $1.1) }
  }
}
