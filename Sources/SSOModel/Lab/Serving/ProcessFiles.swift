import Essentials

/// The server's use of `/proc`.
package enum ProcessFiles {
  /// Checks that `/proc` is readable.
  ///
  /// libdispatch counts its running threads in `/proc/<pid>/task/<tid>/stat`, and terminates a process that
  /// cannot read them (swift-corelibs-libdispatch, `src/event/workqueue.c`).
  ///
  /// - Throws: `LabError` if they cannot be read.
  package static func check() throws(LabError) {
    #if os(Linux)
      guard access("/proc/self/stat", R_OK) != 0 else { return }
      throw LabError(
        .badInput, "The server cannot start: /proc is not mounted.",
        why: "The threads that answer its clients are counted there.", next: "mount -t proc proc /proc")
    #endif
  }
}
