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
