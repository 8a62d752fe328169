import SSOCore
import SSOReference
import SSOScenarios
import TerminalUI

extension KeyContext { static let scenarios = KeyContext("scenarios") }

extension Place { static let scenarios = Place(.scenarios) }

/// The scenarios that can be found, or the items of a checklist, with the results so far.
struct ScenariosScreen: ListScreen {
  static let context = KeyContext.scenarios
  static let title = "Scenarios"
  static let shortTitle = "Scen"
  static let columns = ScenarioColumn.allCases.map(\.layout)
  static let keys: [KeyCommand] = .ofScreen(
    own: ScenarioRunAction.keys, more: VerdictAction.keys, isTable: true, canChange: false)

  var list = RowList()
  private(set) var entries: [ScenarioEntry] = []
  /// The columns of the list in which no title and no name is cut.
  private var wantedWidth = 0
  /// The results in this run of the program, by the name of the row.
  private(set) var results: [String: TrialResult] = [:]
  /// The evidence that the user added by hand, by the name of the row.
  private var added: [String: [TrialResult.Evidence]] = [:]
  /// The title of the checklist that the program was started with, if any.
  private(set) var checklist: String?
  /// Whether a report contains all verdicts.
  var isReported = true
  /// The build under test and the tester, for the reports.
  var build: String?
  var person: String?
  private(set) var startedAt = StandardStreams.now()
  /// The scenario that is running, and the scenarios that follow it.
  private(set) var queue: [String] = []
  /// The scenarios of this round that have already been run.
  private(set) var done: [String] = []

  var selected: ScenarioEntry? { list.selectedRow.map { entries[$0] } }

  /// Returns what to read.
  ///
  /// Scenario files are read only once, because they do not change while the program runs.
  func loads(_ shared: SharedState) -> [Load] { entries.isEmpty ? [.scenarios] : [] }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    if case .scenarios(let entries) = loaded { show(entries.inGroups) }
    return []
  }

  private mutating func show(_ entries: [ScenarioEntry]) {
    let rows = list.sorted(entries.map(row), by: ScenarioColumn.self)
    self.entries = rows.map(\.entry)
    wantedWidth = ScenarioColumn.wantedWidth(of: self.entries)
    var index = RowIndex(self.entries.map { RowID($0.name) }, self.entries)
    index.ranksNames = true
    list.replace(index)
  }

  func row(_ entry: ScenarioEntry) -> ScenarioColumn.Row {
    ScenarioColumn.Row(entry: entry, result: results[entry.name], added: added[entry.name] ?? [])
  }

  mutating func applySortOrder(_ shared: inout SharedState) { show(entries) }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    guard let selected else { return "no scenario" }
    if selected.isManual { return "a person does this step: p passed, f failed, S skip" }
    return selected.problem == nil ? nil : "its file cannot be read"
  }

  /// Starts the scenario as a demo, after which the program returns here.
  mutating func open(_ shared: inout SharedState) -> [Command] {
    selected.map { [.finish(.demo(.scenario($0.source)))] } ?? []
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

/// Running scenarios, each in a separate lab in memory.
extension ScenariosScreen {
  mutating func run(_ names: [String], _ shared: inout SharedState) -> [Command] {
    (queue, done) = (names, [])
    return runNext(&shared)
  }

  /// Removes the scenarios that have not been started from the queue.
  mutating func stop() { queue = Array(queue.prefix(1)) }

  private mutating func runNext(_ shared: inout SharedState) -> [Command] {
    guard let name = queue.first else {
      shared.working = nil
      let failed = done.filter { results[$0]?.verdict != .passed }
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
      count == 1 ? "Running \(name)" : "Running \(done.count + 1) of \(count), \(name)",
      .runScenario(name, from: entries.first { $0.name == name }?.source ?? name))
  }

  mutating func receive(_ result: TrialResult, of name: String, _ shared: inout SharedState) -> [Command] {
    results[name] = result
    isReported = false
    guard queue.first == name else { return [] }
    done.append(queue.removeFirst())
    return runNext(&shared)
  }

  /// Handles the end of a demo.
  ///
  /// If all its steps were run, they count as a run of the scenario.
  mutating func receive(_ demo: Demo, _ shared: inout SharedState) -> [Command] {
    let count = "\(demo.reports.count) of \(counted(demo.steps.count, "step")) run"
    shared.say("Demo \(demo.name) left: \(count).")
    if demo.next == nil {
      let report = ScenarioReport(
        name: demo.name, title: demo.title, claims: entries.first { $0.name == demo.name }?.claims ?? [],
        steps: demo.reports)
      results[demo.name] = TrialResult(
        report.passed ? .passed : .failed, remark: "run by hand as a demo", at: StandardStreams.now(),
        report: report)
    }
    return []
  }

  /// Handles a scenario that could not be run, or reports that could not be written.
  mutating func abandon() { (queue, isReported) = ([], results.isEmpty) }
}

/// Verdicts, and the report about them.
extension ScenariosScreen {
  mutating func show(_ checklist: ChecklistToTry) {
    self.checklist = checklist.file.title
    (build, person) = (checklist.build, checklist.person)
    show(checklist.file.items.map { ScenarioEntry($0) })
  }

  /// Records the user's verdict on the selected row, and keeps the evidence.
  mutating func assess(_ verdict: TrialResult.Verdict) {
    guard let name = selected?.name else { return }
    let before = results[name]
    isReported = false
    results[name] = TrialResult(
      verdict, remark: before?.remark ?? "", at: StandardStreams.now(),
      milliseconds: before?.milliseconds ?? 0, report: before?.report, evidence: before?.evidence ?? [])
  }

  /// Withdraws the user's verdict.
  ///
  /// A verdict of a run is removed together with the result of the run.
  mutating func withdraw() {
    guard let name = selected?.name, let result = results[name] else { return }
    if let report = result.report, !result.isOfRun {
      results[name]?.verdict = report.passed ? .passed : .failed
    } else {
      results[name] = nil
    }
    isReported = results.isEmpty
  }

  mutating func add(_ evidence: TrialResult.Evidence, to name: String) {
    added[name, default: []].append(evidence)
  }

  mutating func remark(_ text: String) {
    guard let name = selected?.name else { return }
    results[name]?.remark = text
    isReported = false
  }

  /// The run for the reports: an entire checklist, or else the scenarios with a result.
  var run: TrialRun {
    let items = entries.filter { checklist != nil || results[$0.name] != nil }.map { entry in
      var result = results[entry.name]
      result?.evidence += added[entry.name] ?? []
      return TrialRun.Item(name: entry.name, title: entry.title, claims: entry.claims, result: result)
    }
    var run = TrialRun(title: checklist ?? "Scenarios", startedAt: startedAt, items: items)
    run.environment = TrialRun.environment(build: build, person: person)
    return run
  }
}

/// A checklist, with the build under test and the tester for the reports.
package struct ChecklistToTry: Sendable {
  var file: ChecklistFile
  var build: String?
  var person: String?

  package init(_ file: ChecklistFile, build: String? = nil, person: String? = nil) {
    (self.file, self.build, self.person) = (file, build, person)
  }
}

extension ScenariosScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let width = layout.size.width
    // The titles have precedence over the panel beside them, whose text wraps. A narrow window has no room for both.
    guard width >= 110 else {
      let (list, detail) = layout.body.splitTop(layout.body.height * 3 / 5)
      return Layout.Panels(first: list, second: detail)
    }
    return layout.pair(left: min(wantedWidth, max(80, width - Self.detail)), top: layout.body.height / 2)
  }

  /// The columns of the panel beside the list, if the list needs the remaining ones.
  private static let detail = 38

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let sort = list.sorting.map { $0.text } ?? ""
    let inner = grid.panel(
      panels.first, "\(checklist ?? "Scenarios") \(list.countText)", trailing: sort,
      focused: shared.panel == 0)
    guard let selected else {
      grid.emptyState(
        of: list, "scenario", [entries.isEmpty ? "Reading the scenarios…" : "No scenario."], in: inner)
      _ = grid.panel(panels.second, "Scenario", focused: shared.panel == 1)
      return
    }
    let columns = list.shown(ScenarioColumn.self)
    drawTable(
      into: &grid, rect: inner, columns: columns.map { $0.layout(of: entries) }, rowCount: list.count,
      row: { index in
        let row = row(entries[list.matches[index]])
        return columns.map { $0.cell(of: row, in: shared) }
      }, state: list.state, focused: shared.panel == 0, headings: headings(shared.layout),
      found: list.filterWords, list: 0)
    let name = selected.isManual ? "" : selected.name
    let detail = grid.panel(panels.second, "Scenario", trailing: name, focused: shared.panel == 1)
    grid.lines(
      row(selected).lines(width: detail.width - 2), in: detail, scroll: shared.scroll(ofPanel: 1))
  }
}

extension ScenariosScreen {
  /// Returns the headings of the groups, unless the list has its own order, or the window is too low.
  private func headings(_ layout: Layout) -> [Int: String] {
    guard !layout.isSingle, checklist == nil, list.sorting == nil, !list.isFiltered else { return [:] }
    return groupHeadings((0..<list.count).map { ScenarioGroup(entries[list.matches[$0]]).rawValue })
  }
}

extension ScenarioColumn.Row {
  /// Returns the scenario's title and note, the text of its claims, and the result of each step.
  fileprivate func lines(width: Int) -> [PanelLine] {
    if let problem = entry.problem { return wrapped(problem, width).map { PanelLine($0, .bad) } }
    let head = wrapped(entry.isManual ? entry.name : entry.title, width).map { PanelLine($0, .bold) }
    if entry.isManual {
      let expected = entry.title.isEmpty ? [] : fieldLines("expected", entry.title, width: width)
      return head + expected + verdict(width)
    }
    let claims = entry.claims.flatMap { id -> [PanelLine] in
      let words = Claim.all.first { $0.id == id }?.displayText ?? ""
      return fieldLines("claim \(id)", words, width: width)
    }
    let steps = entry.steps.enumerated().flatMap { number, title in
      step(title, result?.report?.steps.dropFirst(number).first, number: number + 1, width: width)
    }
    return head + verdict(width)
      + wrapped(entry.note, width).map { PanelLine($0) } + [PanelLine("")] + steps
      + (claims.isEmpty ? [] : [PanelLine("")]) + claims
  }

  /// Returns the verdict with the user's remark, and the evidence.
  private func verdict(_ width: Int) -> [PanelLine] {
    guard let result else {
      return added.isEmpty ? [] : evidence(added.map(\.name), "press p, f, or S for the verdict", width)
    }
    let remark = result.remark.isEmpty ? "" : ": " + result.remark
    return wrapped("\(result.verdict.glyph) \(result.verdict.rawValue)\(remark)", width).map {
      PanelLine($0, result.style)
    } + evidence((result.evidence + added).map(\.name), "press x for the reports", width)
  }

  private func evidence(_ names: [String], _ next: String, _ width: Int) -> [PanelLine] {
    let own = added.isEmpty ? "" : ": " + added.map(\.name).joined(separator: ", ")
    let count =
      switch names.count {
      case 0: "no evidence"
      case 1: "1 piece of evidence"
      case let count: "\(count) pieces of evidence"
      }
    return wrapped("\(count)\(own); \(next)", width).map { PanelLine($0, .dim) }
  }

  private func step(_ title: String, _ report: StepReport?, number: Int, width: Int) -> [PanelLine] {
    let glyph = report.map { $0.passed ? "✓" : "✗" } ?? "·"
    let style: Style = report.map { $0.passed ? .good : .bad } ?? .plain
    return wrapped("\(glyph) \(number) \(title)", width, indent: "    ").map { PanelLine($0, style) }
      + (report?.mismatches ?? []).flatMap { mismatch in
        fieldLines("    expected", mismatch.expected, width: width, label: 13)
          + fieldLines("    found", mismatch.found, width: width, label: 13, style: .bad)
      }
  }
}

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
