import NIOCore
import SSOLab

/// How a server is to run.
package struct ServeOptions: Sendable {
  package var port: Int
  package var addresses: [LoopbackAddress]
  package var approval: Approval
  var patience = Patience()

  package init(port: Int, addresses: [LoopbackAddress] = LoopbackAddress.allCases, approval: Approval) {
    self.port = port
    self.addresses = addresses
    self.approval = approval
  }
}

/// How long a client may take.
struct Patience {
  /// For the TLS handshake and the first request's head, and again for the body.
  var request = TimeAmount.seconds(15)
  /// Between two requests.
  var idle = TimeAmount.seconds(75)
}

/// What a server tells while it runs, on any thread.
package struct ServerEvents: Sendable {
  /// Every address is listened on.
  package var ready: @Sendable () -> Void = {}
  package var served: @Sendable (ServedLine) -> Void = { _ in }
  /// A sign-in waits for the person at a terminal.
  package var waits: @Sendable () -> Void = {}

  package init() {}
}

/// One request and how it was answered, for whoever watches; no secret is in it.
package struct ServedLine: Sendable {
  package var method: String
  package var path: String
  package var client: String
  package var result: String
}
