#if canImport(Glibc)
  import CKernel
  import Essentials

  /// Tells when a file in one of several folders was changed, replaced, made or removed, by any program (inotify).
  ///
  /// Nothing polls, except where inotify is missing or used up: there something counts as changed every five seconds.
  package final class FolderWatch: Sendable {
    /// Readable when something has happened.
    package let descriptor: Int32

    /// - Returns: nil if none of the folders can be watched.
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

    /// Watches these too; those that are watched already stay so.
    package func add(_ folders: [String]) { _ = Self.add(folders, to: descriptor) }

    /// - Returns: the reasons of those that cannot be watched.
    private static func add(_ folders: [String], to descriptor: Int32) -> [Int32] {
      let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
      return folders.compactMap { inotify_add_watch(descriptor, $0, mask) >= 0 ? nil : errno }
    }

    /// Editors save in several steps: this long, in milliseconds, nothing more must happen.
    package static let quiet: Int32 = 200

    /// Sleeps until something has happened, and nothing more.
    /// - Returns: false if that cannot be known any more.
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
    package static let quiet: Int32 = 200
    package init?(folders: [String]) { return nil }
    package func add(_ folders: [String]) {}
    package func waitForChange() -> Bool { false }
    package func takeChanges() {}
  }
#endif
