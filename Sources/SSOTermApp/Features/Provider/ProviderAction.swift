extension ProviderScreen {
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
      "Chooses who answers a sign-in: you here, the browser, or one person automatically. A running server starts again."
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
    case .faults, .approval, .port, .addFault: nil
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
