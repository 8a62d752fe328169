import Foundation
import GRDB
import SSOCore

extension WorldStore {
  /// Opens the store, and makes it first if `create` allows it and there is none.
  ///
  /// A store of an earlier version is migrated. Nothing is ever wiped or made anew over something that is
  /// there.
  /// One that lies where it may only be read is opened as it stands, if no process has it open (`FileStamp`).
  /// - Throws: `missing` without `create`; `notADatabase`, `newerVersion`, `keyMissing`, `keyWrong`,
  ///   `readOnly`, `full`, `locked`.
  package static func open(_ location: Location, create: Bool) throws(StoreError) -> WorldStore {
    switch location {
    case .memory:
      do {
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.inDatabase { try Schema.migrate($0, from: 0) }
        return WorldStore(path: nil, queue: queue, seal: .throwaway(), wasFilled: false)
      } catch {
        throw StoreError(error, path: ":memory:")
      }
    case .file(let path):
      let file = StoreFile(path: path)
      guard !file.isFolder else { throw .notADatabase(path: path) }
      if !file.holdsSomething {
        guard create else { throw .missing(path: path) }
        try file.create()
      }
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let (seal, wasFilled) = try queue.inDatabase { db in try prepare(db, path: path) }
        file.tightenModes()
        return WorldStore(
          path: path, queue: queue, seal: seal, wasFilled: wasFilled, file: file.identity)
      } catch {
        let refusal = StoreError(error, path: path)
        guard case .readOnly = refusal, let store = try? openAsItStands(path) else { throw refusal }
        return store
      }
    }
  }

  /// Without `-wal` and `-shm`, which SQLite makes beside a database even to read it. Nil if another process has it
  /// open: then there may be more than the file.
  private static func openAsItStands(_ path: String) throws -> WorldStore? {
    guard let stamp = FileStamp(restingAt: path) else { return nil }
    var configuration = configuration
    configuration.readonly = true
    let address = path.split(separator: "/", omittingEmptySubsequences: false)
      .map { FormEncoding.percentEncode(String($0)) }.joined(separator: "/")
    let queue = try DatabaseQueue(path: "file:\(address)?immutable=1", configuration: configuration)
    let (seal, wasFilled) = try queue.inDatabase { db in try prepare(db, path: path) }
    return WorldStore(path: path, queue: queue, seal: seal, wasFilled: wasFilled, stamp: stamp)
  }

  /// Pages that a connection keeps, in KiB.
  static let cacheSize = 8000

  /// Waits 0.5 to 1.5 ms before an attempt (SQLite's own back-off sleeps up to 100 ms); false after some 10 s.
  private static func waits(before attempts: Int) -> Bool {
    usleep(500 + UInt32(truncatingIfNeeded: attempts &* 379 &+ Int(getpid())) % 1000)
    return attempts < 10_000
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .callback { waits(before: $0) }
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
      try db.execute(sql: "PRAGMA cache_size = -\(cacheSize)")
    }
    return configuration
  }

  /// Checks that the database is one of ours, brings it up to date, and returns its seal and whether it held
  /// any document.
  private static func prepare(_ db: Database, path: String) throws -> (seal: Seal, wasFilled: Bool) {
    if let opened = try opened(db, path: path) { return opened }
    try turnOnWriteAheadLog(db)
    try db.inTransaction(.immediate) {
      // Another process may have been quicker.
      let found = try version(db, path: path)
      if found == 0 {
        let seal = Seal(key: try KeyFile(store: path).readOrCreate())
        try Schema.migrate(db, from: 0)
        let row = RowKey.check.encoded
        let value = try seal.seal(checkValue, for: row)
        try db.execute(sql: "INSERT INTO meta(name, value) VALUES('check', ?)", arguments: [value])
      } else if found < Schema.version {
        try Schema.migrate(db, from: found)
      }
      return .commit
    }
    guard let opened = try opened(db, path: path) else {
      throw StoreError.other(path: path, message: "the schema is still that of an earlier version")
    }
    return opened
  }

  /// SQLite refuses at once, without asking the busy handler, when another process is turning it on as well: each would
  /// wait for the other.
  private static func turnOnWriteAheadLog(_ db: Database) throws {
    var attempts = 0
    while true {
      do {
        return try db.execute(sql: "PRAGMA journal_mode = WAL")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && waits(before: attempts) {
        attempts += 1
      }
    }
  }

  /// What opening has to know, read in one transaction: a silent call opens the store each time. Nil if the
  /// schema is of an earlier version.
  private static func opened(_ db: Database, path: String) throws -> (seal: Seal, wasFilled: Bool)? {
    var row: Row?
    try db.inTransaction(.deferred) {
      guard try version(db, path: path) == Schema.version else { return .commit }
      row = try Row.fetchOne(
        db, sql: "SELECT EXISTS(SELECT 1 FROM document), (SELECT value FROM meta WHERE name = 'check')")
      return .commit
    }
    guard let row else { return nil }
    let seal = Seal(key: try KeyFile(store: path).read())
    let check: Data? = row[1]
    guard let check, (try? seal.open(check, for: RowKey.check.encoded)) == checkValue else {
      throw StoreError.keyWrong(path: path)
    }
    return (seal, row[0])
  }

  private static let checkValue = Data("ssoterm".utf8)

  /// The schema version of a store; 0 for an empty database.
  private static func version(_ db: Database, path: String) throws -> Int {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let applicationID = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let isEmpty =
      try applicationID == 0 && found == 0
      && Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
    guard applicationID == Schema.applicationID || isEmpty else { throw StoreError.notADatabase(path: path) }
    guard found <= Schema.version else {
      throw StoreError.newerVersion(path: path, found: found, known: Schema.version)
    }
    return found
  }
}
