import Testing

@testable import SSOLab
@testable import SSOScenarios

/// Every bundled scenario, run on a temporary lab, which demonstrates the claims.
@Suite struct ScenarioStoryTests {
  let library = ScenarioLibrary()

  @Test(arguments: BundledScenarioTests.names) func comesOutAsExpected(_ name: String) throws {
    let report = try Lab.run(try library.scenario(name))
    for step in report.steps {
      #expect(step.mismatches == [], "\(name), step \(step.index): \(step.title)")
    }
  }
}
