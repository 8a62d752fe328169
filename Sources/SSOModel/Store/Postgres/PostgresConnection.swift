import Foundation

/// A connection to a lab on a server.
///
/// Every wait has an end: a server that answers nothing is given up, and the connection with it.
final class PostgresConnection: StoreEngine {
  let address: LabAddress
  let library: PostgresLibrary
  private(set) var handle: OpaquePointer
  /// By the store's text.
  ///
  /// An empty name: used once, and not prepared yet.
  private var statements: [String: PreparedStatement] = [:]
  private var preparedCount = 0
  var isInTransaction = false
  /// Counted inside a transaction that writes.
  var rowIDs: PostgresRowIDs?
  var changedRows = 0
  private(set) var lastRowID: Int64 = 0
  /// Whether the transaction has changed a row.
  var hasChanged = false
  /// Seconds that a writer waits for its turn, as in `WriterQueue`.
  var turnLimit = 60
  /// Told when the server has not answered for `patience`.
  var silent: (@Sendable () -> Void)?

  private struct PreparedStatement {
    var text: String
    var name = ""
  }

  /// Seconds until an answer is no longer waited for, and until the person is told.
  static let (answerLimit, patience) = (30.0, 2.0)

  var name: String { address.name }

  init(_ address: LabAddress) throws(StoreError) {
    self.address = address
    do throws(ServerTrouble) {
      library = try PostgresLibrary()
      handle = try Self.connect(address, library)
    } catch {
      throw .server(address.name, error)
    }
    do throws(StoreError) { try prepareSession() } catch {
      library.finish(handle)
      throw error
    }
  }

  deinit { library.finish(handle) }

  private static func connect(
    _ address: LabAddress, _ library: PostgresLibrary
  ) throws(ServerTrouble) -> OpaquePointer {
    // What comes before the address can be said otherwise in it. A keepalive finds out that the other end has gone.
    var settings = [
      ("fallback_application_name", Self.programName), ("tcp_user_timeout", "15000"),
      ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"),
    ]
    if getenv("PGCONNECT_TIMEOUT") == nil { settings.append(("connect_timeout", "10")) }
    if address.hasSeveralHosts, getenv("PGTARGETSESSIONATTRS") == nil {
      settings.append(("target_session_attrs", "read-write"))
    }
    settings += [("dbname", address.url), ("client_encoding", "UTF8")]
    let handle = withTexts(settings.map(\.0)) { names in
      withTexts(settings.map(\.1)) { values in library.connect(names, values, 1) }
    }
    guard let handle else { throw .unreachable("there is no memory for a connection") }
    guard library.status(handle) == 0 else {
      let message = library.errorMessage(handle).map { String(cString: $0) } ?? "no reason given"
      library.finish(handle)
      throw .unreachable(address.masked(message))
    }
    let version = Int(library.serverVersion(handle)) / 10_000
    guard version >= 13 else {
      library.finish(handle)
      throw .oldServer(found: version)
    }
    // Notices would be written over the screen.
    _ = library.setNoticeReceiver(handle, { _, _ in }, nil)
    _ = library.setNonBlocking(handle, 1)
    return handle
  }

  /// `ssoterm ada@host 4711`, for whoever looks at the server who holds a lock; PostgreSQL keeps 63 bytes.
  private static var programName: String {
    let person =
      getpwuid(getuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } } ?? "\(getuid())"
    return "ssoterm \(person)@\(ProcessInfo.processInfo.hostName.prefix(30)) \(getpid())"
  }

  /// A writer that hangs must not hold the lab for ever.
  private func prepareSession() throws(StoreError) {
    try run(
      script: """
        SET search_path = \(PostgresSchema.namespace(of: address.lab));
        SET idle_in_transaction_session_timeout = '60s'
        """)
  }

  /// A new connection in place of one that was lost.
  func reconnect() throws(StoreError) {
    do throws(ServerTrouble) {
      let fresh = try Self.connect(address, library)
      library.finish(handle)
      handle = fresh
      statements = [:]
    } catch {
      throw .server(name, error)
    }
    try prepareSession()
  }

  var isLost: Bool { library.status(handle) != 0 }

  // MARK: Statements

  func run(script: String) throws(StoreError) {
    _ = try answers(to: script)
  }

  /// The results of the statements of a script, with values as text.
  func answers(to script: String, within limit: Double = answerLimit, waiting: () -> Void = {})
    throws(StoreError) -> [PostgresResult]
  {
    try send(script.withCString { library.sendQuery(handle, $0) })
    return try answers(within: limit, waiting: waiting)
  }

  func rows(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    let known = statements[sql]
    var statement = known ?? PreparedStatement(text: PostgresDialect.statement(sql))
    // What is run only once needs no preparation, which is a round trip of its own.
    if known != nil, statement.name.isEmpty {
      preparedCount += 1
      statement.name = "s\(preparedCount)"
      try send(
        statement.name.withCString { name in
          statement.text.withCString { library.sendPrepare(handle, name, $0, 0, nil) }
        })
      _ = try answers()
    }
    let parameters = PostgresParameters(values.map(\.parameter))
    try send(
      parameters.withPointers { count, values, lengths, formats in
        statement.name.isEmpty
          ? statement.text.withCString {
            library.sendParameters(handle, $0, count, nil, values, lengths, formats, 1)
          }
          : statement.name.withCString {
            library.sendPrepared(handle, $0, count, values, lengths, formats, 1)
          }
      })
    let answers = try answers()
    statements[sql] = statement
    guard let result = answers.last else { throw .server(name, .lost("no answer")) }
    changedRows = result.changedRows
    if changedRows > 0, !result.command.hasPrefix("SELECT") { hasChanged = true }
    return SQLRows(result)
  }

  private func send(_ isSent: Int32) throws(StoreError) {
    guard isSent == 1 else { throw trouble() }
  }

  private func trouble() -> StoreError {
    let message = library.errorMessage(handle).map { String(cString: $0) } ?? "no reason given"
    let masked = address.masked(message)
    return .server(name, isLost ? .lost(masked) : .other(masked))
  }

  /// What the server answers to what was sent: one result for each statement.
  private func answers(within limit: Double = answerLimit, waiting: () -> Void = {})
    throws(StoreError) -> [PostgresResult]
  {
    var found: [PostgresResult] = []
    var refusal: ServerTrouble?
    var wait = AnswerWait(limit: limit, patience: Self.patience)
    while true {
      while library.flush(handle) == 1 {
        try wait.forSocket(library.socket(handle), toWrite: true, name, tell)
      }
      while library.isBusy(handle) == 1 {
        try wait.forSocket(library.socket(handle), toWrite: false, name, tell)
        guard library.consumeInput(handle) == 1 else { throw trouble() }
      }
      guard let pointer = library.result(handle) else { break }
      let result = PostgresResult(pointer, library, name: name)
      if let code = result.errorCode {
        refusal = refusal ?? ServerTrouble(code: code, message: address.masked(result.errorMessage))
      } else {
        found.append(result)
      }
    }
    if let refusal { throw .server(name, isLost ? .lost(Self.message(refusal)) : refusal) }
    if isLost { throw trouble() }
    return found

    func tell() {
      waiting()
      if limit == Self.answerLimit { silent?() }
    }
  }

  private static func message(_ trouble: ServerTrouble) -> String {
    switch trouble {
    case .lost(let message), .other(let message), .readOnly(let message), .full(let message): message
    default: "the connection was closed"
    }
  }

  // MARK: Rows

  func newRowID(in table: NumberedTable) throws(StoreError) -> Int64? {
    guard let id = rowIDs?.next(in: table) else {
      throw .server(name, .other("a row outside of a transaction"))
    }
    lastRowID = id
    return id
  }

  func changeMark() throws(StoreError) -> ChangeMark {
    var rows = try rows("SELECT commits FROM counter", [])
    return ChangeMark(others: try rows.next() ? try rows[0] : 0, own: 0)
  }

  /// Pages are the server's.
  func setPageCache(kibibytes: Int) {}

  // MARK: Schema

  func create(tables: String) throws(StoreError) {
    try run(
      script: PostgresDialect.schema(tables + PostgresSchema.ownTables) + PostgresSchema.triggers
        + "INSERT INTO meta VALUES('version', '\(Schema.version)')")
  }

  func migrate(_ statements: String, to version: Int) throws(StoreError) {
    try run(
      script: PostgresDialect.schema(statements)
        + "; UPDATE meta SET value = '\(version)' WHERE name = 'version'")
    hasChanged = true
  }

  func schemaVersion() throws(StoreError) -> Int {
    var rows = try rows("SELECT value FROM meta WHERE name = 'version'", [])
    return try rows.next() ? Int(try rows[0] as String) ?? 0 : 0
  }
}
