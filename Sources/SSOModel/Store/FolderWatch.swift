#if canImport(Glibc)
  import Foundation
  import Glibc

  /// Tells when a file in one of several folders was changed, replaced, made or removed, by any program (inotify).
  ///
  /// Nothing polls.
  package final class FolderWatch: Sendable {
    /// Readable when something has happened.
    package let descriptor: Int32

    /// - Returns: nil if none of the folders can be watched.
    package init?(folders: [String]) {
      descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
      let descriptor = descriptor
      guard folders.count(where: { inotify_add_watch(descriptor, $0, mask) >= 0 }) > 0 else {
        close(descriptor)
        return nil
      }
    }

    deinit { close(descriptor) }

    /// Reads what has happened, whichever file it was; to be called when the descriptor is readable.
    package func takeChanges() {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }
#else
  /// Watching many folders needs inotify.
  package final class FolderWatch: Sendable {
    package let descriptor: Int32 = -1
    package init?(folders: [String]) { return nil }
    package func takeChanges() {}
  }
#endif
