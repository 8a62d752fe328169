#if canImport(Glibc)
  internal import Foundation
  internal import Glibc

  /// Tells when a file of a store was touched, by any process: a descriptor to wait for, no thread, no
  /// polling.
  ///
  /// A touch is only a hint. Compare `WorldStore.dataVersion` after it, and look once more about 10 ms later:
  /// the file may be written a moment before the commit is seen.
  public final class StoreWatch: Sendable {
    /// Readable when something happened. Closed with the object.
    public let descriptor: Int32
    private let names: Set<String>

    /// Watches a store's folder; nil for a store in memory, which no other process sees.
    public init?(_ store: WorldStore) throws(StoreError) {
      guard let path = store.path else { return nil }
      let folder = path.parentFolder
      let name = path.lastPathPart
      names = [name, name + "-wal"]
      descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
      guard descriptor >= 0, inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, mask) >= 0 else {
        throw StoreError(errno: errno, path: path)
      }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes all that has happened; true if a file of this store was touched. Does not wait.
    public func drained() -> Bool {
      var touched = false
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return touched }
        touched = buffer.withUnsafeBytes { inotifyEvents($0[..<count], name: names) } || touched
      }
    }
  }
#endif
