/// The parts of a lab in PostgreSQL in addition to the tables of `Schema`.
enum PostgresSchema {
  /// Returns a query of the catalogue for whether a lab's schema contains a store's tables.
  static func exists(_ lab: String) -> String {
    """
    SELECT EXISTS(SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relname = 'meta' AND nspname = '\(LabAddress.namespacePrefix)\(lab)')
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
