/// A database that holds one store, as `StoreConnection` asks it: SQLite in a file, or a server (`ServerEngine`).
///
/// Statements are in SQLite's words, which another engine translates. One thread uses it at a time.
/// A conformance belongs to no actor (`SendableMetatype`), so that a connection can be handed to its store.
package protocol StoreEngine: AnyObject, SendableMetatype {
  /// How errors call the database.
  var name: String { get }
  var isInTransaction: Bool { get }

  /// Runs statements that take no values and whose rows are of no interest, as they are.
  func run(script: String) throws(StoreError)
  /// The rows of one statement; it has run when all were read.
  ///
  /// A statement is prepared once for its text and kept, so texts are constant.
  func rows(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows
  /// The same for a statement with very many rows, which are not all in memory; inside a transaction.
  func scan(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows
  /// How many rows the last statement inserted, changed or deleted, those of its triggers left out.
  var changedRows: Int { get }
  /// The ID to insert the next row with: nil, if the database numbers rows itself.
  func newRowID(in table: NumberedTable) throws(StoreError) -> Int64?
  /// The row ID of the last insertion.
  var lastRowID: Int64 { get }
  /// The highest number that each table's rows have had, in the order of `NumberedTable`.
  func lastRowIDs() throws(StoreError) -> [Int64]
  /// Lets rows be numbered behind these, in a transaction that writes.
  func setLastRowIDs(_ numbers: [Int64]) throws(StoreError)
  /// Differs as soon as something was committed, by this connection or another one.
  func changeMark() throws(StoreError) -> ChangeMark
  /// How many KiB of pages are kept in memory, where the database is in this process.
  func setPageCache(kibibytes: Int) throws(StoreError)

  /// Makes the tables of an empty store, with what keeps `item_count`, inside the caller's transaction.
  func create(tables: String) throws(StoreError)
  /// Changes the tables of an older store, inside the caller's transaction.
  func migrate(_ statements: String, to version: Int) throws(StoreError)
  /// The schema's version now.
  func schemaVersion() throws(StoreError) -> Int

  /// Commits what `body` did when it returns, and takes it back if it throws.
  /// - Throws: `StoreError`, and what `body` throws.
  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T
  /// Runs `body` as a part of the transaction: what it did is taken back if it throws, and the rest may go on.
  /// - Throws: `StoreError`, and what `body` throws.
  func savepoint<T>(_ body: () throws -> T) throws -> T
}

package enum TransactionKind {
  /// Reads one state; takes no lock that a writer waits for.
  case deferred
  /// The lab's only writer from its begin to its end.
  case immediate
}

/// The tables whose rows have numbers that are never used again, so that undo can give a row its old one back.
package enum NumberedTable: Int, CaseIterable {
  case item, journal, trace
}

/// What distinguishes two states of a store.
package struct ChangeMark: Hashable, Sendable {
  let others, own: Int

  package init(others: Int, own: Int) { (self.others, self.own) = (others, own) }
}
