/// A trace in a list.
package struct TraceSummary: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var title: String
  package var correlationID: String
  package var at: Instant
  package var verdict: String
  package var summary: String
  package var hopCount: Int
  /// Whether the changes have been undone since.
  package var isUndone = false
  /// The author, or `nil` if unknown.
  package var author: Author?
  /// Whether the author is not the user of this process.
  package var isOfOthers = false

  package init(
    id: Int64, title: String, correlationID: String, at: Instant, verdict: String, summary: String,
    hopCount: Int, isUndone: Bool = false
  ) {
    self.id = id
    self.title = title
    self.correlationID = correlationID
    self.at = at
    self.verdict = verdict
    self.summary = summary
    self.hopCount = hopCount
    self.isUndone = isUndone
  }
}

/// A complete trace.
package struct Trace: Codable, Hashable, Sendable {
  package var summary: TraceSummary
  package var hops: [Hop]
  package var outcome: Outcome?
  /// The users' notes on steps, by zero-based index.
  package var notes: [Int: String] = [:]

  package init(summary: TraceSummary, hops: [Hop], outcome: Outcome?, notes: [Int: String] = [:]) {
    self.summary = summary
    self.hops = hops
    self.outcome = outcome
    self.notes = notes
  }
}

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
    author = record.author
    if let user, let author { isOfOthers = !user.isOwn(author) }
  }
}
