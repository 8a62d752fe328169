import NIOCore

/// The options of a server.
package struct ServeOptions: Hashable, Sendable {
  package var port: Int
  package var addresses: [LoopbackAddress]
  package var approval: Approval
  /// The port that programs use if a load balancer precedes several servers, or `nil` for the server's own port.
  package var publicPort: Int?
  /// The machine with managed identities on a separate listener, or `nil` for none.
  package var machine: MachineOptions?
  /// Whether discovery also names what Entra lacks, for clients that cannot do without.
  package var isGeneric: Bool
  var timeouts = ClientTimeouts()
  /// The maximum number of open connections, or `nil` for as many as the limit of open files allows.
  var connections: Int?

  package init(
    port: Int = 8443, addresses: [LoopbackAddress] = LoopbackAddress.allCases,
    approval: Approval = .terminal, machine: MachineOptions? = nil, publicPort: Int? = nil,
    isGeneric: Bool = false
  ) {
    self.isGeneric = isGeneric
    self.publicPort = publicPort
    self.port = port
    self.addresses = addresses
    self.approval = approval
    self.machine = machine
  }
}

/// The machine with managed identities that a server simulates, and its port, which is 0 for any free port.
package struct MachineOptions: Hashable, Sendable {
  package var kind: ManagedIdentityHost.Kind
  package var port: Int

  package init(kind: ManagedIdentityHost.Kind, port: Int = 0) {
    self.kind = kind
    self.port = port
  }
}

/// The time that the server waits for a client.
struct ClientTimeouts: Hashable {
  /// The timeout for the TLS handshake together with the first request's head, and again for the body.
  var request = TimeAmount.seconds(15)
  /// The timeout between two requests.
  var idle = TimeAmount.seconds(75)
}

/// Callbacks of a running server, on any thread.
package struct ServerEvents: Sendable {
  /// Called when the server listens on every address.
  package var ready: @Sendable () -> Void = {}
  package var served: @Sendable (ServedLine) -> Void = { _ in }
  /// Called when a sign-in is waiting for an answer in a terminal.
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
