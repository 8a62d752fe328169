#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A handle that wakes a thread that polls the other end of a pipe.
///
/// It can be used from any thread.
///
/// The thread that owns the terminal then receives ``InputEvent/woken``.
package struct Waker: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: the writing end of the pipe, which must be non-blocking.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Wakes the interface.
  ///
  /// May be called from any thread.
  package func wake() {
    var tag: UInt8 = 0
    // A full pipe has the same effect, because the reader has not yet read its contents.
    _ = write(descriptor, &tag, 1)
  }
}
