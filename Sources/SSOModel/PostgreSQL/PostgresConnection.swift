import Essentials

/// A connection to a lab on a server.
final class PostgresConnection: ServerEngine {
  let link: PostgresLink
  /// The prepared statements by the store's text.
  ///
  /// A statement with an empty name was used once and is not prepared yet.
  private var statements: [String: PreparedStatement] = [:]
  private var preparedCount = 0
  var isInTransaction = false
  /// The row IDs, inside a writing transaction.
  var rowIDs: PostgresRowIDs?
  var changedRows = 0
  private(set) var lastRowID: Int64 = 0
  /// Whether the transaction has changed a row.
  var hasChanged = false
  /// The seconds that a writer waits for its turn, as in `WriterQueue`, and that reconnecting may take.
  var (turnLimit, reconnectLimit) = (60, 15.0)
  /// Whether the lab's tables existed when the connection was made.
  private var hadLab = false

  private struct PreparedStatement {
    var text: String
    var name = ""
  }

  var address: LabAddress { link.address }
  var name: String { address.name }

  init(_ address: LabAddress) throws(StoreError) {
    link = try PostgresLink(address)
    try prepareSession()
  }

  /// Prepares the session.
  ///
  /// Its timeout prevents a hanging writer from holding the lab forever.
  private func prepareSession() throws(StoreError) {
    let answers = try answers(
      to: """
        SET search_path = \(address.namespace);
        SET idle_in_transaction_session_timeout = '60s';
        \(PostgresSchema.exists(address.lab))
        """)
    hadLab = answers.last.map { $0.next() && $0.cell(0).text == "t" } ?? false
  }

  /// Returns whether the lab's schema contains a store's tables.
  ///
  /// Queries the catalogue, because a query of a missing table would be an error in the server's log.
  func hasLab() throws(StoreError) -> Bool {
    if !hadLab {
      let answer = try answers(to: PostgresSchema.exists(address.lab)).last
      hadLab = answer.map { $0.next() && $0.cell(0).text == "t" } ?? false
    }
    return hadLab
  }

  /// Replaces a lost connection with a new one.
  func reconnect() throws(StoreError) {
    try link.reconnect()
    statements = [:]
    try prepareSession()
  }

  // MARK: Statements

  func run(script: String) throws(StoreError) {
    _ = try answers(to: script)
  }

  /// Returns the results of the statements of a script, with values as text.
  func answers(
    to script: String, within limit: Double? = nil
  ) throws(StoreError) -> [PostgresResult] {
    try link.send(script.withCString { link.library.sendQuery(link.handle, $0) })
    return try link.answers(within: limit)
  }

  func rows(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    let known = statements[sql]
    var statement = known ?? PreparedStatement(text: PostgresDialect.statement(sql))
    // A statement that runs only once needs no preparation, which is a round trip.
    if known != nil, statement.name.isEmpty {
      preparedCount += 1
      statement.name = "s\(preparedCount)"
      try link.send(
        statement.name.withCString { name in
          statement.text.withCString { link.library.sendPrepare(link.handle, name, $0, 0, nil) }
        })
      _ = try link.answers()
    }
    let parameters = PostgresParameters(values.map(\.parameter))
    try link.send(
      parameters.withPointers { count, values, lengths, formats in
        statement.name.isEmpty
          ? statement.text.withCString {
            link.library.sendParameters(link.handle, $0, count, nil, values, lengths, formats, 1)
          }
          : statement.name.withCString {
            link.library.sendPrepared(link.handle, $0, count, values, lengths, formats, 1)
          }
      })
    let answers = try link.answers()
    statements[sql] = statement
    guard let result = answers.last else { throw .server(name, .lost("no answer")) }
    changedRows = result.changedRows
    if changedRows > 0, !result.command.hasPrefix("SELECT") { hasChanged = true }
    return SQLRows(result)
  }

  /// Returns the rows of a cursor, because libpq keeps an entire result in memory.
  func scan(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> SQLRows {
    guard isInTransaction else { return try rows(sql, values) }
    preparedCount += 1
    return SQLRows(try PostgresScan(link, cursor: "scan\(preparedCount)", sql, values))
  }

  // MARK: Rows

  func newRowID(in table: NumberedTable) throws(StoreError) -> Int64? {
    guard let id = rowIDs?.next(in: table) else {
      throw .server(name, .other("a row outside of a transaction"))
    }
    lastRowID = id
    return id
  }

  func lastRowIDs() throws(StoreError) -> [Int64] {
    var rows = try rows("SELECT item, journal, trace FROM counter", [])
    return try rows.next() ? [try rows[0], try rows[1], try rows[2]] : []
  }

  func setLastRowIDs(_ numbers: [Int64]) throws(StoreError) {
    guard let commits = rowIDs?.commits, let new = PostgresRowIDs(numbers + [commits]) else {
      throw .server(name, .other("row numbers outside of a transaction"))
    }
    rowIDs = new
    hasChanged = true
  }

  /// Returns the change mark.
  ///
  /// It is read repeatedly while a server is away, so it does not wait for the server.
  func changeMark() throws(StoreError) -> ChangeMark {
    if link.isLost, !isInTransaction { try reconnect() }
    var rows = try rows("SELECT commits FROM counter", [])
    return ChangeMark(others: try rows.next() ? try rows[0] : 0, own: 0)
  }

  /// Does nothing: the server manages its pages.
  func setPageCache(kibibytes: Int) {}

  // MARK: Schema

  func create(tables: String) throws(StoreError) {
    try run(
      script: PostgresDialect.schema(tables + PostgresSchema.ownTables) + PostgresSchema.counting
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
