extension KeyContext { static let scenarios = KeyContext("scenarios") }

extension Place { static let scenarios = Place(.scenarios) }

/// The scenarios that can be found, with their claims and what came of those that were run.
struct ScenariosScreen: ListScreen {
  static let context = KeyContext.scenarios
  static let title = "Scenarios"
  static let columns = ScenarioColumn.allCases.map(\.layout)
  static let keys: [KeyCommand] = .ofScreen(own: ScenarioRunAction.keys, isTable: true, canChange: false)

  var list = RowList()
  private(set) var entries: [ScenarioEntry] = []
  /// By the scenario's name, of this run of the program.
  private(set) var reports: [String: ScenarioReport] = [:]
  /// The scenario that is run now, and those that follow.
  private(set) var queue: [String] = []
  /// Those of this round that were run already.
  private(set) var done: [String] = []

  var selected: ScenarioEntry? { list.selectedRow.map { entries[$0] } }

  /// Files of scenarios do not change while the program runs: they are read once.
  func loads(_ shared: SharedState) -> [Load] { entries.isEmpty ? [.scenarios] : [] }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    if case .scenarios(let entries) = loaded { show(entries) }
    return []
  }

  private mutating func show(_ entries: [ScenarioEntry]) {
    let rows = list.sorted(entries.map(row), by: ScenarioColumn.self)
    self.entries = rows.map(\.entry)
    list.replace(RowIndex(self.entries.map { RowID($0.name) }, self.entries))
  }

  func row(_ entry: ScenarioEntry) -> ScenarioColumn.Row {
    ScenarioColumn.Row(entry: entry, report: reports[entry.name])
  }

  mutating func sortAgain(_ shared: inout SharedState) { show(entries) }

  func obstacleToOpen(_ shared: SharedState) -> String? {
    selected == nil ? "no scenario" : selected?.problem == nil ? nil : "its file cannot be read"
  }

  /// Starts the scenario as a demo; leaving it comes back here.
  mutating func open(_ shared: inout SharedState) -> [Command] {
    selected.map { [.finish(.demo($0.name))] } ?? []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection()
    selection.obstacleToWhy = "run the scenario as a demo; each of its steps has a trace"
    selection.explained = selected?.problem ?? ""
    selection.copies[.cell] = selected?.name
    selection.sentence = selected?.title ?? "no scenario"
    return selection
  }
}

/// Running scenarios, each in a lab of its own in memory.
extension ScenariosScreen {
  mutating func run(_ names: [String], _ shared: inout SharedState) -> [Command] {
    (queue, done) = (names, [])
    return runNext(&shared)
  }

  /// Leaves out what was not begun yet.
  mutating func stop() { queue = Array(queue.prefix(1)) }

  private mutating func runNext(_ shared: inout SharedState) -> [Command] {
    guard let name = queue.first else {
      shared.working = nil
      let failed = done.filter { reports[$0]?.passed != true }
      shared.notice =
        failed.isEmpty
        ? Notice(text: "✓ \(counted(done.count, "scenario")) passed.", kind: .good)
        : Notice(
          text: "✗ \(failed.count) of \(counted(done.count, "scenario")) failed: "
            + failed.joined(separator: ", ") + ".", kind: .bad)
      return []
    }
    let count = done.count + queue.count
    return shared.begin(
      count == 1 ? "Running \(name)" : "Running \(done.count + 1) of \(count), \(name)", .runScenario(name))
  }

  /// What came of a scenario: run here, or by hand in a demo.
  mutating func receive(_ report: ScenarioReport, _ shared: inout SharedState) -> [Command] {
    reports[report.name] = report
    guard queue.first == report.name else { return [] }
    done.append(queue.removeFirst())
    return runNext(&shared)
  }

  /// A demo was left: if all its steps were run, they count as a run of the scenario.
  mutating func receive(_ story: Story, _ shared: inout SharedState) -> [Command] {
    let count = "\(story.reports.count) of \(counted(story.steps.count, "step")) run"
    shared.say("Demo \(story.name) left: \(count).")
    if story.next == nil {
      reports[story.name] = ScenarioReport(
        name: story.name, title: story.title, claims: entries.first { $0.name == story.name }?.claims ?? [],
        steps: story.reports)
    }
    return []
  }

  /// The scenario could not be run.
  mutating func abandon() { queue = [] }
}
