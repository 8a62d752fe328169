/// One thing that came out differently.
public struct Mismatch: Codable, Hashable, Sendable {
  public var expected: String
  public var found: String

  public init(expected: String, found: String) {
    self.expected = expected
    self.found = found
  }
}

public struct StepReport: Codable, Hashable, Sendable {
  /// Counted from 1, as people count steps.
  public var index: Int
  public var title: String
  public var note: String
  public var passed: Bool
  public var mismatches: [Mismatch]
  /// The trace of the step's intent; nil if none was committed.
  public var traceID: Int64?
}

public struct ScenarioReport: Codable, Hashable, Sendable {
  public var name: String
  public var title: String
  public var claims: [String]
  public var steps: [StepReport]
  public var passed: Bool
}
