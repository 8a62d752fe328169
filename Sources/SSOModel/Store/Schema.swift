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
