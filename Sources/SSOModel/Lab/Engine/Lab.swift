/// A lab, as CLI and screens use it.
///
/// It is synchronous, and every call is one transaction of the store.
///
/// Throws `LabError` for what the lab rejects, and `StoreError`.
package final class Lab: Sendable {
  package let store: WorldStore
  let clock: @Sendable () -> Instant
  /// Whether every change of the lab is rejected (`--readonly`).
  package let isReadOnly: Bool
  /// The cache of signing keys, for servers and replays.
  let keyReader: SigningKeyReader

  /// Creates a lab from a store.
  ///
  /// `clock` is the real time, to which the lab adds its clock offset.
  package init(
    store: WorldStore, isReadOnly: Bool = false, keyReader: SigningKeyReader = SigningKeyReader(),
    clock: @escaping @Sendable () -> Instant = SystemClock.now
  ) {
    self.store = store
    self.isReadOnly = isReadOnly
    self.keyReader = keyReader
    self.clock = clock
  }

  /// Returns the same lab for read-only access.
  package func readOnly() -> Lab { Lab(store: store, isReadOnly: true, clock: clock) }

  /// Reads a consistent state of the lab.
  package func read<T>(_ body: (LabReader) throws -> T) throws -> T {
    try store.read { try body(LabReader($0, realTime: clock())) }
  }

  /// Performs an intent with the answers given so far (ARCHITECTURE.md, "Replay").
  ///
  /// `listener` receives each hop during the call, on this thread. Nothing is stored yet at that point; a
  /// repeated call starts without hops.
  ///
  /// - Throws: `LabError` for unknown names; `StoreError`. An error of an SDK is an outcome instead.
  package func perform(
    _ intent: any Intent, answers: [Answer] = [], listener: ((CallProgress) -> Void)? = nil
  ) throws -> Performance {
    try checkWritable()
    let realTime = clock()
    return try store.again {
      let trace = TraceRecorder(listener: listener)
      do {
        let entry = intent.isJournaled ? JournalEntry(intent: intent.words, at: realTime) : nil
        return try store.write(entry) { store in
          let transaction = try IntentTransaction(
            store, realTime: realTime, answers: answers, trace: trace, keyReader: keyReader,
            isServed: !intent.isJournaled)
          var intent = intent
          try intent.resolve(in: transaction.reader)
          // Do this before it runs: a removed account no longer has a name.
          let words = try intent.words(transaction.reader.names)
          store.entry?.intent = words
          var outcome = try transaction.run(intent)
          outcome.at = transaction.now
          try transaction.saveRandom()
          let id = try store.append(
            trace: TraceRecord(
              title: words, correlationID: transaction.correlationID, at: transaction.now,
              outcome: outcome.encoded, hops: trace.hops))
          outcome.canUndo = store.journal.entryID != nil
          return .done(outcome, traceID: id)
        }
      } catch let needs as NeedsAnswer {
        return .needs(needs.prompt, hopsSoFar: trace.hops)
      }
    }
  }

  /// Undoes this user's last intent, even if another process performed it.
  ///
  /// - Parameter anyone: Whether to undo the last intent of any user.
  /// - Returns: The intent's text, or `nil` if there is nothing to undo.
  /// - Throws: `LabError` if only other users' intents are left, or another intent has changed the same rows
  ///   since.
  package func undo(anyone: Bool = false) throws -> String? {
    try checkWritable()
    return try store.undo(at: clock(), anyone: anyone).words("undo")
  }

  /// Redoes the intent that was undone last.
  ///
  /// See `undo`.
  package func redo(anyone: Bool = false) throws -> String? {
    try checkWritable()
    return try store.redo(at: clock(), anyone: anyone).words("redo")
  }

  /// Checks that the lab can be changed.
  ///
  /// - Throws: `LabError` with a command that would work.
  package func checkWritable() throws(LabError) {
    guard isReadOnly else { return }
    let (why, next): (String, Advice) =
      switch store.onlyReads {
      case nil: ("The store is open for reading only.", "The same command without --readonly")
      case .server:
        (
          "The server is a standby, or its database accepts no changes.",
          "Specify all hosts of the lab, so that the writable host is found: postgresql://HOST1,HOST2/DATABASE"
        )
      case .person(let person):
        (
          "\(person) may only read the lab.",
          PostgresError.howToGrant(.writing, to: person, store.location.name)
        )
      }
    throw LabError(.readOnly, "Nothing was changed.", why: why, next: next)
  }
}

extension JournalEntry {
  /// The text with its origin, such as `clock +1h (done in session 4711 on /dev/pts/3)` or
  /// `clock +1h (done by ben on qa-2)`.
  fileprivate var wordsWithOrigin: String { origin.map { "\(intent) (done \($0))" } ?? intent }
}

extension UndoStep {
  /// Returns the intent's text, or `nil` if there is none.
  fileprivate func words(_ verb: String) throws(LabError) -> String? {
    switch self {
    case .done(let entry): return entry.wordsWithOrigin
    case .nothing(others: nil): return nil
    case .nothing(let others?):
      throw LabError(
        .notOwn, "You have nothing to \(verb).",
        why: "The last is “\(others.intent)”, done \(others.origin ?? "by another").",
        next: verb == "undo" ? "\(.undoForAnyone)" : "\(.redoForAnyone)")
    case .refused(let entry, let conflict):
      let author = conflict.author.map { ", done by \($0.words)" } ?? ""
      throw LabError(
        .changedSince, "“\(entry.intent)” cannot be \(verb == "undo" ? "undone" : "redone").",
        why: "“\(conflict.intent)”\(author), has changed \(conflict.row) since.",
        next: "\(.journal)")
    }
  }
}
