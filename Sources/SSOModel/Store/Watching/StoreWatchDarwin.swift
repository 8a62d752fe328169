#if canImport(Darwin)
  import Essentials

  /// A watch on the files of a store, which any process may change.
  ///
  /// It is a descriptor to wait for, without a thread and without polling.
  ///
  /// An event is only a hint: it may concern other files in the folder, and it arrives a moment before a
  /// commit is visible. Compare `WorldStore.changeMark` a little later.
  package final class StoreWatch: Sendable {
    /// The descriptor, which is readable after an event.
    ///
    /// It is closed with the object.
    package let descriptor: Int32
    private let files: [Int32]

    private let listener: (any CommitListener)?

    /// Watches a store's files, or listens for a lab's commits.
    ///
    /// Returns `nil` for a store in memory, which no other process can change.
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
