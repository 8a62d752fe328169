/// The result of one check, as it appears everywhere: its name, the expected value, and the value found.
///
/// Equality ignores ``remedy`` and ``failure``: the table of traces does not store the one, and traces of earlier versions
/// do not have the other.
package struct Check: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable { case passed, failed, skipped }
  package var name: String
  package var expected: String
  package var found: String
  package var verdict: Verdict
  /// The source of the rule, such as "broker.md §7" or "claim C1".
  package var source: String
  /// The change to a field that makes the check pass, or `nil` if it did not fail or no field decides it.
  package private(set) var remedy: Remedy?
  /// The failure as a clause that can follow "because", or `nil` if the check's name says as much.
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

  /// Creates a check that passes if and only if the condition holds.
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

/// The description of a failed check outside a list of checks, where its name alone would state the opposite.
extension Check {
  /// The failure as a clause that can follow "because".
  package var reason: String { failure ?? "the check “\(name)” failed: \(found)" }

  /// The same clause with both values: `its team differs from Mail's: expected A1B2C3D4E5, found K1L2M3N4O5`.
  package var reasonInFull: String {
    "\(failure ?? "the check “\(name)” failed"): expected \(expected), found \(found)"
  }
}

/// A change to one field of a record that makes a failed check pass.
///
/// It is created together with the check, so that both use the same value. Another check may still fail afterwards.
package struct Remedy: Codable, Hashable, Sendable {
  /// The kind of record that a check is about, as the command line names it.
  package enum Kind: String, Codable, Sendable { case app, device, person, registration }

  package var kind: Kind
  /// The record's identifier: a bundle ID, a device ID, a username, or a client ID.
  package var record: String
  /// The change as the user types it, such as `keychainSharingGroup=com.microsoft.adalcache` or
  /// `queriesSchemes+=msauthv2`.
  package var change: String

  package init(_ kind: Kind, _ record: String, _ change: String) {
    self.kind = kind
    self.record = record
    self.change = change
  }
}
