extension KeyContext { static let story = KeyContext("story") }

extension Place { static let story = Place(.story) }

/// The steps of a demo's scenario, with the speaker's note and the result for the selected step.
struct StoryScreen: ListScreen {
  static let context = KeyContext.story
  static let title = "Story"
  static let keys: [KeyCommand] = .ofScreen()

  var list = RowList()
  /// The scenario's steps, or `nil` if this is not a demo.
  var story: Story?
  /// The traces of changes that were undone.
  private(set) var undone: Set<Int64> = []

  /// The result of the selected step, or `nil` if it was not run.
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
  /// The user may give another answer. The result then decides whether the step passed.
  mutating func fillIn(_ dialog: inout PromptDialog, of intent: AnyIntent) {
    guard let step = story?.execution, step.intent == intent else { return }
    let answer = story?.execution?.answer(dialog.prompt)
    if let answer { dialog.fill(answer) }
    dialog.scripted = ScriptedAnswer(step: step.index, answer: answer)
  }

  /// Ends a step after its flow has ended.
  /// - Returns: The step, to be checked, or `nil` if the intent does not belong to a step.
  mutating func end(_ outcome: Outcome, traceID: Int64?, of intent: AnyIntent) -> StepExecution? {
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
