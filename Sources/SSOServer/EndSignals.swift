import Dispatch
import Essentials

/// A handler that makes SIGINT and SIGTERM end the running work instead of the process.
package final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  /// Installs the handlers and returns once they are registered, because a signal that arrived earlier would be lost.
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
