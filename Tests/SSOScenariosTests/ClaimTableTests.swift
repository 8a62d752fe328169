import Foundation
import Testing

@testable import SSOLab
@testable import SSOReference
@testable import SSOScenarios

/// A reader of the articles can choose any claim and run the scenario that is named after it.
@Suite struct ClaimTableTests {
  static let files: [ScenarioFile] = {
    let library = ScenarioLibrary()
    return library.names().compactMap { try? library.scenario($0) }
  }()

  @Test func everyClaimHasAScenarioWithItsIDInTheName() {
    #expect(Self.files.count == BundledScenarioTests.names.count)
    #expect(ClaimTable(Self.files).withoutScenario == [])
  }

  @Test func aScenarioNamedForAClaimSaysThatItShowsIt() {
    for file in Self.files {
      let id = String(file.name.prefix { $0 != "-" })
      if Claim.all.contains(where: { $0.id == id }) { #expect(file.claims.contains(id), "\(file.name)") }
    }
  }

  @Test func thePageOfClaimsIsWhatTheScenariosSay() throws {
    let page = URL(filePath: BundledScenarioTests.folder).appending(path: "../../docs/claims.md")
    #expect(
      try String(contentsOf: page, encoding: .utf8) == ClaimTable(Self.files).markdown, "run: make claims")
  }

  /// The scenarios for claims check the outcome, the trace, and the store, with the first two for each call.
  @Test func everyCallIsCheckedByOutcomeAndTraceAndEveryStoryByTheStore() {
    for file in Self.files where Claim.all.contains(where: { file.name.hasPrefix($0.id + "-") }) {
      for step in file.steps where step.isCall {
        #expect(step.expectation.verdict != nil, "\(file.name): \(step.title): no verdict")
        #expect(!step.expectation.trace.isEmpty, "\(file.name): \(step.title): no trace")
      }
      #expect(file.steps.contains { !$0.expectation.items.isEmpty }, "\(file.name): nothing of the store")
    }
  }

  /// "It did not run" is also true for a misspelt name, so another step must expect the check to run.
  @Test func aCheckThatMustNotRunIsOneThatElsewhereRuns() {
    let known = Self.files.flatMap(\.steps).flatMap(\.expectation.trace).map(\.name)
    for step in Self.files.flatMap(\.steps) {
      for name in step.expectation.notChecked {
        #expect(known.contains { $0.contains(name) }, "\(step.title): \(name)")
      }
    }
  }
}

extension ScenarioStep {
  /// Whether an SDK or the broker makes a decision in the step.
  fileprivate var isCall: Bool {
    guard case .intent(let intent) = action else { return false }
    return switch intent.value {
    case is SignIn, is AcquireSilently, is TransferAccount, is OpenURL: true
    default: false
    }
  }
}
