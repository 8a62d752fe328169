extension KeyContext { static let story = KeyContext("story") }

extension Place { static let story = Place(.story) }

/// The steps of a demo's scenario, and of the selected one what the speaker says and its result.
struct StoryScreen: ListScreen {
  static let context = KeyContext.story
  static let title = "Story"
  static let keys: [KeyCommand] = .ofScreen()

  var list = RowList()
  /// nil: only `ssoterm demo` has one.
  var story: Story?
  /// Traces of what was undone.
  private(set) var undone: Set<Int64> = []

  /// The result of the selected step; nil until it was run.
  var selectedReport: StepReport? {
    guard let story, let row = list.selectedRow, row < story.reports.count else { return nil }
    return story.reports[row]
  }

  static let noStory = "only ssoterm demo has steps"

  var obstacleToShow: String? { story == nil ? Self.noStory : nil }
  func loads(_ shared: SharedState) -> [Load] { [.traces] }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    if case .traces(let rows) = loaded { undone = Set(rows.filter(\.isUndone).map(\.id)) }
    return []
  }

  func obstacleToOpen(_ shared: SharedState) -> String? {
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
    selection.copies[.cell] = story.flatMap { story in list.selectedRow.map { story.steps[$0].title } }
    selection.sentence = story?.next.map { "next: \($0.title)" } ?? "all steps were run"
    return selection
  }
}

/// Running the steps.
extension StoryScreen {
  mutating func show(_ file: ScenarioFile, _ shared: inout SharedState) {
    guard !file.steps.isEmpty else { return }
    story = Story(name: file.name, title: file.title, note: file.note, steps: file.steps)
    shared.hasStory = true
    list.replace(ids: file.steps.indices.map { "\($0)" }, texts: file.steps.map(\.title))
    shared.say(
      "This demo has \(file.steps.count) steps: > runs the next one, \(Place.story.tab + 1) lists them.")
  }

  /// Fills in the scenario's answer.
  ///
  /// The person may give another one; the step is then judged by its result.
  mutating func fillIn(_ dialog: inout PromptDialog, of intent: Intent) {
    guard let step = story?.execution, step.intent == intent else { return }
    let answer = story?.execution?.answer(dialog.prompt)
    if let answer { dialog.fill(answer) }
    dialog.scripted = ScriptedAnswer(step: step.index, answer: answer)
  }

  /// The flow of a step has ended.
  /// - Returns: the step, to be judged; nil if the intent was not that of a step.
  mutating func end(_ outcome: Outcome, traceID: Int64?, of intent: Intent) -> StepExecution? {
    guard var execution = story?.execution, execution.intent == intent else { return nil }
    execution.end(outcome, traceID: traceID)
    story?.execution = nil
    return execution
  }

  mutating func receive(_ report: StepReport, _ shared: inout SharedState) {
    shared.working = nil
    story?.execution = nil
    story?.reports.append(report)
    list.state.selection = report.index - 1
    shared.notice = Notice(report)
  }

  mutating func receive(all reports: [StepReport], _ shared: inout SharedState) {
    shared.working = nil
    story?.reports = reports
    list.state.selection = max(0, reports.count - 1)
    shared.notice =
      reports.last.map(Notice.init) ?? Notice(text: "All steps are undone.", kind: .plain)
  }
}

extension Notice {
  fileprivate init(_ report: StepReport) {
    guard let mismatch = report.mismatches.first else {
      self.init(text: "✓ Step \(report.index) as expected: \(report.title).", kind: .good)
      return
    }
    self.init(
      text: "✗ Step \(report.index): expected \(mismatch.expected), found \(mismatch.found).", kind: .bad)
  }
}
