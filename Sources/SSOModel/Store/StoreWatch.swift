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
        touched = buffer.withUnsafeBytes { isTouch($0[..<count]) } || touched
      }
    }

    /// Walks `struct inotify_event`s: watch, mask, cookie and name length, 4 bytes each, then the name and
    /// NULs.
    private func isTouch(_ events: Slice<UnsafeRawBufferPointer>) -> Bool {
      var rest = UnsafeRawBufferPointer(rebasing: events)
      while rest.count >= 16 {
        let mask = rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let length = Int(rest.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        let name = String(decoding: rest[16..<min(16 + length, rest.count)].prefix { $0 != 0 }, as: UTF8.self)
        if names.contains(name) || mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        rest = UnsafeRawBufferPointer(rebasing: rest[min(16 + length, rest.count)...])
      }
      return false
    }
  }
#endif
