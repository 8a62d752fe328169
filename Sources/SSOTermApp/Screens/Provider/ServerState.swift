import SSOBus
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOServer

/// The state of the provider's socket.
enum ServerState: Equatable, Sendable {
  case off
  case starting(port: Int)
  case on(port: Int)
  case stopping

  var port: Int? {
    switch self {
    case .on(let port), .starting(let port): port
    case .off, .stopping: nil
    }
  }

  /// The origin at which programs reach the provider.
  var origin: String? { port.map(serverOrigin) }

  var displayText: String {
    switch self {
    case .off: "off"
    case .starting(let port): "starting on \(port)"
    case .on(let port): "● on, port \(port)"
    case .stopping: "stopping"
    }
  }
}

/// The data that the Provider screen reads from the lab.
struct ProviderRows: Equatable, Sendable {
  var waiting: [WaitingSignIn] = []
  var faults: [Fault] = []
  var tenantID = ""
  /// The clients that a fault can apply to, and the users who can answer automatically.
  var clients: [Candidate] = []
  var people: [String] = []
  var authorityFile = ""
}

/// An event at the socket.
enum ServerEvent: Equatable, Sendable {
  case starting(port: Int)
  case on
  /// The server has stopped, with a problem unless it was asked to.
  case off(Problem?)
  case served(String)
  /// A sign-in waits for the user's answer.
  case waits
}

extension Approval {
  var displayText: String {
    switch self {
    case .terminal: "in this terminal"
    case .browser: "in the browser"
    case .automatic(let username): "automatic; always \(username)"
    }
  }

  /// The value for `ssoterm serve --approve`.
  var word: String {
    switch self {
    case .terminal: "terminal"
    case .browser: "browser"
    case .automatic(let username): "auto:" + username
    }
  }

  package init?(word: String) {
    switch word {
    case "terminal": self = .terminal
    case "browser": self = .browser
    case _ where word.hasPrefix("auto:") && word.count > 5:
      self = .automatic(username: String(word.dropFirst(5)))
    default: return nil
    }
  }
}

extension ProviderRows {
  /// The maximum number of clients and users in a list to choose from.
  private static let listed = 100

  init(_ reader: LabReader, authorityFile: String) throws {
    waiting = try reader.provider.waitingSignIns().markedIfEnded()
    faults = try reader.provider.faults()
    tenantID = try reader.directory.tenants().first?.id ?? "common"
    clients = try reader.records.rows(.registration).prefix(Self.listed).map { Candidate($0.name, $0.title) }
    people = try reader.directory.people().prefix(Self.listed).map(\.username)
    self.authorityFile = authorityFile
  }
}

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
  func displayText(waiting: Int) -> String {
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
enum BusEvent: Equatable, Sendable {
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

extension ServedLine {
  package var text: String {
    [method, path, client.isEmpty ? "" : "(\(client))", result].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
