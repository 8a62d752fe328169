import SSOLab
import SSOScenarios

/// A scenario whose lab the screens show until the user leaves it.
package enum DemoStart: Equatable, Sendable {
  /// The scenario with this name or path, before its first step.
  case scenario(String)
  /// The scenario of a reproduced failure, after its last step, unchanged or with the change that fixes it.
  case reproduction(String, isMended: Bool)

  /// Creates the lab in memory, and runs the steps before the place at which it begins.
  func open() throws -> OpenedDemo {
    switch self {
    case .scenario(let name):
      let file = try ScenarioLibrary.ofProgram.scenario(name)
      return OpenedDemo(file: file, lab: try Lab.temporary(file, clockRuns: true))
    case .reproduction(let text, let isMended):
      var file = try ScenarioFile(ScenarioSource(path: "reproduction", text: text))
      if isMended { file = try file.fixed() }
      let lab = try Lab.temporary(file, clockRuns: true)
      return OpenedDemo(file: file, lab: lab, reports: try lab.rerun(file.steps))
    }
  }
}

/// The lab of a demo, with the reports of the steps that were run.
struct OpenedDemo {
  let file: ScenarioFile
  let lab: Lab
  var reports: [StepReport] = []

  /// The first place: the trace of the last step that was run, or else the apps.
  var path: String { reports.last?.traceID.map { "trace/\($0)" } ?? "apps" }

  /// Shows the steps.
  func show(in model: inout AppModel) {
    model.screens.demo.show(file, &model.shared)
    if !reports.isEmpty { model.screens.demo.receive(all: reports, &model.shared) }
  }
}
