/// A store's connection to its database, whatever its engine.
///
/// Generic functions are here and not in an extension of the protocol, so that they are specialised for their
/// types.
final class StoreConnection {
  let engine: any StoreEngine

  init(_ engine: any StoreEngine) { self.engine = engine }

  /// The name of the database in error messages.
  var name: String { engine.name }
  var isInTransaction: Bool { engine.isInTransaction }
  var changedRows: Int { engine.changedRows }
  var lastRowID: Int64 { engine.lastRowID }

  func newRowID(in table: NumberedTable) throws(StoreError) -> Int64? { try engine.newRowID(in: table) }

  func run(script: String) throws(StoreError) { try engine.run(script: script) }

  /// Runs a statement to its end.
  func run(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) {
    var rows = try engine.rows(sql, values)
    while try rows.next() {}
  }

  /// Returns the rows of a statement.
  ///
  /// Each row is read on demand.
  func rows(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) -> SQLRows {
    try engine.rows(sql, values)
  }

  /// Returns the rows of a statement that has very many.
  ///
  /// Only some are in memory at a time.
  func scan(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    try engine.scan(sql, values)
  }

  /// Returns the result of `read` for each row.
  func all<T>(
    _ sql: String, _ values: [any SQLBindable] = [], _ read: (borrowing SQLRows) throws(StoreError) -> T
  ) throws(StoreError) -> [T] {
    var rows = try engine.rows(sql, values)
    var found: [T] = []
    while try rows.next() { found.append(try read(rows)) }
    return found
  }

  /// Returns the result of `read` for the first row, or `nil` if there is none.
  func first<T>(
    _ sql: String, _ values: [any SQLBindable] = [], _ read: (borrowing SQLRows) throws(StoreError) -> T
  ) throws(StoreError) -> T? {
    var rows = try engine.rows(sql, values)
    return try rows.next() ? try read(rows) : nil
  }

  /// Returns the first column of the first row, or `nil` if there is none.
  func value<T: SQLColumn>(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) -> T? {
    try first(sql, values) { row throws(StoreError) in try row[0] }
  }

  /// Returns the first column of each row.
  func column<T: SQLColumn>(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) -> [T] {
    try all(sql, values) { row throws(StoreError) in try row[0] }
  }

  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
    try engine.transaction(kind, body)
  }

  func savepoint<T>(_ body: () throws -> T) throws -> T { try engine.savepoint(body) }
}
