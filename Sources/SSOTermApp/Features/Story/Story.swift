/// The steps of the scenario that a demo shows: those that were run, and what comes next.
struct Story: Equatable, Sendable {
  var title: String
  var note: String
  var steps: [ScenarioStep]
  /// One for each step that was run.
  var reports: [StepReport] = []
  /// The step that is on its way.
  var execution: StepExecution?

  init(title: String, note: String, steps: [ScenarioStep]) {
    self.title = title
    self.note = note
    self.steps = steps
  }

  var next: ScenarioStep? { reports.count < steps.count ? steps[reports.count] : nil }
}
