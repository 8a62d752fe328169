#if canImport(Glibc)
  import CKernel
  import Essentials

  /// A watch on a file that any program may change, replace, or create (inotify on its folder).
  ///
  /// It does not poll, unless inotify is unavailable or its limits are reached. Then the file counts as
  /// changed once a second.
  package final class FileWatch: Sendable {
    /// The descriptor, which is readable after an event.
    package let descriptor: Int32
    /// The name of the file, or `nil` if the watch only polls.
    private let name: String?

    /// Creates a watch, or returns `nil` if the folder cannot be watched.
    package init?(path: String) {
      let mask = UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_CREATE | IN_DELETE)
      if let events = folderEvents(path.parentFolder, mask) {
        (descriptor, name) = (events, path.lastPathPart)
      } else {
        (descriptor, name) = (lacksInotify(errno) ? ck_ticks(1) : -1, nil)
      }
      guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Reads the pending events.
    ///
    /// Call it when the descriptor is readable.
    ///
    /// - Returns: Whether an event concerns the file, or `nil` if the watch cannot continue.
    package func takeChange() -> Bool? {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { return false }
      guard count > 0 else { return nil }
      return name == nil || buffer.withUnsafeBytes { isNamed(in: $0[..<count]) }
    }

    /// Returns whether the events contain the file.
    ///
    /// Reads `struct inotify_event`s: watch, mask, cookie, and name length with 4 bytes each, then the name
    /// and NULs.
    private func isNamed(in events: Slice<UnsafeRawBufferPointer>) -> Bool {
      var rest = UnsafeRawBufferPointer(rebasing: events)
      while rest.count >= 16 {
        let mask = rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let length = Int(rest.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        let found = String(
          decoding: rest[16..<min(16 + length, rest.count)].prefix { $0 != 0 }, as: UTF8.self)
        if found == name || mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        rest = UnsafeRawBufferPointer(rebasing: rest[min(16 + length, rest.count)...])
      }
      return false
    }
  }

  /// Returns a descriptor for the events of a folder, or `nil` with the reason in `errno`.
  func folderEvents(_ folder: String, _ mask: UInt32) -> Int32? {
    let descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, mask) >= 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return descriptor
  }

  /// Returns whether the kernel has no inotify, or its limits are reached (inotify(7), ERRORS).
  func lacksInotify(_ code: Int32) -> Bool { [ENOSYS, EMFILE, ENFILE, ENOMEM, ENOSPC].contains(code) }
#endif
