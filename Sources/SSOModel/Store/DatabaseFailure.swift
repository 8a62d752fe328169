import GRDB

extension StoreError {
  /// The store's word for an error of SQLite.
  init(_ error: DatabaseError, path: String) {
    self =
      switch error.resultCode {
      case .SQLITE_NOTADB: .notADatabase(path: path)
      case .SQLITE_READONLY, .SQLITE_PERM: .readOnly(path: path)
      case .SQLITE_FULL: .full(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .full(path: path)
      case .SQLITE_CANTOPEN: fileExists(path) ? .readOnly(path: path) : .missing(path: path)
      default: .other(path: path, message: error.message ?? "SQLite error \(error.resultCode.rawValue)")
      }
  }

  /// Any error as one of the store's.
  init(_ error: any Error, path: String) {
    self =
      switch error {
      case let error as StoreError: error
      case let error as DatabaseError: StoreError(error, path: path)
      default: .other(path: path, message: "\(error)")
      }
  }
}

/// Runs `body`; errors of SQLite leave it as `StoreError`, all others as they are.
func wordingErrors<T>(path: String, _ body: () throws -> T) throws -> T {
  do { return try body() } catch let error as DatabaseError { throw StoreError(error, path: path) }
}
