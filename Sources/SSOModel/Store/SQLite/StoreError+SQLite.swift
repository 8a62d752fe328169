import CSQLite
import Essentials

extension StoreError {
  /// Creates an error from a result code of SQLite, extended or not (https://sqlite.org/rescode.html).
  ///
  /// `cause` is the system error if SQLite could not open a file.
  init(sqliteCode code: Int32, errno cause: Int32, message: String, path: String) {
    self =
      switch code & 0xFF {
      case SQLITE_NOTADB: .notADatabase(path: path)
      case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path)
      case SQLITE_FULL: .full(path: path)
      case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
      // SQLITE_IOERR_SHMSIZE: there is no space for the shared memory file.
      case SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8: .full(path: path)
      case SQLITE_CANTOPEN where cause == EMFILE || cause == ENFILE: .tooManyFiles(path: path)
      case SQLITE_CANTOPEN where !fileExists(path): .missing(path: path)
      case SQLITE_CANTOPEN: access(path, R_OK) == 0 ? .readOnly(path: path) : .unreadable(path: path)
      default: .other(path: path, message: message)
      }
  }
}
