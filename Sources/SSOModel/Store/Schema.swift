import Essentials
import SSOKeychain

/// The tables of a store, in SQLite's dialect.
///
/// Each store records its version (SQLite: `PRAGMA user_version`). Version 2 added the origin of journal
/// entries, and version 3 the user and machine of journal entries and traces. Row IDs are never reused
/// (AUTOINCREMENT), so that undo can restore a row with its old ID.
package enum Schema {
  /// The application ID in the header of every store: `SSOT`.
  static let applicationID = 0x5353_4F54
  package static let version = 3

  /// Creates the tables in an empty database, inside the caller's transaction.
  static func create(in connection: StoreConnection) throws(StoreError) {
    try connection.engine.create(tables: tables + ItemCounts.table)
  }

  /// Migrates an older store to this version, inside the caller's transaction.
  ///
  /// `opened` is the version when the store was opened. Another process may have migrated it since.
  static func migrate(_ connection: StoreConnection, from opened: Int) throws(StoreError) {
    guard opened < version else { return }
    let found = try connection.engine.schemaVersion()
    guard found < version else { return }
    let added =
      (found < 2 ? ["journal ADD COLUMN origin"] : [])
      + ["journal", "trace"].flatMap { ["\($0) ADD COLUMN person", "\($0) ADD COLUMN machine"] }
    try connection.engine.migrate(
      added.map { "ALTER TABLE \($0) TEXT; " }.joined() + "DROP INDEX journal_stack; " + journalIndex,
      to: version)
  }

  /// Returns whether a store opened with this version still has a schema without authors.
  static func lacksAuthors(_ connection: StoreConnection, opened: Int) throws(StoreError) -> Bool {
    guard opened < 3 else { return false }
    return try connection.engine.schemaVersion() < 3
  }

  /// The index for undo and redo, which take the entry whose state changed last.
  private static let journalIndex = "CREATE INDEX journal_stack ON journal(state, images);"

  /// The tables.
  ///
  /// `item_account` is an index with the account attributes: a hundred thousand account rows are scattered
  /// among their tokens, and a list would have to fetch each one.
  private static let tables = """
    CREATE TABLE meta(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

    CREATE TABLE item(
      id INTEGER PRIMARY KEY AUTOINCREMENT, device TEXT NOT NULL, access_group TEXT NOT NULL,
      class TEXT NOT NULL, account TEXT NOT NULL, service TEXT NOT NULL, generic BLOB, type INTEGER,
      label TEXT, sealed BLOB NOT NULL, created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL,
      UNIQUE(device, access_group, class, account, service));
    CREATE INDEX item_type_generic ON item(device, access_group, type, generic);
    CREATE INDEX item_type ON item(device, type);
    CREATE INDEX item_account ON item(device, account, generic) WHERE type = \(AccountType.mssts.attributeType);

    CREATE TABLE document(
      kind TEXT NOT NULL, key TEXT NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY(kind, key)) WITHOUT ROWID;

    CREATE TABLE journal(
      id INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
      reverses INTEGER, changes INTEGER NOT NULL, state INTEGER NOT NULL, images INTEGER NOT NULL,
      origin TEXT, person TEXT, machine TEXT);
    \(journalIndex)
    CREATE TABLE journal_change(
      journal_id INTEGER NOT NULL, seq INTEGER NOT NULL, row BLOB NOT NULL, before BLOB,
      PRIMARY KEY(journal_id, seq)) WITHOUT ROWID;

    CREATE TABLE trace(
      id INTEGER PRIMARY KEY AUTOINCREMENT, journal_id INTEGER, title TEXT NOT NULL,
      correlation_id TEXT NOT NULL, at INTEGER NOT NULL, outcome TEXT NOT NULL, hop_count INTEGER NOT NULL,
      sealed BLOB NOT NULL, person TEXT, machine TEXT);

    """
}

/// The primary key of a sealed row.
///
/// Its encoding is the additional data of the seal, so a sealed value that is moved to another row cannot be
/// opened. It also identifies the row in the journal. Only the journal has `newItems`: the rows of items that
/// were added consecutively.
enum RowKey: Hashable {
  case item(device: String, KeychainKey)
  case document(kind: String, key: String)
  case trace(correlationID: String)
  case check
  case newItems(ClosedRange<Int64>)

  static let itemTable: UInt8 = 0
  static let newItemsTable: UInt8 = 4

  /// The number of the table in the journal.
  private var table: UInt8 {
    switch self {
    case .item: Self.itemTable
    case .document: 1
    case .trace: 2
    case .check: 3
    case .newItems: Self.newItemsTable
    }
  }

  /// The encoding: the table's number, then each part as its length (4 bytes, big-endian) and its UTF-8.
  var encoded: Data {
    var bytes = ByteWriter(capacity: 192)
    bytes.append(byte: table)
    switch self {
    case .item(let device, let key):
      bytes.append(device)
      bytes.append(key.accessGroup)
      bytes.append(key.itemClass.rawValue)
      bytes.append(key.account)
      bytes.append(key.service)
    case .document(let kind, let key):
      bytes.append(kind)
      bytes.append(key)
    case .trace(let correlationID): bytes.append(correlationID)
    case .check: break
    case .newItems(let rows):
      bytes.append(rows.lowerBound)
      bytes.append(rows.upperBound)
    }
    return bytes.data
  }

  /// Creates a key from its encoding, or returns `nil` for other bytes and for rows that are not in the
  /// journal.
  init?(encoded: Data) {
    var bytes = ByteReader(encoded)
    switch bytes.byte() {
    case Self.itemTable:
      guard let device = bytes.string(), let group = bytes.string(),
        let itemClass = bytes.string().flatMap(KeychainClass.init(rawValue:)),
        let account = bytes.string(), let service = bytes.string()
      else { return nil }
      let key = KeychainKey(accessGroup: group, itemClass: itemClass, account: account, service: service)
      self = .item(device: device, key)
    case 1:
      guard let kind = bytes.string(), let key = bytes.string() else { return nil }
      self = .document(kind: kind, key: key)
    case Self.newItemsTable:
      guard let first = bytes.number(), let last = bytes.number(), first <= last else { return nil }
      self = .newItems(first...last)
    default: return nil
    }
  }
}

/// A writer of length-prefixed fields: the encoding of row keys and of the journal's row images.
struct ByteWriter {
  private var bytes: [UInt8] = []
  var data: Data { Data(bytes) }

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(byte: UInt8) { bytes.append(byte) }
  mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
  mutating func append(_ data: Data) {
    append(length: data.count)
    bytes.append(contentsOf: data)
  }
  mutating func append(_ text: String) {
    append(length: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
  private mutating func append(length: Int) {
    withUnsafeBytes(of: UInt32(length).bigEndian) { bytes.append(contentsOf: $0) }
  }
  /// Appends a count with seven bits a byte, the lowest first.
  ///
  /// The top bit marks that more bytes follow.
  mutating func append(count: Int) {
    var rest = UInt(bitPattern: count)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F | 0x80))
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
  /// Appends a byte that states whether there is a value, followed by the value.
  mutating func append<T>(_ value: T?, _ write: (inout ByteWriter, T) -> Void) {
    append(byte: value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }
}

/// A reader of the bytes that `ByteWriter` wrote.
///
/// Every read is bounded and returns `nil` at the end.
struct ByteReader {
  private var rest: Data

  init(_ data: Data) { rest = data }

  mutating func byte() -> UInt8? { rest.popFirst() }
  mutating func number() -> Int64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return Int64(bitPattern: rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
  mutating func count() -> Int? {
    var (count, shift) = (UInt(0), 0)
    while let byte = byte(), shift < 56 {
      count |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(count) }
      shift += 7
    }
    return nil
  }
  mutating func bytes() -> Data? {
    guard rest.count >= 4 else { return nil }
    let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard rest.count - 4 >= count else { return nil }
    defer { rest = rest.dropFirst(4 + count) }
    return Data(rest.dropFirst(4).prefix(count))
  }
  mutating func string() -> String? { bytes().flatMap { String(bytes: $0, encoding: .utf8) } }
  /// Reads a value that follows the byte that states whether there is one.
  ///
  /// The outer optional is `nil` if the bytes are malformed.
  mutating func optional<T>(_ read: (inout ByteReader) -> T?) -> T?? {
    switch byte() {
    case 0: .some(.none)
    case 1: read(&self).map { .some($0) }
    default: .none
    }
  }
}
