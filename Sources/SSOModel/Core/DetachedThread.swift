import Essentials

/// Runs `body` on a new detached thread, where it may block.
package func detachThread(_ body: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(ThreadWork(body)).toOpaque()
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let code = pthread_create(&thread, &attributes, run, work)
  precondition(code == 0, "no thread can be made: \(String(cString: strerror(code)))")
}

#if canImport(Darwin)
  private func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { ThreadWork.run(work) }
#else
  private func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    work.flatMap(ThreadWork.run)
  }
#endif

private final class ThreadWork: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().body()
    return nil
  }
}
