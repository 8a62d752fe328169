extension Lab {
  package func traces(limit: Int = 200) throws -> [TraceSummary] {
    try store.traces(limit: limit).map { TraceSummary($0) }
  }

  package func trace(_ id: Int64) throws -> Trace? {
    try store.read { transaction in
      try transaction.trace(id: id).map {
        Trace(
          summary: TraceSummary($0), hops: $0.hops, outcome: Outcome(encoded: $0.outcome),
          notes: try transaction.notes(onTrace: id))
      }
    }
  }

  /// Every check of a trace in the order in which it ran; nil if there is no such trace.
  package func why(trace id: Int64) throws -> Checklist? {
    guard let trace = try trace(id) else { return nil }
    return Checklist(
      title: "Why “\(trace.summary.title)” ended as \(trace.summary.verdict)",
      answer: trace.outcome?.summary ?? trace.summary.summary,
      holds: trace.summary.verdict == Outcome.Verdict.succeeded.rawValue,
      sections: trace.hops.filter { !$0.checks.isEmpty }.map {
        Checklist.Section(title: "\($0.from) → \($0.to): \($0.action)", checks: $0.checks)
      })
  }
}

extension TraceSummary {
  init(_ record: TraceRecord) {
    let outcome = Outcome(encoded: record.outcome)
    self.init(
      id: record.id, title: record.title, correlationID: record.correlationID, at: record.at,
      verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? "", hopCount: record.hopCount)
  }
}
