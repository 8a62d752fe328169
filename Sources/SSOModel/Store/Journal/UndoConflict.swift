import Essentials

/// An intent of another user that changed a row after the intent to undo or redo.
///
/// Restoring the row would also discard the later change.
package struct UndoConflict: Equatable, Sendable {
  /// The later intent.
  package var intent: String
  package var author: Author?
  /// The row that both intents changed, such as `document device/phone`.
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
        intent: try entry[0], author: try Author(entry, at: 1), row: RowKey(encoded: row)?.words ?? "a row")
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
  /// The text of the row for users, such as `document device/phone`.
  var words: String {
    switch self {
    case .item(let device, let key):
      "item \(key.service) of \(key.account) in \(key.accessGroup) on \(device)"
    case .document(let kind, let key): "document \(kind)/\(key)"
    case .trace(let correlationID): "trace \(correlationID)"
    case .check: "check"
    case .newItems(let rows): "items \(rows.lowerBound) to \(rows.upperBound)"
    }
  }
}
