#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wakes the thread that owns the terminal, from any other: it then gets ``InputEvent/woken``.
package struct Waker: Sendable {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  package func wake() {
    var tag: UInt8 = 0
    // A full pipe is as good: the reader has not yet seen what is in it.
    _ = write(descriptor, &tag, 1)
  }
}
