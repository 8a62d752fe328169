#if canImport(Glibc)
  import CKernel
  import Essentials

  /// A watch on several folders, in which any program may change, replace, create, or remove files (inotify).
  ///
  /// It does not poll, unless inotify is unavailable or its limits are reached. Then something counts as
  /// changed every five seconds.
  package final class FolderWatch: Sendable {
    /// The descriptor, which is readable after an event.
    package let descriptor: Int32

    /// Creates a watch, or returns `nil` if none of the folders can be watched.
    package init?(folders: [String]) {
      let events = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      let failures = events < 0 ? [errno] : Self.add(folders, to: events)
      let isUsedUp = failures.contains(where: lacksInotify)
      if isUsedUp || failures.count == folders.count {
        if events >= 0 { close(events) }
        descriptor = isUsedUp ? ck_ticks(5) : -1
      } else {
        descriptor = events
      }
      guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Adds folders to the watch.
    ///
    /// Folders that are already watched are unaffected.
    package func add(_ folders: [String]) { _ = Self.add(folders, to: descriptor) }

    /// Adds folders to the watch.
    ///
    /// - Returns: The errors of the folders that cannot be watched.
    private static func add(_ folders: [String], to descriptor: Int32) -> [Int32] {
      let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
      return folders.compactMap { inotify_add_watch(descriptor, $0, mask) >= 0 ? nil : errno }
    }

    /// The time in milliseconds without events after which a change is complete, because editors save in
    /// several steps.
    package static let quiet: Int32 = 200

    /// Waits until a change is complete.
    ///
    /// - Returns: `false` if the watch cannot continue.
    package func waitForChange() -> Bool {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var hasChanged = false
      while true {
        let count = poll(&polled, 1, hasChanged ? Self.quiet : -1)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 }
        takeChanges()
        hasChanged = true
      }
    }

    /// Reads the pending events, whatever their file.
    ///
    /// Call it when the descriptor is readable.
    package func takeChanges() {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }
#else
  /// A placeholder, because watching many folders requires inotify.
  package final class FolderWatch: Sendable {
    package let descriptor: Int32 = -1
    package static let quiet: Int32 = 200
    package init?(folders: [String]) { return nil }
    package func add(_ folders: [String]) {}
    package func waitForChange() -> Bool { false }
    package func takeChanges() {}
  }
#endif
