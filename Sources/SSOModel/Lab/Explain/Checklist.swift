import SSOCore

/// The explanation of a decision as an ordered list of conditions.
///
/// It is the same for the screens, `ssoterm why`, and JSON. The answer is yes if and only if no condition
/// failed. Otherwise, the first failed condition is the deciding one. Conditions that were not met but not
/// needed either are marked as skipped.
package struct Checklist: Codable, Hashable, Sendable {
  package struct Section: Codable, Hashable, Sendable {
    package var title: String
    package var checks: [Check]
  }

  package let title: String
  /// The answer in one sentence.
  package let answer: String
  package let sections: [Section]

  /// Whether the answer is yes: silent, shared, signed in, usable, succeeded.
  package var holds: Bool { firstFailure == nil }

  /// The change that fixes something that the answer names besides the deciding condition, or `nil` if it does not name
  /// anything else.
  private let ownRemedy: Remedy?

  /// The change that fixes the problem in the answer, or after which the deciding condition holds, or `nil` if the
  /// fields are right.
  package var remedy: Remedy? { ownRemedy ?? firstFailure?.remedy }

  /// The deciding condition, or `nil` if the answer is yes.
  package var firstFailure: Check? { sections.lazy.compactMap(\.checks.firstFailure).first }

  /// Creates a checklist.
  ///
  /// - Parameters:
  ///   - title: The question.
  ///   - answer: The answer in one sentence.
  ///   - cause: The deciding condition as the call threw it, or `nil` if the answer is yes.
  ///   - remedy: The change that fixes something that the answer names besides the cause.
  ///   - sections: The checks, in order.
  package init(
    title: String, answer: String, cause: Check?, remedy: Remedy? = nil, sections: [Section]
  ) {
    self.title = title
    self.answer = answer
    ownRemedy = remedy
    var sections = sections
    if let cause, !sections.contains(where: { $0.checks.contains(cause) }) {
      sections.append(Section(title: "What decided", checks: [cause]))
    }
    var isDecided = false
    self.sections = sections.map { section in
      // The checks from the trace table have lost their remedies, but the cause as thrown has its remedy.
      let own = section.checks.map { $0 == cause ? cause ?? $0 : $0 }
      let checks = own.decided(by: isDecided ? own.firstFailure : cause)
      isDecided = isDecided || checks.firstFailure != nil
      return Section(title: section.title, checks: checks)
    }.filter { !$0.checks.isEmpty }
  }
}

extension [Check] {
  package var firstFailure: Check? { first { $0.verdict == .failed } }

  /// Returns the checks with respect to the deciding condition.
  ///
  /// A check that failed before it was an alternative, after which the call continued. If nothing decided
  /// against the call, no failed check was needed.
  func decided(by cause: Check?) -> [Check] {
    let place = cause.flatMap(firstIndex(of:)) ?? endIndex
    return self[..<place].map(\.asAlternative) + self[place...]
  }

  /// The checks, with failed ones marked as not needed.
  var asAlternatives: [Check] { map(\.asAlternative) }
}

extension Check {
  fileprivate var asAlternative: Check {
    verdict == .failed
      ? Check(name, expected: expected, found: found, verdict: .skipped, source: source) : self
  }
}
