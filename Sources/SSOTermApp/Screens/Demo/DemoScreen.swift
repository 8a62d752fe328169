import SSOCore
import SSOLab
import SSOScenarios
import TerminalUI

extension KeyContext { static let demo = KeyContext("demo") }

extension Place { static let demo = Place(.demo) }

/// The steps of a demo's scenario, with the speaker's note and the result for the selected step.
struct DemoScreen: ListScreen {
  static let context = KeyContext.demo
  static let title = "Demo"
  static let keys: [KeyCommand] = .ofScreen()

  var list = RowList()
  /// The scenario's steps, or `nil` if this is not a demo.
  @Boxed var running: Demo?
  /// The traces of changes that were undone.
  private(set) var undone: Set<Int64> = []

  /// The result of the selected step, or `nil` if it was not run.
  var selectedReport: StepReport? {
    guard let running, let row = list.selectedRow, row < running.reports.count else { return nil }
    return running.reports[row]
  }

  static let noDemo = "only ssoterm demo has steps"

  static func obstacle(in screens: Screens) -> String? { screens.demo.running == nil ? noDemo : nil }
  func loads(_ shared: SharedState) -> [Load] { [.traces] }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    if case .traces(let rows) = loaded {
      let undone = Set(rows.filter(\.isUndone).map(\.id))
      self.undone = undone
      running?.takeBackSteps(undone: undone)
    }
    return []
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    selectedReport?.traceID == nil ? "the step has no trace" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if let id = selectedReport?.traceID { shared.stack.append(.trace(id)) }
    return []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection()
    selection.why = selectedReport?.traceID.map { .trace($0) }
    selection.obstacleToWhy = selection.why == nil ? "the step has no trace" : nil
    selection.explained = selectedReport?.mismatches.map(\.found).joined(separator: " ") ?? ""
    selection.copies[.cell] = running.flatMap { demo in list.selectedRow.map { demo.steps[$0].title } }
    selection.sentence = running?.next.map { "next: \($0.title)" } ?? "end of the demo"
    return selection
  }
}

/// Running the steps.
extension DemoScreen {
  mutating func show(_ file: ScenarioFile, _ shared: inout SharedState) {
    guard !file.steps.isEmpty else { return }
    running = Demo(name: file.name, title: file.title, note: file.note, steps: file.steps)
    shared.hasDemo = true
    list.replace(ids: file.steps.indices.map { "\($0)" }, texts: file.steps.map(\.title))
    shared.say(
      "This demo has \(counted(file.steps.count, "step")): press > for the next one, \(Place.demo.tab + 1) to list them."
    )
  }

  /// Fills in the scenario's answer.
  ///
  /// The user may give another answer. The result then decides whether the step passed.
  mutating func fillIn(_ dialog: inout PromptDialog, of intent: AnyIntent) {
    guard let step = running?.execution, step.intent == intent else {
      running?.followByHand(intent)
      _ = running?.byHand?.answer(dialog.prompt, after: dialog.answers)
      return
    }
    let answer = running?.execution?.answer(dialog.prompt, after: dialog.answers)
    if let answer { dialog.fill(answer) }
    dialog.scripted = ScriptedAnswer(step: step.index, answer: answer)
  }

  /// Ends a step after its flow has ended.
  /// - Returns: The step, to be checked, or `nil` if the intent does not belong to a step.
  mutating func end(_ outcome: Outcome, traceID: Int64?, of intent: AnyIntent) -> StepExecution? {
    guard var execution = running?.execution, execution.intent == intent else { return nil }
    execution.end(outcome, traceID: traceID)
    running?.execution = nil
    return execution
  }

  /// Ends an intent that the user performed without the demo's key.
  /// - Returns: The next step, to be checked, or `nil` if the intent is not the one of the next step.
  mutating func endByHand(_ outcome: Outcome, traceID: Int64?, of intent: AnyIntent) -> StepExecution? {
    running?.followByHand(intent)
    guard var execution = running?.byHand else { return nil }
    execution.end(outcome, traceID: traceID)
    running?.byHand = nil
    return execution
  }

  /// Receives the report of a step that the user performed by hand, which counts only if the step passed.
  mutating func receive(byHand report: StepReport, _ shared: inout SharedState) {
    guard let demo = running, demo.execution == nil, report.passed, report.index == demo.reports.count + 1
    else { return }
    running?.reports.append(report)
    running?.stepsByHand.insert(report.index)
    list.state.selection = report.index - 1
    let next = report.index < demo.steps.count ? "press > for step \(report.index + 1)" : "the last"
    var notice = shared.notice ?? Notice(text: "✓", kind: .good)
    notice.text += " That was step \(report.index) of \(demo.steps.count): \(next)."
    shared.notice = notice
  }

  mutating func receive(_ report: StepReport, _ shared: inout SharedState) {
    shared.working = nil
    running?.execution = nil
    running?.reports.append(report)
    list.state.selection = report.index - 1
    shared.notice = Notice(report)
  }

  mutating func receive(all reports: [StepReport], _ shared: inout SharedState) {
    shared.working = nil
    running?.reports = reports
    running?.stepsByHand = []
    list.state.selection = max(0, reports.count - 1)
    shared.notice =
      reports.last.map(Notice.init) ?? Notice(text: "All steps are undone.", kind: .plain)
  }
}

extension Notice {
  fileprivate init(_ report: StepReport) {
    guard let mismatch = report.mismatches.first else {
      self.init(text: "✓ Step \(report.index) as expected.", kind: .good)
      return
    }
    self.init(
      text: "✗ Step \(report.index): expected \(mismatch.expected), found \(mismatch.found).", kind: .bad)
  }
}

extension DemoScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    // The names of the steps take precedence, because the notes wrap, which are below them in a narrow window.
    let width = layout.size.width
    // The number and the result are beside a title.
    let longest = (running?.steps.map { columnWidth($0.title) }.max() ?? 0) + 26
    guard width >= 100, longest <= width - Self.notes else {
      let rows = max(layout.body.height / 3, min(layout.body.height / 2, list.count + 3))
      let (steps, notes) = layout.body.splitTop(rows)
      return Layout.Panels(first: steps, second: notes)
    }
    return layout.pair(
      left: min(width - Self.notes, max(width * 3 / 5, longest)), top: layout.body.height / 2)
  }

  /// The columns of the notes beside the steps.
  private static let notes = 38

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    guard let demo = running else { return }
    let told = "\(demo.reports.count) of \(demo.steps.count) done"
    let inner = grid.panel(panels.first, "Demo", trailing: told, focused: shared.panel == 0)
    guard let row = list.selectedRow else {
      grid.emptyState(of: list, "step", [], in: inner)
      _ = grid.panel(panels.second, "Step", focused: shared.panel == 1)
      return
    }
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("#", width: .fixed(2), align: .right),
        TableColumn("STEP", width: .flexible(min: 12, weight: 1)),
        TableColumn(
          "",
          width: .fixed(demo.steps.indices.map { columnWidth(demo.result(of: $0, undone).text) }.max() ?? 0)
        ),
      ], rowCount: list.count,
      row: { index in
        let number = list.matches[index]
        return [
          TableCell("\(number + 1)", .dim), TableCell(demo.steps[number].title),
          demo.result(of: number, undone),
        ]
      }, state: list.state, focused: shared.panel == 0, list: 0)
    let detail = grid.panel(panels.second, "Step \(row + 1)", focused: shared.panel == 1)
    grid.lines(
      demo.lines(of: row, undone, width: detail.width - 2), in: detail, scroll: shared.scroll(ofPanel: 1))
  }
}

extension Demo {
  fileprivate func result(of number: Int, _ undone: Set<Int64>) -> TableCell {
    guard number < reports.count else {
      return number == reports.count ? TableCell("next: >", .accent) : TableCell("-", .dim)
    }
    if reports[number].traceID.map(undone.contains) == true { return TableCell("↶ undone", .dim) }
    return reports[number].passed ? TableCell("✓ as expected", .good) : TableCell("✗ unexpected", .bad)
  }

  fileprivate func lines(of number: Int, _ undone: Set<Int64>, width: Int) -> [PanelLine] {
    var lines =
      number == 0 ? wrapped(title + ". " + note, width).map { PanelLine($0, .dim) } + [PanelLine("")] : []
    lines += wrapped(steps[number].title, width).map { PanelLine($0, .bold) }
    lines += wrapped(steps[number].note, width).map { PanelLine($0) }
    if number < reports.count {
      lines.append(PanelLine(""))
      lines += result(reports[number], undone, width)
    }
    guard number + 1 == reports.count, let next else { return lines }
    return lines + [PanelLine(""), PanelLine("Next (>)", .accent)]
      + wrapped(next.title, width).map { PanelLine($0, .bold) }
      + wrapped(next.note, width).map { PanelLine($0) }
  }

  private func result(_ report: StepReport, _ undone: Set<Int64>, _ width: Int) -> [PanelLine] {
    let isUndone = report.traceID.map(undone.contains) == true
    let head =
      isUndone
      ? PanelLine("↶ undone since", .dim)
      : report.passed ? PanelLine("✓ as expected", .good) : PanelLine("✗ not as expected", .bad)
    let differences = report.mismatches.flatMap { mismatch in
      wrapped("expected  " + mismatch.expected, width, indent: "  ").map { PanelLine($0) }
        + wrapped("found     " + mismatch.found, width, indent: "  ").map { PanelLine($0, .bad) }
    }
    return [head] + differences + [PanelLine(report.traceID == nil ? "" : "Enter opens its trace.", .dim)]
  }
}

extension KeyCommand {
  static let demoNext = KeyCommand(
    DemoAction.next, [.character(">")], ">", "next step", name: "demo next",
    "Runs the next step of the demo's scenario; its scripted answers are filled in, Enter or > sends them. While the presenter bar "
      + "is shown, Page Down and Space do the same, Page Up goes back.")
  static let demoBack = KeyCommand(
    DemoAction.back, [.character("<")], "<", "step back", name: "demo back",
    "Goes one step back in the demo's scenario; what you did in between is undone too. In a step that asks "
      + "something, it leaves that step.")
}

/// The actions that go through the steps of a demo's scenario, from any screen.
enum DemoAction: FeatureAction {
  var keyGroup: KeyGroup { .demo }
  case next, back

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    guard let demo = model.screens.demo.running else { return DemoScreen.noDemo }
    if let prompt = model.topDialog(PromptDialog.self) {
      guard let scripted = prompt.scripted else { return "no step asks this" }
      return self == .next && scripted.answer == nil ? "the scenario has no answer to this prompt" : nil
    }
    return switch self {
    case .next: demo.next == nil ? "end of the demo; < goes back" : nil
    case .back: demo.reports.isEmpty ? "no step was run yet" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    guard let demo = model.screens.demo.running else { return [] }
    if let prompt = model.topDialog(PromptDialog.self) { return answer(prompt, &model) }
    // The next step keeps the changes of the last one.
    if model.topDialog(Effects.self) != nil { model.dialogs.removeLast() }
    guard self == .next else {
      return model.shared.begin(
        "Previous step", .rerunSteps(Array(demo.steps.prefix(max(0, demo.reports.count - 1)))))
    }
    guard let step = demo.next else { return [] }
    let number = demo.reports.count + 1
    return model.shared.begin(
      "Step \(number) of \(demo.steps.count): \(step.title)", .runStep(StepExecution(step, index: number)))
  }

  /// Does what the demo's key would do next, and starts over after the last step, for a demo that runs automatically.
  static func goOn(_ model: inout AppModel) -> [Command] {
    model.shared.waits.countAutoBeat(isKey: false)
    if model.topDialog(PromptDialog.self) == nil {
      model.dialogs.removeAll { !($0.component is PromptDialog) }
    }
    if model.obstacle(to: next) == nil { return next.run(on: &model) }
    guard let demo = model.screens.demo.running, !demo.reports.isEmpty else { return [] }
    // The scenario has no answer to this prompt, or the last step was run.
    model.dialogs = []
    model.screens.demo.running?.execution = nil
    return model.shared.begin("Starting again", .rerunSteps([]))
  }

  /// Sends the scenario's answer to the prompt of a step, or leaves the step, discarding its changes.
  private func answer(_ prompt: PromptDialog, _ model: inout AppModel) -> [Command] {
    if self == .next {
      return prompt.scripted?.answer.map { PromptAction.send($0, of: prompt, &model.shared) } ?? []
    }
    prompt.leaveStep(&model)
    return []
  }
}

extension PromptDialog {
  /// Whether Esc leaves the step of a demo.
  ///
  /// It cancels only where the scenario does.
  var escapeLeavesStep: Bool {
    guard let scripted, scripted.answer != .cancel else { return false }
    if case .errorPage = prompt { return false }
    return true
  }

  /// Closes the prompt.
  ///
  /// The step's changes are discarded, and the step can be run again.
  func leaveStep(_ model: inout AppModel) {
    model.dialogs.removeLast()
    model.screens.demo.running?.execution = nil
    model.shared.say("Left step \(scripted?.step ?? 0); nothing changed. Press > to run it again.")
  }
}

/// The keys of a presenter's remote control, which go through the steps from any screen while a demo is presented.
enum PresenterRemote {
  static func command(of key: KeyPress, in model: AppModel) -> KeyCommand? {
    guard model.isPresenting, model.hasDemo, takes(key, in: model) else { return nil }
    return switch key {
    case .pageDown: .demoNext
    case .pageUp: .demoBack
    // In a trace, Space plays the steps of the trace.
    case .character(" ") where !model.dialogs.isEmpty || model.place.screen != .trace: .demoNext
    default: nil
    }
  }

  /// Returns whether nothing is open in which the key scrolls or is text.
  private static func takes(_ key: KeyPress, in model: AppModel) -> Bool {
    if let prompt = model.topDialog(PromptDialog.self) {
      return prompt.scripted != nil && model.context != .filter && !prompt.typesAsText(key)
    }
    return model.topDialog(Effects.self) != nil || model.dialogs.isEmpty && !model.activeList.isFiltering
  }
}

/// The steps of the scenario that a demo shows, with the reports of the steps that were run.
struct Demo: Equatable, Sendable {
  /// The name of the scenario.
  var name: String
  var title: String
  var note: String
  var steps: [ScenarioStep]
  /// The reports, one for each step that was run.
  var reports: [StepReport] = []
  /// The step that is running.
  var execution: StepExecution?
  /// The next step, while the user performs its intent without the demo's key.
  var byHand: StepExecution?

  /// The numbers of the steps that the user performed without the demo's key.
  var stepsByHand: Set<Int> = []

  /// Takes back the last steps if the user performed them by hand and has undone them, so that they are next again.
  mutating func takeBackSteps(undone: Set<Int64>) {
    while let last = reports.last, stepsByHand.contains(last.index), last.traceID.map(undone.contains) == true
    {
      stepsByHand.remove(last.index)
      reports.removeLast()
    }
  }

  /// The number of the current step: the running step, or else the last step that was run, or 0 before the first.
  var present: Int { execution?.index ?? reports.count }

  /// Follows an intent that the user performs, if it is the intent of the next step.
  mutating func followByHand(_ intent: AnyIntent) {
    guard execution == nil, let next, case .intent(let wanted) = next.action, intent.isSameCall(as: wanted)
    else {
      byHand = nil
      return
    }
    if byHand?.index != reports.count + 1 { byHand = StepExecution(next, index: reports.count + 1) }
  }

  var next: ScenarioStep? { reports.count < steps.count ? steps[reports.count] : nil }
}

extension AnyIntent {
  /// Returns whether both are a sign-in, or both a silent call, of the same app.
  ///
  /// The other parameters affect the result, which is compared with what the step expects.
  fileprivate func isSameCall(as other: AnyIntent) -> Bool {
    switch (value, other.value) {
    case (let one as SignIn, let other as SignIn): one.app.isPartOfName(other.app)
    case (let one as AcquireSilently, let other as AcquireSilently): one.app.isPartOfName(other.app)
    default: false
    }
  }
}

extension String {
  /// Returns whether a scenario's name of an app is this bundle ID, or a part of it.
  fileprivate func isPartOfName(_ name: String) -> Bool { lowercased().contains(name.lowercased()) }
}
