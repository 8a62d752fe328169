import Essentials
import SSOCore

/// The database that all ssoterm processes share: documents, keychain items, the journal, and the traces.
///
/// It has one connection, which one thread at a time uses; calls from several threads wait for each other.
/// The closures of `read` and `write` must not call the store again; such a call throws. Throws `StoreError`
/// for the database's errors, and the error of a closure.
package final class WorldStore: Sendable {
  /// The location of a store.
  package enum Location: Hashable, Sendable {
    /// The database file, whose key is `<path>.key`.
    case file(path: String)
    /// A store that exists only as long as the object, for temporary demos and tests.
    ///
    /// It runs the same code.
    case memory
    /// A team's lab in PostgreSQL.
    case server(LabAddress)

    /// The name for users and error messages: the database file, or a lab's address without its password.
    package var name: String {
      switch self {
      case .file(let path): path
      case .memory: ":memory:"
      case .server(let address): address.name
      }
    }

    package var isServer: Bool { if case .server = self { true } else { false } }

    /// The name with which another program opens the same store.
    ///
    /// A server's may contain a password.
    package var full: String {
      if case .server(let address) = self { address.full } else { name }
    }
  }

  package let location: Location
  /// The path prefix of the store's files, such as `<this>.key`, or `nil` in memory.
  package let filesBeside: String?
  /// The reason that the server allows this user only to read, or `nil` if it does not restrict the user.
  package let onlyReads: ReadOnlyReason?
  package let risks: LabRisks
  let seal: Seal
  let decoded = DecodedDocuments()
  let news: StoreEventReporter
  /// Whether the store contained any document when it was opened, that is, it was created and filled earlier.
  package let wasFilled: Bool
  /// The version of the schema when the store was opened.
  ///
  /// The first write migrates an older one.
  private let version: Int
  /// The user of the store, or `nil` if changes do not have an author and all count as the user's own.
  package let user: StoreUser?
  /// The connection, which only the thread that holds `lock` may use.
  private nonisolated(unsafe) let connection: StoreConnection
  /// A recursive lock, so that a call from inside a closure gets SQLite's error instead of a deadlock.
  private let lock = RecursiveLock()
  /// The stamp of a file that is read without its log, because SQLite then does not detect changes.
  private let stamp: FileStamp?
  /// The queue of writers, or `nil` in memory.
  private let queue: WriterQueue?
  /// The identity of the opened file, or `nil` in memory and with a stamp.
  private let file: FileIdentity?

  init(
    _ location: Location, connection: sending StoreConnection, _ opened: Opened, stamp: FileStamp? = nil,
    file: FileIdentity? = nil, onlyReads: ReadOnlyReason? = nil, risks: LabRisks = LabRisks(),
    filesBeside: String? = nil,
    news: StoreEventReporter = StoreEventReporter(), user: StoreUser? = nil
  ) {
    self.user = user
    self.news = news
    self.file = file
    self.location = location
    self.onlyReads = onlyReads
    self.risks = risks
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

  /// The page cache of a connection in KiB.
  static let cacheSize = 8000

  /// The name of this store in error messages.
  var name: String { location.name }

  /// The database file, or a team's lab without its password, or `nil` in memory.
  package var path: String? { location == .memory ? nil : location.name }

  /// Reads a consistent state: other processes' commits are not visible in part or between two reads.
  ///
  /// The transaction is valid only inside `body`. Writing through it throws.
  package func read<T>(_ body: (StoreTransaction) throws -> T) throws -> T {
    try transaction(.deferred, writable: false, entry: nil, body)
  }

  /// Runs `body` as one transaction, during which no other process can write.
  ///
  /// The changes are durable when it returns.
  ///
  /// If `body` throws, nothing is written. If `entry` is given and rows changed, the journal gets the entry
  /// with the earlier image of each changed row, and undone changes can no longer be redone. Without `entry`
  /// nothing is recorded, and the change cannot be undone.
  ///
  /// If `isFlushed` is false, the changes survive the end of this process, but not a power failure before ``flush()``.
  package func write<T>(
    _ entry: JournalEntry?, isFlushed: Bool = true, _ body: (StoreTransaction) throws -> T
  ) throws -> T {
    try transaction(.immediate, writable: true, entry: entry, isFlushed: isFlushed, body)
  }

  /// Waits until every commit of this process is on the disk.
  ///
  /// Other threads can use the store in the meantime.
  package func flush() throws(StoreError) {
    guard case .file(let path) = location else { return }
    do throws(SystemError) { try flushFile(path + "-wal") } catch {
      throw StoreError(errno: error.code, path: path)
    }
  }

  /// Repeats an attempt once if the connection to a server was lost during it, in which case nothing was
  /// written.
  ///
  /// The attempt must not leave anything outside the store that affects a second attempt.
  package func again<T>(_ attempt: () throws -> T) throws -> T {
    do { return try attempt() } catch let error as StoreError where error.isLostConnection {
      return try attempt()
    }
  }

  /// Sets the listener for the store's events, which is called on the thread that called the store.
  package func listen(_ listener: (@Sendable (StoreEvent) -> Void)?) { news.setListener(listener) }

  /// A mark that changes with every commit, of this process or another.
  package var changeMark: ChangeMark {
    get throws {
      try checkStillThere()
      return try locked { try $0.engine.changeMark() }
    }
  }

  /// Checks that the file still exists.
  ///
  /// SQLite would continue with a file that no other process can find, and everything would be lost at the
  /// end.
  private func checkStillThere() throws(StoreError) {
    guard case .file(let path) = location else { return }
    if let stamp {
      guard FileStamp(restingAt: path) == stamp else { throw .changed(path: path) }
    } else {
      guard StoreFile(path: path).identity == file else { throw .gone(path: path) }
    }
  }

  private func transaction<T>(
    _ kind: TransactionKind, writable: Bool, entry: JournalEntry?, isFlushed: Bool = true,
    _ body: (StoreTransaction) throws -> T
  ) throws -> T {
    try checkStillThere()
    return try locked { connection in
      // SQLite rejects a transaction inside another one.
      let turn = writable && !connection.isInTransaction ? try queue?.enter { news.report(.waits) } : nil
      defer { if let turn { queue?.leave(turn) } }
      var open: StoreTransaction?
      defer { open?.end() }
      if turn != nil { try connection.engine.setFlushing(isFlushed) }
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

  /// Runs `body` with the connection, which no other thread can use in the meantime.
  func locked<T>(_ body: (StoreConnection) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(connection)
  }

  /// The maximum size of a write-ahead log to leave to the next process, which reads it when it opens the
  /// store.
  private static let logLimit = 512 * 1024

  /// Keeps the connection open until the process ends, for a process that makes one short call.
  ///
  /// A commit is durable in the write-ahead log. Closing the last connection copies the log into the database
  /// and deletes it, and the next process creates a new one: four more flushes to disk than the commit needs.
  /// So a small log is left to the next process that closes the store.
  package func staysOpenToTheEnd() {
    guard case .file(let path) = location else { return }
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size <= Self.logLimit else { return }
    locked { _ = Unmanaged.passRetained($0) }
  }
}

extension WorldStore {
  /// Opens the store.
  ///
  /// If it does not exist, creates it if `create` allows it.
  ///
  /// Existing data is never erased or replaced. A read-only store is opened without its log, if no process
  /// has it open (`FileStamp`).
  ///
  /// - Parameters:
  ///   - location: A file, or a lab on a PostgreSQL server.
  ///   - create: Whether the store may be created.
  ///   - user: The user to record for changes.
  ///   - key: The key of a lab that is created as a copy, or `nil` for a new key.
  /// - Returns: The open store, with an up-to-date schema.
  /// - Throws: `missing` without `create`; `notADatabase`, `newerVersion`, `keyMissing`, `keyWrong`,
  ///   `readOnly`, `full`, `locked`.
  package static func open(
    _ location: Location, create: Bool, user: StoreUser? = nil, key: Data? = nil
  ) throws(StoreError) -> WorldStore {
    switch location {
    case .memory:
      let connection = try StoreConnection.open(.memory)
      try Schema.create(in: connection)
      return WorldStore(.memory, connection: connection, Opened(seal: .temporary()), user: user)
    case .server(let address): return try open(address, create: create, user: user, key: key)
    case .file(let path):
      let file = StoreFile(path: path)
      guard !file.isFolder else { throw .notADatabase(path: path) }
      if !file.holdsSomething {
        guard create else { throw .missing(path: path) }
        try file.create()
      }
      // Known before anything is read: another process that fails to create the store removes the file.
      let identity = file.identity
      do {
        let connection = try StoreConnection.open(.file(path: path))
        let opened = try Opened.prepare(connection, path: path, key: key)
        file.tightenModes()
        return WorldStore(.file(path: path), connection: connection, opened, file: identity, user: user)
      } catch {
        let refusal = error as? StoreError ?? .other(path: path, message: "\(error)")
        let store: WorldStore? =
          switch refusal {
          case .readOnly: try? openImmutable(path, user)
          case .full: try? openImmutable(path, user) ?? openAlone(path, user)
          default: nil
          }
        guard let store else { throw refusal }
        return store
      }
    }
  }

  /// Opens the file without `-wal` and `-shm`, which SQLite otherwise creates even to read.
  ///
  /// Returns `nil` if another process has the store open, because then the file may be incomplete.
  private static func openImmutable(_ path: String, _ user: StoreUser?) throws -> WorldStore? {
    guard let stamp = FileStamp(restingAt: path) else { return nil }
    let connection = try StoreConnection.open(.immutableFile(path: path))
    return WorldStore(
      .file(path: path), connection: connection, try Opened.prepare(connection, path: path), stamp: stamp,
      user: user)
  }

  /// Opens the file with the `-wal` of terminated processes.
  ///
  /// On a full disk there is no space for `-shm`.
  private static func openAlone(_ path: String, _ user: StoreUser?) throws -> WorldStore {
    let connection = try StoreConnection.open(.fileAlone(path: path))
    return WorldStore(
      .file(path: path), connection: connection, try Opened.prepare(connection, path: path),
      file: StoreFile(path: path).identity, user: user)
  }

  static let checkValue = Data("ssoterm".utf8)
}

extension StoreConnection {
  fileprivate static func open(_ location: SQLiteConnection.Location) throws(StoreError) -> StoreConnection {
    let connection = StoreConnection(try SQLiteConnection(location))
    try connection.run(script: "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
    try connection.engine.setPageCache(kibibytes: WorldStore.cacheSize)
    return connection
  }

  /// Turns on the write-ahead log, retrying if necessary.
  ///
  /// SQLite fails at once, without calling the busy handler, if another process is turning it on too, because
  /// each would wait for the other.
  fileprivate func turnOnWriteAheadLog() throws(StoreError) {
    var attempts = 0
    while true {
      do throws(StoreError) {
        return try run(script: "PRAGMA journal_mode = WAL")
      } catch {
        guard case .locked = error, SQLiteConnection.waits(before: attempts) else { throw error }
        attempts += 1
      }
    }
  }

  /// Returns the version of the schema, or `nil` if the database has no tables yet.
  ///
  /// - Throws: `notADatabase` if it contains another program's tables; `newerVersion`.
  fileprivate func schemaVersion(path: String) throws(StoreError) -> Int? {
    let version: Int = try value("PRAGMA user_version") ?? 0
    guard try value("PRAGMA application_id") == Schema.applicationID else {
      guard version == 0, try value("SELECT count(*) FROM sqlite_master") == 0 else {
        throw .notADatabase(path: path)
      }
      return nil
    }
    guard version <= Schema.version else {
      throw .newerVersion(path: path, found: version, known: Schema.version)
    }
    guard version > 0 else {
      throw .damaged(path: path, row: "header", message: "schema version \(version)")
    }
    return version
  }
}

/// The facts about a store that has been opened.
struct Opened {
  var seal: Seal
  /// Whether the store contained any document.
  var wasFilled = false
  var version = Schema.version
}

extension Opened {
  /// Checks that the database is a store, creates the tables in an empty database, and returns its seal and
  /// other facts.
  fileprivate static func prepare(
    _ connection: StoreConnection, path: String, key: Data? = nil
  ) throws -> Opened {
    if let opened = try read(connection, path: path) { return opened }
    try connection.turnOnWriteAheadLog()
    try connection.transaction(.immediate) {
      // Another process may have been faster.
      guard try connection.schemaVersion(path: path) == nil else { return }
      let seal = Seal(key: try KeyFile(store: path).readOrCreate(key))
      try Schema.create(in: connection)
      let value = try seal.seal(WorldStore.checkValue, for: RowKey.check.encoded)
      try connection.run("INSERT INTO meta(name, value) VALUES('check', ?)", [value])
    }
    guard let opened = try read(connection, path: path) else {
      throw StoreError.other(path: path, message: "no tables in it")
    }
    return opened
  }

  /// Reads the facts in one transaction, because a silent call opens the store each time.
  ///
  /// Returns `nil` if the database is empty.
  private static func read(_ connection: StoreConnection, path: String) throws -> Opened? {
    let found = try connection.transaction(.deferred) { () -> (filled: Int, check: Data?, version: Int)? in
      guard let version = try connection.schemaVersion(path: path) else { return nil }
      return try connection.first(
        "SELECT EXISTS(SELECT 1 FROM document), (SELECT value FROM meta WHERE name = 'check')"
      ) { row throws(StoreError) in
        do throws(StoreError) { return (try row[0], try row[1], version) } catch {
          throw error.naming("meta check")
        }
      }
    }
    guard let (filled, check, version) = found else { return nil }
    let seal = Seal(key: try KeyFile(store: path).read())
    guard let check, (try? seal.open(check, for: RowKey.check.encoded)) == WorldStore.checkValue else {
      throw StoreError.keyWrong(path: path)
    }
    return Opened(seal: seal, wasFilled: filled == 1, version: version)
  }
}
