import SSOLab
import SSOProvider
import SSOServer
import TerminalUI

extension KeyContext { static let provider = KeyContext("provider") }

extension Place { static let provider = Place(.provider) }

/// The provider: its socket, the waiting sign-ins of external clients, and the active faults.
struct ProviderScreen: Screen {
  static let context = KeyContext.provider
  static let title = "Provider"
  static let shortTitle = "Prov"
  static let hasTwoLists = true
  static let requestsKept = 50

  var signIns = RowList()
  var faults = RowList()
  var server = ServerState.off
  var settings = ServeOptions()
  var bus = BusState.off
  var rows = ProviderRows()
  /// The requests of external clients with their responses, newest first.
  private(set) var requests: [String] = []
  /// The sign-ins whose account picker was opened automatically, which happens only once for each.
  var raised: Set<String> = []
  /// Whether the server stops only to start again with other settings.
  private var startsAgain = false

  subscript(panel: Int) -> RowList {
    get { panel == 1 ? faults : signIns }
    set { if panel == 1 { faults = newValue } else { signIns = newValue } }
  }

  var selectedSignIn: WaitingSignIn? {
    signIns.selectedRow.flatMap { rows.waiting.indices.contains($0) ? rows.waiting[$0] : nil }
  }
  var selectedFault: Fault? {
    faults.selectedRow.flatMap { rows.faults.indices.contains($0) ? rows.faults[$0] : nil }
  }

  func loads(_ shared: SharedState) -> [Load] { [.provider] }

  mutating func show(_ new: ProviderRows) {
    rows = new
    signIns.replace(
      ids: rows.waiting.map(\.id),
      texts: rows.waiting.map { "\($0.client) \($0.number) \($0.userCode ?? "")" })
    faults.replace(ids: rows.faults.indices.map { "\($0)" }, texts: rows.faults.map(\.displayText))
  }

  /// Returns the sign-in that opens automatically while this program serves.
  func signInToRaise(_ shared: SharedState) -> WaitingSignIn? {
    guard asksHere, !shared.lab.isReadOnly else { return nil }
    return rows.waiting.first { $0.comesUp && !raised.contains($0.id) }
  }

  /// Whether this program serves, and its sign-ins are answered here.
  private var asksHere: Bool {
    if case .on = server, settings.approval == .terminal { return true }
    if case .on(let bus, _) = bus { return bus.approval == .terminal }
    return false
  }

  mutating func answer(_ waiting: WaitingSignIn, _ shared: inout SharedState) -> [Command] {
    raised.insert(waiting.id)
    return shared.begin(
      "\(waiting.client) asks, \(waiting.mark)",
      .perform(AnswerSignIn(id: waiting.id, client: waiting.client)))
  }

  /// Postpones a sign-in whose prompt was closed without an answer.
  ///
  /// It stays in the list, which is shown.
  ///
  /// No other waiting sign-in opens over the list.
  mutating func putOff(_ id: String, client: String, _ shared: inout SharedState) {
    raised.formUnion([id] + rows.waiting.map(\.id))
    signIns.select(id: id)
    shared.say("Postponed the sign-in for \(client). Press Enter to answer the selected sign-in.")
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    shared.panel == 1 ? "nothing more to open" : selectedSignIn == nil ? "no sign-in waits" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    shared.panel == 0 ? selectedSignIn.map { answer($0, &shared) } ?? [] : []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection(obstacleToWhy: "there is nothing to explain here")
    selection.explained = selectedFault?.kind.text ?? ""
    selection.copies[.cell] = shared.panel == 0 ? server.origin : selectedFault?.displayText
    selection.sentence = server.origin ?? "the server is off"
    return selection
  }
}

/// The events at the socket, and the user's settings for it.
extension ProviderScreen {
  mutating func receive(_ event: ServerEvent, _ shared: inout SharedState) -> [Command] {
    switch event {
    case .starting(let port): server = .starting(port: port)
    case .on:
      guard case .starting(let port) = server else { return [] }
      server = .on(port: port)
      shared.working = nil
      let shell = shared.lab.environmentLine.map { " For a shell: " + $0 } ?? ""
      shared.say("✓ \(serverOrigin(port: port)) answers." + shell, .good)
      return [.load(.provider)]
    case .off(let problem):
      server = .off
      shared.working = nil
      if startsAgain {
        startsAgain = false
        return shared.begin("Starting", .serve(settings))
      }
      shared.notice = problem.map { Notice($0) } ?? Notice(text: "The server is off.", kind: .plain)
    case .served(let line): requests = Array(([line] + requests).prefix(Self.requestsKept))
    case .waits: return [.load(.provider)]
    }
    return []
  }

  mutating func receive(_ event: BusEvent, _ shared: inout SharedState) -> [Command] {
    switch event {
    case .on:
      guard let settings = bus.settings else { return [] }
      bus = .on(settings)
      shared.working = nil
      let environment = shared.lab.commandLine(["broker", "env"])
      shared.say("✓ The broker answers on the bus. For a shell: eval \"$(\(environment))\"", .good)
      return [.load(.provider)]
    case .off(let problem):
      bus = .off
      shared.working = nil
      shared.notice = problem.map { Notice($0) } ?? Notice(text: "The broker is off.", kind: .plain)
    case .served(let line): requests = Array(([line] + requests).prefix(Self.requestsKept))
    case .waits: return [.load(.provider)]
    case .callers(let count):
      if case .on(let settings, _) = bus { bus = .on(settings, callers: count) }
    }
    return []
  }

  mutating func toggleServer(_ shared: inout SharedState) -> [Command] {
    switch server {
    case .off: return shared.begin("Starting", .serve(settings))
    case .on, .starting:
      server = .stopping
      return shared.begin("Stopping", .stopServing)
    case .stopping: return []
    }
  }

  /// Applies new settings.
  ///
  /// A running server starts again.
  mutating func set(_ new: ServeOptions, _ shared: inout SharedState) -> [Command] {
    let before = settings
    settings = new
    guard settings != before, case .on = server else { return [] }
    startsAgain = true
    server = .stopping
    return shared.begin("Starting again", .stopServing)
  }
}

extension ProviderScreen {
  /// Starts the screens of `ssoterm broker serve`.
  static func start(_ settings: BusSettings, in model: inout AppModel) -> [Command] {
    model.screens.provider.bus = .starting(settings)
    return model.follow(path: "provider") + model.shared.begin("Starting the broker", .serveBus(settings))
  }

  /// Starts the screens of `ssoterm serve`, as if the user had come here, chosen the settings, and started the server.
  static func start(_ settings: ServeOptions, in model: inout AppModel) -> [Command] {
    model.screens.provider.settings = settings
    return model.follow(path: "provider") + model.screens.provider.toggleServer(&model.shared)
  }

  static let keys: [KeyCommand] = .ofScreen(first: [
    KeyCommand(
      ProviderAction.server, [.character("s")], "s", "start/stop", name: "server",
      "Starts or stops the provider's HTTPS server for real programs."),
    KeyCommand(
      ProviderAction.decline, [.character("X")], "X", "decline", name: "decline",
      "Declines the selected sign-in: its program gets access_denied."),
    KeyCommand(
      ProviderAction.addFault, [.character("a")], "a", "fault", name: "fault add",
      "Makes the provider fail: which error, at which endpoint, for which client, how often."),
    KeyCommand(
      ProviderAction.clearFault, [.character("d")], "d", "clear", name: "fault clear",
      "Clears the selected fault."),
    KeyCommand(
      ProviderAction.clearFaults, [.character("D")], "D", "clear all", name: "faults clear",
      "Clears all faults."),
    KeyCommand(
      ProviderAction.approval, [.character("p")], "p", "who answers", name: "approval",
      "Chooses who answers a sign-in: you here, the browser, or one user automatically. A running server starts again."
    ),
    KeyCommand(
      ProviderAction.port, [.character("o")], "o", "port", name: "port",
      "Sets the port; 0 takes any free port. A running server restarts."),
  ])
}

/// The actions on the provider's socket and faults.
enum ProviderAction: FeatureAction {
  /// Shows the waiting sign-ins or, if there are none, the faults, from any screen.
  case faults
  /// Closes the prompt of an external client's sign-in without an answer.
  case putOff
  case decline
  case server, approval, port, addFault, clearFault, clearFaults

  var heading: String { self == .faults ? KeyGroup.everywhere.title : keyGroup.title }

  var changesLab: Bool {
    switch self {
    case .server, .addFault, .clearFault, .clearFaults, .decline: true
    case .faults, .putOff, .approval, .port: false
    }
  }

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.provider
    return switch self {
    case .server: screen.server == .stopping ? "it is about to stop" : nil
    case .clearFault: model.panel == 1 && screen.selectedFault != nil ? nil : "Tab, then select a fault"
    case .clearFaults: screen.rows.faults.isEmpty ? "no fault is set" : nil
    case .decline: model.panel == 0 && screen.selectedSignIn != nil ? nil : "no sign-in waits"
    case .putOff:
      model.topDialog(PromptDialog.self)?.isForRealProgram == true ? nil : "no program outside the lab asks"
    case .faults: model.obstacle(toShow: .provider)
    case .approval, .port, .addFault: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    let screen = model.screens.provider
    switch self {
    case .faults:
      let commands = model.show(.provider)
      model.panel = model.shared.lab.status.map { $0.waitingCount > 0 } == true ? 0 : 1
      return commands
    case .putOff:
      guard let dialog = model.topDialog(PromptDialog.self), model.working == nil,
        let signIn = dialog.waitingSignIn
      else { return [] }
      model.dialogs.removeLast()
      let commands = model.show(.provider)
      model.panel = 0
      model.screens.provider.putOff(signIn.id, client: signIn.client, &model.shared)
      return commands
    case .decline:
      return screen.selectedSignIn.map {
        model.shared.begin(
          "Declining", .perform(AnswerSignIn(id: $0.id, client: $0.client), [.cancel]))
      } ?? []
    case .server: return model.screens.provider.toggleServer(&model.shared)
    case .approval:
      let people = screen.rows.people.map { Candidate("auto:" + $0, "without a prompt") }
      let options =
        [Candidate("terminal", "the picker opens here"), Candidate("browser", "pages in the browser")]
        + people
      model.shared.open(
        Choice(
          ServerChoice.approval, title: "Who answers a sign-in", options,
          present: screen.settings.approval.word))
    case .port:
      let options = [Candidate("8443", "the default"), Candidate("0", "any free port")]
      model.shared.open(
        Choice(
          ServerChoice.port, title: "The port, or type one", options, present: "\(screen.settings.port)"))
    case .addFault: model.shared.open(FaultForm())
    case .clearFault:
      return screen.selectedFault.map { model.shared.begin("Clearing", .perform(ClearFault($0))) } ?? []
    case .clearFaults: return model.shared.begin("Clearing", .perform(ClearFaults()))
    }
    return []
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    let settings = model.screens.provider.settings
    return switch self {
    case .server: ["serve", "--port", "\(settings.port)", "--approve", settings.approval.word]
    case .clearFaults: ["fault", "clear"]
    default: nil
    }
  }
}

/// The choice of a setting for the server.
enum ServerChoice: ChoicePurpose {
  case approval, port

  func takes(_ text: String) -> Bool {
    self == .port && Int(text).map { (0...65_535).contains($0) } ?? false
  }

  func run(_ chosen: String, on model: inout AppModel) -> [Command] {
    var settings = model.screens.provider.settings
    switch self {
    case .approval: settings.approval = Approval(word: chosen) ?? settings.approval
    case .port: settings.port = Int(chosen) ?? settings.port
    }
    return model.screens.provider.set(settings, &model.shared)
  }
}
