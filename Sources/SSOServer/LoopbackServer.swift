import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The identity provider on a loopback socket with TLS, for external clients.
package struct LoopbackServer: Sendable {
  private let group: ServiceGroup
  private let free: FreePort
  package var port: Int { free.port }
  /// The port that programs know: a balancer's, or the server's own.
  package let publicPort: Int
  private let machinePort: MachinePort?
  /// The machine with managed identities, if one is simulated.
  package var machine: ServedMachine? { machinePort?.machine }

  /// Opens the port; with `endsOnSignals`, SIGTERM and SIGINT stop the server gracefully.
  /// - Throws: `LabError` if the port is in use.
  package init(
    _ lab: Lab, _ options: ServeOptions, endsOnSignals: Bool, events: ServerEvents = ServerEvents()
  ) throws {
    let files = try OpenFiles(addresses: options.addresses.count)
    let free = try FreePort(options.port, on: options.addresses)
    let (port, addresses) = (options.publicPort ?? free.port, free.addresses)
    let machinePort = try options.machine.map {
      try MachinePort($0, addresses: options.addresses, issuerOrigin: serverOrigin(port: port))
    }
    let identity = try ServerIdentity(of: lab)
    let responder = LabResponder(
      lab: lab, approval: options.approval, port: port, clientMachine: port == free.port ? .own : nil,
      batcher: RequestBatcher(lab), events: events)
    let sockets =
      addresses.map { Socket($0, free.port, responder) }
      + (machinePort.map { machinePort in
        machinePort.free.addresses.map {
          Socket($0, machinePort.machine.port, responder.answering(for: machinePort.machine))
        }
      } ?? [])
    let connections = Connections(limit: options.connections ?? files.connections)
    var silent = Logger(label: "ssoterm.serve") { _ in SwiftLogNoOpLogHandler() }
    silent.logLevel = .critical
    let plain = HTTPServerBuilder.http1(
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [ConnectionGuard(connections, options.timeouts)],
        httpDecoderConfiguration: .init(maxHeaderFieldSize: 32_768, maxHeaderListSize: 65_536)))
    let server = try HTTPServerBuilder.tls(plain, tlsConfiguration: identity.tlsConfiguration())
    let listening = Count()
    let applications = sockets.map { socket in
      Application(
        responder: socket.responder, server: socket.responder.machine == nil ? server : plain,
        configuration: ApplicationConfiguration(
          address: .hostname(socket.address.rawValue, port: socket.port),
          // A connection beyond this queue is retried by the client's system after a second.
          backlog: 4096,
          availableConnectionsDelegate: .maximum(files.perAddress, logger: silent)),
        onServerRunning: { _ in
          if listening.add() == sockets.count { events.ready() }
        }, logger: silent)
    }
    var configuration = ServiceGroupConfiguration(
      services: applications, gracefulShutdownSignals: endsOnSignals ? [.sigterm, .sigint] : [],
      logger: silent)
    configuration.maximumGracefulShutdownDuration = .seconds(2)
    group = ServiceGroup(configuration: configuration)
    self.free = free
    publicPort = port
    self.machinePort = machinePort
  }

  /// An address to listen on, and who answers there.
  private struct Socket {
    let address: LoopbackAddress
    let port: Int
    let responder: LabResponder

    init(_ address: LoopbackAddress, _ port: Int, _ responder: LabResponder) {
      self.address = address
      self.port = port
      self.responder = responder
    }
  }

  /// Serves until a signal, `stop()` or an error stops it.
  /// - Throws: the error of the system that stopped it, or that kept it from listening.
  package func run() async throws { try await group.run() }

  /// Finishes the requests that were begun, then stops the server.
  package func stop() async { await group.triggerGracefulShutdown() }
}

/// A counter for several threads.
private final class Count: Sendable {
  private let value = Mutex(0)

  /// Adds one and returns the new value.
  func add() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
