import Essentials
import SSOCore

/// The labs in the same place: the stores in a folder, or the labs of a database.
package enum Labs {
  /// A lab in the list.
  package struct Listed: Sendable {
    package var name: String
    package var location: WorldStore.Location
    /// Whether this user has the lab's key.
    package var hasKey: Bool
  }

  /// Returns the labs in the same place as `location`, sorted by name.
  package static func beside(_ location: WorldStore.Location) throws(StoreError) -> [Listed] {
    switch location {
    case .memory: return []
    case .server(let address): return try onServer(address)
    case .file(let path):
      let folder = path.parentFolder
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
      return files.filter { $0.hasSuffix(suffix) }.sorted().compactMap { file in
        let path = (folder.isEmpty ? "" : folder + "/") + file
        guard isStore(path) else { return nil }
        return Listed(
          name: String(file.dropLast(suffix.count)), location: .file(path: path),
          hasKey: fileExists(path + ".key"))
      }
    }
  }

  private static let suffix = ".sqlite"

  /// Returns whether a file is a store, from SQLite's header, without opening it as a database
  /// (https://sqlite.org/fileformat.html#the_database_header).
  private static func isStore(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var header = [UInt8](repeating: 0, count: 72)
    guard read(file, &header, header.count) == header.count else { return false }
    guard header.starts(with: Array("SQLite format 3\0".utf8)) else { return false }
    // The mark of a new store is only in `-wal` at first, but its key exists before.
    return header[68..<72].reduce(0) { $0 << 8 | Int($1) } == Schema.applicationID
      || fileExists(path + ".key")
  }

  private static func onServer(_ address: LabAddress) throws(StoreError) -> [Listed] {
    var found: [Listed] = []
    for name in try address.connect().labNames() {
      guard let place = try? address.with(lab: name), let lab = try? place.connect().foundLab() else {
        continue
      }
      found.append(
        Listed(name: name, location: .server(place), hasKey: fileExists(lab.filesBeside(place) + ".key")))
    }
    return found
  }

  /// Returns the location of a lab in the same place as another one.
  ///
  /// - Throws: `badName` for a name with characters other than lowercase letters, digits, `_` and `-`.
  package static func place(named name: String, beside location: WorldStore.Location) throws(StoreError)
    -> WorldStore.Location
  {
    switch location {
    case .server(let address): return .server(try address.with(lab: name))
    case .memory, .file:
      guard LabAddress.isName(name) else { throw .badName(name) }
      let folder = location.name.parentFolder
      return .file(path: (folder.isEmpty ? "" : folder + "/") + name + suffix)
    }
  }

  /// Returns whether something exists at the location for a new lab: a lab, a file, or an orphaned key.
  package static func exists(_ location: WorldStore.Location) throws(StoreError) -> Bool {
    switch location {
    case .memory: false
    case .file(let path): fileExists(path) || fileExists(path + ".key")
    case .server(let address): try address.connect().hasLab()
    }
  }

  /// Returns whether a store at the location was never filled, because the process that created it was killed.
  package static func isUnfinished(_ location: WorldStore.Location) -> Bool {
    guard case .file(let path) = location, fileExists(path) else { return false }
    do throws(StoreError) { return try !WorldStore.open(location, create: false).wasFilled } catch {
      if case .missing = error { return true }
      return false
    }
  }

  /// Returns the path prefix of a lab's files, or `nil` if it does not have files, such as a lab that is not in its
  /// database.
  ///
  /// - Throws: `server`, because the files are named after the lab's ID, which only its database contains.
  package static func filesBeside(_ location: WorldStore.Location) throws(StoreError) -> String? {
    switch location {
    case .memory: nil
    case .file(let path): path
    case .server(let address): try address.connect().foundLab()?.filesBeside(address)
    }
  }

  /// Runs `body`, which creates a lab, and removes the files that it made if it fails.
  ///
  /// A store that another process has open, or that contains a lab, is left unchanged. So is a file or a key that was
  /// there before. A lab on a server is left to its database.
  ///
  /// - Throws: the error of `body`.
  package static func cleaningUp<T>(at location: WorldStore.Location, _ body: () throws -> T) throws -> T {
    guard case .file(let path) = location, !fileExists(path) else { return try body() }
    let hadKey = fileExists(path + ".key")
    do { return try body() } catch {
      try? removeUnfilled(path, withKey: !hadKey)
      throw error
    }
  }

  /// Removes a store without a lab, which is not open in another process.
  private static func removeUnfilled(_ path: String, withKey: Bool) throws {
    let endings = ["", "-wal", "-shm", "-journal"] + (withKey ? [".key"] : [])
    guard StoreFile(path: path).holdsSomething else {
      // SQLite would write to an empty file before it locks it. The bytes are those of all its locks
      // (https://sqlite.org/src/doc/trunk/src/os.h, PENDING_BYTE).
      let file = try openPrivateFile(path, .present)
      defer { close(file) }
      var lock = flock()
      (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (
        Int16(F_WRLCK), Int16(SEEK_SET), 0x4000_0000, 512
      )
      guard fcntl(file, F_SETLK, &lock) == 0, !StoreFile(path: path).holdsSomething else { return }
      for ending in endings { unlink(path + ending) }
      return
    }
    // In this mode, a transaction needs exclusive access to the entire file, but no disk space.
    let connection = StoreConnection(try SQLiteConnection(.fileAlone(path: path)))
    try connection.run(script: "PRAGMA busy_timeout = 0")
    try connection.transaction(.immediate) {
      let hasTables = try connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'document'") == 1
      guard try !hasTables || connection.value("SELECT count(*) FROM document") == 0 else { return }
      for ending in endings { unlink(path + ending) }
    }
  }

  /// Removes a lab with all its data, including this user's key.
  ///
  /// This cannot be undone.
  package static func remove(_ location: WorldStore.Location) throws(StoreError) {
    switch location {
    case .memory: return
    case .file(let path):
      guard isStore(path) || !StoreFile(path: path).holdsSomething else { throw .notADatabase(path: path) }
      guard unlink(path) == 0 || errno == ENOENT else { throw StoreError(errno: errno, path: path) }
      for file in ["-wal", "-shm", ".key", ".ca.pem"] { unlink(path + file) }
    case .server(let address):
      let connection = try address.connect()
      let lab = try connection.foundLab()
      try connection.removeLab()
      guard let files = lab?.filesBeside(address) else { return }
      for file in [".key", ".ca.pem", FoundLab.branchSuffix] { unlink(files + file) }
    }
  }
}

/// A complete copy of a lab in the same or another kind of database: items, documents, journal, and traces,
/// with their row numbers.
///
/// Sealed values are copied unchanged, so the copy has the same key. The journal's images are sealed too, and a damaged
/// row is copied instead of lost.
package enum LabCopy {
  /// The number of rows that one statement inserts.
  ///
  /// `page` is the number that one query reads.
  private static let batch = 50
  private static let page = 1000

  /// Creates the copy.
  ///
  /// - Throws: `exists` if the location is not empty. If the copy fails, everything created so far is
  ///   removed.
  package static func make(of source: WorldStore, at location: WorldStore.Location) throws {
    guard try !Labs.exists(location) else { throw StoreError.exists(path: location.name) }
    let key = try LabKey.read(of: source)
    // Migrate an older store first, so that it has the current columns.
    if source.onlyReads == nil { try? source.write(nil) { _ in } }
    do {
      let target = try WorldStore.open(location, create: true, key: key)
      guard try LabKey.read(of: target) == key else { throw StoreError.keyWrong(path: location.name) }
      try source.read { from in
        try target.write(nil) { to in
          let (from, to) = (try from.reading(), try to.writing())
          for table in CopiedTable.all { try table.copy(from, to) }
          try to.engine.setLastRowIDs(try from.engine.lastRowIDs())
        }
      }
    } catch {
      try? Labs.remove(location)
      throw error
    }
  }

  /// A table whose rows are copied.
  struct CopiedTable {
    enum Kind { case text, integer, bytes }

    var name: String
    var columns: [(name: String, kind: Kind)]
    /// The number of leading columns that form the primary key.
    var keyLength = 1

    static let all = [
      CopiedTable(
        name: "item",
        columns: [
          ("id", .integer), ("device", .text), ("access_group", .text), ("class", .text), ("account", .text),
          ("service", .text), ("generic", .bytes), ("type", .integer), ("label", .text), ("sealed", .bytes),
          ("created_at", .integer), ("modified_at", .integer),
        ]),
      CopiedTable(
        name: "document", columns: [("kind", .text), ("key", .text), ("sealed", .bytes)], keyLength: 2),
      CopiedTable(
        name: "journal",
        columns: [
          ("id", .integer), ("intent", .text), ("at", .integer), ("kind", .text), ("reverses", .integer),
          ("changes", .integer), ("state", .integer), ("images", .integer), ("origin", .text),
          ("person", .text),
          ("machine", .text),
        ]),
      CopiedTable(
        name: "journal_change",
        columns: [("journal_id", .integer), ("seq", .integer), ("row", .bytes), ("before", .bytes)],
        keyLength: 2),
      CopiedTable(
        name: "trace",
        columns: [
          ("id", .integer), ("journal_id", .integer), ("title", .text), ("correlation_id", .text),
          ("at", .integer),
          ("outcome", .text), ("hop_count", .integer), ("sealed", .bytes), ("person", .text),
          ("machine", .text),
        ]),
    ]

    private var names: String { columns.map(\.name).joined(separator: ", ") }

    /// Reads in key order, a page at a time, because a lab may have more rows than fit in memory.
    func copy(_ source: StoreConnection, _ target: StoreConnection) throws(StoreError) {
      let key = columns.prefix(keyLength).map(\.name).joined(separator: ", ")
      let marks = Array(repeating: "?", count: keyLength).joined(separator: ", ")
      let first = "SELECT \(names) FROM \(name) ORDER BY \(key) LIMIT ?"
      let next = "SELECT \(names) FROM \(name) WHERE (\(key)) > (\(marks)) ORDER BY \(key) LIMIT ?"
      var last: [any SQLBindable] = []
      while true {
        let rows = try source.all(last.isEmpty ? first : next, last + [LabCopy.page]) {
          row throws(StoreError) in
          try values(row)
        }
        guard let end = rows.last else { return }
        last = Array(end.prefix(keyLength))
        try insert(rows, into: target)
      }
    }

    private func values(_ row: borrowing SQLRows) throws(StoreError) -> [any SQLBindable] {
      var values: [any SQLBindable] = []
      for (index, column) in columns.enumerated() {
        switch column.kind {
        case .text: values.append(try row[Int32(index)] as String?)
        case .integer: values.append(try row[Int32(index)] as Int64?)
        case .bytes: values.append(try row[Int32(index)] as Data?)
        }
      }
      return values
    }

    private func insert(_ rows: [[any SQLBindable]], into target: StoreConnection) throws(StoreError) {
      let one = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
      for start in stride(from: 0, to: rows.count, by: LabCopy.batch) {
        let part = rows[start..<min(start + LabCopy.batch, rows.count)]
        let marks = Array(repeating: one, count: part.count).joined(separator: ", ")
        try target.run("INSERT INTO \(name)(\(names)) VALUES \(marks)", part.flatMap(\.self))
      }
    }
  }
}
