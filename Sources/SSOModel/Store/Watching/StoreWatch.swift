#if canImport(Glibc)
  import Foundation
  import Glibc

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

    private let listener: LabListener?

    /// Watches a store's folder, or hears of a lab's commits; nil for a store in memory, which no other process sees.
    package init?(_ store: WorldStore) throws(StoreError) {
      if case .server(let address) = store.location {
        let heard = try LabListener(address)
        (listener, descriptor) = (heard, heard.descriptor)
        return
      }
      listener = nil
      guard let path = store.path else { return nil }
      let folder = path.parentFolder
      descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
      guard descriptor >= 0, inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, mask) >= 0 else {
        throw StoreError(errno: errno, path: path)
      }
    }

    deinit { if descriptor >= 0, listener == nil { close(descriptor) } }
  }
#endif
