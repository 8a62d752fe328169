/// A value that can be bound to a `?` of a statement.
protocol SQLBindable {
  /// Binds it to a statement of SQLite.
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
  /// The same for PostgreSQL.
  var parameter: PostgresParameter { get }
}

/// A value that can be read from a column.
protocol SQLColumn {
  /// Nil if the column holds another type: SQLite types each value, not the column, and would convert.
  init?(column: Int32, of statement: OpaquePointer)
  /// The same for PostgreSQL.
  init?(_ cell: PostgresCell)
  /// What an error says was expected: `an integer`.
  static var expectation: String { get }
}

typealias SQLValue = SQLBindable & SQLColumn
