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

#if canImport(Darwin)
  import Essentials
  import Synchronization

  /// A watch on a file that any program may change, replace, or create (kqueue on the file and its folder).
  ///
  /// It does not poll.
  package final class FileWatch: Sendable {
    /// The descriptor, which is readable after an event.
    package let descriptor: Int32
    private let path: String
    private let folder: Int32
    private let file = Mutex<Int32>(-1)

    /// Creates a watch, or returns `nil` if the folder cannot be watched.
    package init?(path: String) {
      self.path = path
      descriptor = kqueue()
      let parent = path.parentFolder
      folder = Darwin.open(parent.isEmpty ? "." : parent, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0, folder >= 0, add(folder), watchFile() else { return nil }
    }

    deinit {
      file.withLock { if $0 >= 0 { close($0) } }
      close(folder)
      close(descriptor)
    }

    /// Reads the pending events.
    ///
    /// Call it when the descriptor is readable.
    ///
    /// - Returns: Whether an event concerns the file, or `nil` if the watch cannot continue.
    package func takeChange() -> Bool? {
      var event = kevent()
      var none = timespec()
      guard kevent(descriptor, nil, 0, &event, 1, &none) >= 0 else { return errno == EINTR ? false : nil }
      return watchFile() ? true : nil
    }

    /// Watches the file again, which may have been replaced.
    private func watchFile() -> Bool {
      file.withLock { file in
        if file >= 0 { close(file) }
        file = Darwin.open(path, O_EVTONLY | O_CLOEXEC)
        return file < 0 || add(file)
      }
    }

    private func add(_ file: Int32) -> Bool {
      var event = kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME), data: 0, udata: nil)
      return kevent(descriptor, &event, 1, nil, 0, nil) >= 0
    }
  }
#endif

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
