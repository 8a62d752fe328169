/// One difference between an expectation and a result.
package struct Mismatch: Codable, Hashable, Sendable {
  package var expected: String
  package var found: String
}

/// One step of a report.
package struct StepReport: Codable, Hashable, Sendable {
  /// The one-based number of the step.
  package var index: Int
  package var title: String
  package var note: String
  package var passed: Bool
  package var mismatches: [Mismatch]
  /// The trace of the step's intent, or `nil` if none was committed.
  package var traceID: Int64?
}

/// The results of one scenario, step by step.
package struct ScenarioReport: Codable, Hashable, Sendable {
  package var name: String
  package var title: String
  package var claims: [String]
  package var steps: [StepReport]
  package var passed: Bool

  /// Creates a report, which has passed if each of its steps has.
  package init(name: String, title: String, claims: [String], steps: [StepReport]) {
    (self.name, self.title, self.claims, self.steps) = (name, title, claims, steps)
    passed = steps.allSatisfy(\.passed)
  }
}
