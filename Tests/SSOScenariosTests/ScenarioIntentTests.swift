import LabTestSupport
import Testing

@testable import SSOLab
@testable import SSOScenarios

/// The list of intents for scenario files, beside the registry of all intents.
struct ScenarioIntentTests {
  @Test func eachIntentThatAScenarioCanReadIsListedInTheOrderOfTheRegistry() {
    let readable = Intents.all.compactMap { $0 as? any ScenarioIntent.Type }
    #expect(ScenarioIntents.all.map { $0.verb } == readable.map { $0.verb })
  }
}
