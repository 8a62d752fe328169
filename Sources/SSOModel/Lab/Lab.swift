import SSOCore
import SSOProvider
import SSOStore

/// One lab: the facade that CLI and screens call. Synchronous; every call is one transaction of the store.
package final class Lab: Sendable {
  package let store: WorldStore
  let clock: @Sendable () -> Instant
  /// Whether everything that would change the lab is refused (`--readonly`).
  package let isReadOnly: Bool
  /// For a server, which signs again and again, and for replays.
  let keyReader: SigningKeyReader

  /// - Parameter clock: real time; the lab adds what was moved by hand.
  package init(
    store: WorldStore, isReadOnly: Bool = false, keyReader: SigningKeyReader = SigningKeyReader(),
    clock: @escaping @Sendable () -> Instant = SystemClock.now
  ) {
    self.store = store
    self.isReadOnly = isReadOnly
    self.keyReader = keyReader
    self.clock = clock
  }

  /// The same lab, only to be looked at.
  package func readOnly() -> Lab { Lab(store: store, isReadOnly: true, clock: clock) }

  func view<T>(_ body: (Stage) throws -> T) throws -> T {
    try store.read { try body(Stage($0, realTime: clock())) }
  }

  /// Performs an intent with the answers given so far (ARCHITECTURE.md, "Replay").
  ///
  /// - Throws: `LabError` for names that fit nothing, `StoreError`; what an SDK refuses is an outcome, not an error.
  package func perform(_ intent: Intent, answers: [Answer] = []) throws -> Performance {
    try checkWritable()
    let realTime = clock()
    let recorder = HopKeeper()
    do {
      return try store.write(JournalEntry(intent: intent.words, at: realTime)) { transaction in
        let stage = try Stage(transaction, realTime: realTime, answers: answers, keyReader: keyReader)
        recorder.trace = stage.trace
        let intent = try stage.spellingOut(intent)
        transaction.entry?.intent = intent.words
        let correlationID = stage.chance.upperUUID()
        var outcome = try stage.carryOut(intent, correlationID: correlationID)
        outcome.at = stage.now
        try stage.saveChance()
        let id = try transaction.append(
          trace: TraceRecord(
            title: intent.words, correlationID: correlationID, at: stage.now, outcome: outcome.encoded,
            hops: stage.trace.hops))
        return .done(outcome, traceID: id)
      }
    } catch let needs as NeedsAnswer {
      return .needs(needs.prompt, hopsSoFar: recorder.trace?.hops ?? [])
    }
  }

  /// Takes the last intent back; its words, or nil if there is nothing to undo.
  package func undo() throws -> String? {
    try checkWritable()
    return try store.undo(at: clock())?.intent
  }

  /// Does again what was undone last.
  package func redo() throws -> String? {
    try checkWritable()
    return try store.redo(at: clock())?.intent
  }

  package func checkWritable() throws(LabError) {
    guard isReadOnly else { return }
    throw LabError(
      .readOnly, "Nothing was changed.", why: "The store is open for reading only.",
      next: "The same command without --readonly")
  }

  /// Keeps the trace of a run that was rolled back.
  private final class HopKeeper { var trace: TraceRecorder? }
}
