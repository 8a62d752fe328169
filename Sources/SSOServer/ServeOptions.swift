import NIOCore

/// The options of a server.
package struct ServeOptions: Sendable {
  package var port: Int
  package var addresses: [LoopbackAddress]
  package var approval: Approval
  var timeouts = ClientTimeouts()
  /// Open connections at most; nil: as many as the limit of open files allows.
  var connections: Int?

  package init(port: Int, addresses: [LoopbackAddress] = LoopbackAddress.allCases, approval: Approval) {
    self.port = port
    self.addresses = addresses
    self.approval = approval
  }
}

/// How long the server waits for a client.
struct ClientTimeouts {
  /// For the TLS handshake with the first request's head, and again for the body.
  var request = TimeAmount.seconds(15)
  /// Between two requests.
  var idle = TimeAmount.seconds(75)
}

/// Callbacks of a running server, on any thread.
package struct ServerEvents: Sendable {
  /// The server listens on every address.
  package var ready: @Sendable () -> Void = {}
  package var served: @Sendable (ServedLine) -> Void = { _ in }
  /// A sign-in waits for an answer in a terminal.
  package var waits: @Sendable () -> Void = {}

  package init() {}
}

/// One request and its result, without secrets, for the log.
package struct ServedLine: Sendable {
  package var method: String
  package var path: String
  package var client: String
  package var result: String
}
