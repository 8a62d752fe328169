/// The settings of the broker for Linux programs.
package struct BusSettings: Hashable, Sendable {
  var address: String
  /// Whether the bus is private.
  ///
  /// Otherwise, it is the user's session bus.
  var isPrivate: Bool
  var approval: Approval

  package init(address: String, isPrivate: Bool, approval: Approval) {
    self.address = address
    self.isPrivate = isPrivate
    self.approval = approval
  }
}

/// The state of the broker for Linux programs on its bus.
enum BusState: Equatable, Sendable {
  case off
  case starting(BusSettings)
  /// The broker is running.
  ///
  /// `callers` is the number of connections from which programs have called.
  case on(BusSettings, callers: Int = 0)

  var settings: BusSettings? {
    switch self {
    case .off: nil
    case .starting(let settings), .on(let settings, _): settings
    }
  }

  /// Returns a description such as `com.microsoft.identity.broker1, a private bus, 2 programs, 1 call waits`.
  func words(waiting: Int) -> String {
    switch self {
    case .off: "off: ssoterm broker serve"
    case .starting: "starting"
    case .on(let settings, let callers):
      LinuxBroker.busName + (settings.isPrivate ? ", a private bus" : ", the session bus")
        + ", \(counted(callers, "program"))"
        + (waiting == 0 ? ", no call waits" : waiting == 1 ? ", 1 call waits" : ", \(waiting) calls wait")
    }
  }
}

/// An event on the bus.
enum BusNews: Equatable, Sendable {
  case on
  case off(Problem?)
  case served(String)
  /// A call waits for the user, or no longer does.
  case waits
  case callers(Int)
}

extension BrokerLine {
  package var text: String {
    [method, client.isEmpty ? "" : "(\(client))", result].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
