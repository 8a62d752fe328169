/// The steps of the scenario that a demo shows: those that were run, and what comes next.
struct Story: Equatable, Sendable {
  /// The scenario's.
  var name: String
  var title: String
  var note: String
  var steps: [ScenarioStep]
  /// One for each step that was run.
  var reports: [StepReport] = []
  /// The step that is on its way.
  var execution: StepExecution?

  /// The number of the step that is shown: the one on its way, else the last that was run; 0 before the first.
  var present: Int { execution?.index ?? reports.count }

  var next: ScenarioStep? { reports.count < steps.count ? steps[reports.count] : nil }
}
