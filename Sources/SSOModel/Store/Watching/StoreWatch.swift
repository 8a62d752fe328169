#if canImport(Glibc)
  import CKernel
  import Essentials

  /// Tells when a file of a store was touched, by any process: a descriptor to wait for, no thread, no
  /// polling.
  ///
  /// Where inotify is missing or used up, it is readable once a second.
  ///
  /// A touch is only a hint: of other files in the folder too, and a moment before a commit can be seen. Compare
  /// `WorldStore.changeMark` a little later.
  package final class StoreWatch: Sendable {
    /// Readable when something happened.
    ///
    /// Closed with the object.
    package let descriptor: Int32

    private let listener: (any CommitListener)?

    /// Watches a store's folder, or hears of a lab's commits; nil for a store in memory, which no other process sees.
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
