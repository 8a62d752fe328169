/// The result of an undo or a redo.
package enum UndoStep: Equatable, Sendable {
  /// It was performed, with this new entry of the journal.
  case done(JournalEntry)
  /// There is no intent of this user to take.
  ///
  /// `others` is the intent that `anyone` would take.
  case nothing(others: JournalEntry?)
  /// Another intent has changed the same rows since.
  ///
  /// Nothing was changed.
  case refused(JournalEntry, UndoConflict)

  /// The new entry, or `nil` if it was not performed.
  package var entry: JournalEntry? { if case .done(let entry) = self { entry } else { nil } }
}

/// The texts of the intents that undo and redo would take next.
package struct UndoState: Hashable, Sendable {
  package var undo: String?
  package var redo: String?
  /// The newest intent in effect and its author, if it is another user's, which undo does not take.
  package var others: String?
}

extension WorldStore {
  /// Undoes the newest intent that is not undone, as another entry of the journal.
  ///
  /// Can be repeated.
  ///
  /// If `anyone` is true, it includes other users' intents.
  ///
  /// - Throws: `StoreError`.
  package func undo(at: Instant, anyone: Bool = false) throws -> UndoStep {
    try again { try write(nil) { try $0.journal.step(.undo, anyone: anyone, at: at) } }
  }

  /// Redoes the intent that was undone last, unless the same user has performed another one since.
  package func redo(at: Instant, anyone: Bool = false) throws -> UndoStep {
    try again { try write(nil) { try $0.journal.step(.redo, anyone: anyone, at: at) } }
  }

  /// Returns the intents that the next undo and the next redo would take.
  package func undoState() throws -> UndoState {
    try read { transaction in
      func next(_ kind: JournalEntry.Kind, anyone: Bool = false) throws(StoreError) -> TransactionJournal
        .Candidate?
      {
        try transaction.intact("journal") { () throws(StoreError) in
          try transaction.journal.next(kind, anyone: anyone)
        } ?? nil
      }
      var state = UndoState(undo: try next(.undo)?.intent, redo: try next(.redo)?.intent)
      if let user, let newest = try next(.undo, anyone: true), let author = newest.author, !user.isOwn(author)
      {
        state.others = "\(newest.intent) by \(author.words)"
      }
      return state
    }
  }

  /// Returns the newest entries, newest first.
  package func journal(limit: Int) throws -> [JournalEntry] {
    try read { transaction in
      try transaction.reading().all(
        """
        SELECT id, intent, at, kind, reverses, changes, kind = 'intent' AND state <> 0, \(transaction.journal.authorColumns)
        FROM journal ORDER BY id DESC LIMIT ?
        """, [limit]
      ) { row throws(StoreError) in
        try transaction.intact(row.name(in: "journal")) { () throws(StoreError) in
          var entry = JournalEntry(
            id: try row[0], intent: try row[1], at: try row[2], kind: try row[3], undoes: try row[4],
            changes: try row[5])
          entry.isUndone = try row[6] == 1
          entry.author = try Author(row, at: 7)
          return entry
        }
      }.compactMap(\.self)
    }
  }
}
