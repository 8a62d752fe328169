/// The rows of a cursor, a few at a time.
///
/// It ends with its transaction, like the cursor.
final class PostgresScan: SQLCursor {
  /// The number of rows in memory.
  private static let size = 1000

  private let link: PostgresLink
  private let cursor: String
  private var rows: PostgresResult

  init(
    _ link: PostgresLink, cursor: String, _ sql: String, _ values: [any SQLBindable]
  ) throws(StoreError) {
    (self.link, self.cursor) = (link, cursor)
    _ = try Self.ask(
      link, "DECLARE \(cursor) NO SCROLL CURSOR FOR " + PostgresDialect.statement(sql), values)
    rows = try Self.fetch(link, cursor)
  }

  /// Advances to the next row, or returns `false` after the last.
  func next() throws(StoreError) -> Bool {
    if rows.next() { return true }
    guard rows.rowCount == Self.size else { return false }
    rows = try Self.fetch(link, cursor)
    return rows.next()
  }

  var name: String { link.address.name }
  func value(_ column: Int32) -> any SQLCell { rows.value(column) }
  func columnName(_ column: Int32) -> UnsafePointer<CChar>? { rows.columnName(column) }

  /// Returns the next rows.
  ///
  /// The cursor is closed with the last one.
  private static func fetch(_ link: PostgresLink, _ cursor: String) throws(StoreError) -> PostgresResult {
    guard let rows = try ask(link, "FETCH \(size) FROM \(cursor)", []).last else {
      throw .server(link.address.name, .lost("no answer"))
    }
    if rows.rowCount < size { _ = try ask(link, "CLOSE \(cursor)", []) }
    return rows
  }

  private static func ask(
    _ link: PostgresLink, _ text: String, _ values: [any SQLBindable]
  ) throws(StoreError) -> [PostgresResult] {
    try link.send(
      PostgresParameters(values.map(\.parameter)).withPointers { count, values, lengths, formats in
        text.withCString {
          link.library.sendParameters(link.handle, $0, count, nil, values, lengths, formats, 1)
        }
      })
    return try link.answers()
  }
}
