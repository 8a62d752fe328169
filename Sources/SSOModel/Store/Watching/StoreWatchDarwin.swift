#if canImport(Darwin)
  import Essentials

  /// Tells when a file of a store was touched, by any process: a descriptor to wait for, no thread, no
  /// polling.
  ///
  /// A touch is only a hint: of other files in the folder too, and a moment before a commit can be seen. Compare
  /// `WorldStore.changeMark` a little later.
  package final class StoreWatch: Sendable {
    /// Readable when something happened.
    ///
    /// Closed with the object.
    package let descriptor: Int32
    private let files: [Int32]

    private let listener: (any CommitListener)?

    /// Watches a store's files, or hears of a lab's commits; nil for a store in memory, which no other process sees.
    package init?(_ store: WorldStore) throws(StoreError) {
      if case .server(let address) = store.location {
        let heard = try address.listen()
        (listener, descriptor, files) = (heard, heard.descriptor, [])
        return
      }
      listener = nil
      guard let path = store.path else { return nil }
      descriptor = kqueue()
      files = [path, path + "-wal"].map { Darwin.open($0, O_EVTONLY | O_CLOEXEC) }.filter { $0 >= 0 }
      guard descriptor >= 0, !files.isEmpty else { throw StoreError(errno: errno, path: path) }
      for file in files {
        var event = kevent(
          ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
          fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE), data: 0, udata: nil)
        guard kevent(descriptor, &event, 1, nil, 0, nil) >= 0 else {
          throw StoreError(errno: errno, path: path)
        }
      }
    }

    deinit {
      for file in files { close(file) }
      if descriptor >= 0, listener == nil { close(descriptor) }
    }
  }
#endif
