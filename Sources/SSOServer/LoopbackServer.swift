import Dispatch
import Essentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SSOCore
import SSOLab
import SSOProvider
import SSOReference

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
    _ lab: Lab, _ options: ServeOptions, endsOnSignals: Bool, control: LabControl? = nil,
    events: ServerEvents = ServerEvents()
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
      isGeneric: options.isGeneric, batcher: RequestBatcher(lab), events: events, control: control)
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
    limits.maxHeaderFieldSize = HTTPConnection.headerLimit
    limits.maxHeaderListSize = HTTPConnection.headerLimit
    limits.maxHeaderFieldCount = 1000
    try pipeline.configureHTTPServerPipeline(
      withErrorHandling: false, withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(HTTPConnection(responder, connections, timeouts))
  }
}

/// The options of a server.
package struct ServeOptions: Hashable, Sendable {
  package var port: Int
  package var addresses: [LoopbackAddress]
  package var approval: Approval
  /// The port that programs use if a load balancer precedes several servers, or `nil` for the server's own port.
  package var publicPort: Int?
  /// The machine with managed identities on a separate listener, or `nil` for none.
  package var machine: MachineOptions?
  /// Whether discovery also lists values that Entra lacks, for clients that require them.
  package var isGeneric: Bool
  /// The state to which a reset of the lab returns, or `nil` if the server adds nothing to its lab.
  package var start: ServedStart?
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

/// The plain HTTP port of a machine with managed identities, and the proof that a caller runs on it.
///
/// `LoopbackServer` listens on the port. The Azure Arc key file is deleted with this object.
final class MachinePort: Sendable {
  let free: FreePort
  let machine: ServedMachine

  /// - Throws: `LabError` if the port is in use, or the folder of Azure Arc cannot be written.
  init(_ options: MachineOptions, addresses: [LoopbackAddress], issuerOrigin: String) throws {
    free = try FreePort(options.port, on: addresses)
    var system = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in String(UInt64.random(in: .min ... .max, using: &system), radix: 16) }
    var host = ManagedIdentityHost(options.kind, secret: words.joined(), issuerOrigin: issuerOrigin)
    if options.kind == .arc { host.file = try Self.write(host.secret) }
    machine = ServedMachine(host: host, port: free.port)
  }

  deinit { if let file = machine.host.file { try? FileManager.default.removeItem(atPath: file) } }

  /// Writes the secret to a new file that only this user can read.
  /// - Returns: the file's path.
  private static func write(_ secret: String) throws -> String {
    let folder = ManagedIdentityHost.arcFolder
    let path = "\(folder)/ssoterm-\(UUID().uuidString.lowercased()).key"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    do throws(SystemError) { try createFile(Data(secret.utf8), at: path) } catch {
      throw LabError(
        .system, "The folder \(folder) cannot be written.",
        why: "Clients of Azure Arc read the secret from there and from nowhere else.",
        next: "sudo install -d -o \(ProcessInfo.processInfo.userName) \(folder)")
    }
    return path
  }
}

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
