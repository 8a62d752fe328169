/// A store's connection to its database, whichever that is.
///
/// Generic code is here and not in an extension of the protocol, so that it is specialised for its types.
final class StoreConnection {
  let engine: any StoreEngine

  init(_ engine: any StoreEngine) { self.engine = engine }

  /// How errors call the database.
  var name: String { engine.name }
  var isInTransaction: Bool { engine.isInTransaction }
  var changedRows: Int { engine.changedRows }
  var lastRowID: Int64 { engine.lastRowID }

  func newRowID(in table: NumberedTable) throws(StoreError) -> Int64? { try engine.newRowID(in: table) }

  func run(script: String) throws(StoreError) { try engine.run(script: script) }

  /// Runs one statement to its end.
  func run(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) {
    var rows = try engine.rows(sql, values)
    while try rows.next() {}
  }

  /// The rows of one statement, each read when it is asked for.
  func rows(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) -> SQLRows {
    try engine.rows(sql, values)
  }

  /// The same for a statement with very many rows: some are in memory at a time.
  func scan(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    try engine.scan(sql, values)
  }

  /// What `read` makes of each row.
  func all<T>(
    _ sql: String, _ values: [any SQLBindable] = [], _ read: (borrowing SQLRows) throws(StoreError) -> T
  ) throws(StoreError) -> [T] {
    var rows = try engine.rows(sql, values)
    var found: [T] = []
    while try rows.next() { found.append(try read(rows)) }
    return found
  }

  /// What `read` makes of the first row; nil if there is none.
  func first<T>(
    _ sql: String, _ values: [any SQLBindable] = [], _ read: (borrowing SQLRows) throws(StoreError) -> T
  ) throws(StoreError) -> T? {
    var rows = try engine.rows(sql, values)
    return try rows.next() ? try read(rows) : nil
  }

  /// The first column of the first row; nil if there is none.
  func value<T: SQLColumn>(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) -> T? {
    try first(sql, values) { row throws(StoreError) in try row[0] }
  }

  /// The first column of each row.
  func column<T: SQLColumn>(_ sql: String, _ values: [any SQLBindable] = []) throws(StoreError) -> [T] {
    try all(sql, values) { row throws(StoreError) in try row[0] }
  }

  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
    try engine.transaction(kind, body)
  }

  func savepoint<T>(_ body: () throws -> T) throws -> T { try engine.savepoint(body) }
}
