import Essentials
import SSOCore
import SSOKeychain

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

/// The user of this process, recorded as the author of all changes.
package struct StoreUser: Hashable, Sendable {
  package var author: Author
  /// Whether the name identifies the same user on every machine.
  ///
  /// A chosen name (`SSOTERM_USER`) does. A login name does not: `root` of one machine is not `root` of
  /// another.
  package var isNamed: Bool
  /// The terminal session, such as `session 4711 on /dev/pts/3`.
  package var session: String

  package init(_ author: Author, isNamed: Bool, session: String = Origin.own) {
    self.author = author
    self.isNamed = isNamed
    self.session = session
  }

  /// Returns whether an author is this user.
  package func isOwn(_ other: Author) -> Bool {
    other.person == author.person && (isNamed || other.machine == author.machine)
  }

  /// `isOwn` as a condition on a row of the journal, with its values.
  ///
  /// A change without an author belongs to all users, because it predates the recording of authors.
  var ownRows: (condition: String, values: [any SQLBindable]) {
    isNamed
      ? ("(person IS NULL OR person = ?)", [author.person])
      : ("(person IS NULL OR person = ? AND machine = ?)", [author.person, author.machine])
  }

  /// Returns the text for an intent from elsewhere, or `nil` if it was performed in this session.
  func originElsewhere(_ author: Author?, session: String?) -> String? {
    if let author, author != self.author { return "by \(author.displayText)" }
    return session == self.session ? nil : session.map { "in \($0)" }
  }
}

/// The terminal session of this process.
///
/// All commands of one shell share it.
package enum Origin {
  /// The text of the session: `session 4711 on /dev/pts/3`, or `session 4711` without a terminal.
  package static let own: String = {
    let session = "session \(getsid(0))"
    for descriptor in Int32(0)...2 {
      if let name = ttyname(descriptor) { return session + " on " + String(cString: name) }
    }
    return session
  }()
}

/// The result of an undo or a redo.
package enum UndoStep: Equatable, Sendable {
  /// It was performed, with this new entry of the journal.
  case done(JournalEntry)
  /// This user does not have an intent to undo or redo.
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

/// The intents that count as minor if they changed only a device's record, by the words that their texts begin or end
/// with.
package struct MinorIntents: Sendable {
  private let (beginnings, endings): ([String], [String])

  package init(_ beginnings: String..., endings: [String] = []) {
    (self.beginnings, self.endings) = (beginnings, endings)
  }

  func contains(_ intent: String) -> Bool {
    beginnings.contains { intent.hasPrefix($0) } || endings.contains { intent.hasSuffix($0) }
  }
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
  package func undo(
    at: Instant, anyone: Bool = false, isMinor: MinorIntents = MinorIntents()
  ) throws -> UndoStep {
    try step(.undo, anyone: anyone, at: at, isMinor)
  }

  /// Redoes the intent that was undone last, unless the same user has performed another one since.
  package func redo(
    at: Instant, anyone: Bool = false, isMinor: MinorIntents = MinorIntents()
  ) throws -> UndoStep {
    try step(.redo, anyone: anyone, at: at, isMinor)
  }

  private func step(
    _ kind: JournalEntry.Kind, anyone: Bool, at: Instant, _ isMinor: MinorIntents
  ) throws -> UndoStep {
    try again {
      do {
        return try write(nil) { transaction in
          let step = try transaction.journal.step(kind, anyone: anyone, at: at, isMinor: isMinor)
          if case .refused = step { throw RefusedStep(step: step) }
          return step
        }
      } catch let refusal as RefusedStep {
        return refusal.step
      }
    }
  }

  /// A refused undo or redo, which rolls back the minor intents that were taken back before it.
  private struct RefusedStep: Error { var step: UndoStep }

  /// Returns the intents that the next undo and the next redo would take.
  package func undoState(isMinor: MinorIntents = MinorIntents()) throws -> UndoState {
    try read { transaction in
      func next(_ kind: JournalEntry.Kind, anyone: Bool = false) throws(StoreError) -> TransactionJournal
        .Candidate?
      {
        try transaction.intact("journal") { () throws(StoreError) in
          try transaction.journal.next(kind, anyone: anyone, isMinor: isMinor)
        } ?? nil
      }
      var state = UndoState(undo: try next(.undo)?.intent, redo: try next(.redo)?.intent)
      if let user, let newest = try next(.undo, anyone: true), let author = newest.author, !user.isOwn(author)
      {
        state.others = "\(newest.intent) by \(author.displayText)"
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

/// The rows as the journal stores them: a document's sealed bytes, or an item's columns with its sealed data.
struct RowImages {
  let connection: StoreConnection

  /// Returns the current image of a row, or `nil` if it does not exist.
  func image(of row: RowKey) throws(StoreError) -> Data? {
    switch row {
    case .item(let device, let key):
      try connection.first(ItemSQL.image, ItemSQL.key(device, key), image(ofItem:))
    case .document(let kind, let key):
      try connection.value(DocumentSQL.find, [kind, key])
    case .trace, .check, .newItems: nil
    }
  }

  /// Passes each existing item in a range of rows to `body`, the last first.
  func eachItem(
    in rows: ClosedRange<Int64>, _ body: (RowKey, _ image: Data) throws(StoreError) -> Void
  ) throws(StoreError) {
    var items = try connection.rows(ItemSQL.images, [rows.lowerBound, rows.upperBound])
    while try items.next() {
      let key = KeychainKey(
        accessGroup: try items[8], itemClass: try items[9], account: try items[10], service: try items[11])
      try body(.item(device: items[7], key), image(ofItem: items))
    }
  }

  /// Restores the row to an image, or removes it if the image is `nil`.
  func restore(_ row: RowKey, to image: Data?) throws(StoreError) {
    switch row {
    case .item(let device, let key):
      try connection.run(ItemSQL.delete, ItemSQL.key(device, key))
      if let image { try insert(itemImage: image, device: device, key) }
    case .document(let kind, let key):
      if let image {
        try connection.run(DocumentSQL.put, [kind, key, image])
      } else {
        try connection.run(DocumentSQL.delete, [kind, key])
      }
    case .newItems(let rows):
      try connection.run("DELETE FROM item WHERE id BETWEEN ? AND ?", [rows.lowerBound, rows.upperBound])
    case .trace, .check: break
    }
  }

  /// Returns the image of a row of `ItemSQL.imageColumns`.
  private func image(ofItem row: borrowing SQLRows) throws(StoreError) -> Data {
    var bytes = ByteWriter(capacity: 1024)
    bytes.append(try row[0] as Int64)
    bytes.append(try row[1] as Data?) { $0.append($1) }
    bytes.append(try row[2] as Int64?) { $0.append($1) }
    bytes.append(try row[3] as String?) { $0.append($1) }
    bytes.append(try row[4] as Data)
    bytes.append(try row[5] as Int64)
    bytes.append(try row[6] as Int64)
    return bytes.data
  }

  private func insert(itemImage image: Data, device: String, _ key: KeychainKey) throws(StoreError) {
    var bytes = ByteReader(image)
    guard let id = bytes.number(), let generic = bytes.optional({ $0.bytes() }),
      let type = bytes.optional({ $0.number() }), let label = bytes.optional({ $0.string() }),
      let sealed = bytes.bytes(), let created = bytes.number(), let modified = bytes.number()
    else { throw .damaged(path: connection.name, row: "journal_change", message: "an item that was cut") }
    try connection.run(
      ItemSQL.insert,
      [id] + ItemSQL.key(device, key) + [generic, type, label, sealed, created, modified])
  }
}
