import Essentials
import SSOKeychain

/// A transaction that `WorldStore.read` and `write` pass to their closure.
///
/// It gives access to documents, keychain items, and traces. It is valid only inside the closure; afterwards,
/// every call throws.
package final class StoreTransaction {
  let store: WorldStore
  package let journal: TransactionJournal
  let isWritable: Bool
  private var connection: StoreConnection?
  private var cacheSize = WorldStore.cacheSize
  /// The documents that were read so far, or `nil` if each is read from the database each time.
  var documentsRead: DocumentsRead?

  /// Creates a transaction.
  ///
  /// `lacksAuthors` means that the schema does not have authors. The first write migrates it.
  init(
    _ connection: StoreConnection, store: WorldStore, entry: JournalEntry?, writable: Bool, lacksAuthors: Bool
  ) {
    self.connection = connection
    self.store = store
    isWritable = writable
    journal = TransactionJournal(connection, entry: entry, user: store.user, lacksAuthors: lacksAuthors)
  }

  /// The journal entry to record if a row changes.
  ///
  /// Its text may be set until then.
  package var entry: JournalEntry? {
    get { journal.entry }
    set { journal.entry = newValue }
  }

  /// The user of the store.
  package var user: StoreUser? { store.user }

  /// Returns the keychain items of one device, for the keychain.
  package func credentials(device: String) -> any CredentialStore {
    DeviceCredentials(device: device, in: self)
  }

  /// Returns the keychain items of one device, for lists and counts.
  package func items(ofDevice device: String) -> DeviceItems {
    DeviceItems(device: device, transaction: self)
  }

  /// Returns the connection, for reading.
  func reading() throws(StoreError) -> StoreConnection {
    guard let connection else {
      throw .other(path: store.name, message: "a transaction was used after its closure")
    }
    return connection
  }

  /// Returns the connection, for writing.
  func writing() throws(StoreError) -> StoreConnection {
    guard isWritable else { throw .other(path: store.name, message: "a write inside a read") }
    return try reading()
  }

  /// Runs `body` as a part of this transaction.
  ///
  /// If it throws, only this part is rolled back, and the transaction may continue.
  ///
  /// - Throws: The error of `body`; `StoreError` in a transaction with a journal entry, whose records would
  ///   remain.
  package func part<T>(_ body: () throws -> T) throws -> T {
    guard entry == nil else {
      throw StoreError.other(path: store.name, message: "a part of an entry cannot be taken back")
    }
    do { return try writing().savepoint(body) } catch {
      if documentsRead != nil { rememberDocuments() }
      throw error
    }
  }

  /// Remembers from now on each document that is read, for a transaction of many parts that read the same ones.
  ///
  /// No other process writes in the meantime, and this one changes documents only by the functions of `DocumentStore`.
  package func rememberDocuments() { documentsRead = DocumentsRead() }

  func seal(_ plain: Data, _ row: RowKey) throws -> Data { try store.seal.seal(plain, for: row.encoded) }

  /// Opens a sealed value.
  ///
  /// - Throws: `damaged` if the value does not open. Since the store's key is right, it was changed or sealed
  ///   for another row.
  func open(_ sealed: Data, _ row: RowKey) throws(StoreError) -> Data {
    do { return try store.seal.open(sealed, for: row.encoded) } catch {
      throw .damaged(
        path: store.name, row: "", message: "a sealed value that was changed or belongs to another row")
    }
  }

  /// Lets the database keep 64 MB of changed pages in memory instead of 8 until the end of the transaction.
  ///
  /// Otherwise, an import would write the same index pages to the log again and again.
  package func expectManyRows() throws {
    cacheSize = 64_000
    try writing().engine.setPageCache(kibibytes: cacheSize)
  }

  /// Runs `body` with another size of the page cache.
  func withPageCache(kibibytes: Int, _ body: (StoreConnection) throws -> Void) throws {
    let connection = try reading()
    try connection.engine.setPageCache(kibibytes: kibibytes)
    defer { try? connection.engine.setPageCache(kibibytes: cacheSize) }
    try body(connection)
  }

  /// Ends the transaction, after which every call throws.
  func end() {
    if cacheSize != WorldStore.cacheSize {
      try? connection?.engine.setPageCache(kibibytes: WorldStore.cacheSize)
    }
    connection = nil
  }
}
