import CoreFoundation
import Essentials
import SSOBus
import SSOCore
import SSOLab
import SSOServer
import SSOStore
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
    var start = options.start
    start?.port = server.port
    try lab.noteServer(port: server.publicPort, machine: server.machine, start: start)
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

/// A controller that runs the broker for Linux programs alongside the screens.
///
/// It posts events as messages, from any thread.
final class BusController: Sendable {
  private let lab: Lab
  private let post: @Sendable (Message) -> Void

  init(lab: Lab, post: @escaping @Sendable (Message) -> Void) {
    self.lab = lab
    self.post = post
  }

  /// Starts the broker, which serves until the program ends, because its bus belongs to the command.
  func start(_ settings: BusSettings) {
    var events = BrokerEvents()
    events.ready = { [post] in post(.bus(.on)) }
    events.served = { [post] line in post(.bus(.served(line.text))) }
    events.waits = { [post] in post(.bus(.waits)) }
    events.callers = { [post] count in post(.bus(.callers(count))) }
    let broker = BusBroker(lab, address: settings.address, approval: settings.approval, events: events)
    detachThread { [post] in
      var problem: Problem?
      do { try broker.run() } catch { problem = Problem(error) }
      post(.bus(.off(problem)))
    }
  }
}

/// The file `<store>.ca.pem` with the certificate of the certificate authority, where programs can read it.
///
/// The certificate is public, and its key stays in the store.
///
/// Throws `UnwritableFile`.
package struct CertificateAuthorityFile {
  package let path: String

  /// Creates the file of a lab, which is beside other temporary files if the lab is in memory.
  package init(of lab: Lab) {
    let beside = lab.store.filesBeside ?? FileManager.default.temporaryDirectory.path + "/ssoterm-demo"
    // A program that receives the path may run in another folder.
    path = URL(fileURLWithPath: beside + ".ca.pem").path
  }

  /// Writes the file if it is missing, belongs to another certificate authority, or can be changed by other users.
  package func keep(_ authority: CertificateAuthority) throws {
    let pem = try authority.pem
    var status = stat()
    let isSafe = stat(path, &status) == 0 && status.st_mode & 0o022 == 0
    if isSafe, FileManager.default.contents(atPath: path) == Data(pem.utf8) { return }
    try Self.write(pem, to: path)
  }

  /// Writes a complete file or none, by renaming a temporary file.
  package static func write(_ text: String, to path: String) throws(UnwritableFile) {
    do {
      try writeFile(Data(text.utf8), to: path, access: .readable)
    } catch {
      throw UnwritableFile(
        what: "\(path) cannot be written.", cause: error,
        next: "ssoterm ca export -o OTHER.pem")
    }
  }
}

/// An error for a file that the system does not allow to be written, with the reason.
package struct UnwritableFile: Error {
  package var what: String
  package var cause: SystemError
  package var next: String
}
