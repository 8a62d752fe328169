extension StoreTransaction {
  /// Returns the result of `read`, which reads a row.
  ///
  /// A read-only transaction skips a damaged row, and the store reports its name. A writing transaction stops
  /// there, because it would build on a gap.
  func intact<T>(
    _ name: @autoclosure () -> String, _ read: () throws(StoreError) -> T
  ) throws(StoreError) -> T? {
    do throws(StoreError) {
      return try read()
    } catch {
      let error = error.naming(name())
      guard case .damaged = error, !isWritable else { throw error }
      store.news.report(.leftOut(error))
      return nil
    }
  }
}

extension StoreError {
  /// Returns the error with the row's name, if it has none yet.
  func naming(_ name: @autoclosure () -> String) -> StoreError {
    guard case .damaged(let path, "", let message) = self else { return self }
    return .damaged(path: path, row: name(), message: message)
  }
}

extension SQLRows {
  /// Returns the name of the row, such as `trace 3`: a table and the row ID in the first column.
  func name(in table: String) -> String {
    let id: Int64? = try? self[0]
    return id.map { "\(table) \($0)" } ?? table
  }
}
