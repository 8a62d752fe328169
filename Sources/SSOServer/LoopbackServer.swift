import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The identity provider on a loopback socket with TLS, for external clients.
package struct LoopbackServer: Sendable {
  private let sockets: [Socket]
  private let tls: NIOSSLContext
  private let files: OpenFiles
  private let connections: Connections
  private let timeouts: ClientTimeouts
  private let endsOnSignals: Bool
  private let ready: @Sendable () -> Void
  /// A stream that finishes when the server should stop.
  private let service = AsyncStream.makeStream(of: Void.self)
  private let free: FreePort
  package var port: Int { free.port }
  /// The port that programs use, which is a load balancer's or the server's own.
  package let publicPort: Int
  private let machinePort: MachinePort?
  /// The machine with managed identities, if one is simulated.
  package var machine: ServedMachine? { machinePort?.machine }

  /// Opens the port.
  ///
  /// If `endsOnSignals` is true, SIGTERM and SIGINT stop the server gracefully.
  /// - Throws: `LabError` if the port is in use, or the system lacks something that a server needs.
  package init(
    _ lab: Lab, _ options: ServeOptions, endsOnSignals: Bool, events: ServerEvents = ServerEvents()
  ) throws {
    try ProcessFiles.check()
    files = try OpenFiles(addresses: options.addresses.count)
    let free = try FreePort(options.port, on: options.addresses)
    let port = options.publicPort ?? free.port
    let machinePort = try options.machine.map {
      try MachinePort($0, addresses: options.addresses, issuerOrigin: serverOrigin(port: port))
    }
    let responder = LabResponder(
      lab: lab, approval: options.approval, port: port, clientMachine: port == free.port ? .own : nil,
      isGeneric: options.isGeneric, batcher: RequestBatcher(lab), events: events)
    sockets =
      free.addresses.map { Socket(address: $0, port: free.port, responder: responder) }
      + (machinePort.map { machinePort in
        let (port, responder) = (machinePort.free.port, responder.answering(for: machinePort.machine))
        return machinePort.free.addresses.map { Socket(address: $0, port: port, responder: responder) }
      } ?? [])
    tls = try NIOSSLContext(configuration: ServerIdentity(of: lab).tlsConfiguration())
    connections = Connections(limit: options.connections ?? files.connections)
    timeouts = options.timeouts
    self.endsOnSignals = endsOnSignals
    ready = events.ready
    self.free = free
    publicPort = port
    self.machinePort = machinePort
  }

  /// An address to listen on, and its responder.
  private struct Socket {
    let address: LoopbackAddress
    let port: Int
    let responder: LabResponder
  }

  /// Serves until a signal, `stop()`, or an error stops it.
  /// - Throws: the system error that prevented it from listening.
  package func run() async throws {
    let signals = endsOnSignals ? EndSignals { service.continuation.finish() } : nil
    defer { withExtendedLifetime(signals) {} }
    var listeners: [any Channel] = []
    let failure: (any Error)?
    do {
      for socket in sockets { listeners.append(try await listener(on: socket)) }
      ready()
      for await _ in service.stream {}
      failure = nil
    } catch { failure = error }
    for listener in listeners { try? await listener.close() }
    await connections.end(within: .seconds(2))
    if let failure { throw failure }
  }

  /// Finishes the requests that have started, for at most two seconds, and then stops the server.
  package func stop() { service.continuation.finish() }

  private func listener(on socket: Socket) async throws -> any Channel {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // A connection beyond this queue is retried by the client's system after a second.
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { [files] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptLimit(files.perAddress))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel, socket.responder) }
      }
      .bind(to: SocketAddress(ipAddress: socket.address.rawValue, port: socket.port)).get()
    listener.closeFuture.whenComplete { _ in stop() }
    return listener
  }

  private func addHandlers(to channel: any Channel, _ responder: LabResponder) throws {
    let pipeline = channel.pipeline.syncOperations
    if responder.machine == nil { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 32_768
    limits.maxHeaderListSize = 65_536
    limits.maxHeaderFieldCount = 1000
    try pipeline.configureHTTPServerPipeline(
      withErrorHandling: false, withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(HTTPConnection(responder, connections, timeouts))
  }
}
