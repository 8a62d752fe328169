import Essentials

extension StoreTransaction {
  /// The number of retained traces.
  package static let keptTraces: Int64 = 1000

  /// Saves a trace and returns its number.
  ///
  /// Its journal entry is that of this transaction, if the transaction changes rows.
  @discardableResult
  package func append(trace: TraceRecord) throws -> Int64 {
    let connection = try writing()
    let hops = try seal(HopWriter.encode(trace.hops), .trace(correlationID: trace.correlationID))
    try connection.run(
      """
      INSERT INTO trace(id, journal_id, title, correlation_id, at, outcome, hop_count, sealed, person, machine)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        connection.newRowID(in: .trace), trace.journalID ?? journal.entryID, trace.title, trace.correlationID,
        trace.at, trace.outcome,
        trace.hops.count, hops, store.user?.author.person, store.user?.author.machine,
      ])
    let id = connection.lastRowID
    try connection.run("DELETE FROM trace WHERE id <= ?", [id - Self.keptTraces])
    if trace.journalID == nil { journal.link(trace: id) }
    return id
  }

  /// Returns the newest traces without their hops, newest first.
  package func traces(limit: Int) throws -> [TraceRecord] {
    try reading().all(
      "SELECT \(TraceRecord.columns(journal)) FROM trace ORDER BY id DESC LIMIT ?", [limit]
    ) { row throws(StoreError) in
      try intact(row.name(in: "trace")) { () throws(StoreError) in try TraceRecord(withoutHops: row) }
    }.compactMap(\.self)
  }

  /// Returns a trace with its hops, or `nil` if it is not in the store.
  ///
  /// - Throws: `StoreError.damaged`, with the number of the trace.
  package func trace(id: Int64) throws -> TraceRecord? {
    try reading().first("SELECT \(TraceRecord.columns(journal)), sealed FROM trace WHERE id = ?", [id]) {
      row throws(StoreError) in
      do throws(StoreError) {
        var trace = try TraceRecord(withoutHops: row)
        let hops = try open(row[10], .trace(correlationID: trace.correlationID))
        do { trace.hops = try HopReader.decode(hops) } catch {
          throw .damaged(path: store.name, row: "", message: "no list of hops")
        }
        return trace
      } catch { throw error.naming("trace \(id)") }
    }
  }
}

extension TraceRecord {
  fileprivate static func columns(_ journal: TransactionJournal) -> String {
    """
    id, journal_id, title, correlation_id, at, outcome, hop_count,
    EXISTS(SELECT 1 FROM journal WHERE journal.id = trace.journal_id AND kind = 'intent' AND state <> 0),
    \(journal.authorColumns)
    """
  }

  fileprivate init(withoutHops row: borrowing SQLRows) throws(StoreError) {
    self.init(
      id: try row[0], journalID: try row[1], title: try row[2], correlationID: try row[3], at: try row[4],
      outcome: try row[5], hops: [], hopCount: try row[6] as Int)
    isUndone = try row[7] == 1
    author = try Author(row, at: 8)
  }
}

extension Author {
  /// Creates an author from `StoreTransaction.authorColumns`.
  init?(_ row: borrowing SQLRows, at column: Int32) throws(StoreError) {
    let (person, machine): (String?, String?) = (try row[column], try row[column + 1])
    guard let person else { return nil }
    self.init(person: person, machine: machine ?? "")
  }
}
