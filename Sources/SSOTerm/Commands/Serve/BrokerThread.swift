import Dispatch
import Essentials
import Synchronization

/// The thread on which a broker serves while the command goes on.
final class BrokerThread: Sendable {
  private let began = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)
  private let isReady = Mutex(false)

  /// The broker owns its name.
  func ready() {
    isReady.withLock { $0 = true }
    began.signal()
  }

  /// Returns once the broker serves.
  /// - Throws: why it cannot.
  func start(_ broker: BusBroker) throws {
    detachThread { [self] in
      do { try broker.run() } catch { failure.withLock { $0 = error } }
      began.signal()
      ended.signal()
    }
    began.wait()
    if !isReady.withLock(\.self) { try wait() }
  }

  /// Waits for its end.
  /// - Throws: the error that ended it.
  func wait() throws {
    ended.wait()
    ended.signal()
    if let error = failure.withLock(\.self) { throw error }
  }
}
