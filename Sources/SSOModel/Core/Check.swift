/// One check that was made, in the words that every place shows: which, what was expected, what was found.
///
/// Two checks are equal if they say the same; the table of traces keeps no remedy and no words for the failure.
package struct Check: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable { case passed, failed, skipped }
  package var name: String
  package var expected: String
  package var found: String
  package var verdict: Verdict
  /// Where the rule comes from, e.g.
  ///
  /// "broker.md §7" or "claim C1".
  package var source: String
  /// The change of a field after which it holds; nil if it holds, or if no field decides it.
  package private(set) var remedy: Remedy?
  /// That it failed, as a sentence goes on behind "because", where the rule knows better words than the check's name.
  package var failure: String?

  package init(
    _ name: String, expected: String, found: String, verdict: Verdict, source: String, remedy: Remedy? = nil,
    failure: String? = nil
  ) {
    self.name = name
    self.expected = expected
    self.found = found
    self.verdict = verdict
    self.source = source
    self.remedy = verdict == .failed ? remedy : nil
    self.failure = verdict == .failed ? failure : nil
  }

  /// A check that passes exactly if the condition holds.
  package init(
    _ name: String, expected: String, found: String, _ holds: Bool, source: String, remedy: Remedy? = nil,
    failure: String? = nil
  ) {
    self.init(
      name, expected: expected, found: found, verdict: holds ? .passed : .failed, source: source,
      remedy: remedy, failure: failure)
  }

  package static func == (one: Check, other: Check) -> Bool {
    one.verdict == other.verdict && one.name == other.name && one.found == other.found
      && one.expected == other.expected && one.source == other.source
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(found)
    hasher.combine(verdict)
  }
}

/// A failed check outside of a list of checks, where its name alone would say the opposite.
extension Check {
  /// As a sentence goes on behind "because".
  package var reason: String { failure ?? "“\(name)” does not hold: \(found)" }

  /// The same with both values: `its team differs from Mail's: expected A1B2C3D4E5, found K1L2M3N4O5`.
  package var reasonInFull: String {
    "\(failure ?? "“\(name)” does not hold"): expected \(expected), found \(found)"
  }
}
