import Synchronization

#if canImport(Glibc)
  import CKernel
  import Essentials

  /// A watch on the files of a store, which any process may change.
  ///
  /// It is a descriptor to wait for, without a thread and without polling.
  ///
  /// If inotify is unavailable or its limits are reached, the descriptor is readable once a second. An event
  /// is only a hint: it may concern other files in the folder, and it arrives a moment before a commit is
  /// visible. Compare `WorldStore.changeMark` a little later.
  package final class StoreWatch: Sendable {
    /// The descriptor, which is readable after an event.
    ///
    /// It is closed with the object.
    package let descriptor: Int32

    private let listener: (any CommitListener)?

    /// Watches a store's folder, or listens for a lab's commits.
    ///
    /// Returns `nil` for a store in memory, which no other process can change.
    package init?(_ store: WorldStore) throws(StoreError) {
      if case .server(let address) = store.location {
        let heard = try address.listen()
        (listener, descriptor) = (heard, heard.descriptor)
        return
      }
      listener = nil
      guard let path = store.path else { return nil }
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
      descriptor = folderEvents(path.parentFolder, mask) ?? (lacksInotify(errno) ? ck_ticks(1) : -1)
      guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
    }

    deinit { if descriptor >= 0, listener == nil { close(descriptor) } }
  }
#endif

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

/// An event that a store reports while it works.
package enum StoreEvent: Sendable {
  /// Another process is writing, and this process waits for its turn.
  case waits
  /// The server of the lab has not responded for two seconds: it is unreachable, or another writer holds the
  /// lab's lock.
  case unresponsive
  /// The server does not respond because another writer holds the lab.
  ///
  /// The text contains the writer and the time, as the server knows them.
  case held(by: String)
  /// The server responds again.
  case recovered
  /// A damaged row was skipped.
  ///
  /// Each row is reported once.
  case leftOut(StoreError)
}

/// A reporter that passes a store's events to the part of the program that displays them.
final class StoreEventReporter: Sendable {
  private struct State {
    var listener: (@Sendable (StoreEvent) -> Void)?
    var rows: Set<String> = []
  }

  private let state = Mutex(State())

  func setListener(_ listener: (@Sendable (StoreEvent) -> Void)?) {
    state.withLock { $0.listener = listener }
  }

  func report(_ news: StoreEvent) {
    let listener = state.withLock { state in
      if case .leftOut(.damaged(_, let row, _)) = news, !state.rows.insert(row).inserted {
        return (@Sendable (StoreEvent) -> Void)?.none
      }
      return state.listener
    }
    listener?(news)
  }
}
