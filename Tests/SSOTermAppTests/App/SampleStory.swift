@testable import SSOScenarios
@testable import SSOTermApp

extension Sample {
  /// Returns a model in which two of four steps were run, and the second had a different result.
  static func story() -> AppModel {
    var model = model(.apps)
    model.screens.story.story = Story(
      name: "shared-removal", title: "Shared removal",
      note: "What makes the suite convenient makes it dangerous.",
      steps: [
        step("Ada signs in to My Test App 1", "One sign-in for three apps."),
        step("My Test App 2 gets a token silently", "The second app now works in the background."),
        step("My Test App 1 forgets the account", "The warning lists every app that loses its sign-in."),
        step("The removal is undone", "Undo puts back every item as it was, in every app."),
      ])
    model.shared.hasStory = true
    model.screens.story.list.replace(
      ids: ["0", "1", "2", "3"], texts: model.screens.story.story?.steps.map(\.title) ?? [])
    _ = update(&model, .stepEnded(report(1, [])))
    _ = update(
      &model, .stepEnded(report(2, [Mismatch(expected: "no question to the person", found: "one")])))
    model.stack = [.story]
    return model
  }

  private static func step(_ title: String, _ note: String) -> ScenarioStep {
    ScenarioStep(
      title: title, note: note, action: .undo, answers: ScenarioAnswers(), expectation: StepExpectation())
  }

  private static func report(_ index: Int, _ mismatches: [Mismatch]) -> StepReport {
    StepReport(
      index: index, title: "step \(index)", note: "", passed: mismatches.isEmpty, mismatches: mismatches,
      traceID: 2)
  }
}

extension Sample {
  /// Returns a model with two embedded scenarios, one of which was run, and another that cannot be read.
  static func scenarios() -> AppModel {
    var model = model(.scenarios)
    let library = ScenarioLibrary()
    let entries = ["contoso-suite", "two-vendors", "B2-spoofed-request"].map { name in
      ScenarioEntry(name, Result { () throws(ScenarioError) in try library.scenario(name) })
    }
    let error = ScenarioError(file: "mine.yaml", line: 3, key: "clok", "is not known here")
    _ = update(&model, .loaded(.scenarios(entries + [ScenarioEntry("mine", .failure(error))])))
    let steps = entries[1].steps.indices.map { report($0 + 1, $0 == 2 ? [mismatch] : []) }
    let result = ScenarioReport(name: "two-vendors", title: "", claims: [], steps: steps)
    _ = update(&model, .scenarioRun("two-vendors", TrialResult(.failed, at: now, report: result)))
    model.screens.scenarios.list.select(id: "two-vendors")
    return model
  }

  private static let mismatch = Mismatch(expected: "source cache", found: "source appRefreshToken")
}
