import Foundation

@testable import SSOStore

/// Runs SQL on a database, as another program would.
func runSQL(_ sql: String, on path: String) throws {
  if !FileManager.default.fileExists(atPath: path) {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
  }
  try SQLiteConnection(.file(path: path)).run(script: sql)
}

/// Returns the texts in the first column of a query.
func texts(_ sql: String, on path: String) throws -> [String] {
  try StoreConnection(SQLiteConnection(.file(path: path))).column(sql)
}
