import Dispatch
import Essentials
import Synchronization

/// The thread on which a broker serves while the command continues.
final class BrokerThread: Sendable {
  private let began = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)
  private let isReady = Mutex(false)

  /// Records that the broker has acquired its bus name.
  func ready() {
    isReady.withLock { $0 = true }
    began.signal()
  }

  /// Starts the broker and returns once it serves.
  /// - Throws: the reason that it cannot.
  func start(_ broker: BusBroker) throws {
    detachThread { [self] in
      do { try broker.run() } catch { failure.withLock { $0 = error } }
      began.signal()
      ended.signal()
    }
    began.wait()
    if !isReady.withLock(\.self) { try wait() }
  }

  /// Waits until the broker ends.
  /// - Throws: the error that ended it.
  func wait() throws {
    ended.wait()
    ended.signal()
    if let error = failure.withLock(\.self) { throw error }
  }
}
