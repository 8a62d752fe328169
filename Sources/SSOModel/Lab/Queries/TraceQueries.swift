/// A trace in a list.
package struct TraceSummary: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var title: String
  package var correlationID: String
  package var at: Instant
  package var verdict: String
  package var summary: String
  package var hopCount: Int
  /// Whether what it changed has been undone since.
  package var isUndone = false
  /// Who did it; nil where it is not known.
  package var author: Author?
  /// Whether that is another person than the one at this process.
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

/// A whole trace.
package struct Trace: Codable, Hashable, Sendable {
  package var summary: TraceSummary
  package var hops: [Hop]
  package var outcome: Outcome?
  /// What a person wrote on a step, by its place from 0.
  package var notes: [Int: String] = [:]

  package init(summary: TraceSummary, hops: [Hop], outcome: Outcome?, notes: [Int: String] = [:]) {
    self.summary = summary
    self.hops = hops
    self.outcome = outcome
    self.notes = notes
  }
}

/// The traces of calls that the store keeps.
///
/// Throws `StoreError`.
package struct TraceQueries {
  let store: StoreTransaction

  /// The newest first.
  package func rows(limit: Int = 200) throws -> [TraceSummary] {
    try store.traces(limit: limit).map { TraceSummary($0, for: store.user) }
  }

  /// One trace with all hops; nil if there is none with this number.
  package func trace(_ id: Int64) throws -> Trace? {
    try store.trace(id: id).map {
      Trace(
        summary: TraceSummary($0, for: store.user), hops: $0.hops, outcome: Outcome(encoded: $0.outcome),
        notes: try TraceNote.all(onTrace: id, in: store))
    }
  }
}

extension TraceSummary {
  /// Makes the row for `user`, who looks at it.
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
