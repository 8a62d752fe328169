extension Lab {
  /// Runs all steps of a scenario in this lab.
  ///
  /// A failed step does not end the run, because the steps after it show how far the damage goes.
  package func run(_ file: ScenarioFile) -> ScenarioReport {
    let reports = file.steps.enumerated().map { $1.run(on: self, index: $0 + 1) }
    return ScenarioReport(name: file.name, title: file.title, claims: file.claims, steps: reports)
  }
}

extension ScenarioStep {
  /// Runs the step with the answers that it contains.
  package func run(on lab: Lab, index: Int) -> StepReport {
    var execution = StepExecution(self, index: index)
    if let intent = execution.start(on: lab) { execution.converse(intent, on: lab) }
    return execution.report(on: lab)
  }
}
