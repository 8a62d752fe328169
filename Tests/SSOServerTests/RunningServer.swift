import NIOCore
import SSOCore

@testable import SSOLab
@testable import SSOScenarios
@testable import SSOServer

extension ClientTimeouts {
  /// An hour for a request: among hundreds of tests on two cores, a client may get its turn only after the program's 15
  /// seconds.
  static let patient = ClientTimeouts(request: .hours(1))
}

/// Runs a server on a free port, on a lab in memory, while `body` runs.
func withServer<Result: Sendable>(
  _ timeouts: ClientTimeouts = .patient, connections: Int? = nil, machine: MachineOptions? = nil,
  served: @escaping @Sendable (ServedLine) -> Void = { _ in },
  _ body: @Sendable (RawClient, Lab) async throws -> Result
) async throws -> Result {
  let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
  let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
  var events = ServerEvents()
  events.ready = { continuation.finish() }
  events.served = served
  var options = ServeOptions(port: 0, addresses: [.ipv4], approval: .browser)
  options.timeouts = timeouts
  options.connections = connections
  options.machine = machine
  let server = try LoopbackServer(lab, options, endsOnSignals: false, events: events)
  try lab.registerManagedIdentities()
  try lab.noteServer(port: server.port, machine: server.machine)
  async let run: Void = {
    defer { continuation.finish() }
    try await server.run()
  }()
  for await _ in ready {}
  let result: Result
  do {
    result = try await body(
      RawClient(port: server.port, authority: try CertificateAuthority(of: lab).pem), lab)
  } catch {
    server.stop()
    try await run
    throw error
  }
  server.stop()
  try await run
  return result
}

extension Lab {
  /// Waits until a request for the discovery document has arrived.
  ///
  /// The limit is far above what a busy machine takes, so that a server that lost the request fails the test.
  func waitForDiscovery() async throws {
    let deadline = ContinuousClock.now + .seconds(600)
    while try !read({ try $0.traces.rows() }).contains(where: { $0.title == "openid-configuration" }) {
      guard ContinuousClock.now < deadline else { throw LostRequest() }
      await Task.yield()
    }
  }
}

private struct LostRequest: Error, CustomStringConvertible {
  var description: String { "No request for the discovery document has arrived in ten minutes." }
}
