/// A database that holds one store, for `StoreConnection`: SQLite in a file, or a server (`ServerEngine`).
///
/// Statements are written for SQLite, and other engines translate them. Only one thread at a time may use an
/// engine. A conformance belongs to no actor (`SendableMetatype`), so that a connection can be transferred to
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
