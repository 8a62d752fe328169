import Foundation
import GRDB
import SSOCore

/// The small records of a lab: rows of the table `document`.
extension StoreTransaction: DocumentStore {
  package func document(_ kind: DocumentKind, _ key: String) throws -> Data? {
    let row = RowKey.document(kind: kind.rawValue, key: key)
    return try sealedDocument(kind.rawValue, key).map { try open($0, row) }
  }

  package func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)] {
    var found: [(key: String, body: Data)] = []
    try eachDocument(kind, keyPrefix: keyPrefix) { key, sealed in
      found.append((key, try open(Data(sealed), .document(kind: kind.rawValue, key: key))))
    }
    return found
  }

  package func documents(_ kind: DocumentKind, after key: String, limit: Int) throws -> [(
    key: String, body: Data
  )] {
    let statement = try reading().cachedStatement(
      sql: "SELECT key, sealed FROM document WHERE kind = ? AND key > ? ORDER BY key LIMIT ?")
    var rows = try StatementRows(statement, arguments: [kind.rawValue, key.storedText, limit])
    var found: [(key: String, body: Data)] = []
    while try rows.next() {
      let key = rows.text(0)
      found.append((key, try open(Data(rows.bytes(1)), .document(kind: kind.rawValue, key: key))))
    }
    return found
  }

  package func read<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, _ key: String
  ) throws -> T? {
    var rows = StatementRows(try reading().cachedStatement(sql: Self.find), texts: [kind.rawValue, key])
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

  private static let find = "SELECT sealed FROM document WHERE kind = ? AND key = ?"

  func sealedDocument(_ kind: String, _ key: String) throws -> Data? {
    var rows = StatementRows(try reading().cachedStatement(sql: Self.find), texts: [kind, key])
    return try rows.next() ? Data(rows.bytes(0)) : nil
  }

  private func eachDocument(
    _ kind: DocumentKind, keyPrefix: String, _ body: (String, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let prefix = keyPrefix.storedText
    let statement = try reading().cachedStatement(
      sql: "SELECT key, sealed FROM document WHERE kind = ? AND key >= ? AND key < ? ORDER BY key")
    let end = prefix + "\u{10FFFF}\u{10FFFF}"
    var rows = try StatementRows(statement, arguments: [kind.rawValue, prefix, end])
    while try rows.next() { try body(rows.text(0), rows.bytes(1)) }
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
    let database = try writing()
    let row = RowKey.document(kind: kind.rawValue, key: key)
    if entry != nil {
      let before = try sealedDocument(kind.rawValue, key)
      if let before, try open(before, row) == body { return }
      try record(row, before: before)
    }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO document(kind, key, sealed) VALUES(?, ?, ?)")
      .execute(arguments: [kind.rawValue, key.storedText, seal(body, row)])
  }

  package func delete(_ kind: DocumentKind, _ key: String) throws {
    let database = try writing()
    if entry != nil {
      guard let before = try sealedDocument(kind.rawValue, key) else { return }
      try record(.document(kind: kind.rawValue, key: key), before: before)
    }
    try database.cachedStatement(sql: "DELETE FROM document WHERE kind = ? AND key = ?")
      .execute(arguments: [kind.rawValue, key.storedText])
  }
}
