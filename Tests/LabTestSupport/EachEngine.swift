import Testing

@testable import SSOScenarios

extension TestEngine {
  /// The database of the labs that a test of a suite with `.eachEngine` makes.
  @TaskLocal static var current = TestEngine.sqlite
}

/// Runs each test of a suite on one database after the other.
struct EachEngine: SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for engine in TestEngine.allCases {
      try await TestEngine.$current.withValue(engine) { try await function() }
    }
  }
}

extension Trait where Self == EachEngine {
  static var eachEngine: EachEngine { EachEngine() }
}
