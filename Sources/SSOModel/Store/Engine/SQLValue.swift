/// A value that can be bound to a `?` of a statement.
package protocol SQLBindable {
  /// Binds the value to a statement of SQLite.
  ///
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
  /// The value for another engine.
  var parameter: SQLParameter { get }
}

/// A value that can be read from a column.
package protocol SQLColumn {
  /// Creates a value from a column, or returns `nil` if the column holds another type.
  ///
  /// SQLite types values, not columns, and would convert.
  init?(column: Int32, of statement: OpaquePointer)
  /// Creates a value from a cell of another engine, or returns `nil` if it holds another type.
  init?(cell: any SQLCell)
  /// The expected type for error messages, such as `an integer`.
  static var expectation: String { get }
}

package typealias SQLValue = SQLBindable & SQLColumn
