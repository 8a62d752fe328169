import Essentials

/// The journal inside a transaction.
///
/// Each entry contains the earlier images of its rows. Undoing an intent restores them and records the images
/// that it replaces, so redoing is simply undoing the undo. `images` is the entry to restore next. It grows
/// with each undo or redo of the intent, so undo and redo take the intent with the highest value.
///
/// Each user has separate undo and redo. A row that another user has changed since must not be restored
/// (`UndoConflict`).
///
/// The newest thousand entries are retained, as many as traces. Older changes can no longer be undone, and
/// the sealed values that they replaced or removed are deleted.
package final class TransactionJournal {
  /// The state of an entry for undo and redo.
  private enum StackState: Int, SQLBindable {
    /// An intent whose changes are in effect.
    ///
    /// Undo takes the newest one.
    case done = 0
    /// An intent that was undone.
    ///
    /// Redo takes the one undone last.
    case undone = 1
    /// An intent that was undone before the same user performed another one, or an undo or redo entry.
    case inactive = 2
  }

  /// The number of retained entries.
  static let keptEntries: Int64 = 1000

  let images: RowImages
  /// The entry to record if a row changes, or `nil` if changes are not recorded.
  var entry: JournalEntry?
  /// The ID of the entry once a row has changed, or `nil` if there is nothing to undo.
  package private(set) var entryID: Int64?
  let connection: StoreConnection
  private let user: StoreUser?
  private let lacksAuthors: Bool
  /// The number of changed rows.
  ///
  /// `noteCount` is the number of journal rows that record them.
  private var changeCount = 0
  private var noteCount = 0
  /// The consecutive rows of items added last, which are not recorded yet.
  private var newItems: ClosedRange<Int64>?
  /// The traces appended before the entry had an ID.
  private var tracesToLink: [Int64] = []

  /// Creates a journal.
  ///
  /// `lacksAuthors` means that the store has an older schema.
  init(_ connection: StoreConnection, entry: JournalEntry?, user: StoreUser?, lacksAuthors: Bool) {
    self.connection = connection
    self.user = lacksAuthors ? nil : user
    self.lacksAuthors = lacksAuthors
    self.entry = entry
    images = RowImages(connection: connection)
  }

  // MARK: Reading

  /// The columns with the author of an entry or a trace.
  var authorColumns: String { lacksAuthors ? "NULL, NULL" : "person, machine" }

  /// An intent that undo or redo can take.
  struct Candidate {
    var id: Int64
    var intent: String
    /// The entry that contains the row images to restore.
    var images: Int64
    var session: String?
    var author: Author?
  }

  /// Returns the intent that undo or redo takes next, of this user or of anyone.
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

  /// Records the image of a row before a change, or `nil` if the row does not exist.
  ///
  /// Does nothing without an entry.
  func record(_ row: RowKey, before: Data?) throws(StoreError) {
    guard let entry else { return }
    let id = try begin(entry)
    try noteNewItems()
    try note(row.encoded, before: before, in: id)
  }

  /// Records an added item.
  ///
  /// Consecutive items, as of an import, are recorded together.
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

  /// Links a trace of this transaction to the entry, if an entry is created.
  func link(trace id: Int64) { if entryID == nil { tracesToLink.append(id) } }

  /// Completes the entry before the commit.
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

  /// Returns the ID of the entry, which is stored when the first row changes.
  private func begin(_ entry: JournalEntry) throws(StoreError) -> Int64 {
    if let entryID { return entryID }
    let own = user?.ownRows
    let states: [any SQLBindable] = [StackState.inactive, StackState.undone]
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

  /// Removes entries beyond the retained ones.
  ///
  /// If an undone entry is removed, earlier undone entries must not be redone without it.
  private func prune(upTo last: Int64) throws(StoreError) {
    guard last > 0 else { return }
    try connection.run(
      """
      UPDATE journal SET state = ?1 WHERE state = ?2
        AND EXISTS(SELECT 1 FROM journal WHERE state = ?2 AND id <= ?3)
      """, [StackState.inactive, StackState.undone, last])
    try connection.run("DELETE FROM journal WHERE id <= ?", [last])
    try connection.run("DELETE FROM journal_change WHERE journal_id <= ?", [last])
  }

  // MARK: Undo and redo

  /// Undoes or redoes one intent, of this user or of anyone.
  func step(_ kind: JournalEntry.Kind, anyone: Bool, at: Instant) throws(StoreError) -> UndoStep {
    guard let next = try next(kind, anyone: anyone) else {
      return .nothing(others: anyone ? nil : try self.next(kind, anyone: true).map(entry))
    }
    if let conflict = try conflict(putting: next) { return .refused(entry(next), conflict) }
    let step = try append(intent: next.intent, at: at, kind: kind, reverses: next.images, state: .inactive)
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

  /// Restores the rows of an entry to their earlier images, the last change first.
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
