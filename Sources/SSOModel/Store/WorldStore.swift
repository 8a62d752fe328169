import Essentials

/// The database that all ssoterm processes share: documents, keychain items, the journal and the traces.
///
/// One connection, used by one thread at a time; calls from several threads wait for each other. The closures
/// of `read` and `write` must not call the store again: that throws. Throws `StoreError` for the database's
/// errors, and what a closure throws.
package final class WorldStore: Sendable {
  /// Where a store is.
  package enum Location: Hashable, Sendable {
    /// The database; its key is `<path>.key`.
    case file(path: String)
    /// Gone with the object: temporary demos and tests, over the same code.
    case memory
    /// A team's lab in PostgreSQL.
    case server(LabAddress)

    /// How people and errors call it: the database file, or a lab's address without password.
    package var name: String {
      switch self {
      case .file(let path): path
      case .memory: ":memory:"
      case .server(let address): address.name
      }
    }

    package var isServer: Bool { if case .server = self { true } else { false } }

    /// What another program opens the same store by; a server's may hold a password.
    package var full: String {
      if case .server(let address) = self { address.full } else { name }
    }
  }

  package let location: Location
  /// The start of the paths of the files that belong to the store: `<this>.key`; nil in memory.
  package let filesBeside: String?
  /// Why the server lets this person only read; nil: it does not say so.
  package let onlyReads: ReadingOnly?
  let seal: Seal
  let decoded = DecodedDocuments()
  let news: StoreNewsReporter
  /// Whether there was any document when the store was opened: it was made earlier and filled.
  package let wasFilled: Bool
  /// The schema's version when the store was opened: the first write brings an older one up to date.
  private let version: Int
  /// Who uses it; nil: changes have no author, and all are one's own.
  package let user: StoreUser?
  /// Only the thread that holds `lock` uses it.
  private nonisolated(unsafe) let connection: StoreConnection
  /// Recursive, so that a call from inside a closure gets SQLite's error and does not wait for itself.
  private let lock = RecursiveLock()
  /// Set if the file is read as it is: SQLite then notices no change of it.
  private let stamp: FileStamp?
  /// Nil in memory.
  private let queue: WriterQueue?
  /// The file that was opened; nil in memory, and with a stamp.
  private let file: FileIdentity?

  init(
    _ location: Location, connection: sending StoreConnection, _ opened: Opened, stamp: FileStamp? = nil,
    file: FileIdentity? = nil, onlyReads: ReadingOnly? = nil, filesBeside: String? = nil,
    news: StoreNewsReporter = StoreNewsReporter(), user: StoreUser? = nil
  ) {
    self.user = user
    self.news = news
    self.file = file
    self.location = location
    self.onlyReads = onlyReads
    if case .file(let path) = location {
      queue = WriterQueue(store: path)
      self.filesBeside = path
    } else {
      queue = nil
      self.filesBeside = filesBeside
    }
    self.connection = connection
    seal = opened.seal
    wasFilled = opened.wasFilled
    version = opened.version
    self.stamp = stamp
  }

  /// Pages that a connection keeps, in KiB.
  static let cacheSize = 8000

  /// How errors call this store.
  var name: String { location.name }

  /// The database file, or a team's lab as people read it, without password; nil in memory.
  package var path: String? { location == .memory ? nil : location.name }

  /// Reads a consistent state: no other process's commit is seen in part, and none between two reads.
  ///
  /// The transaction is valid only inside `body`; writing through it throws.
  package func read<T>(_ body: (StoreTransaction) throws -> T) throws -> T {
    try transaction(.deferred, writable: false, entry: nil, body)
  }

  /// Runs `body` as one transaction that no other process can write beside; durable when it returns.
  ///
  /// If `body` throws, nothing is written. If `entry` is given and rows changed, it goes into the journal
  /// with the before-image of each changed row, and what had been undone can no longer be redone. Without
  /// `entry` nothing is recorded, and the change cannot be undone.
  package func write<T>(_ entry: JournalEntry?, _ body: (StoreTransaction) throws -> T) throws -> T {
    try transaction(.immediate, writable: true, entry: entry, body)
  }

  /// Makes an attempt again, once, if the connection to a server was lost in it: nothing of it was written then.
  ///
  /// The attempt leaves nothing outside of the store that a second one would meet.
  package func again<T>(_ attempt: () throws -> T) throws -> T {
    do { return try attempt() } catch let error as StoreError where error.isLostConnection {
      return try attempt()
    }
  }

  /// Has the store's news handed to `listener`, on the thread that called the store.
  package func listen(_ listener: (@Sendable (StoreNews) -> Void)?) { news.setListener(listener) }

  /// Differs as soon as something was committed, by this process or another one.
  package var changeMark: ChangeMark {
    get throws {
      try checkStillThere()
      return try locked { try $0.engine.changeMark() }
    }
  }

  /// SQLite would go on with a file that no other process can find, and all would be lost at the end.
  private func checkStillThere() throws(StoreError) {
    guard case .file(let path) = location else { return }
    if let stamp {
      guard FileStamp(restingAt: path) == stamp else { throw .changed(path: path) }
    } else {
      guard StoreFile(path: path).identity == file else { throw .gone(path: path) }
    }
  }

  private func transaction<T>(
    _ kind: TransactionKind, writable: Bool, entry: JournalEntry?,
    _ body: (StoreTransaction) throws -> T
  ) throws -> T {
    try checkStillThere()
    return try locked { connection in
      // Inside of another transaction SQLite refuses this one.
      let turn = writable && !connection.isInTransaction ? try queue?.enter { news.report(.waits) } : nil
      defer { if let turn { queue?.leave(turn) } }
      var open: StoreTransaction?
      defer { open?.end() }
      return try connection.transaction(kind) {
        if writable { try Schema.migrate(connection, from: version) }
        let transaction = StoreTransaction(
          connection, store: self, entry: entry, writable: writable,
          lacksAuthors: try Schema.lacksAuthors(connection, opened: version))
        open = transaction
        let result = try body(transaction)
        try transaction.journal.finish()
        return result
      }
    }
  }

  /// Runs `body` with the connection, which no other thread uses meanwhile.
  func locked<T>(_ body: (StoreConnection) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(connection)
  }

  /// How large a write-ahead log may be left to the next process, which reads it when it opens the store.
  private static let logLimit = 512 * 1024

  /// Keeps the connection open until the process ends, for a process that makes one short call.
  ///
  /// A commit is durable in the write-ahead log. Closing the last connection copies the log into the database
  /// and deletes it, and the next process makes a new one: four more flushes to the disk than the commit needs.
  /// So the log is left, as long as it is small; what closes the store next folds it in.
  package func staysOpenToTheEnd() {
    guard case .file(let path) = location else { return }
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size <= Self.logLimit else { return }
    locked { _ = Unmanaged.passRetained($0) }
  }
}
