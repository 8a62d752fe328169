import Dispatch
import Essentials
import SSOCore
import SSOStore
import Synchronization

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
  /// Whether the lab was opened, after the checks of its catalogue and its server.
  private var isOpened = false
  /// The branch of the server's history, or `nil` if the server does not tell.
  private(set) var branch: ServerBranch?

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
  /// Its timeout prevents a hanging writer from holding the lab forever. The search path ends with the session's
  /// temporary tables, which would otherwise come first; it begins with `pg_catalog`, which need not be listed. A
  /// commit that a user has seen must survive a crash of the server.
  private func prepareSession() throws(StoreError) {
    let answers = try answers(
      to: """
        SET search_path = \(address.namespace), pg_temp;
        SET idle_in_transaction_session_timeout = '60s';
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
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
  ///
  /// The new one may lead to another server, so an opened lab is checked again.
  func reconnect() throws(StoreError) {
    try link.reconnect()
    statements = [:]
    try prepareSession()
    guard isOpened else { return }
    try refuseForeignObjects()
    try refuseEarlierBranch(than: branch)
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
    // A statement that runs only once is not prepared, because preparing it takes a round trip.
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
  func setFlushing(_ isOn: Bool) {}

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

/// Transactions of a lab on a server.
///
/// Writers of a lab take turns with an advisory lock that ends with the transaction. The server queues them
/// in order of arrival and releases the lock if a writer's connection ends. Readers see one state and never
/// wait.
extension PostgresConnection {
  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
    guard !isInTransaction else {
      throw StoreError.server(name, .other("a transaction inside of a transaction"))
    }
    // Nothing was done yet, so a connection that has ended in the meantime is not a reason to fail.
    do throws(StoreError) { try begin(kind) } catch {
      guard error.isLostConnection else { throw error }
      try reconnectWithRetries()
      try begin(kind)
    }
    isInTransaction = true
    hasChanged = false
    defer { (isInTransaction, rowIDs) = (false, nil) }
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      if !link.isLost { try? run(script: "ROLLBACK") }
      throw error
    }
  }

  func savepoint<T>(_ body: () throws -> T) throws -> T {
    let numbers = rowIDs
    try run(script: "SAVEPOINT part")
    do {
      let result = try body()
      try run(script: "RELEASE part")
      return result
    } catch {
      // If this fails, the server rejects all further statements of the transaction, and its commit.
      try run(script: "ROLLBACK TO part; RELEASE part")
      rowIDs = numbers
      throw error
    }
  }

  private func begin(_ kind: TransactionKind) throws(StoreError) {
    guard kind == .immediate else {
      return try run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }
    // REPEATABLE READ would see the state from before this writer's turn.
    let script = """
      BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '\(turnLimit)s';
      SELECT item, journal, trace, commits FROM counter FOR NO KEY UPDATE
      """
    let inquiry = LockHolderQuery()
    link.becameSilent = { [address, link] in inquiry.begin(address, tell: link.news) }
    defer {
      link.becameSilent = nil
      inquiry.end()
    }
    do throws(StoreError) {
      let answers = try answers(to: script, within: Double(turnLimit) + 15)
      guard let row = answers.last, row.next() else {
        throw .damaged(path: name, row: "counter", message: "no row")
      }
      rowIDs = PostgresRowIDs((0..<4).compactMap { Int64(row.cell($0).text) })
    } catch {
      guard case .server(_, let trouble) = error, !link.isLost else { throw error }
      try? run(script: "ROLLBACK")
      guard case .locked = trouble else { throw error }
      throw .server(name, .locked(holder: lockHolder ?? "the server does not say who"))
    }
  }

  /// The statement that waits for the turn to write: a lock of the row that each writer updates.
  ///
  /// Only a user with the right to update the lab can hold it. Everyone who may connect could hold an advisory
  /// lock.
  var lockScript: String { "SELECT FROM counter FOR NO KEY UPDATE" }

  /// The statement that waits for another process that creates the same lab, which does not have tables yet.
  private var creationLockScript: String {
    "SELECT pg_advisory_xact_lock(hashtextextended('\(LabAddress.namespacePrefix)\(address.lab)', 0))"
  }

  /// The current writer, by the name that its program gave the server:
  /// `ssoterm ada@host 4711, since 12:03:04`.
  fileprivate var lockHolder: String? {
    // Writers who wait have locked the table too, but wait for a lock of its row. The start of a transaction is
    // visible only to its own user and to pg_read_all_stats.
    let script = """
      SELECT coalesce(nullif(application_name, ''), usename::text)
        || coalesce(', since ' || to_char(xact_start, 'HH24:MI:SS'), '')
      FROM pg_locks AS held JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'relation' AND relation = 'counter'::regclass AND datname = current_database()
        AND mode <> 'AccessShareLock' AND granted
        AND NOT EXISTS (SELECT FROM pg_locks AS wanted WHERE wanted.pid = held.pid AND NOT wanted.granted)
      ORDER BY xact_start LIMIT 1
      """
    guard let answer = try? answers(to: script).last, answer.next(), !answer.cell(0).isNull else {
      return nil
    }
    return answer.cell(0).text
  }

  private func commit() throws(StoreError) {
    guard hasChanged, let rowIDs else {
      try checkCommitted(try answers(to: "COMMIT"))
      return
    }
    let token = Seal.newKey().prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
    let script = rowIDs.commitScript(token: token, channel: address.namespace)
    do throws(StoreError) {
      try checkCommitted(try answers(to: script))
    } catch {
      guard error.isLostConnection else { throw error }
      guard try wasCommitted(token, error) else { throw error }
    }
  }

  /// Checks the commit, because COMMIT rolls back a transaction with a failed statement without an error.
  private func checkCommitted(_ answers: [PostgresResult]) throws(StoreError) {
    guard answers.contains(where: { $0.command == "COMMIT" }) else {
      throw .server(name, .other("the transaction could not be committed, as a part of it had failed"))
    }
  }

  /// Asks the server, or its replacement, whether a commit arrived whose response was lost.
  private func wasCommitted(_ token: String, _ error: StoreError) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try reconnectWithRetries()
      // The transaction of the lost connection may not have ended yet. When the turn comes, it has.
      let script = """
        BEGIN; \(lockScript); SELECT count(*) FROM commit_token WHERE token = '\(token)'; COMMIT
        """
      let answers = try answers(to: script)
      guard answers.count > 1, answers[answers.count - 2].next() else { throw error }
      return answers[answers.count - 2].cell(0).text == "1"
    } catch {
      throw .server(name, .unknownOutcome(error.why))
    }
  }

  /// Retries for as long as a standby may need to take over.
  func reconnectWithRetries() throws(StoreError) {
    let began = DispatchTime.now()
    var pause: UInt32 = 50_000
    while true {
      do throws(StoreError) { return try reconnect() } catch {
        guard began.secondsAgo < reconnectLimit else { throw error }
        if began.secondsAgo > link.patience { link.saySilent() }
        usleep(pause)
        pause = min(pause * 2, 1_000_000)
      }
    }
  }
}

/// A query for the current writer of the lab, on a separate connection, while another writer waits for its
/// turn.
///
/// If the network hangs, it hangs for both, so calls do not wait for this query.
private final class LockHolderQuery: Sendable {
  private let isOver = Mutex(false)

  func begin(_ address: LabAddress, tell: (@Sendable (StoreEvent) -> Void)?) {
    detachThread {
      guard let holder = (try? PostgresConnection(address))?.lockHolder else { return }
      self.isOver.withLock { if !$0 { tell?(.held(by: holder)) } }
    }
  }

  func end() { isOver.withLock { $0 = true } }
}

extension PostgresConnection {
  /// Returns the facts about the lab, or `nil` if it does not exist.
  func foundLab() throws(StoreError) -> FoundLab? {
    guard try hasLab() else { return nil }
    try refuseForeignObjects()
    branch = serverBranch()
    var found: FoundLab?
    do throws(StoreError) {
      var rows = try rows(
        """
        SELECT (SELECT value FROM meta WHERE name = 'version'), (SELECT value FROM meta WHERE name = 'check'),
          (SELECT value FROM meta WHERE name = 'id'), EXISTS(SELECT 1 FROM document),
          pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on',
          NOT has_table_privilege('document', 'INSERT')
        """, [])
      guard try rows.next() else { return nil }
      let (version, check, id): (String?, Data?, String?) = (try rows[0], try rows[1], try rows[2])
      guard let version = version.flatMap({ Int($0) }), let check, let id, version > 0, Self.isID(id) else {
        throw .damaged(path: name, row: "meta", message: "no version, check or ID")
      }
      let (isServers, isPersons): (Int, Int) = (try rows[4], try rows[5])
      guard version <= Schema.version else {
        throw .server(name, .newerVersion(found: version, known: Schema.version))
      }
      found = FoundLab(
        version: version, check: check, id: id, isFilled: try rows[3] == 1,
        onlyReads: isServers == 1 ? .server : isPersons == 1 ? .person(link.person) : nil)
    } catch {
      guard case .server(_, let trouble) = error, !link.isLost else { throw error }
      switch trouble {
      case .readOnly, .other:
        throw .server(
          name, .unreadable("\(link.person) may not read its tables.", person: link.person))
      default: throw error
      }
    }
    found?.risks.planters = try names(PostgresSchema.planters(address.lab))
    found?.risks.weakerOwner = try names(PostgresSchema.weakerOwner(address.lab)).first
    found?.branch = branch
    isOpened = true
    return found
  }

  /// Refuses a lab with objects that ssoterm did not create, because they would run with this user's rights.
  private func refuseForeignObjects() throws(StoreError) {
    let found = try names(PostgresSchema.foreignObjects(address.lab))
    if !found.isEmpty { throw .server(name, .foreignObjects(found, person: link.person)) }
  }

  /// Returns the first column of a query of the catalogue.
  private func names(_ query: String) throws(StoreError) -> [String] {
    guard let answer = try answers(to: query).last else { return [] }
    var found: [String] = []
    while answer.next() { found.append(answer.cell(0).text) }
    return found
  }

  /// Returns the branch of the server's history, or `nil` on a standby or if the user may not ask.
  private func serverBranch() -> ServerBranch? {
    let script = """
      SELECT system_identifier, CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END
      FROM pg_control_system()
      """
    guard let answer = try? answers(to: script).last, answer.next() else { return nil }
    return UInt32(answer.cell(1).text, radix: 16).map {
      ServerBranch(system: answer.cell(0).text, timeline: $0)
    }
  }

  func refuseEarlierBranch(than known: ServerBranch?) throws(StoreError) {
    let found = serverBranch()
    if let known, let found, found.isBefore(known) {
      throw .server(name, .formerPrimary(found: found.timeline, known: known.timeline))
    }
    branch = found ?? known
  }

  func makeLab(_ fill: () throws -> Void) throws {
    try run(script: "BEGIN; \(creationLockScript)")
    do {
      // Another process may have been faster.
      if try hasLab() { return try run(script: "ROLLBACK") }
      try run(script: "CREATE SCHEMA IF NOT EXISTS \(address.namespace)")
      try fill()
      try run(script: "COMMIT")
    } catch {
      try? run(script: "ROLLBACK")
      throw error
    }
  }

  func removeLab() throws(StoreError) {
    try run(script: "DROP SCHEMA IF EXISTS \(address.namespace) CASCADE")
  }

  func labNames() throws(StoreError) -> [String] {
    let answers = try answers(
      to: """
        SELECT nspname FROM pg_namespace WHERE starts_with(nspname, '\(LabAddress.namespacePrefix)')
        ORDER BY nspname COLLATE "C"
        """)
    var names: [String] = []
    guard let answer = answers.last else { return [] }
    while answer.next() {
      names.append(String(answer.cell(0).text.dropFirst(LabAddress.namespacePrefix.count)))
    }
    return names
  }

  func setListener(_ listener: @escaping @Sendable (StoreEvent) -> Void) { link.news = listener }

  /// Returns whether a text is valid as a lab's ID, which becomes part of a file name.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
