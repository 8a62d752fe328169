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

  /// - Parameters:
  ///   - endsOnSignals: SIGTERM and SIGINT stop it gracefully.
  /// - Throws: `LabError` if the port is in use.
  package init(
    _ lab: Lab, _ options: ServeOptions, endsOnSignals: Bool, events: ServerEvents = ServerEvents()
  ) throws {
    let files = try OpenFiles(addresses: options.addresses.count)
    let free = try FreePort(options.port, on: options.addresses)
    let (port, addresses) = (free.port, free.addresses)
    let identity = try ServerIdentity(CertificateAuthority(of: lab))
    let responder = LabResponder(
      lab: lab, approval: options.approval, port: port, batcher: RequestBatcher(lab), events: events)
    let connections = Connections(limit: options.connections ?? files.connections)
    var silent = Logger(label: "ssoterm.serve") { _ in SwiftLogNoOpLogHandler() }
    silent.logLevel = .critical
    let server = try HTTPServerBuilder.tls(
      .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ConnectionGuard(connections, options.timeouts)],
          httpDecoderConfiguration: .init(maxHeaderFieldSize: 32_768, maxHeaderListSize: 65_536))),
      tlsConfiguration: identity.tlsConfiguration())
    let listening = Count()
    let applications = addresses.map { address in
      Application(
        responder: responder, server: server,
        configuration: ApplicationConfiguration(
          address: .hostname(address.rawValue, port: port),
          // A connection beyond this queue is retried by the client's system after a second.
          backlog: 4096,
          availableConnectionsDelegate: .maximum(files.perAddress, logger: silent)),
        onServerRunning: { _ in
          if listening.add() == addresses.count { events.ready() }
        }, logger: silent)
    }
    var configuration = ServiceGroupConfiguration(
      services: applications, gracefulShutdownSignals: endsOnSignals ? [.sigterm, .sigint] : [],
      logger: silent)
    configuration.maximumGracefulShutdownDuration = .seconds(2)
    group = ServiceGroup(configuration: configuration)
    self.free = free
  }

  /// Serves until a signal, `stop()` or an error stops it.
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
