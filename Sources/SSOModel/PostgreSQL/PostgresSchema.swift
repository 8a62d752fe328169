import SSOStore

/// The parts of a lab in PostgreSQL in addition to the tables of `Schema`.
enum PostgresSchema {
  /// Returns a query of the catalogue for whether a lab's schema contains a store's tables.
  static func exists(_ lab: String) -> String {
    """
    SELECT EXISTS(SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relname = 'meta' AND nspname = '\(LabAddress.namespacePrefix)\(lab)')
    """
  }

  /// Returns a query for the objects in a lab's schema that ssoterm did not create, in words.
  ///
  /// A trigger, rule, policy, or function runs with the rights of the user whose statement reaches it. A trigger's
  /// entire definition is compared, because a user who may create a trigger may also replace one, and its condition can
  /// call any function.
  static func foreignObjects(_ lab: String) -> String {
    """
    WITH lab AS (
      SELECT namespace.oid, nspname, relowner AS owner FROM pg_namespace AS namespace
      JOIN pg_class ON relnamespace = namespace.oid AND relname = 'meta'
      WHERE nspname = '\(LabAddress.namespacePrefix)\(lab)'),
    relation AS (
      SELECT pg_class.oid, relname, relowner, relkind, lab.oid AS lab, nspname, owner FROM lab
      JOIN pg_class ON relnamespace = lab.oid)
    SELECT 'the trigger ' || tgname || ' on ' || relname FROM relation JOIN pg_trigger ON tgrelid = relation.oid
      WHERE NOT tgisinternal AND NOT EXISTS(
        SELECT FROM pg_proc WHERE pg_proc.oid = tgfoid AND pronamespace = lab AND proname = 'item_counted'
          AND regexp_replace(
            replace(pg_get_triggerdef(pg_trigger.oid), quote_ident(nspname) || '.', ''), '[^A-Za-z_]', '', 'g')
          IN ('CREATETRIGGERitem_countedAFTERINSERTORDELETEONitemFOREACHROWEXECUTEFUNCTIONitem_counted',
            'CREATETRIGGERitem_changedAFTERUPDATEOFtypegenericONitemFOREACHROW'
            'WHENoldtypeISDISTINCTFROMnewtypeORoldgenericISDISTINCTFROMnewgenericEXECUTEFUNCTIONitem_counted'))
    UNION ALL SELECT 'the rule ' || rulename || ' on ' || relname FROM relation
      JOIN pg_rewrite ON ev_class = relation.oid WHERE NOT (rulename = '_RETURN' AND relname = 'item_count')
    UNION ALL SELECT 'the policy ' || polname || ' on ' || relname FROM relation
      JOIN pg_policy ON polrelid = relation.oid
    UNION ALL SELECT 'the foreign key ' || conname || ' of ' || conrelid::regclass::text FROM relation
      JOIN pg_constraint ON confrelid = relation.oid WHERE contype = 'f'
    UNION ALL SELECT 'the function ' || proname || ' of ' || pg_get_userbyid(proowner) FROM lab
      JOIN pg_proc ON pronamespace = lab.oid
      WHERE proname NOT IN ('note_item', 'item_counted', 'fold_items') OR prosecdef OR proowner <> owner
    UNION ALL SELECT 'the operator ' || oprname || ' of ' || pg_get_userbyid(oprowner) FROM lab
      JOIN pg_operator ON oprnamespace = lab.oid
    UNION ALL SELECT 'the table ' || relname || ' of ' || pg_get_userbyid(relowner) FROM relation
      WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relowner <> owner
    LIMIT 20
    """
  }

  /// Returns a query for the users who could add such objects to a lab, without owning it.
  ///
  /// A foreign key from a table elsewhere deletes rows there, and runs that table's triggers with the rights of the
  /// user who deletes a row of the lab.
  static func planters(_ lab: String) -> String {
    """
    SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END FROM (
      SELECT (aclexplode(relacl)).*, relowner AS owner FROM pg_class JOIN pg_namespace AS namespace
        ON namespace.oid = relnamespace WHERE nspname = '\(LabAddress.namespacePrefix)\(lab)'
      UNION ALL SELECT (aclexplode(attacl)).*, relowner FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
        WHERE nspname = '\(LabAddress.namespacePrefix)\(lab)'
      UNION ALL SELECT (aclexplode(nspacl)).*, nspowner FROM pg_namespace
        WHERE nspname = '\(LabAddress.namespacePrefix)\(lab)') AS granted
    WHERE privilege_type IN ('TRIGGER', 'REFERENCES', 'CREATE') AND grantee <> owner
      AND NOT EXISTS(SELECT FROM pg_roles WHERE oid = grantee AND rolsuper) ORDER BY 1 LIMIT 20
    """
  }

  /// Returns a query for the lab's owner, if this user is a superuser and the owner has fewer rights.
  static func weakerOwner(_ lab: String) -> String {
    """
    SELECT owner.rolname FROM pg_class JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
      JOIN pg_roles AS owner ON owner.oid = relowner
    WHERE relname = 'meta' AND nspname = '\(LabAddress.namespacePrefix)\(lab)' AND NOT owner.rolsuper
      AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    """
  }

  /// The number of retained commits, for a writer who lost the connection and asks whether its commit
  /// succeeded.
  static let keptCommits = 1000

  /// The additional tables.
  ///
  /// `counter` has one row with the highest row IDs and the number of commits.
  ///
  /// A sequence would not be rolled back with its transaction, so the same scenario would get other numbers
  /// than in SQLite.
  static let ownTables = """
    CREATE TABLE counter(item BIGINT NOT NULL, journal BIGINT NOT NULL, trace BIGINT NOT NULL,
      commits BIGINT NOT NULL);
    INSERT INTO counter VALUES(0, 0, 0, 0);
    CREATE TABLE commit_token(number BIGINT PRIMARY KEY, token TEXT NOT NULL);
    """

  /// The counterpart of `ItemCounts.triggers`.
  ///
  /// Changes are recorded individually and merged at the commit (`fold_items`). A row that is changed
  /// repeatedly in one transaction leaves all its versions in its page, so that adding 20,000 items took 11
  /// s. `item_count` combines both tables.
  static let counting = """
    ALTER TABLE item_count RENAME TO item_kept;
    CREATE TABLE item_noted(device BYTEA, access_group BYTEA, type BIGINT, generic BYTEA, count BIGINT);
    CREATE VIEW item_count AS
      SELECT device, access_group, type, generic, sum(count)::bigint AS count
      FROM (SELECT * FROM item_kept UNION ALL SELECT * FROM item_noted) AS noted
      GROUP BY device, access_group, type, generic HAVING sum(count) > 0;
    CREATE FUNCTION note_item(item, change BIGINT) RETURNS void LANGUAGE sql AS $$
      INSERT INTO item_noted VALUES(
        $1.device, $1.access_group, coalesce($1.type, -1),
        CASE WHEN $1.type BETWEEN 2000 AND 2999 THEN coalesce($1.generic, '') ELSE '' END, $2);
    $$;
    CREATE FUNCTION item_counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN PERFORM note_item(OLD, -1); END IF;
      IF TG_OP <> 'DELETE' THEN PERFORM note_item(NEW, 1); END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION fold_items() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS(SELECT FROM item_noted) THEN RETURN; END IF;
      WITH noted AS (DELETE FROM item_noted RETURNING *)
      INSERT INTO item_kept AS kept SELECT device, access_group, type, generic, sum(count) FROM noted GROUP BY 1, 2, 3, 4
        ON CONFLICT (device, \(IndexedValue.of("access_group")), type, \(IndexedValue.of("generic"))) DO UPDATE SET count = kept.count + excluded.count;
      DELETE FROM item_kept WHERE count <= 0;
    END $$;
    CREATE TRIGGER item_counted AFTER INSERT OR DELETE ON item FOR EACH ROW EXECUTE FUNCTION item_counted();
    CREATE TRIGGER item_changed AFTER UPDATE OF type, generic ON item FOR EACH ROW
      WHEN (OLD.type IS DISTINCT FROM NEW.type OR OLD.generic IS DISTINCT FROM NEW.generic)
      EXECUTE FUNCTION item_counted();

    """
}

/// The row numbers of a lab inside a writing transaction.
///
/// They are read at its beginning and written at its commit, because the only writer can count on its own.
struct PostgresRowIDs {
  private var last: [Int64]
  /// The number of commits before this one.
  let commits: Int64

  /// Creates the numbers from the table `counter`.
  ///
  /// - Parameter row: The row of the table.
  init?(_ row: [Int64]) {
    guard row.count == NumberedTable.allCases.count + 1, let commits = row.last else { return nil }
    (last, self.commits) = (row.dropLast(), commits)
  }

  mutating func next(in table: NumberedTable) -> Int64 {
    last[table.rawValue] += 1
    return last[table.rawValue]
  }

  /// Returns a script that writes the numbers, records the commit, and notifies the listeners.
  ///
  /// NOTIFY follows the commit. Inside the transaction, all commits of the server would wait for each other's
  /// flush to disk, because a transaction with NOTIFY holds a lock of the server until it ends.
  func commitScript(token: String, channel: String) -> String {
    """
    UPDATE counter SET item = \(last[0]), journal = \(last[1]), trace = \(last[2]), commits = \(commits + 1);
    INSERT INTO commit_token VALUES(\(commits + 1), '\(token)');
    DELETE FROM commit_token WHERE number <= \(commits + 1 - Int64(PostgresSchema.keptCommits));
    SELECT fold_items();
    COMMIT;
    NOTIFY \(channel)
    """
  }
}

/// The rows of a cursor, a few at a time.
///
/// It ends with its transaction, like the cursor.
final class PostgresScan: SQLCursor {
  /// The number of rows in memory.
  private static let size = 1000

  private let link: PostgresLink
  private let cursor: String
  private var rows: PostgresResult

  init(
    _ link: PostgresLink, cursor: String, _ sql: String, _ values: [any SQLBindable]
  ) throws(StoreError) {
    (self.link, self.cursor) = (link, cursor)
    _ = try Self.ask(
      link, "DECLARE \(cursor) NO SCROLL CURSOR FOR " + PostgresDialect.statement(sql), values)
    rows = try Self.fetch(link, cursor)
  }

  /// Advances to the next row, or returns `false` after the last.
  func next() throws(StoreError) -> Bool {
    if rows.next() { return true }
    guard rows.rowCount == Self.size else { return false }
    rows = try Self.fetch(link, cursor)
    return rows.next()
  }

  var name: String { link.address.name }
  func value(_ column: Int32) -> any SQLCell { rows.value(column) }
  func columnName(_ column: Int32) -> UnsafePointer<CChar>? { rows.columnName(column) }

  /// Returns the next rows.
  ///
  /// The cursor is closed with the last one.
  private static func fetch(_ link: PostgresLink, _ cursor: String) throws(StoreError) -> PostgresResult {
    guard let rows = try ask(link, "FETCH \(size) FROM \(cursor)", []).last else {
      throw .server(link.address.name, .lost("no answer"))
    }
    if rows.rowCount < size { _ = try ask(link, "CLOSE \(cursor)", []) }
    return rows
  }

  private static func ask(
    _ link: PostgresLink, _ text: String, _ values: [any SQLBindable]
  ) throws(StoreError) -> [PostgresResult] {
    try link.send(
      PostgresParameters(values.map(\.parameter)).withPointers { count, values, lengths, formats in
        text.withCString {
          link.library.sendParameters(link.handle, $0, count, nil, values, lengths, formats, 1)
        }
      })
    return try link.answers()
  }
}

extension LabAddress {
  /// Parses the address of a lab on a PostgreSQL server.
  ///
  /// `stateFolder` is the user's state folder of ssoterm.
  ///
  /// - Throws: `badAddress` for a lab name with other characters.
  package init(_ text: String, stateFolder: String) throws(StoreError) {
    try self.init(
      text, stateFolder: stateFolder,
      driver: ServerDriver(
        connect: { address throws(StoreError) in try PostgresConnection(address) },
        listen: { address throws(StoreError) in try LabListener(address) }))
  }
}
