import Foundation
import GRDB
import SSOKeychain

/// What `WorldStore.read` and `write` hand to their closure: documents, keychain items and traces in one
/// transaction. Valid only inside the closure: kept longer, every call throws.
package final class StoreTransaction {
  let store: WorldStore
  /// What goes into the journal if a row changes; its words may be set until then.
  package var entry: JournalEntry?
  private let writable: Bool
  private var database: Database?

  /// The entry's ID once a row has changed.
  var journalID: Int64?
  /// How many rows have changed, and in how many notes of the journal that is.
  var changeCount = 0
  var noteCount = 0
  /// Rows of items that were added last, one after the other, and are not noted yet.
  var newItems: ClosedRange<Int64>?
  private var hasLargeCache = false
  /// Traces appended before the entry had an ID.
  var tracesToLink: [Int64] = []

  init(_ database: Database, store: WorldStore, entry: JournalEntry?, writable: Bool) {
    self.database = database
    self.store = store
    self.entry = entry
    self.writable = writable
  }

  /// The keychain items of one device.
  package func credentials(device: String) -> any CredentialStore {
    DeviceCredentials(device: device, in: self)
  }

  /// The connection, for reading.
  func reading() throws -> Database {
    guard let database else {
      throw StoreError.other(path: store.name, message: "a transaction was used after its closure")
    }
    return database
  }

  /// The connection, for writing.
  func writing() throws -> Database {
    guard writable else { throw StoreError.other(path: store.name, message: "a write inside a read") }
    return try reading()
  }

  /// Runs `body` as a part of this transaction: if it throws, nothing of it is written, and the rest may go on.
  ///
  /// Only without an entry in the journal, whose notes would stay.
  package func part<T>(_ body: () throws -> T) throws -> T {
    guard entry == nil else {
      throw StoreError.other(path: store.name, message: "a part of an entry cannot be taken back")
    }
    var result: T?
    try writing().inSavepoint {
      result = try body()
      return .commit
    }
    guard let result else { throw StoreError.other(path: store.name, message: "the savepoint did not run") }
    return result
  }

  func seal(_ plain: Data, _ row: RowKey) throws -> Data { try store.seal.seal(plain, for: row.encoded) }

  /// - Throws: `keyWrong` if the value does not open: it was sealed with another key or for another row.
  func open(_ sealed: Data, _ row: RowKey) throws -> Data {
    do { return try store.seal.open(sealed, for: row.encoded) } catch {
      throw StoreError.keyWrong(path: store.name)
    }
  }

  /// Lets the database keep 64 MB of changed pages until the end of the transaction instead of 8: for an import,
  /// which would else write the same pages of the indexes to the log again and again.
  package func expectManyRows() throws {
    try writing().execute(sql: "PRAGMA cache_size = -64000")
    hasLargeCache = true
  }

  /// After this every call throws.
  func end() {
    if hasLargeCache { try? database?.execute(sql: "PRAGMA cache_size = -\(WorldStore.cacheSize)") }
    database = nil
  }
}
