extension ProviderResources {
  /// Applies the fault that affects this request, if there is one.
  ///
  /// A fault responds itself, changes the provider for this request, or changes the delivery of the response.
  ///
  /// - Returns: The fault's own response, or `nil` to continue with the route.
  mutating func applyFault(to context: inout RequestContext) throws -> ProviderResponse? {
    let request = context.request
    let found = try Faults(documents: documents).take(for: request) { try sender(of: request) }
    guard let fault = found else { return nil }
    context.checks.append(
      Check("no fault is set", expected: "none", found: fault.words, false, source: "the lab's faults"))
    switch fault.kind {
    case .status(let status): return outage(status, retryAfter: nil, context)
    case .throttled(let seconds): return outage(429, retryAfter: seconds, context)
    case .unavailable(let seconds): return outage(503, retryAfter: seconds, context)
    case .unreachable: return ProviderResponse(.noConnection)
    case .refused(let code, let suberror):
      let error = OAuthError(
        code, "A fault set in the lab refuses this request.",
        number: code.usualNumber(suberror: suberror)?.number, suberror: suberror)
      guard Fault.Endpoint(of: request) == .authorize else { return refuse(error, &context) }
      // Return the error to the client's redirect URI, once the URI has been checked.
      guard request.route == .authorize else { return context.errorPage(error) }
      authorizationRefusal = error
    case .slow(let seconds): context.delivery = .late(seconds: seconds)
    case .hang: context.delivery = .never
    case .truncated(let bytes): context.delivery = .truncated(bytes: bytes)
    case .token(let flaw): tokenFlaw = flaw
    case .clock(let seconds): now = now.adding(seconds: seconds)
    case .keys(let change): try keys.rollOver(forgetting: change == .forgotten)
    case .requires(let requirement): self.requirement = requirement
    // This fault does not affect requests.
    case .brokerStatus: break
    }
    return nil
  }

  /// Returns the client of a request, from a field, its header, or the sign-in or device code that it
  /// continues.
  private func sender(of request: HTTPRequest) throws -> String? {
    if let presented = try? PresentedClient(request), !presented.clientID.isEmpty {
      return presented.clientID
    }
    if let flow = try flows.flow(of: request)?.flow { return flow.clientID }
    let words = request.header("Authorization")?.split(separator: " ") ?? []
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    let claims = (try? JSONWebToken(unverified: String(words[1])))?.claims ?? [:]
    return (claims["appid"] ?? claims["azp"])?.string
  }
}

extension Fault.Kind.Requirement {
  /// The error for requests that cannot show a page.
  var refusal: OAuthError {
    switch self {
    case .consent:
      .consentMissing(
        .invalidGrant,
        "The user or administrator has not consented to use the application. Ask interactively.")
    case .mfa:
      OAuthError(
        .interactionRequired,
        "Due to a configuration change made by your administrator, or because you moved to a new location, you "
          + "must use multi-factor authentication. Sign in interactively.",
        aadsts: .mfaRequired, suberror: .basicAction, claims: challenge)
    case .device:
      OAuthError(
        .interactionRequired,
        "Device is not in required device state: compliant. Conditional Access policy requires a compliant "
          + "device.",
        aadsts: .deviceNotCompliant, claims: challenge)
    }
  }

  /// The claims challenge, which contains the policy so that the next sign-in applies it.
  private var challenge: String {
    "{\"access_token\":{\"capolids\":{\"essential\":true,\"values\":[\"\(guid(of: "policy " + rawValue))\"]}}}"
  }

  /// The failed check: the requirement remains and this request cannot satisfy it.
  var result: RuleResult { result(else: refusal) }

  /// The failed check for `prompt=none` (OpenID Connect Core §3.1.2.6).
  var silentResult: RuleResult {
    var error = refusal
    if self == .consent { error.code = .consentRequired }
    return result(else: error)
  }

  private func result(else refusal: OAuthError) -> RuleResult {
    RuleResult(
      "nothing more is required", expected: "nothing", found: rawValue, false, source: "the lab's faults",
      else: refusal)
  }
}
