import Foundation

/// The statements on table `document`.
enum DocumentSQL {
  static let find = "SELECT sealed FROM document WHERE kind = ? AND key = ?"
  static let put = "INSERT OR REPLACE INTO document(kind, key, sealed) VALUES(?, ?, ?)"
  static let delete = "DELETE FROM document WHERE kind = ? AND key = ?"
}

/// The small records of a lab: rows of the table `document`.
extension StoreTransaction: DocumentStore {
  package func document(_ kind: DocumentKind, _ key: String) throws -> Data? {
    try sealedDocument(kind, key).map { try open($0, .document(kind: kind.rawValue, key: key)) }
  }

  package func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)] {
    var found: [(key: String, body: Data)] = []
    try eachDocument(kind, keyPrefix: keyPrefix) { key, sealed in
      found.append((key, try open(Data(sealed), .document(kind: kind.rawValue, key: key))))
    }
    return found
  }

  package func documents(
    _ kind: DocumentKind, after key: String, limit: Int
  ) throws -> [(key: String, body: Data)] {
    try reading().all(
      "SELECT key, sealed FROM document WHERE kind = ? AND key > ? ORDER BY key LIMIT ?", [kind, key, limit]
    ) { row throws(StoreError) in
      let key: String = try row[0]
      return (key, try open(row[1], .document(kind: kind.rawValue, key: key)))
    }
  }

  package func read<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, _ key: String
  ) throws -> T? {
    var rows = try reading().rows(DocumentSQL.find, [kind, key])
    return try rows.next() ? decoded(kind, key, rows.bytes(0)) : nil
  }

  package func readAll<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, keyPrefix: String
  ) throws -> [T] {
    var found: [T] = []
    try eachDocument(kind, keyPrefix: keyPrefix) { key, sealed in
      found.append(try decoded(kind, key, sealed))
    }
    return found
  }

  /// The keys of all documents of a kind, unopened.
  package func documentKeys(_ kind: DocumentKind) throws -> Set<String> {
    Set(try reading().column("SELECT key FROM document WHERE kind = ?", [kind]))
  }

  private func sealedDocument(_ kind: DocumentKind, _ key: String) throws(StoreError) -> Data? {
    try reading().value(DocumentSQL.find, [kind, key])
  }

  private func eachDocument(
    _ kind: DocumentKind, keyPrefix: String, _ body: (String, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var rows = try reading().rows(
      "SELECT key, sealed FROM document WHERE kind = ? AND key >= ? ORDER BY key", [kind, keyPrefix])
    while try rows.next() {
      let key: String = try rows[0]
      guard key.utf8.starts(with: keyPrefix.utf8) else { return }
      try body(key, rows.bytes(1))
    }
  }

  private func decoded<T: Decodable & Sendable>(
    _ kind: DocumentKind, _ key: String, _ sealed: UnsafeRawBufferPointer
  ) throws -> T {
    try store.decoded.value(of: kind, key, sealed: sealed) {
      try open($0, .document(kind: kind.rawValue, key: key))
    }
  }

  /// Writes the document. Bytes that are there already are no change.
  package func put(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    if entry != nil {
      let row = RowKey.document(kind: kind.rawValue, key: key)
      let before = try sealedDocument(kind, key)
      if let before, try open(before, row) == body { return }
      try journal.record(row, before: before)
    }
    try putOutsideJournal(body, kind, key)
  }

  /// Writes a document that undo leaves alone, as its old value must not come back (the lab's generator).
  package func putOutsideJournal(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    let sealed = try seal(body, .document(kind: kind.rawValue, key: key))
    try writing().run(DocumentSQL.put, [kind, key, sealed])
  }

  package func delete(_ kind: DocumentKind, _ key: String) throws {
    let connection = try writing()
    if entry != nil {
      guard let before = try sealedDocument(kind, key) else { return }
      try journal.record(.document(kind: kind.rawValue, key: key), before: before)
    }
    try connection.run(DocumentSQL.delete, [kind, key])
  }
}
