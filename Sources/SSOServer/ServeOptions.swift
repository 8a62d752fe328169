import NIOCore

/// How a server is to run.
package struct ServeOptions: Hashable, Sendable {
  package var port: Int
  package var addresses: [LoopbackAddress]
  package var approval: Approval
  /// The port that programs know, if a balancer precedes several servers; nil: the server's own.
  package var publicPort: Int?
  /// A machine with managed identities on a separate listener; nil: there is none.
  package var machine: MachineOptions?
  var timeouts = ClientTimeouts()
  /// Open connections at most; nil: as many as the limit of open files allows.
  var connections: Int?

  package init(
    port: Int = 8443, addresses: [LoopbackAddress] = LoopbackAddress.allCases,
    approval: Approval = .terminal, machine: MachineOptions? = nil, publicPort: Int? = nil
  ) {
    self.publicPort = publicPort
    self.port = port
    self.addresses = addresses
    self.approval = approval
    self.machine = machine
  }
}

/// Which machine with managed identities a server simulates, and on which port: 0 takes a free one.
package struct MachineOptions: Hashable, Sendable {
  package var kind: ManagedIdentityHost.Kind
  package var port: Int

  package init(kind: ManagedIdentityHost.Kind, port: Int = 0) {
    self.kind = kind
    self.port = port
  }
}

/// How long the server waits for a client.
struct ClientTimeouts: Hashable {
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
