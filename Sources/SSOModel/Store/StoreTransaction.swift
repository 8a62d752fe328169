public import Foundation
internal import GRDB

/// What `WorldStore.read` and `write` hand to their closure: documents, keychain items and traces in one
/// transaction. Valid only inside the closure: kept longer, every call throws.
public final class StoreTransaction: DocumentStore {
  let store: WorldStore
  /// What goes into the journal if a row changes; its words may be set until then.
  var entry: JournalEntry?
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
  public func credentials(device: String) -> any CredentialStore {
    DeviceCredentials(device: device, in: self)
  }

  public func document(_ kind: DocumentKind, _ key: String) throws -> Data? {
    let stored = try sealedDocument(kind.rawValue, key)
    return try stored.map { try open($0, .document(kind: kind.rawValue, key: key)) }
  }

  public func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)] {
    let prefix = keyPrefix.storedText
    let statement = try reading().cachedStatement(
      sql: "SELECT key, sealed FROM document WHERE kind = ? AND key >= ? AND key < ? ORDER BY key")
    let end = prefix + "\u{10FFFF}\u{10FFFF}"
    return try Row.fetchAll(statement, arguments: [kind.rawValue, prefix, end]).map { try opened($0, kind) }
  }

  public func documents(_ kind: DocumentKind, after key: String, limit: Int) throws -> [(
    key: String, body: Data
  )] {
    let statement = try reading().cachedStatement(
      sql: "SELECT key, sealed FROM document WHERE kind = ? AND key > ? ORDER BY key LIMIT ?")
    return try Row.fetchAll(statement, arguments: [kind.rawValue, key.storedText, limit])
      .map { try opened($0, kind) }
  }

  /// A row of key and sealed body.
  private func opened(_ row: Row, _ kind: DocumentKind) throws -> (key: String, body: Data) {
    let key = String(storedText: row[0])
    return (key, try open(row[1], .document(kind: kind.rawValue, key: key)))
  }

  /// Writes the document. Bytes that are there already are no change.
  public func put(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    let database = try writing()
    let row = RowKey.document(kind: kind.rawValue, key: key)
    if entry != nil {
      let before = try sealedDocument(kind.rawValue, key)
      if let before, try open(before, row) == body { return }
      try record(row, before: before)
    }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO document(kind, key, sealed) VALUES(?, ?, ?)")
      .execute(arguments: [kind.rawValue, key.storedText, seal(body, row)])
  }

  public func delete(_ kind: DocumentKind, _ key: String) throws {
    let database = try writing()
    if entry != nil {
      guard let before = try sealedDocument(kind.rawValue, key) else { return }
      try record(.document(kind: kind.rawValue, key: key), before: before)
    }
    try database.cachedStatement(sql: "DELETE FROM document WHERE kind = ? AND key = ?")
      .execute(arguments: [kind.rawValue, key.storedText])
  }

  func sealedDocument(_ kind: String, _ key: String) throws -> Data? {
    let statement = try reading().cachedStatement(
      sql: "SELECT sealed FROM document WHERE kind = ? AND key = ?")
    return try Data.fetchOne(statement, arguments: [kind, key.storedText])
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

  func seal(_ plain: Data, _ row: RowKey) throws -> Data { try store.seal.seal(plain, for: row.encoded) }

  /// - Throws: `keyWrong` if the value does not open: it was sealed with another key or for another row.
  func open(_ sealed: Data, _ row: RowKey) throws -> Data {
    do { return try store.seal.open(sealed, for: row.encoded) } catch {
      throw StoreError.keyWrong(path: store.name)
    }
  }

  /// Lets the database keep 64 MB of changed pages until the end of the transaction instead of 8: for an import,
  /// which would else write the same pages of the indexes to the log again and again.
  func expectManyRows() throws {
    try writing().execute(sql: "PRAGMA cache_size = -64000")
    hasLargeCache = true
  }

  /// After this every call throws.
  func end() {
    if hasLargeCache { try? database?.execute(sql: "PRAGMA cache_size = -\(WorldStore.cacheSize)") }
    database = nil
  }
}
