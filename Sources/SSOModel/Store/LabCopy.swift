import Essentials

/// A complete copy of a lab in the same or another kind of database: items, documents, journal, and traces,
/// with their row numbers.
///
/// Sealed values are copied as they are, so the copy has the same key. The journal's images are sealed too,
/// and a damaged row is copied instead of lost.
package enum LabCopy {
  /// The number of rows that one statement inserts.
  ///
  /// `page` is the number that one query reads.
  private static let batch = 50
  private static let page = 1000

  /// Creates the copy.
  ///
  /// - Throws: `exists` if the location is not empty. If the copy fails, everything created so far is
  ///   removed.
  package static func make(of source: WorldStore, at location: WorldStore.Location) throws {
    guard try !Labs.exists(location) else { throw StoreError.exists(path: location.name) }
    let key = try LabKey.read(of: source)
    // Migrate an older store first, so that it has the current columns.
    if source.onlyReads == nil { try? source.write(nil) { _ in } }
    do {
      let target = try WorldStore.open(location, create: true, key: key)
      guard try LabKey.read(of: target) == key else { throw StoreError.keyWrong(path: location.name) }
      try source.read { from in
        try target.write(nil) { to in
          let (from, to) = (try from.reading(), try to.writing())
          for table in CopiedTable.all { try table.copy(from, to) }
          try to.engine.setLastRowIDs(try from.engine.lastRowIDs())
        }
      }
    } catch {
      try? Labs.remove(location)
      throw error
    }
  }

  /// A table whose rows are copied.
  struct CopiedTable {
    enum Kind { case text, integer, bytes }

    var name: String
    var columns: [(name: String, kind: Kind)]
    /// The number of leading columns that form the primary key.
    var keyLength = 1

    static let all = [
      CopiedTable(
        name: "item",
        columns: [
          ("id", .integer), ("device", .text), ("access_group", .text), ("class", .text), ("account", .text),
          ("service", .text), ("generic", .bytes), ("type", .integer), ("label", .text), ("sealed", .bytes),
          ("created_at", .integer), ("modified_at", .integer),
        ]),
      CopiedTable(
        name: "document", columns: [("kind", .text), ("key", .text), ("sealed", .bytes)], keyLength: 2),
      CopiedTable(
        name: "journal",
        columns: [
          ("id", .integer), ("intent", .text), ("at", .integer), ("kind", .text), ("reverses", .integer),
          ("changes", .integer), ("state", .integer), ("images", .integer), ("origin", .text),
          ("person", .text),
          ("machine", .text),
        ]),
      CopiedTable(
        name: "journal_change",
        columns: [("journal_id", .integer), ("seq", .integer), ("row", .bytes), ("before", .bytes)],
        keyLength: 2),
      CopiedTable(
        name: "trace",
        columns: [
          ("id", .integer), ("journal_id", .integer), ("title", .text), ("correlation_id", .text),
          ("at", .integer),
          ("outcome", .text), ("hop_count", .integer), ("sealed", .bytes), ("person", .text),
          ("machine", .text),
        ]),
    ]

    private var names: String { columns.map(\.name).joined(separator: ", ") }

    /// Reads in key order, a page at a time, because a lab may have more rows than fit in memory.
    func copy(_ source: StoreConnection, _ target: StoreConnection) throws(StoreError) {
      let key = columns.prefix(keyLength).map(\.name).joined(separator: ", ")
      let marks = Array(repeating: "?", count: keyLength).joined(separator: ", ")
      let first = "SELECT \(names) FROM \(name) ORDER BY \(key) LIMIT ?"
      let next = "SELECT \(names) FROM \(name) WHERE (\(key)) > (\(marks)) ORDER BY \(key) LIMIT ?"
      var last: [any SQLBindable] = []
      while true {
        let rows = try source.all(last.isEmpty ? first : next, last + [LabCopy.page]) {
          row throws(StoreError) in
          try values(row)
        }
        guard let end = rows.last else { return }
        last = Array(end.prefix(keyLength))
        try insert(rows, into: target)
      }
    }

    private func values(_ row: borrowing SQLRows) throws(StoreError) -> [any SQLBindable] {
      var values: [any SQLBindable] = []
      for (index, column) in columns.enumerated() {
        switch column.kind {
        case .text: values.append(try row[Int32(index)] as String?)
        case .integer: values.append(try row[Int32(index)] as Int64?)
        case .bytes: values.append(try row[Int32(index)] as Data?)
        }
      }
      return values
    }

    private func insert(_ rows: [[any SQLBindable]], into target: StoreConnection) throws(StoreError) {
      let one = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
      for start in stride(from: 0, to: rows.count, by: LabCopy.batch) {
        let part = rows[start..<min(start + LabCopy.batch, rows.count)]
        let marks = Array(repeating: one, count: part.count).joined(separator: ", ")
        try target.run("INSERT INTO \(name)(\(names)) VALUES \(marks)", part.flatMap(\.self))
      }
    }
  }
}
