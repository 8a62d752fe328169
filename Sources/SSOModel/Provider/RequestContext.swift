/// The state of one request: its input and the checks that have been made.
struct RequestContext {
  let request: HTTPRequest
  /// The browser's cookies for the request's origin.
  ///
  /// Once a browser's signed credential is verified, it replaces the bare token.
  var cookies: [NameValue]
  let correlationID: String
  var checks: [Check] = []
  /// During client authentication, whether the client used the `Authorization` header.
  var authenticatesByHeader: Bool?
  /// The error, if the request was rejected, whatever form the response has.
  var refusal: OAuthError?
  var delivery = Delivery.whole
  /// The cookies that the response sets in addition to its own.
  var setCookies: [NameValue] = []
}

extension RequestContext {
  /// Records the check.
  ///
  /// - Throws: The rule's error if the check failed.
  mutating func require(_ result: RuleResult) throws(OAuthError) {
    checks.append(result.check)
    if result.check.verdict == .failed { throw result.refusal }
  }

  /// Records the results in order, up to and including the first failed one.
  mutating func require(_ results: [RuleResult]) throws(OAuthError) {
    for result in results { try require(result) }
  }

  /// Applies the rules in order, up to and including the first that fails.
  mutating func require<Subject>(_ rules: [(Subject) -> RuleResult], of subject: Subject) throws(OAuthError) {
    for rule in rules { try require(rule(subject)) }
  }

  /// Returns the value that a rule is about if the rule holds.
  mutating func require<Value>(_ value: Value?, _ result: RuleResult) throws(OAuthError) -> Value {
    try require(result)
    guard let value else { throw result.refusal }
    return value
  }

  /// Adds a check for an error that no rule produced, such as a malformed request, because every error needs
  /// a check.
  ///
  /// A 401 without an error is exempt: it requests a proof that no client can have sent yet
  /// (docs/behaviour/workloads.md §1(3)).
  mutating func noteRefusal(in response: ProviderResponse) {
    let status = response.http.status
    guard refusal != nil || status >= 400 && status != 401, refusal?.isCancellation != true,
      !checks.contains(where: { $0.verdict == .failed })
    else { return }
    checks.append(
      Check(
        "request is valid", expected: "a request that this endpoint accepts",
        found: shortened(refusal?.reason ?? "refused with status \(status)"), false, source: "RFC 6749 §5.2"))
  }

  /// Shows an error page, because a redirect for this request cannot be trusted.
  mutating func errorPage(_ error: OAuthError, setCookies: [NameValue] = []) -> ProviderResponse {
    refusal = error
    let page = ErrorPage(aadsts: error.aadsts ?? 0, message: error.message, correlationID: correlationID)
    return ProviderResponse(.page(400, cookies: setCookies), page: .error(page), setCookies: setCookies)
  }
}
