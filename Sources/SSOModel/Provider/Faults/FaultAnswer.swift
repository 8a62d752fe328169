extension ProviderResources {
  /// Returns the response of a busy or unavailable provider: an OAuth error in JSON, or a page for a browser.
  ///
  /// 403 and 404 represent a proxy or a firewall in between, so they contain no OAuth error.
  func outage(_ status: Int, retryAfter: Int?, _ context: RequestContext) -> ProviderResponse {
    let error = OAuthError(outage: status)
    var response: ProviderResponse
    switch context.request.route {
    case .authorize, .login, .consent, .devicePage, .logout:
      let page = ErrorPage(
        aadsts: error.aadsts ?? 0, message: error.message, correlationID: context.correlationID)
      response = ProviderResponse(.page(status), page: .error(page))
    default:
      let body = OAuthErrorBody(
        error, traceID: random.uuid(), correlationID: context.correlationID, now: now)
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
  /// Returns the number that usually accompanies this error, or `nil` if it has none.
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
    case .accessDenied: .consentDeclined
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
    default: nil
    }
  }
}

extension OAuthSuberror {
  fileprivate var usualNumber: AADSTSCode {
    switch self {
    case .userAccountDeleted: AADSTSCode.accountNotFound
    case .protectionPolicyRequired: .appNotEnrolled
    case .additionalAction: .deviceNotCompliant
    case .messageOnly: .blockedByPolicy
    case .basicAction: .mfaRequired
    default: .grantInvalid
    }
  }
}
