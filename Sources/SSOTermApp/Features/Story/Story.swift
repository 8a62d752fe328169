/// The steps of the scenario that a demo shows, with the reports of the steps that were run.
struct Story: Equatable, Sendable {
  /// The name of the scenario.
  var name: String
  var title: String
  var note: String
  var steps: [ScenarioStep]
  /// The reports, one for each step that was run.
  var reports: [StepReport] = []
  /// The step that is running.
  var execution: StepExecution?

  /// The number of the current step: the running step, or else the last step that was run, or 0 before the first.
  var present: Int { execution?.index ?? reports.count }

  var next: ScenarioStep? { reports.count < steps.count ? steps[reports.count] : nil }
}
