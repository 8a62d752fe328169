import Essentials

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
      do {
        let connection = try StoreConnection.open(.file(path: path))
        let opened = try Opened.prepare(connection, path: path, key: key)
        file.tightenModes()
        return WorldStore(.file(path: path), connection: connection, opened, file: file.identity, user: user)
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
