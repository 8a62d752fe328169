import Foundation
import GRDB
import SSOCore
import SSOKeychain

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
///
/// The newest thousand entries are kept, as many as traces: what is older cannot be undone any more, and the
/// sealed values that it replaced or removed are gone with it.
extension StoreTransaction {
  /// How many entries are kept.
  static let keptEntries: Int64 = 1000

  /// The newest entries, newest first.
  package func journal(limit: Int) throws -> [JournalEntry] {
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
    try noteNewItems()
    try note(row.encoded, before: before, in: id)
  }

  /// Notes an item that was added. Items added one after the other, as by an import, are one note.
  func record(newItem rowID: Int64) throws {
    guard let entry else { return }
    if journalID == nil { _ = try begin(entry) }
    if let rows = newItems, rows.upperBound == rowID - 1 {
      newItems = rows.lowerBound...rowID
    } else {
      try noteNewItems()
      newItems = rowID...rowID
    }
  }

  private func noteNewItems() throws {
    guard let rows = newItems, let journalID else { return }
    newItems = nil
    try note(RowKey.newItems(rows).encoded, before: nil, rows: rows.count, in: journalID)
  }

  /// Completes the entry, before the commit.
  func finish() throws {
    guard let journalID else { return }
    try noteNewItems()
    let database = try writing()
    try database.cachedStatement(sql: "UPDATE journal SET changes = ?1, images = ?2 WHERE id = ?2")
      .execute(arguments: [changeCount, journalID])
    for trace in tracesToLink {
      try database.cachedStatement(sql: "UPDATE trace SET journal_id = ? WHERE id = ?")
        .execute(arguments: [journalID, trace])
    }
    try prune(upTo: journalID - Self.keptEntries)
  }

  /// Forgets entries beyond those that are kept. If one goes that was undone, those that were undone before
  /// it must not be redone without it.
  private func prune(upTo last: Int64) throws {
    guard last > 0 else { return }
    let database = try writing()
    try database.cachedStatement(
      sql: """
        UPDATE journal SET state = ?1 WHERE state = ?2
          AND EXISTS(SELECT 1 FROM journal WHERE state = ?2 AND id <= ?3)
        """
    ).execute(arguments: [StackState.past.rawValue, StackState.undone.rawValue, last])
    try database.cachedStatement(sql: "DELETE FROM journal WHERE id <= ?").execute(arguments: [last])
    try database.cachedStatement(sql: "DELETE FROM journal_change WHERE journal_id <= ?")
      .execute(arguments: [last])
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
    try writing().cachedStatement(sql: "UPDATE journal SET state = ? WHERE state = ?")
      .execute(arguments: [StackState.past.rawValue, StackState.undone.rawValue])
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
    return database.lastInsertedRowID
  }

  private func note(_ row: Data, before: Data?, rows: Int = 1, in id: Int64) throws {
    try writing().cachedStatement(
      sql: "INSERT INTO journal_change(journal_id, seq, row, before) VALUES(?, ?, ?, ?)"
    ).execute(arguments: [id, noteCount, row, before])
    noteCount += 1
    changeCount += rows
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
      if case .newItems(let rows) = row {
        try note(itemsIn: rows, in: step)
      } else {
        try note(encoded, before: image(of: row), in: step)
      }
      try restore(row, to: before)
    }
  }

  /// Notes each item that is there in a range of rows, the last first, before all of them go.
  private func note(itemsIn rows: ClosedRange<Int64>, in step: Int64) throws {
    let statement = try reading().makeStatement(sql: ItemSQL.images)
    let items = try Row.fetchCursor(statement, arguments: [rows.lowerBound, rows.upperBound])
    while let item = try items.next() {
      let key = KeychainKey(
        accessGroup: String(storedText: item[8]),
        itemClass: KeychainClass(rawValue: item[9]) ?? .genericPassword,
        account: String(storedText: item[10]), service: String(storedText: item[11]))
      let row = RowKey.item(device: String(storedText: item[7]), key)
      try note(row.encoded, before: itemImage(item), in: step)
    }
  }
}
