import Essentials

/// The journal inside a transaction.
///
/// Each entry holds what its rows were before it. Undoing an intent puts those back and records what it
/// found, so redoing is nothing but undoing the undo. `images` names the entry to put back next: it grows each time the intent
/// is taken back or done again, so the newest is the one that undo and redo take.
///
/// Each person has undo and redo of their own. What one takes back must not be what another has changed since
/// (`UndoConflict`).
///
/// The newest thousand entries are kept, as many as traces: what is older cannot be undone any more, and the
/// sealed values that it replaced or removed are gone with it.
package final class TransactionJournal {
  /// The state of an entry for undo and redo.
  private enum StackState: Int, SQLBindable {
    /// An intent whose changes are in force: undo takes the newest of these.
    case done = 0
    /// An intent that was undone: redo takes the one that was undone last.
    case undone = 1
    /// An intent that was undone before the same person did another one, and the undo and redo entries themselves.
    case past = 2
  }

  /// How many entries are kept.
  static let keptEntries: Int64 = 1000

  let images: RowImages
  /// What is recorded if a row changes; nil: changes are not recorded.
  var entry: JournalEntry?
  /// The ID of the entry once a row has changed; nil: undo has nothing to take back.
  package private(set) var entryID: Int64?
  let connection: StoreConnection
  private let user: StoreUser?
  private let lacksAuthors: Bool
  /// How many rows have changed, and in how many notes of the journal that is.
  private var changeCount = 0
  private var noteCount = 0
  /// Rows of items that were added last, one after the other, and are not noted yet.
  private var newItems: ClosedRange<Int64>?
  /// Traces appended before the entry had an ID.
  private var tracesToLink: [Int64] = []

  /// `lacksAuthors` says that the store is of an older schema.
  init(_ connection: StoreConnection, entry: JournalEntry?, user: StoreUser?, lacksAuthors: Bool) {
    self.connection = connection
    self.user = lacksAuthors ? nil : user
    self.lacksAuthors = lacksAuthors
    self.entry = entry
    images = RowImages(connection: connection)
  }

  // MARK: Reading

  /// The columns of an entry or a trace that say who did it.
  var authorColumns: String { lacksAuthors ? "NULL, NULL" : "person, machine" }

  /// An intent that undo or redo takes.
  struct Candidate {
    var id: Int64
    var intent: String
    /// The entry that holds the rows to put back.
    var images: Int64
    var session: String?
    var author: Author?
  }

  /// The intent that an undo or a redo takes, of this person or of anyone.
  func next(_ kind: JournalEntry.Kind, anyone: Bool) throws(StoreError) -> Candidate? {
    let own = anyone ? nil : user?.ownRows
    let state: [any SQLBindable] = [kind == .undo ? StackState.done : .undone]
    return try connection.first(
      """
      SELECT id, intent, images, \(lacksAuthors ? "NULL, NULL, NULL" : "origin, person, machine") FROM journal
      WHERE state = ? AND \(own?.condition ?? "true") ORDER BY images DESC LIMIT 1
      """, state + (own?.values ?? [])
    ) { row throws(StoreError) in
      do throws(StoreError) {
        return Candidate(
          id: try row[0], intent: try row[1], images: try row[2], session: try row[3],
          author: try Author(row, at: 4))
      } catch {
        throw error.naming(row.name(in: "journal"))
      }
    }
  }

  // MARK: Recording

  /// Notes what a row was before it changes (nil: it was not there).
  ///
  /// Does nothing without an entry.
  func record(_ row: RowKey, before: Data?) throws(StoreError) {
    guard let entry else { return }
    let id = try begin(entry)
    try noteNewItems()
    try note(row.encoded, before: before, in: id)
  }

  /// Notes an item that was added.
  ///
  /// Items added one after the other, as by an import, are one note.
  func record(newItem rowID: Int64) throws(StoreError) {
    guard let entry else { return }
    _ = try begin(entry)
    if let rows = newItems, rows.upperBound == rowID - 1 {
      newItems = rows.lowerBound...rowID
    } else {
      try noteNewItems()
      newItems = rowID...rowID
    }
  }

  /// Links a trace that was kept in this transaction to the entry, if there comes to be one.
  func link(trace id: Int64) { if entryID == nil { tracesToLink.append(id) } }

  /// Completes the entry, before the commit.
  func finish() throws(StoreError) {
    guard let entryID else { return }
    try noteNewItems()
    try connection.run(
      "UPDATE journal SET changes = ?1, images = ?2 WHERE id = ?2", [changeCount, entryID])
    for trace in tracesToLink {
      try connection.run("UPDATE trace SET journal_id = ? WHERE id = ?", [entryID, trace])
    }
    try prune(upTo: entryID - Self.keptEntries)
  }

  /// The ID of the entry, which is stored when the first row changes.
  private func begin(_ entry: JournalEntry) throws(StoreError) -> Int64 {
    if let entryID { return entryID }
    let own = user?.ownRows
    let states: [any SQLBindable] = [StackState.past, StackState.undone]
    try connection.run(
      "UPDATE journal SET state = ? WHERE state = ? AND \(own?.condition ?? "true")",
      states + (own?.values ?? []))
    let id = try append(intent: entry.intent, at: entry.at, kind: .intent, reverses: nil, state: .done)
    entryID = id
    return id
  }

  private func append(
    intent: String, at: Instant, kind: JournalEntry.Kind, reverses: Int64?, state: StackState
  ) throws(StoreError) -> Int64 {
    try connection.run(
      """
      INSERT INTO journal(id, intent, at, kind, reverses, changes, state, images, origin, person, machine)
      VALUES(?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?)
      """,
      [
        connection.newRowID(in: .journal), intent, at, kind, reverses, state, user?.session ?? Origin.own,
        user?.author.person, user?.author.machine,
      ])
    return connection.lastRowID
  }

  private func noteNewItems() throws(StoreError) {
    guard let rows = newItems, let entryID else { return }
    newItems = nil
    try note(RowKey.newItems(rows).encoded, before: nil, rows: rows.count, in: entryID)
  }

  private func note(_ row: Data, before: Data?, rows: Int = 1, in id: Int64) throws(StoreError) {
    try connection.run(
      "INSERT INTO journal_change(journal_id, seq, row, before) VALUES(?, ?, ?, ?)",
      [id, noteCount, row, before])
    noteCount += 1
    changeCount += rows
  }

  /// Forgets entries beyond those that are kept.
  ///
  /// If one goes that was undone, those that were undone before it must not be redone without it.
  private func prune(upTo last: Int64) throws(StoreError) {
    guard last > 0 else { return }
    try connection.run(
      """
      UPDATE journal SET state = ?1 WHERE state = ?2
        AND EXISTS(SELECT 1 FROM journal WHERE state = ?2 AND id <= ?3)
      """, [StackState.past, StackState.undone, last])
    try connection.run("DELETE FROM journal WHERE id <= ?", [last])
    try connection.run("DELETE FROM journal_change WHERE journal_id <= ?", [last])
  }

  // MARK: Undo and redo

  /// Undoes or redoes one intent, of this person or of anyone.
  func step(_ kind: JournalEntry.Kind, anyone: Bool, at: Instant) throws(StoreError) -> UndoStep {
    guard let next = try next(kind, anyone: anyone) else {
      return .nothing(others: anyone ? nil : try self.next(kind, anyone: true).map(entry))
    }
    if let conflict = try conflict(putting: next) { return .refused(entry(next), conflict) }
    let step = try append(intent: next.intent, at: at, kind: kind, reverses: next.images, state: .past)
    try putBack(next.images, notingIn: step)
    try connection.run(
      "UPDATE journal SET state = ?, images = ? WHERE id = ?",
      [kind == .undo ? StackState.undone : .done, step, next.id])
    entryID = step
    var entry = JournalEntry(
      id: step, intent: next.intent, at: at, kind: kind, undoes: next.images, changes: changeCount)
    entry.author = user?.author
    entry.origin = originElsewhere(next)
    return .done(entry)
  }

  private func originElsewhere(_ candidate: Candidate) -> String? {
    if let user { return user.originElsewhere(candidate.author, session: candidate.session) }
    return candidate.session == Origin.own ? nil : candidate.session.map { "in \($0)" }
  }

  private func entry(_ candidate: Candidate) -> JournalEntry {
    var entry = JournalEntry(
      id: candidate.id, intent: candidate.intent, at: Instant(0), kind: .intent, undoes: nil, changes: 0)
    entry.author = candidate.author
    entry.origin = originElsewhere(candidate)
    return entry
  }

  /// Puts the rows of an entry back to what they were before it, the last change first.
  private func putBack(_ entry: Int64, notingIn step: Int64) throws(StoreError) {
    var changes = try connection.rows(
      "SELECT row, before FROM journal_change WHERE journal_id = ? ORDER BY seq DESC", [entry])
    func damaged(_ error: StoreError) -> StoreError { error.naming("journal_change \(entry)") }
    while try changes.next() {
      let (encoded, before): (Data, Data?)
      do throws(StoreError) { (encoded, before) = (try changes[0], try changes[1]) } catch {
        throw damaged(error)
      }
      guard let row = RowKey(encoded: encoded) else {
        throw damaged(.damaged(path: connection.name, row: "", message: "a row of no table"))
      }
      if case .newItems(let rows) = row {
        try images.eachItem(in: rows) { row, image throws(StoreError) in
          try note(row.encoded, before: image, in: step)
        }
      } else {
        try note(encoded, before: images.image(of: row), in: step)
      }
      try images.restore(row, to: before)
    }
  }
}
