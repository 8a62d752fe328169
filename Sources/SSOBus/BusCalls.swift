import Essentials

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
      if names.count == 3, names[2].isEmpty, message.sender == "org.freedesktop.DBus" { leave(names[0]) }
    default: break
    }
  }

  /// Discards the calls of a connection whose program has exited.
  private func leave(_ connection: String) {
    callers[connection] = nil
    end { $0.call.caller.connection == connection }
  }

  private func end(where isMeant: (Waiting) -> Bool) {
    let gone = waiting.filter(isMeant)
    waiting.removeAll(where: isMeant)
    for call in gone {
      try? LinuxBrokerCalls(lab).endWaiting(call.id)
      log(call.call, call.client, "the program has ended")
    }
    if !gone.isEmpty { events.waits() }
  }

  /// Discards all waiting calls when the broker ends.
  func endAll() { end { _ in true } }

  /// Replies to the waiting calls that the user has answered since the last pass.
  func answerThoseDecided() throws {
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
        log(call, client, answer.words)
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
    let caller = LinuxCaller(
      connection: sender, userID: user, processID: process, executable: executable(ofProcess: process))
    callers[sender] = caller
    return caller
  }
}
