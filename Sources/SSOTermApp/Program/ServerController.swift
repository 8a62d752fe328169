import Synchronization

/// A controller that runs the provider's socket alongside the screens.
///
/// It posts events as messages, from any thread.
final class ServerController: Sendable {
  private let lab: Lab
  private let post: @Sendable (Message) -> Void
  private let running = Mutex<LoopbackServer?>(nil)

  init(lab: Lab, post: @escaping @Sendable (Message) -> Void) {
    self.lab = lab
    self.post = post
  }

  /// - Throws: `LabError` if the port is taken.
  func start(_ options: ServeOptions) throws {
    guard running.withLock({ $0 == nil }) else { return }
    try lab.registerExternalClients()
    if options.machine != nil { try lab.registerManagedIdentities() }
    try CertificateAuthorityFile(of: lab).keep(CertificateAuthority(of: lab))
    var events = ServerEvents()
    events.ready = { [post] in post(.server(.on)) }
    events.served = { [post] line in post(.server(.served(line.text))) }
    events.waits = { [post] in post(.server(.waits)) }
    let server = try LoopbackServer(lab, options, endsOnSignals: false, events: events)
    try lab.noteServer(port: server.publicPort, machine: server.machine)
    running.withLock { $0 = server }
    post(.server(.starting(port: server.port)))
    Task.detached { [self] in
      var problem: Problem?
      do { try await server.run() } catch { problem = Problem(error) }
      running.withLock { $0 = nil }
      post(.server(.off(problem)))
    }
  }

  /// Stops the server after the requests in progress have ended.
  ///
  /// A message reports its end.
  func stop() { running.withLock(\.self)?.stop() }
}
