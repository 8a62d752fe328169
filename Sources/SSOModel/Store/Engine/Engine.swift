/// A database that holds one store, for `StoreConnection`: SQLite in a file, or a server (`ServerEngine`).
///
/// Statements are written for SQLite, and other engines translate them. Only one thread at a time may use an
/// engine. A conformance is not isolated to an actor (`SendableMetatype`), so that a connection can be transferred to
/// its store.
package protocol StoreEngine: AnyObject, SendableMetatype {
  /// The name of the database in error messages.
  var name: String { get }
  var isInTransaction: Bool { get }

  /// Runs statements without values, as they are, and ignores their rows.
  func run(script: String) throws(StoreError)
  /// Returns the rows of a statement, which is complete when all rows have been read.
  ///
  /// A statement is prepared once for each text and cached, so use constant texts.
  func rows(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows
  /// Returns the rows of a statement that has very many, without keeping them all in memory.
  ///
  /// Requires a transaction.
  func scan(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows
  /// The number of rows that the last statement inserted, changed, or deleted, without its triggers.
  var changedRows: Int { get }
  /// Returns the ID for the next row to insert, or `nil` if the database numbers rows itself.
  func newRowID(in table: NumberedTable) throws(StoreError) -> Int64?
  /// The row ID of the last insertion.
  var lastRowID: Int64 { get }
  /// Returns the highest row number that each table has ever had, in the order of `NumberedTable`.
  func lastRowIDs() throws(StoreError) -> [Int64]
  /// Continues the numbering of rows after these numbers, in a writing transaction.
  func setLastRowIDs(_ numbers: [Int64]) throws(StoreError)
  /// Returns a mark that changes with every commit, of this connection or another.
  func changeMark() throws(StoreError) -> ChangeMark
  /// Sets the size of the page cache in KiB, for a database in this process.
  func setPageCache(kibibytes: Int) throws(StoreError)
  /// Sets whether each commit waits for the disk, for a database in this process.
  func setFlushing(_ isOn: Bool) throws(StoreError)

  /// Creates the tables of an empty store and the triggers for `item_count`, inside the caller's transaction.
  func create(tables: String) throws(StoreError)
  /// Migrates the tables of an older store, inside the caller's transaction.
  func migrate(_ statements: String, to version: Int) throws(StoreError)
  /// Returns the current version of the schema.
  func schemaVersion() throws(StoreError) -> Int

  /// Runs `body` in a transaction, which is committed when `body` returns and rolled back if it throws.
  ///
  /// - Throws: `StoreError`, and the error of `body`.
  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T
  /// Runs `body` as a part of the transaction.
  ///
  /// If it throws, only this part is rolled back, and the transaction may continue.
  ///
  /// - Throws: `StoreError`, and the error of `body`.
  func savepoint<T>(_ body: () throws -> T) throws -> T
}

package enum TransactionKind {
  /// Reads one state without a lock that writers wait for.
  case deferred
  /// Is the lab's only writer from its beginning to its end.
  case immediate
}

/// The tables whose row numbers are never reused, so that undo can restore a row with its old number.
package enum NumberedTable: Int, CaseIterable {
  case item, journal, trace
}

/// A mark that differs between two states of a store.
package struct ChangeMark: Hashable, Sendable {
  let others, own: Int

  package init(others: Int, own: Int) { (self.others, self.own) = (others, own) }
}

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

  /// Returns the rows of a statement that has a very large number of them.
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

  /// Returns the result of `read` for the first row, or `nil` if there are no rows.
  func first<T>(
    _ sql: String, _ values: [any SQLBindable] = [], _ read: (borrowing SQLRows) throws(StoreError) -> T
  ) throws(StoreError) -> T? {
    var rows = try engine.rows(sql, values)
    return try rows.next() ? try read(rows) : nil
  }

  /// Returns the first column of the first row, or `nil` if there are no rows.
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

/// An engine whose stores are labs on a server.
package protocol ServerEngine: StoreEngine {
  /// Sets the listener for the connection's events.
  func setListener(_ listener: @escaping @Sendable (StoreEvent) -> Void)
  /// Returns whether the server has the lab.
  func hasLab() throws(StoreError) -> Bool
  /// Returns the server's facts about the lab, or `nil` if it does not exist.
  func foundLab() throws(StoreError) -> FoundLab?
  /// Creates the lab, unless another process was faster.
  ///
  /// `fill` creates its tables and first rows.
  ///
  /// - Throws: `StoreError`, and the error of `fill`, in which case nothing is created.
  func makeLab(_ fill: () throws -> Void) throws
  /// Removes the lab with all its data.
  func removeLab() throws(StoreError)
  /// Returns the names of all labs in the database, in order.
  func labNames() throws(StoreError) -> [String]
}

/// A listener for the commits of a lab.
///
/// It listens until it is released.
package protocol CommitListener: AnyObject, Sendable {
  /// The descriptor, which is readable after a possible commit.
  var descriptor: Int32 { get }
}

/// The functions that connect to labs on a kind of server.
package struct ServerDriver: Sendable {
  let connect: @Sendable (LabAddress) throws(StoreError) -> any ServerEngine
  let listen: @Sendable (LabAddress) throws(StoreError) -> any CommitListener

  package init(
    connect: @escaping @Sendable (LabAddress) throws(StoreError) -> any ServerEngine,
    listen: @escaping @Sendable (LabAddress) throws(StoreError) -> any CommitListener
  ) {
    (self.connect, self.listen) = (connect, listen)
  }
}
