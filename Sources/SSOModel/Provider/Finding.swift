import SSOCore

/// What one rule found, and the refusal that follows if it failed.
struct Finding {
  var check: Check
  var refusal: OAuthError

  init(
    _ name: String, expected: String, found: String, _ holds: Bool, source: String, else refusal: OAuthError
  ) {
    check = Check(name, expected: expected, found: shortened(found), holds, source: source)
    self.refusal = refusal
  }
}

extension [Check] {
  /// Notes the check and throws its refusal if it failed.
  mutating func require(_ finding: Finding) throws(OAuthError) {
    append(finding.check)
    if finding.check.verdict == .failed { throw finding.refusal }
  }

  /// Notes each rule's check in order, up to and including the first that fails.
  mutating func require<Subject>(_ rules: [(Subject) -> Finding], of subject: Subject) throws(OAuthError) {
    for rule in rules { try require(rule(subject)) }
  }
}
