#if canImport(Darwin)
  import Essentials
  import Synchronization

  /// Tells when a file was changed, replaced or made, by any program (kqueue on it and its folder).
  ///
  /// Nothing polls.
  package final class FileWatch: Sendable {
    /// Readable when something has happened.
    package let descriptor: Int32
    private let path: String
    private let folder: Int32
    private let file = Mutex<Int32>(-1)

    /// - Returns: nil if the folder cannot be watched.
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

    /// Reads what has happened; to be called when the descriptor is readable.
    /// - Returns: whether it happened to the file; nil when the watch can go on no longer.
    package func takeChange() -> Bool? {
      var event = kevent()
      var none = timespec()
      guard kevent(descriptor, nil, 0, &event, 1, &none) >= 0 else { return errno == EINTR ? false : nil }
      return watchFile() ? true : nil
    }

    /// The file may be another one by now.
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
