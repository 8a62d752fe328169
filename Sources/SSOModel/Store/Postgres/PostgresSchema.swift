/// What a lab in PostgreSQL has besides the tables of `Schema`.
enum PostgresSchema {
  /// The name of a lab's own namespace, in quotes.
  static func namespace(of lab: String) -> String { "\"\(prefix)\(lab)\"" }
  static let prefix = "ssoterm_"

  /// How many commits are remembered, for a writer who lost the connection and asks whether its own was one.
  static let keptCommits = 1000

  /// `counter` is one row: the highest row IDs, and how many commits there were.
  ///
  /// A sequence would not go back with its transaction, and the same story would give other numbers than in SQLite.
  static let ownTables = """
    CREATE TABLE counter(item BIGINT NOT NULL, journal BIGINT NOT NULL, trace BIGINT NOT NULL,
      commits BIGINT NOT NULL);
    INSERT INTO counter VALUES(0, 0, 0, 0);
    CREATE TABLE commit_token(number BIGINT PRIMARY KEY, token TEXT NOT NULL);
    """

  /// As `ItemCounts.triggers`.
  static let triggers = """
    CREATE FUNCTION count_item(item, change BIGINT) RETURNS void LANGUAGE sql AS $$
      INSERT INTO item_count AS kept VALUES(
        $1.device, $1.access_group, coalesce($1.type, -1),
        CASE WHEN $1.type BETWEEN 2000 AND 2999 THEN coalesce($1.generic, '') ELSE '' END, $2)
      ON CONFLICT (device, access_group, type, generic) DO UPDATE SET count = kept.count + $2;
      DELETE FROM item_count WHERE device = $1.device AND access_group = $1.access_group
        AND type = coalesce($1.type, -1) AND count <= 0;
    $$;
    CREATE FUNCTION item_counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN PERFORM count_item(OLD, -1); END IF;
      IF TG_OP <> 'DELETE' THEN PERFORM count_item(NEW, 1); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER item_counted AFTER INSERT OR DELETE ON item FOR EACH ROW EXECUTE FUNCTION item_counted();
    CREATE TRIGGER item_changed AFTER UPDATE OF type, generic ON item FOR EACH ROW
      WHEN (OLD.type IS DISTINCT FROM NEW.type OR OLD.generic IS DISTINCT FROM NEW.generic)
      EXECUTE FUNCTION item_counted();

    """
}
