/// An entry of the journal: an intent that changed something.
package struct JournalEntry: Codable, Hashable, Sendable {
  /// The origin of the change.
  package enum Kind: String, Codable, Sendable { case intent, undo, redo }

  /// The number that the store assigned, in ascending order, or 0 before it is stored.
  package var id: Int64
  /// The intent as one line of text.
  ///
  /// Undo and redo have the text of the intent that they concern.
  package var intent: String
  package var at: Instant
  package var kind: Kind
  /// The entry whose changes this entry reversed: the intent for an undo, the undo for a redo.
  package var undoes: Int64?
  /// The number of row changes.
  package var changes: Int
  /// The author, or `nil` for a store in memory and for changes that predate the recording of authors.
  package var author: Author?
  /// Whether the changes of an intent have been undone since.
  package var isUndone = false
  /// The author of the intent for an undo or redo, as text, if it was another user or terminal session.
  package var origin: String?
}

extension JournalEntry {
  /// Creates an entry for `WorldStore.write(_:_:)`, which sets the other properties.
  package init(intent: String, at: Instant) {
    self.init(id: 0, intent: intent, at: at, kind: .intent, undoes: nil, changes: 0)
  }
}
