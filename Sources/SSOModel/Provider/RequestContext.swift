/// One request on its way through the provider, with the checks made so far.
struct RequestContext {
  let request: HTTPRequest
  /// Those that the browser holds for the request's origin.
  ///
  /// A browser's signed credential takes the place of the bare token, once it is verified.
  var cookies: [NameValue]
  let correlationID: String
  var checks: [Check] = []
  /// While a client is being authenticated: whether by the `Authorization` header.
  var authenticatesByHeader: Bool?
  /// Set once the request was refused, whatever form the response takes.
  var refusal: OAuthError?
  var delivery = Delivery.whole
  /// Cookies that the response sets besides its own.
  var setCookies: [NameValue] = []
}

extension RequestContext {
  /// Notes the check.
  /// - Throws: the rule's refusal if it failed.
  mutating func require(_ result: RuleResult) throws(OAuthError) {
    checks.append(result.check)
    if result.check.verdict == .failed { throw result.refusal }
  }

  /// Notes each result in order, up to and including the first that failed.
  mutating func require(_ results: [RuleResult]) throws(OAuthError) {
    for result in results { try require(result) }
  }

  /// Applies the rules in order, up to and including the first that fails.
  mutating func require<Subject>(_ rules: [(Subject) -> RuleResult], of subject: Subject) throws(OAuthError) {
    for rule in rules { try require(rule(subject)) }
  }

  /// The value that the rule is about, once the rule holds.
  mutating func require<Value>(_ value: Value?, _ result: RuleResult) throws(OAuthError) -> Value {
    try require(result)
    guard let value else { throw result.refusal }
    return value
  }

  /// Adds the check of a refusal that no rule made, such as of a request that cannot be read: every refusal has one.
  ///
  /// A 401 without a refusal asks for a proof that no client could have sent yet (docs/behaviour/workloads.md §1(3)).
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

  /// An error page: the request is not to be trusted with a redirect.
  mutating func errorPage(_ error: OAuthError, setCookies: [NameValue] = []) -> ProviderResponse {
    refusal = error
    let page = ErrorPage(aadsts: error.aadsts ?? 0, message: error.message, correlationID: correlationID)
    return ProviderResponse(.page(400, cookies: setCookies), page: .error(page), setCookies: setCookies)
  }
}
