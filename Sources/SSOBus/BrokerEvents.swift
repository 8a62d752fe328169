/// Callbacks of a running broker, on its thread.
package struct BrokerEvents: Sendable {
  /// It owns its name.
  package var ready: @Sendable () -> Void = {}
  package var served: @Sendable (BrokerLine) -> Void = { _ in }
  /// A call waits for an answer in a terminal, or no longer does.
  package var waits: @Sendable () -> Void = {}

  /// How many connections there are from which programs have called.
  package var callers: @Sendable (Int) -> Void = { _ in }

  package init() {}
}

/// One call and its result, without secrets, for the log.
package struct BrokerLine: Sendable {
  package var method: String
  package var client: String
  package var result: String
}
