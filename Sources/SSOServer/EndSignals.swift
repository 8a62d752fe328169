import Dispatch
import Essentials

/// Lets SIGINT and SIGTERM end what runs, in place of the process.
package final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  /// Returns once a signal is noticed: one that came between would be lost.
  package init(_ end: @escaping @Sendable () -> Void) {
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
