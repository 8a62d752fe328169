extension ProviderScreen {
  static let keys: [KeyCommand] = .ofScreen(first: [
    KeyCommand(
      ProviderAction.server, [.character("s")], "s", "start/stop", name: "server",
      "Starts or stops the provider's HTTPS server for real programs."),
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
      "Chooses who answers a sign-in: you here, the browser, or no person. A running server starts again."),
    KeyCommand(
      ProviderAction.port, [.character("o")], "o", "port", name: "port",
      "Sets the port; 0 takes any free port. A running server restarts."),
  ])
}

/// The provider's socket and faults.
enum ProviderAction: FeatureAction {
  /// Shows them, from any screen.
  case faults
  case server, approval, port, addFault, clearFault, clearFaults

  var changesLab: Bool {
    switch self {
    case .server, .addFault, .clearFault, .clearFaults: true
    case .faults, .approval, .port: false
    }
  }

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.provider
    return switch self {
    case .server: screen.server == .stopping ? "it is about to stop" : nil
    case .clearFault: model.panel == 1 && screen.selectedFault != nil ? nil : "Tab, then select a fault"
    case .clearFaults: screen.rows.faults.isEmpty ? "no fault is set" : nil
    case .faults, .approval, .port, .addFault: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    let screen = model.screens.provider
    switch self {
    case .faults:
      let commands = model.show(.provider)
      model.panel = 1
      return commands
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
      return screen.selectedFault.map { model.shared.begin("Clearing", .perform(.clearFault($0), [])) } ?? []
    case .clearFaults: return model.shared.begin("Clearing", .perform(.clearFaults, []))
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

/// What is chosen for the server.
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
