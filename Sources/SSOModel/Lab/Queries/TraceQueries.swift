import SSOCore
import SSOStore

/// The traces in the store.
///
/// Throws `StoreError`.
package struct TraceQueries {
  let store: StoreTransaction

  /// Returns the traces, newest first.
  package func rows(limit: Int = 200) throws -> [TraceSummary] {
    try store.traces(limit: limit).map { TraceSummary($0, for: store.user) }
  }

  /// Returns a trace with all hops, or `nil` if it does not exist.
  package func trace(_ id: Int64) throws -> Trace? {
    try store.trace(id: id).map {
      Trace(
        summary: TraceSummary($0, for: store.user), hops: $0.hops, outcome: Outcome(encoded: $0.outcome),
        notes: try TraceNote.all(onTrace: id, in: store))
    }
  }
}

extension TraceSummary {
  /// Creates the row for `user`, who views it.
  init(_ record: TraceRecord, for user: StoreUser?) {
    let outcome = Outcome(encoded: record.outcome)
    self.init(
      id: record.id, title: record.title, correlationID: record.correlationID, at: record.at,
      verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? "", hopCount: record.hopCount,
      isUndone: record.isUndone)
    reason = outcome?.failedCheck?.reason
    author = record.author
    if let user, let author { isOfOthers = !user.isOwn(author) }
  }
}
