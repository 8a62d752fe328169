/// One line of the journal: an intent that changed something.
package struct JournalEntry: Codable, Hashable, Sendable {
  /// How the change came about.
  package enum Kind: String, Codable, Sendable { case intent, undo, redo }

  /// The store's number for it, ascending; 0 before it is stored.
  package var id: Int64
  /// What was asked, in one line of words.
  ///
  /// Undo and redo carry the words of the intent they concern.
  package var intent: String
  package var at: Instant
  package var kind: Kind
  /// The entry whose changes this one took back: the intent for an undo, the undo for a redo.
  package var undoes: Int64?
  /// How many row changes it made.
  package var changes: Int
  /// Who did it; nil in a store in memory, and for what was done before stores noted it.
  package var author: Author?
  /// Of an intent: whether its changes have been taken back since.
  package var isUndone = false
  /// Of an undo or a redo: who did the intent, in words, if that was another person or another terminal session.
  package var origin: String?
}

extension JournalEntry {
  /// An entry to hand to `WorldStore.write(_:_:)`, which fills in the rest.
  package init(intent: String, at: Instant) {
    self.init(id: 0, intent: intent, at: at, kind: .intent, undoes: nil, changes: 0)
  }
}
