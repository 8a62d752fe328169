internal import Foundation
internal import GRDB

/// Where an entry stands for undo and redo.
private enum StackState: Int {
  /// An intent whose changes are in force: undo takes the newest of these.
  case done = 0
  /// An intent that was undone: redo takes the oldest of these.
  case undone = 1
  /// An intent that was undone before another one came, and the undo and redo entries themselves.
  case past = 2
}

/// Each entry holds what its rows were before it. Undoing an intent puts those back and records what it
/// found, so redoing is nothing but undoing the undo. `images` names the entry to put back next.
extension StoreTransaction {
  /// The newest entries, newest first.
  public func journal(limit: Int) throws -> [JournalEntry] {
    let statement = try reading().cachedStatement(
      sql: "SELECT id, intent, at, kind, reverses, changes FROM journal ORDER BY id DESC LIMIT ?")
    return try Row.fetchAll(statement, arguments: [limit]).map { row in
      JournalEntry(
        id: row[0], intent: String(storedText: row[1]), at: Instant(milliseconds: row[2]),
        kind: JournalEntry.Kind(rawValue: row[3]) ?? .intent, undoes: row[4], changes: row[5])
    }
  }

  /// Notes what a row was before it changes (nil: it was not there). Does nothing without an entry.
  func record(_ row: RowKey, before: Data?) throws {
    guard let entry else { return }
    let id = try journalID ?? begin(entry)
    try note(row.encoded, before: before, in: id)
  }

  /// Completes the entry, before the commit.
  func finish() throws {
    guard let journalID else { return }
    let database = try writing()
    try database.cachedStatement(sql: "UPDATE journal SET changes = ? WHERE id = ?")
      .execute(arguments: [changeCount, journalID])
    for trace in tracesToLink {
      try database.cachedStatement(sql: "UPDATE trace SET journal_id = ? WHERE id = ?")
        .execute(arguments: [journalID, trace])
    }
  }

  /// Undoes or redoes one intent; nil if there is none.
  func step(_ kind: JournalEntry.Kind, at: Instant) throws -> JournalEntry? {
    let database = try writing()
    let from: StackState = kind == .undo ? .done : .undone
    let to: StackState = kind == .undo ? .undone : .done
    let order = kind == .undo ? "DESC" : "ASC"
    let statement = try database.cachedStatement(
      sql: "SELECT id, intent, images FROM journal WHERE state = ? ORDER BY id \(order) LIMIT 1")
    guard let row = try Row.fetchOne(statement, arguments: [from.rawValue]) else { return nil }
    let intentID: Int64 = row[0]
    let images: Int64 = row[2]
    let step = try append(
      intent: String(storedText: row[1]), at: at, kind: kind, reverses: images, state: .past)
    try putBack(images, notingIn: step)
    try database.execute(
      sql: "UPDATE journal SET state = ?, images = ? WHERE id = ?",
      arguments: [to.rawValue, step, intentID])
    journalID = step
    return JournalEntry(
      id: step, intent: String(storedText: row[1]), at: at, kind: kind, undoes: images, changes: changeCount)
  }

  private func begin(_ entry: JournalEntry) throws -> Int64 {
    try writing().execute(
      sql: "UPDATE journal SET state = ? WHERE state = ?",
      arguments: [StackState.past.rawValue, StackState.undone.rawValue])
    let id = try append(intent: entry.intent, at: entry.at, kind: .intent, reverses: nil, state: .done)
    journalID = id
    return id
  }

  private func append(
    intent: String, at: Instant, kind: JournalEntry.Kind, reverses: Int64?, state: StackState
  ) throws -> Int64 {
    let database = try writing()
    try database.cachedStatement(
      sql: """
        INSERT INTO journal(intent, at, kind, reverses, changes, state, images) VALUES(?, ?, ?, ?, 0, ?, 0)
        """
    ).execute(arguments: [intent.storedText, at.milliseconds, kind.rawValue, reverses, state.rawValue])
    let id = database.lastInsertedRowID
    try database.cachedStatement(sql: "UPDATE journal SET images = id WHERE id = ?").execute(arguments: [id])
    return id
  }

  private func note(_ row: Data, before: Data?, in id: Int64) throws {
    try writing().cachedStatement(
      sql: "INSERT INTO journal_change(journal_id, seq, row, before) VALUES(?, ?, ?, ?)"
    ).execute(arguments: [id, changeCount, row, before])
    changeCount += 1
  }

  /// Puts the rows of entry `images` back to what they were before it, the last change first.
  private func putBack(_ images: Int64, notingIn step: Int64) throws {
    let statement = try reading().makeStatement(
      sql: "SELECT row, before FROM journal_change WHERE journal_id = ? ORDER BY seq DESC")
    let changes = try Row.fetchCursor(statement, arguments: [images])
    while let change = try changes.next() {
      let encoded: Data = change[0]
      let before: Data? = change[1]
      guard let row = RowKey(encoded: encoded) else {
        throw StoreError.other(path: store.name, message: "journal entry \(images) is damaged")
      }
      try note(encoded, before: image(of: row), in: step)
      try restore(row, to: before)
    }
  }
}
