/// Callbacks of a running broker, called on its thread.
package struct BrokerEvents: Sendable {
  /// Called when the broker has acquired its bus name.
  package var ready: @Sendable () -> Void = {}
  package var served: @Sendable (BrokerLine) -> Void = { _ in }
  /// Called when a call starts or stops waiting for an answer in a terminal.
  package var waits: @Sendable () -> Void = {}

  /// Called with the number of open connections whose programs have called the broker.
  package var callers: @Sendable (Int) -> Void = { _ in }

  package init() {}
}

/// One call and its result, without secrets, for the log.
package struct BrokerLine: Sendable {
  package var method: String
  package var client: String
  package var result: String
}
