import Foundation
import GRDB
import SSOCore

extension StoreTransaction {
  /// How many traces are kept.
  package static let keptTraces: Int64 = 1000

  /// Keeps a trace and returns its number. Its journal entry is this transaction's, if that changes rows.
  @discardableResult
  package func append(trace: TraceRecord) throws -> Int64 {
    let database = try writing()
    let hops = try seal(HopWriter.encode(trace.hops), .trace(correlationID: trace.correlationID))
    try database.cachedStatement(
      sql: """
        INSERT INTO trace(journal_id, title, correlation_id, at, outcome, hop_count, sealed)
        VALUES(?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      trace.journalID ?? journalID, trace.title.storedText, trace.correlationID.storedText,
      trace.at.milliseconds, trace.outcome.storedText, trace.hops.count,
      hops,
    ])
    let id = database.lastInsertedRowID
    try database.cachedStatement(sql: "DELETE FROM trace WHERE id <= ?")
      .execute(arguments: [id - Self.keptTraces])
    if trace.journalID == nil, journalID == nil { tracesToLink.append(id) }
    return id
  }

  /// The newest traces without their hops, newest first.
  package func traces(limit: Int) throws -> [TraceRecord] {
    let statement = try reading().cachedStatement(
      sql:
        "SELECT id, journal_id, title, correlation_id, at, outcome, hop_count FROM trace ORDER BY id DESC LIMIT ?"
    )
    return try Row.fetchAll(statement, arguments: [limit]).map { TraceRecord($0, hops: []) }
  }

  /// A trace with its hops; nil if it is not kept.
  package func trace(id: Int64) throws -> TraceRecord? {
    let statement = try reading().cachedStatement(
      sql: """
        SELECT id, journal_id, title, correlation_id, at, outcome, hop_count, sealed FROM trace
        WHERE id = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
    var trace = TraceRecord(row, hops: [])
    let hops = try open(row[7], .trace(correlationID: trace.correlationID))
    do { trace.hops = try HopReader.decode(hops) } catch {
      throw StoreError.other(path: store.name, message: "trace \(id) is damaged")
    }
    return trace
  }
}

extension TraceRecord {
  fileprivate init(_ row: Row, hops: [Hop]) {
    self.init(
      id: row[0], journalID: row[1], title: String(storedText: row[2]),
      correlationID: String(storedText: row[3]), at: Instant(milliseconds: row[4]),
      outcome: String(storedText: row[5]), hops: hops, hopCount: row[6])
  }
}
