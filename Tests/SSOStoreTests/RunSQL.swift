import GRDB

/// Runs SQL on a database as another program would.
func runSQL(_ sql: String, on path: String) throws {
  try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
}
