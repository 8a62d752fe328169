/// The check of one rule, and the error if it failed.
struct RuleResult {
  var check: Check
  var refusal: OAuthError

  init(
    _ name: String, expected: String, found: String, _ holds: Bool, source: String, remedy: Remedy? = nil,
    failure: String? = nil, else refusal: OAuthError
  ) {
    check = Check(
      name, expected: expected, found: shortened(found), holds, source: source, remedy: remedy,
      failure: failure)
    self.refusal = refusal
  }
}
