import Dispatch
import Essentials
import Synchronization

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
      BEGIN; SET LOCAL lock_timeout = '\(turnLimit)s'; \(lockScript);
      SELECT item, journal, trace, commits FROM counter
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

  /// The statement that waits for the turn to write.
  ///
  /// Only labs with the same name in the same database wait for each other.
  var lockScript: String {
    "SELECT pg_advisory_xact_lock(\(lockKey))"
  }

  private var lockKey: String { "hashtextextended('\(LabAddress.namespacePrefix)\(address.lab)', 0)" }

  /// The current writer, by the name that its program gave the server:
  /// `ssoterm ada@host 4711, since 12:03:04`.
  fileprivate var lockHolder: String? {
    let script = """
      SELECT coalesce(nullif(application_name, ''), usename::text) || ', since ' || to_char(xact_start, 'HH24:MI:SS')
      FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND datname = current_database()
        AND (classid::bigint << 32 | objid::bigint) = \(lockKey)
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
/// If the network hangs, it hangs for both, so no call waits for this query.
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
