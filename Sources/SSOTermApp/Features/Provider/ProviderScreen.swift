extension KeyContext { static let provider = KeyContext("provider") }

extension Place { static let provider = Place(.provider) }

/// The provider: its socket, the waiting sign-ins of external clients, and the active faults.
struct ProviderScreen: Screen {
  static let context = KeyContext.provider
  static let title = "Provider"
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
    faults.replace(ids: rows.faults.indices.map { "\($0)" }, texts: rows.faults.map(\.words))
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
    shared.panel == 1 ? "already open" : selectedSignIn == nil ? "no sign-in waits" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    shared.panel == 0 ? selectedSignIn.map { answer($0, &shared) } ?? [] : []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection(obstacleToWhy: "there is nothing to explain here")
    selection.explained = selectedFault?.kind.text ?? ""
    selection.copies[.cell] = shared.panel == 0 ? server.origin : selectedFault?.words
    selection.sentence = server.origin ?? "the server is off"
    return selection
  }
}

/// The events at the socket, and the user's settings for it.
extension ProviderScreen {
  mutating func receive(_ news: ServerNews, _ shared: inout SharedState) -> [Command] {
    switch news {
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

  mutating func receive(_ news: BusNews, _ shared: inout SharedState) -> [Command] {
    switch news {
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
}
