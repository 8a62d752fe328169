import Essentials
import Synchronization

/// A broker on a D-Bus session bus.
///
/// Its thread receives calls, has the lab answer them, and holds the calls that require user interaction.
package final class BusBroker: Sendable {
  static let path = "/com/microsoft/identity/broker1"
  static let interface = "com.microsoft.identity.Broker1"

  private let lab: Lab
  private let approval: Approval
  private let events: BrokerEvents
  private let address: String
  /// A pipe that `stop()` uses to end the thread's wait.
  private let wake = PrivatePipe()

  package init(_ lab: Lab, address: String, approval: Approval, events: BrokerEvents = BrokerEvents()) {
    self.lab = lab
    self.address = address
    self.approval = approval
    self.events = events
  }

  /// Returns whether a broker is running on the bus at this address.
  package static func answers(at address: String) -> Bool {
    (try? BusConnection(address: address))?.owner(of: LinuxBroker.busName) != nil
  }

  /// Ends `run()`.
  ///
  /// May be called from any thread.
  package func stop() { wake?.endWriting() }

  /// Serves calls until `stop()` is called.
  /// - Throws: `BusError` if the bus cannot be reached, the name is taken, or the bus terminates.
  package func run() throws {
    guard let wake else {
      throw BusError(
        what: "The broker cannot start.", why: "No pipe can be made.",
        next: "Let the process open more files: ulimit -n")
    }
    let connection = try BusConnection(address: address)
    try connection.own(LinuxBroker.busName)
    connection.watchConnections()
    try LinuxBrokerCalls(lab).endOrphanedCalls()
    let calls = BusCalls(lab, connection, approval, events)
    defer { calls.endAll() }
    let watch = try StoreWatch(lab.store)
    events.ready()
    // The file change arrives before the commit is visible, so check again a moment later.
    var looksAgain = false
    while true {
      while let message = connection.nextMessage() { calls.take(message) }
      var sources = [connection.descriptor, wake.reading].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // While no call waits, there is no need to look for answers in the store.
      if calls.areWaiting, let watch {
        sources.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0))
      }
      let ready = poll(
        &sources, nfds_t(sources.count), looksAgain ? 200 : calls.areWaiting ? 10_000 : -1)
      if sources[1].revents != 0 { return }
      guard connection.exchange() else {
        throw BusError(
          what: "The session bus has ended.", why: "The connection was closed by the bus.",
          next: "Start the broker again: \(.serveBroker)")
      }
      let isTouched = sources.count > 2 && sources[2].revents != 0
      if ready == 0 || isTouched {
        if isTouched, let watch {
          usleep(10_000)
          drain(watch.descriptor)
        }
        looksAgain = isTouched
        try calls.answerThoseDecided()
      }
    }
  }

  private func drain(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
