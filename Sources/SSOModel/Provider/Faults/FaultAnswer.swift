import SSOCore
import SSOReference

extension ProviderResources {
  /// Returns the response of a busy or unavailable provider: an OAuth error in JSON, or a page for a browser.
  ///
  /// 403 and 404 represent a proxy or a firewall in between, so they do not contain an OAuth error.
  func outage(_ status: Int, retryAfter: Int?, _ context: RequestContext) -> ProviderResponse {
    let error = OAuthError(outage: status)
    var response: ProviderResponse
    switch context.request.route {
    case .authorize, .adminConsent, .login, .consent, .devicePage, .logout:
      let page = ErrorPage(error, correlationID: context.correlationID)
      response = ProviderResponse(.page(status), page: .error(page))
    default:
      let body = OAuthErrorBody(
        error, traceID: random.uuid(), correlationID: context.correlationID, now: now,
        origin: context.request.origin)
      response = ProviderResponse(status < 429 ? HTTPResponse(status) : body.response(status: status))
    }
    if let retryAfter { response.http.headers.append(NameValue("Retry-After", String(retryAfter))) }
    return response
  }
}

extension OAuthError {
  fileprivate init(outage status: Int) {
    switch status {
    case 403: self.init(.accessDenied, "Access to the service is blocked (403).")
    case 404: self.init(.invalidRequest, "There is nothing at this address (404).")
    case 429:
      self.init(.temporarilyUnavailable, "There are too many incoming requests.", aadsts: .tooManyRequests)
    case 500:
      self.init(.serverError, "There's an issue with the sign-in service.", aadsts: .tokenIssuanceFailed)
    default:
      self.init(
        .temporarilyUnavailable, "The service is temporarily unavailable.", aadsts: .serviceUnavailable)
    }
  }
}

extension OAuthErrorCode {
  /// Returns the number that usually accompanies this error, or `nil` if it does not have one.
  func usualNumber(suberror: String?) -> AADSTSCode? {
    if let suberror = suberror.flatMap(OAuthSuberror.init(text:)) { return suberror.usualNumber }
    return switch self {
    case .invalidRequest: AADSTSCode.requestMalformed
    case .invalidClient: .clientSecretWrong
    case .invalidGrant: .grantInvalid
    case .invalidScope: .scopeInvalid
    case .invalidResource: .resourceNotFound
    case .unauthorizedClient: .clientNotFound
    case .unsupportedGrantType: .grantTypeUnsupported
    case .unsupportedResponseType: .responseTypeUnsupported
    case .accessDenied, .authorizationDeclined: .consentDeclined
    case .serverError: .tokenIssuanceFailed
    case .temporarilyUnavailable: .serviceUnavailable
    case .interactionRequired: .mfaRequired
    case .loginRequired: .noSession
    case .consentRequired: .consentMissing
    case .invalidTenant: .tenantNotFound
    case .invalidInstance: .unknownInstance
    case .authorizationPending, .slowDown: .authorizationPending
    case .expiredToken: .deviceCodeExpired
    case .badVerificationCode: .deviceCodeUnknown
    case .invalidTarget: .resourceDoesNotFit
    default: nil
    }
  }
}

extension OAuthSuberror {
  fileprivate var usualNumber: AADSTSCode {
    switch self {
    case .userAccountDeleted: AADSTSCode.accountDeleted
    case .protectionPolicyRequired: .appNotEnrolled
    case .additionalAction: .deviceNotCompliant
    case .messageOnly: .blockedByPolicy
    case .basicAction: .mfaRequired
    case .badToken: .grantRevoked
    case .tokenExpired: .signInTooOld
    case .userPasswordExpired: .passwordExpired
    case .clientMismatch: .grantOfAnotherClient
    }
  }
}

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
    context.checks.append(fault.check)
    switch fault.kind {
    case .status(let status): return outage(status, retryAfter: nil, context)
    case .throttled(let seconds): return outage(429, retryAfter: seconds, context)
    case .unavailable(let seconds): return outage(503, retryAfter: seconds, context)
    case .unreachable: return ProviderResponse(.noConnection)
    case .refused(let code, let suberror):
      let error = OAuthError(
        code, "A fault set in the lab refuses this request.",
        number: code.usualNumber(suberror: suberror)?.number, suberror: suberror)
      guard Fault.Endpoint(of: request) == .authorize else {
        if code == .invalidClient { context.authenticatesByHeader = request.header("Authorization") != nil }
        return refuse(error, &context)
      }
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
    let claims = PersonalTicket.claims(in: String(words[1])) ?? [:]
    return (claims["appid"] ?? claims["azp"])?.string
  }
}

extension Fault.Kind.Requirement {
  /// Returns the error for requests that cannot show a page.
  ///
  /// `resourceID` is the app ID of the API that the user wants to access.
  func refusal(accessing resourceID: String) -> OAuthError {
    switch self {
    case .consent:
      .consentMissing(
        .invalidGrant,
        "The user or administrator has not consented to use the application. Ask interactively.")
    case .mfa:
      .secondFactorMissing(.interactionRequired, accessing: resourceID, claims: challenge)
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

  /// Returns the failed check: the requirement remains and this request cannot satisfy it.
  func result(accessing resourceID: String) -> RuleResult {
    result(else: refusal(accessing: resourceID))
  }

  /// Returns the failed check for `prompt=none` (OpenID Connect Core §3.1.2.6).
  func silentResult(accessing resourceID: String) -> RuleResult {
    var error = refusal(accessing: resourceID)
    if self == .consent { error.code = .consentRequired }
    return result(else: error)
  }

  private func result(else refusal: OAuthError) -> RuleResult {
    RuleResult(
      "nothing more is required", expected: "nothing", found: rawValue, false, source: "the lab's faults",
      else: refusal)
  }
}

extension DocumentReader {
  /// Returns the faults that are set at the provider.
  ///
  /// The first fault that affects a request determines the response.
  package func faults() throws -> [Fault] { try read([Fault].self, .fault, Faults.key) ?? [] }
}

/// The document with all faults that are set.
struct Faults {
  fileprivate static let key = "all"

  let documents: any DocumentStore

  func add(_ fault: Fault) throws { try save(documents.faults() + [fault]) }

  /// Removes the first fault that equals this one, ignoring the number of remaining requests.
  func remove(_ fault: Fault) throws -> Bool {
    func withoutCount(_ fault: Fault) -> Fault { Fault(fault.endpoint, fault.kind, clientID: fault.clientID) }
    var faults = try documents.faults()
    let same = faults.firstIndex(of: fault) ?? faults.firstIndex { withoutCount($0) == withoutCount(fault) }
    guard let same else { return false }
    faults.remove(at: same)
    try save(faults)
    return true
  }

  func clear() throws { try documents.delete(.fault, Self.key) }

  /// Returns the fault that affects a call of the broker on Linux, or `nil` if none is set.
  func take(forBrokerMethod method: String, from clientID: String) throws -> Fault? {
    try take { $0.matches(brokerMethod: method, from: clientID) }
  }

  /// Returns the fault that affects this request, or `nil` if none is set.
  ///
  /// Decrements the count of a limited fault.
  ///
  /// `clientID` returns the client of the request. It is called only if a fault is set.
  func take(for request: HTTPRequest, from clientID: () throws -> String?) throws -> Fault? {
    guard try !documents.faults().isEmpty else { return nil }
    let clientID = try clientID()
    return try take { $0.matches(request, from: clientID) }
  }

  private func take(where matches: (Fault) -> Bool) throws -> Fault? {
    var faults = try documents.faults()
    guard let index = faults.firstIndex(where: matches) else { return nil }
    let fault = faults[index]
    guard let remaining = fault.remaining else { return fault }
    if remaining > 1 { faults[index].remaining = remaining - 1 } else { faults.remove(at: index) }
    try save(faults)
    return fault
  }

  private func save(_ faults: [Fault]) throws {
    if faults.isEmpty { try clear() } else { try documents.write(faults, .fault, Self.key) }
  }
}
