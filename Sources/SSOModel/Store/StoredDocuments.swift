import Essentials
import SSOCore
import Synchronization

/// The statements on the table `document`.
enum DocumentSQL {
  static let find = "SELECT sealed FROM document WHERE kind = ? AND key = ?"
  static let put = """
    INSERT INTO document(kind, key, sealed) VALUES(?, ?, ?)
    ON CONFLICT(kind, key) DO UPDATE SET sealed = excluded.sealed
    """
  static let delete = "DELETE FROM document WHERE kind = ? AND key = ?"
}

/// The small records of a lab, which are rows of the table `document`.
extension StoreTransaction: DocumentStore {
  package func document(_ kind: DocumentKind, _ key: String) throws -> Data? {
    try sealedDocument(kind, key).map { try opened($0, kind, key) }
  }

  /// Opens a sealed document.
  ///
  /// - Throws: `damaged`, with the document's name.
  private func opened(_ sealed: Data, _ kind: DocumentKind, _ key: String) throws(StoreError) -> Data {
    try naming(kind, key) { () throws(StoreError) in
      try open(sealed, .document(kind: kind.rawValue, key: key))
    }
  }

  private func naming<T>(
    _ kind: DocumentKind, _ key: String, _ read: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    do throws(StoreError) { return try read() } catch { throw error.naming(Self.name(kind, key)) }
  }

  private static func name(_ kind: DocumentKind, _ key: String) -> String {
    "document \(kind.rawValue)/\(key)"
  }

  package func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)] {
    try eachDocument(kind, keyPrefix: keyPrefix) { key, sealed throws(StoreError) in
      (key, try opened(Data(sealed), kind, key))
    }
  }

  package func documents(
    _ kind: DocumentKind, after key: String, limit: Int
  ) throws -> [(key: String, body: Data)] {
    try reading().all(
      "SELECT key, sealed FROM document WHERE kind = ? AND key > ? ORDER BY key LIMIT ?", [kind, key, limit]
    ) { row throws(StoreError) in
      try intact("document \(kind.rawValue)") { () throws(StoreError) -> (key: String, body: Data) in
        let key: String = try row[0]
        let sealed: Data = try naming(kind, key) { () throws(StoreError) in try row[1] }
        return (key, try opened(sealed, kind, key))
      }
    }.compactMap(\.self)
  }

  package func read<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, _ key: String
  ) throws -> T? {
    if let known: [T] = documentsRead?[kind, .key(key)] { return known.first }
    var rows = try reading().rows(DocumentSQL.find, [kind, key])
    let value: T? =
      try rows.next()
      ? decoded(kind, key, naming(kind, key) { () throws(StoreError) in try rows.bytes(0) }) : nil
    documentsRead?[kind, .key(key)] = value.map { [$0] } ?? []
    return value
  }

  package func readAll<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, keyPrefix: String
  ) throws -> [T] {
    if let known: [T] = documentsRead?[kind, .prefix(keyPrefix)] { return known }
    let values: [T] = try eachDocument(kind, keyPrefix: keyPrefix) { key, sealed throws(StoreError) in
      try decoded(kind, key, sealed)
    }
    documentsRead?[kind, .prefix(keyPrefix)] = values
    return values
  }

  /// Returns the keys of all documents of a kind without opening them.
  package func documentKeys(_ kind: DocumentKind) throws -> Set<String> {
    Set(try reading().column("SELECT key FROM document WHERE kind = ?", [kind]))
  }

  private func sealedDocument(_ kind: DocumentKind, _ key: String) throws(StoreError) -> Data? {
    try naming(kind, key) { () throws(StoreError) in try reading().value(DocumentSQL.find, [kind, key]) }
  }

  /// Returns the result of `read` for each document.
  ///
  /// Skips damaged documents.
  private func eachDocument<T>(
    _ kind: DocumentKind, keyPrefix: String,
    _ read: (String, UnsafeRawBufferPointer) throws(StoreError) -> T
  ) throws(StoreError) -> [T] {
    var rows = try reading().rows(
      "SELECT key, sealed FROM document WHERE kind = ? AND key >= ? ORDER BY key", [kind, keyPrefix])
    var found: [T] = []
    while try rows.next() {
      let key: String = try rows[0]
      guard key.utf8.starts(with: keyPrefix.utf8) else { break }
      if let document = try intact(
        Self.name(kind, key), { () throws(StoreError) in try read(key, rows.bytes(1)) })
      {
        found.append(document)
      }
    }
    return found
  }

  private func decoded<T: Decodable & Sendable>(
    _ kind: DocumentKind, _ key: String, _ sealed: UnsafeRawBufferPointer
  ) throws(StoreError) -> T {
    do {
      return try store.decoded.value(of: kind, key, sealed: sealed) { try opened($0, kind, key) }
    } catch let error as StoreError {
      throw error
    } catch {
      throw .damaged(path: store.name, row: Self.name(kind, key), message: "a document of another form")
    }
  }

  /// Writes the document.
  ///
  /// Writing identical bytes does not count as a change.
  package func put(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    if entry != nil, kind.isJournaled {
      let row = RowKey.document(kind: kind.rawValue, key: key)
      let before = try sealedDocument(kind, key)
      if let before, try opened(before, kind, key) == body { return }
      try journal.record(row, before: before)
    }
    try putOutsideJournal(body, kind, key)
  }

  /// Writes a document that undo does not affect, because its old value must not return (the lab's
  /// generator).
  package func putOutsideJournal(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    let sealed = try seal(body, .document(kind: kind.rawValue, key: key))
    documentsRead?.forget(kind)
    try writing().run(DocumentSQL.put, [kind, key, sealed])
  }

  package func delete(_ kind: DocumentKind, _ key: String) throws {
    let connection = try writing()
    if entry != nil, kind.isJournaled {
      guard let before = try sealedDocument(kind, key) else { return }
      try journal.record(.document(kind: kind.rawValue, key: key), before: before)
    }
    documentsRead?.forget(kind)
    try connection.run(DocumentSQL.delete, [kind, key])
  }
}

extension DocumentKind {
  /// Whether undo applies.
  ///
  /// It does not affect the signing keys, with which external clients verify their tokens.
  fileprivate var isJournaled: Bool { self != .signingKey }
}

/// The decoded documents that a transaction has read.
struct DocumentsRead {
  enum Place: Hashable {
    case key(String)
    case prefix(String)
  }

  private var kinds: [DocumentKind: [Place: any Sendable]] = [:]

  /// The documents at a key, where there is at most one, or with a prefix, or `nil` if they were not read.
  subscript<T: Sendable>(kind: DocumentKind, place: Place) -> [T]? {
    get { kinds[kind]?[place] as? [T] }
    set { if kind.isReadAgain { kinds[kind, default: [:]][place] = newValue } }
  }

  /// Forgets the documents of a kind, one of which changes.
  mutating func forget(_ kind: DocumentKind) { kinds[kind] = nil }
}

/// A cache of decoded documents, each with the sealed bytes that it was decoded from.
///
/// Sealing a document again produces other bytes, so comparing with the stored bytes detects every change at once, no
/// matter which process made or undid it. Unsealing and decoding a document takes ten times as long as finding it, and
/// a request reads two dozen.
final class DecodedDocuments: Sendable {
  private struct Place: Hashable {
    var kind: DocumentKind
    var key: String
  }

  private struct CachedDocument {
    var sealed: Data
    var value: any Sendable
  }

  private static let limit = 1000
  private let kept = Mutex<[Place: CachedDocument]>([:])

  /// Returns the document in these sealed bytes.
  func value<T: Decodable & Sendable>(
    of kind: DocumentKind, _ key: String, sealed: UnsafeRawBufferPointer, open: (Data) throws -> Data
  ) throws -> T {
    guard kind.isReadAgain else { return try decodeJSON(T.self, from: open(Data(sealed))) }
    let place = Place(kind: kind, key: key)
    let known = kept.withLock { $0[place] }
    if let known, known.sealed.isSame(as: sealed), let value = known.value as? T { return value }
    let sealed = Data(sealed)
    let value = try decodeJSON(T.self, from: open(sealed))
    kept.withLock { kept in
      if kept.count >= Self.limit { kept.removeAll() }
      kept[place] = CachedDocument(sealed: sealed, value: value)
    }
    return value
  }
}

extension DocumentKind {
  /// Whether documents of this kind are read repeatedly.
  ///
  /// Kinds with a new key for each sign-in are not.
  fileprivate var isReadAgain: Bool {
    switch self {
    case .authorizationCode, .refreshToken, .ssoSession, .pendingSignIn: false
    default: true
    }
  }
}

extension Data {
  fileprivate func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { own in
      guard let start = own.baseAddress, let other = bytes.baseAddress else { return false }
      return own.count == bytes.count && memcmp(start, other, own.count) == 0
    }
  }
}

extension StoreTransaction {
  /// Returns the result of `read`, which reads a row.
  ///
  /// A read-only transaction skips a damaged row, and the store reports its name. A writing transaction stops
  /// there, because it would build on a gap.
  func intact<T>(
    _ name: @autoclosure () -> String, _ read: () throws(StoreError) -> T
  ) throws(StoreError) -> T? {
    do throws(StoreError) {
      return try read()
    } catch {
      let error = error.naming(name())
      guard case .damaged = error, !isWritable else { throw error }
      store.news.report(.leftOut(error))
      return nil
    }
  }
}

extension StoreError {
  /// Returns the error with the row's name, unless it already has a name.
  func naming(_ name: @autoclosure () -> String) -> StoreError {
    guard case .damaged(let path, "", let message) = self else { return self }
    return .damaged(path: path, row: name(), message: message)
  }
}

extension SQLRows {
  /// Returns the name of the row, such as `trace 3`: a table and the row ID in the first column.
  func name(in table: String) -> String {
    let id: Int64? = try? self[0]
    return id.map { "\(table) \($0)" } ?? table
  }
}
