import CSQLite
import Essentials
import SSOCore
import SSOKeychain

/// A connection to an SQLite database.
///
/// It converts errors of SQLite to `StoreError`.
///
/// Only one thread at a time may use it. A statement is prepared once for each text and cached, so use
/// constant texts.
final class SQLiteConnection: StoreEngine {
  enum Location {
    case memory
    /// An existing file.
    ///
    /// SQLite creates `-wal` and `-shm` next to it.
    case file(path: String)
    /// An existing file, with the index of `-wal` in memory so that reading writes nothing.
    ///
    /// Other processes wait in the meantime.
    case fileAlone(path: String)
    /// A file that does not change, read without `-wal` and `-shm` (https://sqlite.org/uri.html,
    /// `immutable`).
    case immutableFile(path: String)
  }

  /// The name of the database in error messages.
  let name: String
  private let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]
  private(set) var isInTransaction = false
  private var isFlushing = true
  /// The error for which SQLite itself has rolled back the transaction, or `nil`.
  ///
  /// Further statements would be committed individually.
  private var abortedBy: StoreError?

  init(_ location: Location) throws(StoreError) {
    var handle: OpaquePointer?
    let (name, address, flags) =
      switch location {
      case .memory: (":memory:", ":memory:", SQLITE_OPEN_READWRITE)
      case .file(let path), .fileAlone(let path): (path, path, SQLITE_OPEN_READWRITE)
      case .immutableFile(let path):
        (path, Self.immutableAddress(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      }
    let code = sqlite3_open_v2(address, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let cause = handle.map(sqlite3_system_errno) ?? 0
      sqlite3_close_v2(handle)
      throw StoreError(sqliteCode: code, errno: cause, message: message, path: name)
    }
    self.name = name
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_handler(
      handle, { _, attempts in SQLiteConnection.waits(before: Int(attempts)) ? 1 : 0 }, nil)
    // This must come before anything is read (https://sqlite.org/wal.html#noshm).
    if case .fileAlone = location { try run(script: "PRAGMA locking_mode = EXCLUSIVE") }
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  private static func immutableAddress(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return "file:\(parts.map { FormEncoding.percentEncode(String($0)) }.joined(separator: "/"))?immutable=1"
  }

  /// Waits 0.5 to 1.5 ms before an attempt, since SQLite's own back-off sleeps up to 100 ms.
  ///
  /// Returns `false` after about 10 s.
  static func waits(before attempts: Int) -> Bool {
    usleep(500 + UInt32(truncatingIfNeeded: attempts &* 379 &+ Int(getpid())) % 1000)
    return attempts < 10_000
  }

  // MARK: Statements

  func run(script: String) throws(StoreError) {
    if let abortedBy { throw abortedBy }
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func scan(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    try rows(sql, values)
  }

  func rows(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    let statement = try statement(sql)
    let rows = SQLRows(statement, of: self)
    let code = statement.bind(values)
    guard code == SQLITE_OK else { throw failure(code) }
    return rows
  }

  var changedRows: Int { Int(sqlite3_changes(handle)) }
  var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Returns `nil`, because SQLite numbers rows with `AUTOINCREMENT`.
  func newRowID(in table: NumberedTable) -> Int64? { nil }

  func lastRowIDs() throws(StoreError) -> [Int64] {
    var numbers: [Int64] = []
    for table in NumberedTable.allCases {
      var rows = try rows("SELECT seq FROM sqlite_sequence WHERE name = ?", ["\(table)"])
      numbers.append(try rows.next() ? try rows[0] : 0)
    }
    return numbers
  }

  func setLastRowIDs(_ numbers: [Int64]) throws(StoreError) {
    for (table, number) in zip(NumberedTable.allCases, numbers) {
      try run(
        script: """
          DELETE FROM sqlite_sequence WHERE name = '\(table)';
          INSERT INTO sqlite_sequence(name, seq) VALUES('\(table)', \(number))
          """)
    }
  }

  func changeMark() throws(StoreError) -> ChangeMark {
    ChangeMark(others: try integer("PRAGMA data_version"), own: Int(sqlite3_total_changes(handle)))
  }

  /// Runs a statement without values or rows.
  ///
  /// Unlike `run(script:)`, it prepares the statement only once.
  private func step(_ sql: String) throws(StoreError) {
    var rows = try rows(sql, [])
    while try rows.next() {}
  }

  private func integer(_ sql: String) throws(StoreError) -> Int {
    var rows = try rows(sql, [])
    return try rows.next() ? try rows[0] : 0
  }

  private func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
    if let abortedBy { throw abortedBy }
    let kept = statements[sql]
    if let kept, !kept.isInUse { return kept }
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer else { throw failure(code) }
    let statement = SQLiteStatement(pointer)
    if kept == nil { statements[sql] = statement }
    return statement
  }

  /// Returns the error of the call that returned `code`, the last on this connection.
  func failure(_ code: Int32) -> StoreError {
    let error = StoreError(
      sqliteCode: code, errno: sqlite3_system_errno(handle), message: String(cString: sqlite3_errmsg(handle)),
      path: name)
    if isInTransaction, sqlite3_get_autocommit(handle) != 0 { abortedBy = error }
    return error
  }

  func setPageCache(kibibytes: Int) throws(StoreError) {
    try run(script: "PRAGMA cache_size = -\(kibibytes)")
  }

  /// Sets whether each commit waits for the disk.
  ///
  /// Without it, a checkpoint still waits for the log before it changes the database
  /// (https://sqlite.org/pragma.html#pragma_synchronous), so a power failure loses only the last commits.
  func setFlushing(_ isOn: Bool) throws(StoreError) {
    guard isOn != isFlushing else { return }
    // Not as a cached statement, because SQLite changes the setting when it prepares one.
    try run(script: isOn ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    isFlushing = isOn
  }

  // MARK: Schema

  func schemaVersion() throws(StoreError) -> Int { try integer("PRAGMA user_version") }

  func create(tables: String) throws(StoreError) {
    try run(script: tables + ItemCounts.triggers)
    try run(
      script: "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)")
  }

  func migrate(_ statements: String, to version: Int) throws(StoreError) {
    try run(script: statements + "; PRAGMA user_version = \(version)")
  }

  // MARK: Transactions

  /// Runs a transaction.
  ///
  /// A deferred transaction that starts to write fails if another process has written since, so a writer
  /// acquires the lock at once. Writers wait their turn before this call (`WriterQueue`).
  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
    try step(kind == .immediate ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    isInTransaction = true
    defer { (isInTransaction, abortedBy) = (false, nil) }
    do {
      let result = try body()
      try step("COMMIT")
      return result
    } catch {
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  func savepoint<T>(_ body: () throws -> T) throws -> T {
    try step("SAVEPOINT part")
    do {
      let result = try body()
      try step("RELEASE part")
      return result
    } catch {
      // A part that cannot be rolled back must not be committed with the rest.
      do throws(StoreError) { try run(script: "ROLLBACK TO part; RELEASE part") } catch { abortedBy = error }
      throw error
    }
  }
}

/// A prepared statement.
final class SQLiteStatement {
  let pointer: OpaquePointer
  /// Whether its rows are being read, in which case another statement is prepared for the same text.
  var isInUse = false

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  /// Binds the values.
  ///
  /// - Returns: SQLite's result code.
  func bind(_ values: [any SQLBindable]) -> Int32 {
    assert(values.count == sqlite3_bind_parameter_count(pointer), "a value for each `?`")
    for (index, value) in values.enumerated() {
      let code = value.bind(to: pointer, at: Int32(index + 1))
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }
}

/// SQLite's constant for bytes that it must copy.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension Int64: SQLValue {
  package static var expectation: String { "an integer" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    self = sqlite3_column_int64(statement, column)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: SQLValue {
  package static var expectation: String { Int64.expectation }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: column, of: statement) else { return nil }
    self.init(exactly: value)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    Int64(self).bind(to: statement, at: index)
  }
}

/// A text, which may contain NUL characters because it is bound and read by its length.
extension String: SQLValue {
  package static var expectation: String { "a text" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    self.init(decoding: columnBytes(statement, column), as: UTF8.self)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes in
        // Without a start address, SQLite would bind NULL.
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
        return sqlite3_bind_text64(statement, index, start, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }
}

extension Data: SQLValue {
  package static var expectation: String { "bytes" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    self.init(columnBytes(statement, column))
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes { bytes in
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), copied)
    }
  }
}

/// An optional value, in which `nil` is NULL.
extension Optional: SQLBindable where Wrapped: SQLBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
  }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
  package static var expectation: String { "\(Wrapped.expectation) or nothing" }

  package init?(column: Int32, of statement: OpaquePointer) {
    if sqlite3_column_type(statement, column) == SQLITE_NULL {
      self = .none
    } else {
      guard let value = Wrapped(column: column, of: statement) else { return nil }
      self = .some(value)
    }
  }
}

/// An instant in milliseconds since 1970.
extension Instant: SQLValue {
  package static var expectation: String { Int64.expectation }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: column, of: statement) else { return nil }
    self.init(milliseconds: value)
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    milliseconds.bind(to: statement, at: index)
  }
}

/// An enumeration, stored as its raw value.
extension RawRepresentable where Self: SQLColumn, RawValue: SQLColumn {
  package static var expectation: String { "one of its names" }

  package init?(column: Int32, of statement: OpaquePointer) {
    guard let value = RawValue(column: column, of: statement) else { return nil }
    self.init(rawValue: value)
  }
}

extension RawRepresentable where Self: SQLBindable, RawValue: SQLBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    rawValue.bind(to: statement, at: index)
  }
}

extension DocumentKind: SQLBindable {}
extension KeychainClass: SQLValue {}
extension JournalEntry.Kind: SQLValue {}

extension StoreError {
  /// Creates an error from a result code of SQLite, extended or not (https://sqlite.org/rescode.html).
  ///
  /// `cause` is the system error if SQLite could not open a file.
  init(sqliteCode code: Int32, errno cause: Int32, message: String, path: String) {
    self =
      switch code & 0xFF {
      case SQLITE_NOTADB: .notADatabase(path: path)
      case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path)
      case SQLITE_FULL: .full(path: path)
      case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
      // SQLITE_IOERR_SHMSIZE: there is not enough space for the shared memory file.
      case SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8: .full(path: path)
      case SQLITE_CANTOPEN where cause == EMFILE || cause == ENFILE: .tooManyFiles(path: path)
      case SQLITE_CANTOPEN where !fileExists(path): .missing(path: path)
      case SQLITE_CANTOPEN: access(path, R_OK) == 0 ? .readOnly(path: path) : .unreadable(path: path)
      default: .other(path: path, message: message)
      }
  }
}
