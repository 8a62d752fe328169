/// Why something is as it is: the decision as an ordered list of conditions, with the first failure marked.
///
/// The same for the screens, `ssoterm why` and JSON.
package struct Checklist: Codable, Hashable, Sendable {
  package struct Section: Codable, Hashable, Sendable {
    package var title: String
    package var checks: [Check]
  }

  package var title: String
  /// The answer in one sentence.
  package var answer: String
  /// Whether the answer is yes: silent, shared, signed in, usable, succeeded. A condition may fail all the same: an app
  /// that is silent from the cache needs no broker.
  package var holds: Bool
  package var sections: [Section]

  package var firstFailure: Check? {
    sections.lazy.flatMap(\.checks).first { $0.verdict == .failed }
  }
}
