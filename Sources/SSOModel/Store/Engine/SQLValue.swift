/// A value that can be bound to a `?` of a statement.
package protocol SQLBindable {
  /// Binds it to a statement of SQLite.
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
  /// The value for another engine.
  var parameter: SQLParameter { get }
}

/// A value that can be read from a column.
package protocol SQLColumn {
  /// Nil if the column holds another type: SQLite types each value, not the column, and would convert.
  init?(column: Int32, of statement: OpaquePointer)
  /// The same for another engine.
  init?(cell: any SQLCell)
  /// What an error says was expected: `an integer`.
  static var expectation: String { get }
}

package typealias SQLValue = SQLBindable & SQLColumn
