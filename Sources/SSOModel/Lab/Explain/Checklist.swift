/// Why something is as it is: the decision as an ordered list of conditions.
///
/// The same for the screens, `ssoterm why` and JSON. The answer is yes exactly if no condition of the list failed; of a no
/// the first failed one is the condition that decided. Others that were not met and not needed are marked so.
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

  /// The change of a field after which the condition that decided holds; nil if there is no such field.
  package var remedy: Remedy? { firstFailure?.remedy }

  /// The condition that decided.
  package var firstFailure: Check? { sections.lazy.compactMap(\.checks.firstFailure).first }

  /// - Parameters:
  ///   - title: the question.
  ///   - answer: one sentence.
  ///   - cause: the condition that decided against it, as the call threw it; nil: the answer is yes.
  ///   - sections: what was checked, in order.
  package init(title: String, answer: String, cause: Check?, sections: [Section]) {
    self.title = title
    self.answer = answer
    var sections = sections
    if let cause, !sections.contains(where: { $0.checks.contains(cause) }) {
      sections.append(Section(title: "What decided", checks: [cause]))
    }
    var isDecided = false
    self.sections = sections.map { section in
      // What was read from the table of traces has lost its remedy; the cause as it was thrown has it.
      let own = section.checks.map { $0 == cause ? cause ?? $0 : $0 }
      let checks = own.decided(by: isDecided ? own.firstFailure : cause)
      isDecided = isDecided || checks.firstFailure != nil
      return Section(title: section.title, checks: checks)
    }.filter { !$0.checks.isEmpty }
  }
}

extension [Check] {
  package var firstFailure: Check? { first { $0.verdict == .failed } }

  /// The checks beside the one that decided.
  ///
  /// What failed before it was an alternative, after which the call went on; if nothing decided against the call, nothing
  /// failed that it needed.
  func decided(by cause: Check?) -> [Check] {
    let place = cause.flatMap(firstIndex(of:)) ?? endIndex
    return self[..<place].map(\.asAlternative) + self[place...]
  }

  /// All of them as what was not needed.
  var asAlternatives: [Check] { map(\.asAlternative) }
}

extension Check {
  fileprivate var asAlternative: Check {
    verdict == .failed
      ? Check(name, expected: expected, found: found, verdict: .skipped, source: source) : self
  }
}
