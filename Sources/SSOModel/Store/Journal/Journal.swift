import Essentials
import SSOCore
import SSOKeychain

/// The journal inside a transaction.
///
/// Each entry contains the earlier images of its rows. Undoing an intent restores them and records the images
/// that it replaces, so redoing is simply undoing the undo. `images` is the entry to restore next. It grows
/// with each undo or redo of the intent, so undo and redo take the intent with the highest value.
///
/// A minor intent, such as a silent call that only read the cache, is undone together with the change before it
/// and redone together with it, so that undo takes back a change that the user sees, with every row that changed since.
/// Without such a change before it, there is nothing to undo.
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
  private(set) var entryID: Int64?
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

  /// Returns the intent that undo or redo names, which for undo is the newest that is not minor.
  func next(
    _ kind: JournalEntry.Kind, anyone: Bool, isMinor: MinorIntents = MinorIntents()
  ) throws(StoreError) -> Candidate? {
    var place = 0
    while let shown = try candidate(kind, anyone: anyone, place: place) {
      guard kind == .undo, try changesNothingVisible(shown, isMinor) else { return shown }
      place += 1
    }
    return nil
  }

  /// Returns whether an intent is minor and has changed nothing but a device's record.
  private func changesNothingVisible(
    _ candidate: Candidate, _ isMinor: MinorIntents
  ) throws(StoreError) -> Bool {
    guard isMinor.contains(candidate.intent) else { return false }
    return try hasOnlyDeviceRows(candidate.images)
  }

  private func hasOnlyDeviceRows(_ entry: Int64) throws(StoreError) -> Bool {
    let rows: [Data] = try connection.column(
      "SELECT DISTINCT row FROM journal_change WHERE journal_id = ?", [entry])
    return rows.allSatisfy { row in
      if case .document(let kind, _)? = RowKey(encoded: row) {
        kind == DocumentKind.device.rawValue
      } else {
        false
      }
    }
  }

  /// Returns whether this transaction has changed something for which undo is offered.
  package func hasVisibleChange(_ isMinor: MinorIntents) throws(StoreError) -> Bool {
    guard let entryID, let entry else { return false }
    guard isMinor.contains(entry.intent), newItems == nil else { return true }
    return try !hasOnlyDeviceRows(entryID)
  }

  /// Replaces the text of this transaction's intent, which was recorded before its outcome was known.
  package func amend(_ words: String) throws(StoreError) {
    guard let entryID else { return }
    try connection.run("UPDATE journal SET intent = ? WHERE id = ?", [words, entryID])
  }

  /// Returns an intent that undo or redo can take, counted from the one to take first, of this user or of anyone.
  private func candidate(
    _ kind: JournalEntry.Kind, anyone: Bool, place: Int = 0
  ) throws(StoreError) -> Candidate? {
    let own = anyone ? nil : user?.ownRows
    let state: [any SQLBindable] = [kind == .undo ? StackState.done : .undone]
    return try connection.first(
      """
      SELECT id, intent, images, \(lacksAuthors ? "NULL, NULL, NULL" : "origin, person, machine") FROM journal
      WHERE state = ? AND \(own?.condition ?? "true") ORDER BY images DESC LIMIT 1 OFFSET ?
      """, state + (own?.values ?? []) + [place]
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
    try insertNewItems()
    try insertChange(row.encoded, before: before, in: id)
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
      try insertNewItems()
      newItems = rowID...rowID
    }
  }

  /// Links a trace of this transaction to the entry, if an entry is created.
  func link(trace id: Int64) { if entryID == nil { tracesToLink.append(id) } }

  /// Completes the entry before the commit.
  func finish() throws(StoreError) {
    guard let entryID else { return }
    try insertNewItems()
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

  private func insertNewItems() throws(StoreError) {
    guard let rows = newItems, let entryID else { return }
    newItems = nil
    try insertChange(RowKey.newItems(rows).encoded, before: nil, rows: rows.count, in: entryID)
  }

  private func insertChange(_ row: Data, before: Data?, rows: Int = 1, in id: Int64) throws(StoreError) {
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

  /// Undoes or redoes one intent, of this user or of anyone, with the minor intents after it.
  ///
  /// If a refusal is returned, the transaction must be rolled back.
  func step(
    _ kind: JournalEntry.Kind, anyone: Bool, at: Instant, isMinor: MinorIntents = MinorIntents()
  ) throws(StoreError) -> UndoStep {
    guard let shown = try next(kind, anyone: anyone, isMinor: isMinor) else {
      return .nothing(others: anyone ? nil : try self.next(kind, anyone: true, isMinor: isMinor).map(entry))
    }
    var result = entry(shown)
    var next: Candidate? = kind == .undo ? try candidate(kind, anyone: anyone) : shown
    while let taken = next {
      if let conflict = try conflict(putting: taken) { return .refused(entry(taken), conflict) }
      let entry = try step(kind, putting: taken, at: at)
      if taken.id == shown.id { result = entry }
      // Minor intents come before the change in an undo, and after it in a redo.
      next = try candidate(kind, anyone: anyone)
      guard let following = kind == .undo ? taken : next else { break }
      guard try changesNothingVisible(following, isMinor) else { break }
    }
    return .done(result)
  }

  private func step(
    _ kind: JournalEntry.Kind, putting next: Candidate, at: Instant
  ) throws(StoreError) -> JournalEntry {
    (changeCount, noteCount) = (0, 0)
    let step = try append(intent: next.intent, at: at, kind: kind, reverses: next.images, state: .inactive)
    try putBack(next.images, notingIn: step)
    try connection.run(
      "UPDATE journal SET changes = ?1, images = ?2 WHERE id = ?2", [changeCount, step])
    try connection.run(
      "UPDATE journal SET state = ?, images = ? WHERE id = ?",
      [kind == .undo ? StackState.undone : .done, step, next.id])
    entryID = step
    var entry = JournalEntry(
      id: step, intent: next.intent, at: at, kind: kind, undoes: next.images, changes: changeCount)
    entry.author = user?.author
    entry.origin = originElsewhere(next)
    return entry
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
        throw damaged(.damaged(path: connection.name, row: "", message: "a row of an unknown table"))
      }
      if case .newItems(let rows) = row {
        try images.eachItem(in: rows) { row, image throws(StoreError) in
          try insertChange(row.encoded, before: image, in: step)
        }
      } else {
        try insertChange(encoded, before: images.image(of: row), in: step)
      }
      try images.restore(row, to: before)
    }
  }
}

/// An intent of another user that changed a row after the intent to undo or redo.
///
/// Restoring the row would also discard the later change.
package struct UndoConflict: Equatable, Sendable {
  /// The later intent.
  package var intent: String
  package var author: Author?
  /// The row that both intents changed, such as `the device phone`.
  package var row: String
}

extension TransactionJournal {
  /// The intents whose effect differs from that at a step (`?1`): performed, undone, or redone an odd number
  /// of times since.
  ///
  /// `?2` is the intent to restore.
  private static let changedSince = """
    WITH RECURSIVE step(intent, id) AS (
      SELECT id, images FROM journal WHERE kind = 'intent' AND images > ?1 AND id <> ?2
      UNION ALL
      SELECT step.intent, journal.reverses FROM step JOIN journal ON journal.id = step.id
        WHERE journal.reverses > ?1),
    later(intent) AS (SELECT intent FROM step GROUP BY intent HAVING count(*) % 2 = 1)

    """

  /// Returns the first later intent that changed a row of the candidate, or `nil` if its rows are unchanged.
  func conflict(putting candidate: Candidate) throws(StoreError) -> UndoConflict? {
    let values: [any SQLBindable] = [candidate.images, candidate.id]
    guard try connection.value(Self.changedSince + "SELECT count(*) FROM later", values) ?? 0 > 0 else {
      return nil
    }
    var found = try sameRow(values)
    if found == nil { found = try itemOfImport(candidate, values) }
    if found == nil { found = try itemAddedSince(candidate, values) }
    guard let (intent, row) = found else { return nil }
    return try connection.first("SELECT intent, person, machine FROM journal WHERE id = ?", [intent]) {
      entry throws(StoreError) in
      UndoConflict(
        intent: try entry[0], author: try Author(entry, at: 1),
        row: RowKey(encoded: row)?.displayText ?? "a row")
    }
  }

  /// The first byte of `RowKey.encoded`.
  private static let (ofItem, ofNewItems) = (Data([RowKey.itemTable]), Data([RowKey.newItemsTable]))

  private typealias Touched = (intent: Int64, row: Data)

  /// Finds a row that both recorded.
  private func sameRow(_ values: [any SQLBindable]) throws(StoreError) -> Touched? {
    try first(
      """
      SELECT journal_id, row FROM journal_change WHERE journal_id IN (SELECT intent FROM later)
      AND row IN (SELECT row FROM journal_change WHERE journal_id = ?2) LIMIT 1
      """, values)
  }

  /// Finds an item that the candidate added as part of a range and a later intent changed.
  ///
  /// The item's image contains its number.
  private func itemOfImport(
    _ candidate: Candidate, _ values: [any SQLBindable]
  ) throws(StoreError) -> Touched? {
    let added: [Data] = try connection.column(
      "SELECT row FROM journal_change WHERE journal_id = ? AND substr(row, 1, 1) = ?",
      [candidate.id, Self.ofNewItems])
    for case .newItems(let rows)? in added.map({ RowKey(encoded: $0) }) {
      let ends = [rows.lowerBound, rows.upperBound].map { number -> any SQLBindable in
        var bytes = ByteWriter(capacity: 8)
        bytes.append(number)
        return bytes.data
      }
      let found = try first(
        """
        SELECT journal_id, row FROM journal_change WHERE journal_id IN (SELECT intent FROM later)
        AND substr(row, 1, 1) = ?3 AND substr(before, 1, 8) BETWEEN ?4 AND ?5 LIMIT 1
        """, values + [Self.ofItem] + ends)
      if let found { return found }
    }
    return nil
  }

  /// Finds an item that the candidate changed or removed and a later intent added again as part of a range.
  private func itemAddedSince(
    _ candidate: Candidate, _ values: [any SQLBindable]
  ) throws(StoreError) -> Touched? {
    let added = try connection.all(
      Self.changedSince
        + "SELECT journal_id, row FROM journal_change WHERE journal_id IN (SELECT intent FROM later) AND substr(row, 1, 1) = ?3",
      values + [Self.ofNewItems]
    ) { row throws(StoreError) -> Touched in (try row[0], try row[1]) }
    guard !added.isEmpty else { return nil }
    let own = Set<Data>(
      try connection.column(
        "SELECT row FROM journal_change WHERE journal_id = ? AND substr(row, 1, 1) = ?",
        [candidate.id, Self.ofItem]))
    guard !own.isEmpty else { return nil }
    for (intent, row) in added {
      guard case .newItems(let rows)? = RowKey(encoded: row) else { continue }
      var found: Data?
      try images.eachItem(in: rows) { row, _ throws(StoreError) in
        if own.contains(row.encoded) { found = row.encoded }
      }
      if let found { return (intent, found) }
    }
    return nil
  }

  private func first(_ sql: String, _ values: [any SQLBindable]) throws(StoreError) -> Touched? {
    try connection.first(Self.changedSince + sql, values) { row throws(StoreError) in (try row[0], try row[1])
    }
  }
}

extension RowKey {
  /// The text of the row for users, such as `the device phone`.
  var displayText: String {
    switch self {
    case .item(let device, let key):
      "the item \(key.service) of \(key.account) in \(key.accessGroup) on \(device)"
    case .document(let kind, let key): DocumentKind(rawValue: kind)?.displayText(of: key) ?? "a record"
    case .trace(let correlationID): "the trace \(correlationID)"
    case .check: "the lab's key"
    case .newItems(let rows): "\(rows.count) new items"
    }
  }
}

extension DocumentKind {
  /// The text of a document for users: the kind and the name of a record that lists show, or only the kind.
  fileprivate func displayText(of key: String) -> String {
    let words = rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    return switch self {
    case .lab: "the lab's state"
    case .person: "the user \(key)"
    case .app: "the app \(key.split(separator: "/").last ?? "")"
    case .clientRegistration: "the registration \(key)"
    case .managedIdentity: "the identity \(key)"
    case .appRole: "the role \(key)"
    case .device, .tenant, .policy, .group: "the \(rawValue) \(key)"
    case .fault: "the faults"
    case .appDefaults: "an app's defaults"
    case .ssoSession: "a session at the provider"
    case .pendingSignIn: "a waiting sign-in"
    default: ("aeiou".contains(words.prefix(1)) ? "an " : "a ") + words
    }
  }
}
