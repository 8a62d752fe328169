/// What came of an undo or a redo.
package enum UndoStep: Equatable, Sendable {
  /// It is done: the new entry of the journal.
  case done(JournalEntry)
  /// There is no intent of this person's to take; `others` is what `anyone` would take.
  case nothing(others: JournalEntry?)
  /// Another intent has changed the same rows since; nothing was changed.
  case refused(JournalEntry, UndoConflict)

  /// The new entry, if it was done.
  package var entry: JournalEntry? { if case .done(let entry) = self { entry } else { nil } }
}

/// What undo and redo would take next, in the words of the intents.
package struct UndoState: Hashable, Sendable {
  package var undo: String?
  package var redo: String?
  /// The newest intent in force, with who did it, if it is another person's: undo leaves that alone.
  package var others: String?
}

extension WorldStore {
  /// Takes the newest intent that is not undone back, as one more entry of the journal.
  ///
  /// May be repeated.
  ///
  /// With `anyone` other people's intents too.
  /// - Throws: `StoreError`.
  package func undo(at: Instant, anyone: Bool = false) throws -> UndoStep {
    try again { try write(nil) { try $0.journal.step(.undo, anyone: anyone, at: at) } }
  }

  /// Does the intent that was undone last again, unless the same person did another one since.
  package func redo(at: Instant, anyone: Bool = false) throws -> UndoStep {
    try again { try write(nil) { try $0.journal.step(.redo, anyone: anyone, at: at) } }
  }

  /// What the next undo and the next redo would take.
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

  /// The newest entries, newest first.
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
