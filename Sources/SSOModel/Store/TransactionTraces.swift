import Foundation

extension StoreTransaction {
  /// How many traces are kept.
  package static let keptTraces: Int64 = 1000

  private static let traceColumns = """
    id, journal_id, title, correlation_id, at, outcome, hop_count,
    EXISTS(SELECT 1 FROM journal WHERE journal.id = trace.journal_id AND kind = 'intent' AND state <> 0)
    """

  /// Keeps a trace and returns its number.
  ///
  /// Its journal entry is this transaction's, if that changes rows.
  @discardableResult
  package func append(trace: TraceRecord) throws -> Int64 {
    let connection = try writing()
    let hops = try seal(HopWriter.encode(trace.hops), .trace(correlationID: trace.correlationID))
    try connection.run(
      """
      INSERT INTO trace(id, journal_id, title, correlation_id, at, outcome, hop_count, sealed)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        connection.newRowID(in: .trace), trace.journalID ?? journal.entryID, trace.title, trace.correlationID,
        trace.at, trace.outcome,
        trace.hops.count, hops,
      ])
    let id = connection.lastRowID
    try connection.run("DELETE FROM trace WHERE id <= ?", [id - Self.keptTraces])
    if trace.journalID == nil { journal.link(trace: id) }
    return id
  }

  /// The newest traces without their hops, newest first.
  package func traces(limit: Int) throws -> [TraceRecord] {
    try reading().all(
      "SELECT \(Self.traceColumns) FROM trace ORDER BY id DESC LIMIT ?", [limit]
    ) { row throws(StoreError) in
      try intact(row.name(in: "trace")) { () throws(StoreError) in try TraceRecord(withoutHops: row) }
    }.compactMap(\.self)
  }

  /// A trace with its hops; nil if it is not kept.
  package func trace(id: Int64) throws -> TraceRecord? {
    try reading().first("SELECT \(Self.traceColumns), sealed FROM trace WHERE id = ?", [id]) {
      row throws(StoreError) in
      do throws(StoreError) {
        var trace = try TraceRecord(withoutHops: row)
        let hops = try open(row[8], .trace(correlationID: trace.correlationID))
        do { trace.hops = try HopReader.decode(hops) } catch {
          throw .damaged(path: store.name, row: "", message: "no list of hops")
        }
        return trace
      } catch { throw error.naming("trace \(id)") }
    }
  }
}

extension TraceRecord {
  fileprivate init(withoutHops row: borrowing SQLRows) throws(StoreError) {
    self.init(
      id: try row[0], journalID: try row[1], title: try row[2], correlationID: try row[3], at: try row[4],
      outcome: try row[5], hops: [], hopCount: try row[6] as Int)
    isUndone = try row[7] == 1
  }
}
