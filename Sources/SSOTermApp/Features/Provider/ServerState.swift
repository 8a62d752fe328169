/// The provider's socket.
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

  /// Where programs reach it.
  var origin: String? { port.map(serverOrigin) }

  var words: String {
    switch self {
    case .off: "off"
    case .starting(let port): "starting on \(port)"
    case .on(let port): "● on, port \(port)"
    case .stopping: "stopping"
    }
  }
}

/// What the Provider screen reads from the lab.
struct ProviderRows: Equatable, Sendable {
  var waiting: [WaitingSignIn] = []
  var faults: [Fault] = []
  var tenantID = ""
  /// Clients that a fault may be for, and people who may answer by themselves.
  var clients: [Candidate] = []
  var people: [String] = []
  var authorityFile = ""
}

/// What happens at the socket.
enum ServerNews: Equatable, Sendable {
  case starting(port: Int)
  case on
  /// nil: as it was asked to.
  case off(Problem?)
  case served(String)
  /// A person has to answer a sign-in.
  case waits
}

extension Approval {
  var words: String {
    switch self {
    case .terminal: "in this terminal"
    case .browser: "in the browser"
    case .automatic(let username): "automatic; always \(username)"
    }
  }

  /// As `ssoterm serve --approve` has it.
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
  /// As many clients and people as are worth a list to choose from.
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
