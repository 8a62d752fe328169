import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOReference
import SSOStore
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

  /// Returns whether a broker is running on a bus of this user, at the address that a lab has recorded.
  ///
  /// Any other address is not dialled (``OwnBusAddress``).
  package static func answers(at address: String) -> Bool {
    guard let address = OwnBusAddress(address) else { return false }
    return (try? BusConnection(address))?.owner(of: LinuxBroker.busName) != nil
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
    // Only an address that `OwnBusAddress` accepts is recorded, so `broker env` reports that it found no broker.
    if OwnBusAddress(address) != nil { try LinuxBrokerCalls(lab).noteBus(address: address) }
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
        try calls.sendDecidedReplies()
      }
    }
  }

  private func drain(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}

/// The calls of one connection, which are answered at once or held until the user has answered.
///
/// Use it from one thread only.
final class BusCalls {
  private struct Waiting {
    let message: BusMessage
    var id: String
    var call: LinuxBrokerCall
    var client: String
  }

  private let lab: Lab
  private let connection: BusConnection
  private let approval: Approval
  private let events: BrokerEvents
  private var waiting: [Waiting] = []
  /// The callers by unique connection name; the bus never reuses a unique name.
  private var callers: [String: LinuxCaller] = [:] {
    didSet { if callers.count != oldValue.count { events.callers(callers.count) } }
  }

  /// The executables of the connections when they were opened.
  private var arrivals: [String: String] = [:]

  init(_ lab: Lab, _ connection: BusConnection, _ approval: Approval, _ events: BrokerEvents) {
    self.lab = lab
    self.connection = connection
    self.approval = approval
    self.events = events
  }

  var areWaiting: Bool { !waiting.isEmpty }

  func take(_ message: BusMessage) {
    switch message.kind {
    case .call: connection.send(answer(to: message))
    case .signal where message.member == "NameOwnerChanged":
      // The arguments are the name, the old owner, and the new owner.
      let names = message.texts
      guard names.count == 3, message.sender == "org.freedesktop.DBus" else { break }
      if names[2].isEmpty { leave(names[0]) } else if names[1].isEmpty { arrive(names[0]) }
    default: break
    }
  }

  /// Records the executable of a new connection, because its process can start another one before it calls.
  private func arrive(_ name: String) {
    guard name.hasPrefix(":"), let process = connection.credentials(of: name)?.processID else { return }
    arrivals[name] = executable(ofProcess: process)
  }

  /// Discards the calls of a connection whose program has exited.
  private func leave(_ connection: String) {
    callers[connection] = nil
    arrivals[connection] = nil
    end { $0.call.caller.connection == connection }
  }

  private func end(where isIncluded: (Waiting) -> Bool) {
    let gone = waiting.filter(isIncluded)
    waiting.removeAll(where: isIncluded)
    for call in gone {
      try? LinuxBrokerCalls(lab).endWaiting(call.id)
      log(call.call, call.client, "the program has ended")
    }
    if !gone.isEmpty { events.waits() }
  }

  /// Discards all waiting calls when the broker ends.
  func endAll() { end { _ in true } }

  /// Replies to the waiting calls that the user has answered since the last pass.
  func sendDecidedReplies() throws {
    for call in waiting {
      guard let answer = try LinuxBrokerCalls(lab).answer(toWaiting: call.id) else { continue }
      waiting.removeAll { $0.id == call.id }
      connection.send(call.message.reply([answer.text(.wire)]))
      log(call.call, call.client, "answered in a terminal")
      events.waits()
    }
  }

  private func log(_ call: LinuxBrokerCall, _ client: String, _ result: String) {
    events.served(BrokerLine(method: call.method.rawValue, client: client, result: result))
  }
}

// MARK: - One call

extension BusCalls {
  /// Returns the reply to a call, or `nil` if the call has to wait.
  private func answer(to message: BusMessage) -> BusMessage? {
    switch (message.interface, message.member) {
    case ("org.freedesktop.DBus.Peer", "Ping"): return message.reply()
    case ("org.freedesktop.DBus.Introspectable", "Introspect"):
      return message.reply([introspection(of: BusBroker.interface)])
    default: break
    }
    guard message.path == BusBroker.path else {
      return message.error("UnknownObject", "The broker's object is \(BusBroker.path).")
    }
    guard message.interface == BusBroker.interface || message.interface.isEmpty,
      let method = LinuxBrokerMethod(rawValue: message.member)
    else {
      return message.error(
        "UnknownMethod", "The broker has no method \(message.interface).\(message.member).")
    }
    let texts = message.texts
    guard message.signature == "sss", texts.count == 3 else {
      return message.error(
        "InvalidArgs", "\(method.rawValue) takes three strings: protocol version, correlation ID and request."
      )
    }
    guard let caller = caller(message.sender) else { return nil }
    let call = LinuxBrokerCall(
      method, correlationID: texts[1], body: texts[2], caller: caller, broker: .own)
    if method == .cancelInteractiveFlow { cancel(call) }
    return serve(call, message)
  }

  private func serve(_ call: LinuxBrokerCall, _ message: BusMessage) -> BusMessage? {
    do {
      switch try LinuxBrokerCalls(lab).serve(call, approval: approval) {
      case .answered(let answer, let client):
        log(call, client, answer.displayText)
        return message.reply([answer.json.text(.wire)])
      case .waits(let id, let client):
        waiting.append(Waiting(message: message, id: id, call: call, client: client))
        log(call, client, "waits for the terminal")
        events.waits()
        return nil
      }
    } catch {
      // The store's error may contain a path on this machine, so send the program only a general message.
      log(call, call.caller.program, "failed: \(error)")
      let failure = LinuxBrokerError(.unexpected, "The broker failed.")
      return message.reply([failure.json(for: call.method).text(.wire)])
    }
  }

  /// Cancels the waiting calls of the same process that have this correlation ID.
  private func cancel(_ cancelling: LinuxBrokerCall) {
    let meant = waiting.filter {
      $0.call.correlationID == cancelling.correlationID
        && $0.call.caller.processID == cancelling.caller.processID
    }
    for call in meant {
      waiting.removeAll { $0.id == call.id }
      try? LinuxBrokerCalls(lab).endWaiting(call.id)
      let error = LinuxBrokerError(.applicationCanceled, "The application canceled the call.")
      connection.send(call.message.reply([error.json(for: call.call.method).text(.wire)]))
      log(call.call, call.client, "cancelled by the program")
    }
    if !meant.isEmpty { events.waits() }
  }

  private func caller(_ sender: String) -> LinuxCaller? {
    if let known = callers[sender] { return known }
    guard let (user, process) = connection.credentials(of: sender) else { return nil }
    let found = executable(ofProcess: process)
    let isSame = arrivals[sender].map { $0 == found } ?? true
    let caller = LinuxCaller(
      connection: sender, userID: user, processID: process,
      executable: isSame ? found : "\(found) (connected as \(arrivals[sender] ?? ""))")
    callers[sender] = caller
    return caller
  }
}

/// Callbacks of a running broker, called on its thread.
package struct BrokerEvents: Sendable {
  /// Called when the broker has acquired its bus name.
  package var ready: @Sendable () -> Void = {}
  package var served: @Sendable (BrokerLine) -> Void = { _ in }
  /// Called when a call starts or stops waiting for an answer in a terminal.
  package var waits: @Sendable () -> Void = {}

  /// Called with the number of open connections whose programs have called the broker.
  package var callers: @Sendable (Int) -> Void = { _ in }

  package init() {}
}

/// One call and its result, without secrets, for the log.
package struct BrokerLine: Sendable {
  package var method: String
  package var client: String
  package var result: String
}

/// Returns the broker object's response to `org.freedesktop.DBus.Introspectable`.
func introspection(of interface: String) -> String {
  let methods = LinuxBrokerMethod.allCases.map { method in
    """
        <method name="\(method.rawValue)">
          <arg type="s" name="protocolVersion" direction="in"/>
          <arg type="s" name="correlationId" direction="in"/>
          <arg type="s" name="requestJSON" direction="in"/>
          <arg type="s" name="responseJSON" direction="out"/>
        </method>
    """
  }
  return """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
      <interface name="\(interface)">
    \(methods.joined(separator: "\n"))
      </interface>
    </node>
    """
}
