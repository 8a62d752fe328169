import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

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
  ) throws -> IntentResult {
    try checkWritable()
    let realTime = clock()
    return try store.again {
      let trace = TraceRecorder(listener: listener)
      do {
        let entry = intent.isJournaled ? JournalEntry(intent: intent.displayText, at: realTime) : nil
        return try store.write(entry) { store in
          let transaction = try IntentTransaction(
            store, realTime: realTime, answers: answers, trace: trace, keyReader: keyReader,
            isServed: !intent.isJournaled)
          var intent = intent
          try intent.resolve(in: transaction.reader)
          // Do this before it runs: a removed account no longer has a name.
          let words = try intent.displayText(transaction.reader.names)
          store.entry?.intent = words
          var outcome = try transaction.namingPlatform(transaction.run(intent), of: intent)
          outcome.at = transaction.now
          try transaction.saveRandom()
          // Undo must not name a sign-in that never happened.
          if outcome.verdict != .succeeded {
            try store.journal.amend(words + Self.remark(outcome.verdict))
          }
          let id = try store.append(
            trace: TraceRecord(
              title: words, correlationID: transaction.correlationID, at: transaction.now,
              outcome: outcome.encoded, hops: trace.hops))
          outcome.canUndo = try store.journal.hasVisibleChange(Self.minorIntents)
          return .done(outcome, traceID: id)
        }
      } catch let needs as NeedsAnswer {
        return .needs(needs.prompt, hopsSoFar: trace.hops)
      }
    }
  }

  /// The calls that may change only the memory of the app's process, which users do not think of as the last change:
  /// silent calls that find the token in the cache, and calls that get no token.
  static let minorIntents = MinorIntents(
    AcquireSilently.verb + " ", endings: [Outcome.Verdict.cancelled, .failed].map(remark))

  /// Returns the end of the text of an intent that did not succeed.
  private static func remark(_ verdict: Outcome.Verdict) -> String { " (\(verdict.rawValue))" }

  /// Undoes this user's last intent, even if another process performed it, and the minor calls after it.
  ///
  /// - Parameter anyone: Whether to undo the last intent of any user.
  /// - Returns: The intent's text, or `nil` if there is nothing to undo.
  /// - Throws: `LabError` if only other users' intents are left, or another intent has changed the same rows
  ///   since.
  package func undo(anyone: Bool = false) throws -> String? {
    try checkWritable()
    return try store.undo(at: clock(), anyone: anyone, isMinor: Self.minorIntents).displayText("undo")
  }

  /// Redoes the intent that was undone last.
  ///
  /// See `undo`.
  package func redo(anyone: Bool = false) throws -> String? {
    try checkWritable()
    return try store.redo(at: clock(), anyone: anyone, isMinor: Self.minorIntents).displayText("redo")
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
          "The server is a standby, or its database does not accept changes.",
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
  /// Returns the intent's text, or `nil` if there was nothing to do.
  fileprivate func displayText(_ verb: String) throws(LabError) -> String? {
    switch self {
    case .done(let entry): return entry.wordsWithOrigin
    case .nothing(others: nil): return nil
    case .nothing(let others?):
      throw LabError(
        .notOwn, "You have nothing to \(verb).",
        why: "The last is “\(others.intent)”, done \(others.origin ?? "by another").",
        next: verb == "undo" ? "\(.undoForAnyone)" : "\(.redoForAnyone)")
    case .refused(let entry, let conflict):
      let author = conflict.author.map { ", done by \($0.displayText)" } ?? ""
      throw LabError(
        .changedSince, "“\(entry.intent)” cannot be \(verb == "undo" ? "undone" : "redone").",
        why: "“\(conflict.intent)”\(author), has changed \(conflict.row) since.",
        next: "\(.journal)")
    }
  }
}

extension Lab {
  /// Writes a world into an empty store.
  ///
  /// A store that already contains a lab is left unchanged.
  ///
  /// - Parameters:
  ///   - name: The name of the scenario that the world comes from.
  ///   - seed: The seed of the lab's random source, or 0 for a seed from the system.
  ///   - world: The records to write.
  /// - Throws: `StoreError`.
  package func create(named name: String, seed: UInt64, _ world: LabWorld) throws {
    let now = clock()
    try store.write(nil) { transaction in
      // Another process may have been faster, and its world may be in use already.
      guard try transaction.document(.lab, LabState.key) == nil else { return }
      let device = world.device
      try transaction.write(LabState(name: name, deviceID: device.id), .lab, LabState.key)
      let seed = seed == 0 ? SystemClock.seed() : seed
      try transaction.write(LabRandom(source: Randomness(seed: seed)), .lab, LabRandom.key)
      try transaction.write(device, .device, device.id)
      for tenant in world.tenants { try transaction.save(tenant) }
      for person in world.people { try transaction.save(person) }
      try transaction.save(ClientRegistration.authenticationBroker)
      for policy in world.policies { try transaction.save(policy) }
      if let isCompliant = world.isCompliant {
        try transaction.save(ManagedDevice(serial: device.id, isCompliant: isCompliant))
      }
      for registration in world.registrations { try transaction.save(registration) }
      for app in world.apps { try transaction.write(app, .app, device.id + "/" + app.bundleID) }
      let provisioning = DeviceProvisioning(transaction: try IntentTransaction(transaction, realTime: now))
      for held in world.brokerAccounts { try provisioning.give(held) }
      for username in world.certificates { try provisioning.addCertificate(username) }
      try provisioning.transaction.saveRandom()
    }
  }
}

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
  /// Undo applies as to any change, but a note is not a call, so it does not get a trace.
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
      guard let trace = try transaction.trace(id: id) else {
        throw LabError(
          .nothingMatched, "There is no trace \(id).", why: "The lab does not have a trace with this number.",
          next: "List them: \(.traces)")
      }
      guard trace.hops.indices.contains(step) else {
        throw LabError(
          .nothingMatched, "There is no step \(step + 1) in trace \(id).",
          why: "The trace does not have that many steps.",
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

/// An error that describes why the lab could not perform an action: the problem, its cause, and the next
/// step.
package struct LabError: Error, Hashable, Sendable {
  /// The kind of error, for `--json`.
  package enum Kind: String, Codable, Sendable {
    case unknownApp, ambiguousApp, unknownAccount, unknownCredential, nothingMatched, badInput,
      readOnly
    /// The system lacks something that the lab's server needs.
    case system
    /// Errors of undo and redo: only other users' intents are left, or another intent has changed the same
    /// rows since.
    case notOwn, changedSince
  }

  package var kind: Kind
  package var what: String
  package var why: String
  package var next: Advice
  /// A word that may have been typed, and the words that replace it.
  package struct Replacement: Hashable, Sendable {
    package var typed: String
    package var names: [String]
  }
  package private(set) var replacement: Replacement?

  package init(_ kind: Kind, _ what: String, why: String, next: Advice) {
    self.kind = kind
    self.what = what
    self.why = why
    self.next = next
  }

  /// Returns the error with the words that replace a word that may have been typed.
  func replacing(_ typed: String, with names: [String]) -> LabError {
    var error = self
    error.replacement = Replacement(typed: typed, names: names)
    return error
  }

  /// Returns the error for a text that is part of several names.
  static func ambiguous(_ kind: Kind, _ noun: String, _ typed: String, in names: [String]) -> LabError {
    LabError(
      kind, "\(typed) matches \(names.count) \(noun)s.",
      why: "It is part of \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "").",
      next: "Name one: \(names[0])"
    ).replacing(typed, with: names)
  }

  /// Returns the error for an unknown name, with the most similar name as a suggestion.
  static func unknown(_ kind: Kind, _ noun: String, _ name: String, among names: [String], list: Advice)
    -> LabError
  {
    let nearest = nearestName(to: name, among: names)
    // An app is listed by its bundle ID, and not by its name too, which may be the bundle ID.
    let identifiers = names.filter { $0.contains(".") }
    let listed = (identifiers.isEmpty ? names : identifiers).reduce(into: [String]()) { listed, name in
      if !listed.contains(name) { listed.append(name) }
    }.prefix(8).joined(separator: ", ")
    return LabError(
      kind, "There is no \(noun) “\(name)”.",
      why: names.isEmpty ? "This lab does not have any." : "The lab has \(listed).",
      next: nearest.map { "Did you mean \($0)?" } ?? "List them: \(list)")
  }
}

/// Returns the most similar name, by its spelling or that of one of its parts (`mytestapp9` resembles
/// `com.contoso.mytestapp1`).
package func nearestName(to name: String, among names: [String]) -> String? {
  if let whole = names.closestSpelling(to: name) { return whole }
  // All parts together, because the names may differ only in their last letter.
  let parts = names.map { $0.split { ".@ -".contains($0) }.map(String.init) }
  guard let nearest = parts.flatMap(\.self).closestSpelling(to: name) else { return nil }
  return zip(names, parts).first { $1.contains(nearest) }?.0
}
