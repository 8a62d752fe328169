#if canImport(Darwin)
  import Darwin
  import Foundation

  /// Tells when a file was changed, replaced or made, by any program (kqueue on it and its folder). Nothing polls.
  package final class FileWatch: Sendable {
    private let descriptor: Int32
    private let path: String
    private let folder: Int32

    /// - Returns: nil if the folder cannot be watched.
    package init?(path: String) {
      self.path = path
      descriptor = kqueue()
      let parent = path.parentFolder
      folder = Darwin.open(parent.isEmpty ? "." : parent, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0, folder >= 0, add(folder) else { return nil }
    }

    deinit {
      close(folder)
      close(descriptor)
    }

    /// Waits; false when the watch can go on no longer.
    package func waitForChange() -> Bool {
      let file = Darwin.open(path, O_EVTONLY | O_CLOEXEC)
      defer { if file >= 0 { close(file) } }
      if file >= 0, !add(file) { return false }
      var event = kevent()
      while true {
        let count = kevent(descriptor, nil, 0, &event, 1, nil)
        if count < 0, errno == EINTR { continue }
        return count > 0
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
