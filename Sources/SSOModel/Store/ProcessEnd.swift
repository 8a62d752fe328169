import Foundation

extension WorldStore {
  /// How large a write-ahead log may be left to the next process, which reads it when it opens the store.
  private static let logLimit = 512 * 1024

  /// Keeps the connection open until the process ends, for a process that makes one short call.
  ///
  /// A commit is durable in the write-ahead log. Closing the last connection copies the log into the database
  /// and deletes it, and the next process makes a new one: four more flushes to the disk than the commit needs.
  /// So the log is left, as long as it is small; what closes the store next folds it in.
  package func staysOpenToTheEnd() {
    guard let path else { return }
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size <= Self.logLimit else { return }
    _ = Unmanaged.passRetained(queue)
  }
}
