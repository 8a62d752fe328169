import Essentials

/// What `WorldStore.read` and `write` hand to their closure.
///
/// Documents, keychain items and traces in one transaction. Valid only inside the closure: kept longer, every call throws.
package final class StoreTransaction {
  let store: WorldStore
  package let journal: TransactionJournal
  let isWritable: Bool
  private var connection: StoreConnection?
  private var cacheSize = WorldStore.cacheSize

  /// `lacksAuthors` says that the store is of a schema without authors: the first write brings it up to date.
  init(
    _ connection: StoreConnection, store: WorldStore, entry: JournalEntry?, writable: Bool, lacksAuthors: Bool
  ) {
    self.connection = connection
    self.store = store
    isWritable = writable
    journal = TransactionJournal(connection, entry: entry, user: store.user, lacksAuthors: lacksAuthors)
  }

  /// What goes into the journal if a row changes; its words may be set until then.
  package var entry: JournalEntry? {
    get { journal.entry }
    set { journal.entry = newValue }
  }

  /// Who uses the store.
  package var user: StoreUser? { store.user }

  /// The keychain items of one device, as the keychain asks for them.
  package func credentials(device: String) -> any CredentialStore {
    DeviceCredentials(device: device, in: self)
  }

  /// The keychain items of one device, for lists and counts.
  package func items(ofDevice device: String) -> DeviceItems {
    DeviceItems(device: device, transaction: self)
  }

  /// The connection, for reading.
  func reading() throws(StoreError) -> StoreConnection {
    guard let connection else {
      throw .other(path: store.name, message: "a transaction was used after its closure")
    }
    return connection
  }

  /// The connection, for writing.
  func writing() throws(StoreError) -> StoreConnection {
    guard isWritable else { throw .other(path: store.name, message: "a write inside a read") }
    return try reading()
  }

  /// Runs `body` as a part of this transaction: if it throws, nothing of it is written, and the rest may go on.
  ///
  /// - Throws: what `body` throws; `StoreError` in a transaction with an entry in the journal, whose notes would stay.
  package func part<T>(_ body: () throws -> T) throws -> T {
    guard entry == nil else {
      throw StoreError.other(path: store.name, message: "a part of an entry cannot be taken back")
    }
    return try writing().savepoint(body)
  }

  func seal(_ plain: Data, _ row: RowKey) throws -> Data { try store.seal.seal(plain, for: row.encoded) }

  /// - Throws: `damaged` if the value does not open: the store's key fits, so it was changed, or sealed for another row.
  func open(_ sealed: Data, _ row: RowKey) throws(StoreError) -> Data {
    do { return try store.seal.open(sealed, for: row.encoded) } catch {
      throw .damaged(
        path: store.name, row: "", message: "a sealed value that was changed or belongs to another row")
    }
  }

  /// Lets the database keep 64 MB of changed pages until the end of the transaction instead of 8: for an import,
  /// which would else write the same pages of the indexes to the log again and again.
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

  /// After this every call throws.
  func end() {
    if cacheSize != WorldStore.cacheSize {
      try? connection?.engine.setPageCache(kibibytes: WorldStore.cacheSize)
    }
    connection = nil
  }
}
