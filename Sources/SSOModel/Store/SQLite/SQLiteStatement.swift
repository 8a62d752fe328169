import CSQLite

/// A prepared statement.
final class SQLiteStatement {
  let pointer: OpaquePointer
  /// Whether its rows are being read, in which case another statement is prepared for the same text.
  var isInUse = false

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  /// Binds the values.
  ///
  /// - Returns: SQLite's result code.
  func bind(_ values: [any SQLBindable]) -> Int32 {
    assert(values.count == sqlite3_bind_parameter_count(pointer), "a value for each `?`")
    for (index, value) in values.enumerated() {
      let code = value.bind(to: pointer, at: Int32(index + 1))
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }
}
