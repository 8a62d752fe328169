/// The actions that run scenarios from their list.
enum ScenarioRunAction: FeatureAction {
  case run, runAll

  static let keys: [KeyCommand] = [
    KeyCommand(
      run, [.character("r")], "r", "run", name: "run scenario",
      "Runs the selected scenario in a lab in memory and says which steps passed."),
    KeyCommand(
      runAll, [.character("A")], "A", "run all", name: "run all scenarios",
      "Runs all scenarios that are shown, except the ones with your verdict. Press it again to end the run after the current scenario."
    ),
  ]

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.scenarios
    let isRunning = !screen.queue.isEmpty
    return switch self {
    case .run: isRunning ? "a scenario is running" : screen.reasonCannotOpen(model.shared)
    case .runAll: screen.list.count == 0 ? "no scenario" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    let screen = model.screens.scenarios
    switch self {
    case .run: return model.screens.scenarios.run(screen.selected.map { [$0.name] } ?? [], &model.shared)
    case .runAll where !screen.queue.isEmpty:
      model.screens.scenarios.stop()
      return []
    case .runAll:
      let shown = (0..<screen.list.count).map { screen.entries[screen.list.matches[$0]] }
      let runnable = shown.filter { $0.problem == nil && !$0.isManual }.map(\.name)
      // A verdict without a run is the user's own, and stays.
      let open = runnable.filter { screen.results[$0].map { $0.report != nil } ?? true }
      return model.screens.scenarios.run(open, &model.shared)
    }
  }

  func object(in model: AppModel) -> String {
    self == .run ? model.screens.scenarios.selected?.name ?? "" : ""
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .run: model.screens.scenarios.selected.map { ["scenario", "run", $0.name] }
    case .runAll: ["scenario", "run", "--all"]
    }
  }
}
