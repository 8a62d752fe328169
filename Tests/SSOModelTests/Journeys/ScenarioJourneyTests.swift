import Testing

@testable import SSOModel

/// Every bundled scenario tells its story on the real model: store, keychain, SDK, broker and provider.
struct ScenarioJourneyTests {
  @Test(arguments: ScenarioLibrary().names())
  func everyStepOfTheScenarioHolds(_ name: String) throws {
    let file = try ScenarioLibrary().scenario(name)
    let report = try Lab.run(file)
    for step in report.steps {
      #expect(step.mismatches.isEmpty, "\(name) step \(step.index) \(step.title)")
    }
    #expect(report.passed)
  }
}
