import Dispatch
import Foundation
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
    Thread.detachNewThread { [self] in
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

/// Lets SIGINT and SIGTERM end what runs, in place of the process.
final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  /// Returns once a signal is noticed: one that came between would be lost.
  init(_ end: @escaping @Sendable () -> Void) {
    let registered = DispatchSemaphore(value: 0)
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: end)
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    for _ in sources { registered.wait() }
  }
}
