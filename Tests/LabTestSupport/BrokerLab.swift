import SSODevice
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios

/// Two vendors and a broker that knows Ada: the world in which responses can go astray.
struct BrokerLab {
  static let app = "com.contoso.mytestapp1"
  static let answers: [Answer] = [
    .account(homeAccountID: "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"),
    .accept,
  ]

  let lab: Lab

  /// Creates the lab.
  ///
  /// `change` is applied to the scenario's world first.
  init(_ scenario: String = "two-vendors", _ change: (inout LabWorld) -> Void = { _ in }) throws {
    var file = try ScenarioLibrary().scenario(scenario)
    change(&file.world)
    lab = try Lab.temporary(file)
  }

  /// Signs Ada in, with as many answers as the prompts require.
  func signIn(_ app: String = Self.app, answers: [Answer] = Self.answers) throws -> (Outcome, [Hop]) {
    try perform(SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired), answers)
  }

  func perform(_ intent: any Intent, _ answers: [Answer] = []) throws -> (Outcome, [Hop]) {
    for count in 0...answers.count {
      guard case .done(let outcome, let id) = try lab.perform(intent, answers: Array(answers.prefix(count)))
      else { continue }
      return (outcome, try lab.read { try $0.traces.trace(id) }?.hops ?? [])
    }
    Issue.record("an answer is missing")
    return (Outcome(.failed, ""), [])
  }

  func row(_ app: String = Self.app) throws -> AppRow {
    try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == app })
  }
}
