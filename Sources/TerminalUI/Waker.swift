#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wakes a thread that polls the other end of a pipe, from any other thread.
///
/// The thread that owns the terminal then gets ``InputEvent/woken``.
package struct Waker: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: the pipe's writing end, which does not block.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Ends the wait of the interface; may be called from any thread.
  package func wake() {
    var tag: UInt8 = 0
    // A full pipe is as good: the reader has not yet seen what is in it.
    _ = write(descriptor, &tag, 1)
  }
}
