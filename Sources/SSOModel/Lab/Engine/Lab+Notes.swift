/// A user's note on a step of a trace.
struct TraceNote: Codable, Hashable, Sendable {
  static let longest = 1000
  var text: String

  /// Returns the key of a note, such as `12/3`: the trace and the zero-based step.
  static func key(_ trace: Int64, _ step: Int) -> String { "\(trace)/\(step)" }
}

extension Lab {
  /// Saves a note on a zero-based step of a trace, or removes it if the text is empty.
  ///
  /// Undo applies as to any change, but a note is not a call and has no trace.
  ///
  /// - Throws: `LabError` if the text is longer than `TraceNote.longest`, or the step does not exist.
  package func annotate(trace id: Int64, step: Int, text: String) throws {
    try checkWritable()
    guard text.count <= TraceNote.longest else {
      throw LabError(
        .badInput, "The note is too long.",
        why: "Expected at most \(TraceNote.longest) characters, found \(text.count).", next: "Shorten it.")
    }
    let entry = JournalEntry(intent: "note on step \(step + 1) of trace \(id)", at: clock())
    try store.write(entry) { transaction in
      guard let trace = try transaction.trace(id: id), trace.hops.indices.contains(step) else {
        throw LabError(
          .nothingMatched, "There is no step \(step + 1) in trace \(id).",
          why: "This trace has no such step.",
          next: "List them: \(.trace, "\(id)")")
      }
      try TraceNote.forgetThoseOfLostTraces(in: transaction)
      if text.isEmpty {
        try transaction.delete(.traceNote, TraceNote.key(id, step))
      } else {
        try transaction.write(TraceNote(text: text), .traceNote, TraceNote.key(id, step))
      }
    }
  }
}

extension TraceNote {
  /// Returns the notes on a trace by zero-based step.
  static func all(onTrace id: Int64, in store: StoreTransaction) throws -> [Int: String] {
    let prefix = "\(id)/"
    let documents = try store.documents(.traceNote, keyPrefix: prefix).compactMap { key, _ in
      Int(key.dropFirst(prefix.count)).map { (step: $0, key: key) }
    }
    var notes: [Int: String] = [:]
    for (step, key) in documents { notes[step] = try store.read(TraceNote.self, .traceNote, key)?.text }
    return notes
  }

  /// Removes the notes on traces that the store no longer retains.
  fileprivate static func forgetThoseOfLostTraces(in store: StoreTransaction) throws {
    guard let newest = try store.traces(limit: 1).first?.id else { return }
    for (key, _) in try store.documents(.traceNote, keyPrefix: "") {
      guard let trace = Int64(key.prefix { $0 != "/" }), trace <= newest - StoreTransaction.keptTraces else {
        continue
      }
      try store.delete(.traceNote, key)
    }
  }
}
