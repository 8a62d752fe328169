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
