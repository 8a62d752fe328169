import SSOCore
import SSOReference

/// The rules of the authorization endpoint, in the order they are applied.
extension AuthorizationRequest {
  /// The rules whose violation shows an error page, because the redirect URI cannot be trusted yet.
  static var rulesBeforeRedirect: [(AuthorizationRequest) -> RuleResult] {
    [
      checkSize, { checkTenantExists($0.tenant) }, checkRedirectURIForm, checkClientIsKnown,
      checkClientIsEnabled, checkAccountsServed, checkClientServesTenant, checkRedirectURI,
    ]
  }

  /// The rules whose violation is returned to the app as `error=…`.
  static var rules: [(AuthorizationRequest) -> RuleResult] {
    [
      { checkNothingIsRepeated($0.repeated) }, checkRequestObject, checkResponseType, checkTypeIsEnabled,
      checkResponseMode, checkModeOfTokens, checkNonce, checkCodeChallengeMethod, checkCodeChallengeSize,
      checkPrompt, checkMaxAge,
    ]
  }
}

/// The maximum size of all fields, in bytes.
///
/// The header limit already bounds a GET, but not a POST.
private let maximumSize = 16_384

private func checkSize(_ request: AuthorizationRequest) -> RuleResult {
  RuleResult(
    "request size", expected: "at most \(maximumSize) bytes", found: "\(request.size)",
    request.size <= maximumSize, source: "Entra, with SSOTerm's limit",
    else: OAuthError(
      .invalidRequest,
      "The query string is too long: \(request.size) bytes, at most \(maximumSize) are read.",
      aadsts: .requestTooLong))
}

/// Checks that no parameter is sent twice (RFC 6749 §3.1, §3.2).
///
/// If the redirect URI is registered, the error goes to the first of two.
func checkNothingIsRepeated(_ name: String?) -> RuleResult {
  RuleResult(
    "no parameter twice", expected: "each once", found: name ?? "each once", name == nil,
    source: "RFC 6749 §3.1",
    else: OAuthError(
      .invalidRequest,
      "The request is not properly formatted. The parameter '\(name ?? "")' is duplicated.",
      aadsts: .parameterRepeated))
}

private func checkRequestObject(_ request: AuthorizationRequest) -> RuleResult {
  let name = request.requestObject
  return RuleResult(
    "no request object", expected: "none", found: name ?? "none", name == nil,
    source: "OpenID Connect Core §3.1.2.6",
    else: OAuthError(
      name == "request" ? .requestNotSupported : .requestURINotSupported,
      "The parameter '\(name ?? "")' is not supported: send its fields one by one."))
}

func checkClientIsKnown(_ request: AuthorizationRequest) -> RuleResult {
  checkClientIsKnown(request.registration, clientID: request.clientID, tenant: request.tenant)
}

func checkClientIsKnown(
  _ registration: ClientRegistration?, clientID: String, tenant: AuthorityTenant
) -> RuleResult {
  guard !clientID.isEmpty else { return checkPresent("client_id", nil) }
  let isEmptyID = clientID.utf8.count == 36 && clientID.allSatisfy { "0-".contains($0) }
  if isEmptyID, registration == nil {
    return RuleResult(
      "client registered", expected: "a registered client ID", found: clientID, false,
      source: "Entra (Azure/Commercial-Marketplace-SaaS-Accelerator#748)",
      else: OAuthError(
        .unauthorizedClient, "\(clientID) is not a valid application identifier.", aadsts: .clientIDEmpty))
  }
  return RuleResult(
    "client registered", expected: "a registered client ID", found: clientID, registration != nil,
    source: "RFC 6749 §4.1.2.1",
    else: OAuthError(
      .unauthorizedClient,
      notInDirectory("Application with identifier '\(clientID)'", tenant.displayName), aadsts: .clientNotFound
    ))
}

private func checkClientIsEnabled(_ request: AuthorizationRequest) -> RuleResult {
  checkClientIsEnabled(request.registration)
}

func checkClientIsEnabled(_ registration: ClientRegistration?) -> RuleResult {
  let isDisabled = registration?.isDisabled == true
  let id = registration?.clientID ?? ""
  return RuleResult(
    "app enabled", expected: "enabled", found: isDisabled ? "disabled" : "enabled", !isDisabled,
    source: "Entra", remedy: Remedy(.registration, id, "isDisabled=no"),
    else: OAuthError(
      .unauthorizedClient, "Application '\(id)'(\(registration?.displayName ?? "")) is disabled.",
      aadsts: .clientDisabled))
}

/// Checks that the authority is for accounts that the registration accepts.
private func checkAccountsServed(_ request: AuthorizationRequest) -> RuleResult {
  let registration = request.registration
  let app = "Application '\(request.clientID)'(\(registration?.displayName ?? ""))"
  func result(_ expected: String, _ holds: Bool, _ sentence: String, _ number: AADSTSCode) -> RuleResult {
    RuleResult(
      "authority of the app's accounts", expected: expected, found: request.tenant.segment, holds,
      source: "Entra", else: OAuthError(.invalidRequest, "\(app) is \(sentence)", aadsts: number))
  }
  if registration?.isConverged == false {
    return result(
      "organizations or a tenant", ![.common, .consumers].contains(request.tenant),
      "not supported over the /common or /consumers endpoints. Please use the /organizations or tenant-specific "
        + "endpoint.", .notConverged)
  }
  switch registration?.accounts {
  case .personal:
    return result(
      "consumers", request.tenant == .consumers,
      "configured for use by Microsoft Account users only. Please use the /consumers endpoint to serve this request.",
      .personalAccountsOnly)
  case .organizations:
    return result(
      "any but consumers", request.tenant != .consumers,
      "configured for use by Azure Active Directory users only. Please do not use the /consumers endpoint to serve this "
        + "request.", .organizationsOnly)
  case nil: return result("any", true, "", .notConverged)
  }
}

private func checkClientServesTenant(_ request: AuthorizationRequest) -> RuleResult {
  let registration = request.registration
  let isMultiTenant = registration?.isMultiTenant ?? false
  let name = registration?.displayName ?? request.clientID
  if case .policy = request.tenant, !isMultiTenant {
    return RuleResult(
      "app serves user flows", expected: "accounts in any identity provider", found: "accounts of one tenant",
      false, source: "Microsoft Learn, \"Register a web application in Azure Active Directory B2C\"",
      remedy: Remedy(.registration, request.clientID, "isMultiTenant=yes"),
      else: .clientNotOfB2C(request.clientID))
  }
  guard let tenant = request.tenant.tenant else {
    return RuleResult(
      "app serves tenant", expected: "a named tenant, unless multi-tenant", found: request.tenant.segment,
      isMultiTenant, source: "Entra",
      else: OAuthError(
        .invalidRequest,
        "Application '\(name)' is not configured as a multi-tenant application. "
          + "Use a tenant-specific endpoint.",
        aadsts: .notMultiTenant))
  }
  let home = registration?.homeTenantID
  return RuleResult(
    "app serves tenant", expected: isMultiTenant ? "any" : home ?? "any", found: tenant.id,
    isMultiTenant || home == nil || home == tenant.id, source: "Entra",
    else: OAuthError(
      .unauthorizedClient,
      notInDirectory("Application with identifier '\(request.clientID)'", tenant.displayName),
      aadsts: .clientNotFound))
}

private func notInDirectory(_ application: String, _ directory: String) -> String {
  "\(application) was not found in the directory '\(directory)'. This can happen if the application has not been "
    + "installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your "
    + "authentication request to the wrong tenant."
}

/// Checks that the redirect URI is absolute.
///
/// Entra does so before it looks for the client (microsoftgraph/aspnet-security-api-sample#45).
private func checkRedirectURIForm(_ request: AuthorizationRequest) -> RuleResult {
  let uri = request.redirectURI
  return RuleResult(
    "redirect URI absolute", expected: "a URI with its scheme", found: uri.isEmpty ? "none" : uri,
    uri.isEmpty || isAbsoluteURI(uri) || request.tenant.policy != nil, source: "Entra",
    else: OAuthError(
      .invalidRequest, "'redirect_uri' value must be a valid absolute URI.", aadsts: .redirectURINotAbsolute))
}

extension OAuthError {
  /// The answer of a user flow to an app that is not registered for user flows.
  fileprivate static func clientNotOfB2C(_ clientID: String) -> OAuthError {
    var error = OAuthError(
      .unauthorizedClient,
      "The provided application with ID '\(clientID)' is not valid against this service. Please use an application "
        + "created via the B2C portal and try again.")
    error.b2c = B2CCode.clientNotOfB2C.number
    return error
  }
}

/// Returns the error of a registration without a redirect URI, or `nil` if it has one; user flows of B2C compare only.
private func redirectURIProblem(_ request: AuthorizationRequest, _ registered: [String]) -> OAuthError? {
  guard request.tenant.policy == nil, registered.isEmpty else { return nil }
  return request.redirectURI.isEmpty
    ? OAuthError(.invalidRequest, "No reply address provided.", aadsts: .redirectURINotSent)
    : OAuthError(
      .invalidRequest, "No reply address is registered for the application.",
      aadsts: .noRedirectURIRegistered)
}

private func checkRedirectURI(_ request: AuthorizationRequest) -> RuleResult {
  let registered = request.registration?.allRedirectURIs ?? []
  let problem = redirectURIProblem(request, registered)
  return RuleResult(
    "redirect URI registered",
    expected: registered.joined(separator: " or "),
    found: request.redirectURI.isEmpty ? "none" : request.redirectURI,
    isRegistered(request.redirectURI, in: registered), source: "RFC 6749 §3.1.2.4, claim C3",
    remedy: Remedy(.registration, request.clientID, "redirectURIs+=\(request.redirectURI)"),
    else: problem ?? .redirectURINotRegistered(.invalidRequest, request.redirectURI, of: request.clientID))
}

extension OAuthError {
  /// Returns the error for a redirect URI that the client does not have.
  static func redirectURINotRegistered(
    _ code: OAuthErrorCode, _ uri: String, of clientID: String
  ) -> OAuthError {
    OAuthError(
      code,
      "The redirect URI '\(uri)' specified in the request does not match the redirect URIs configured for the "
        + "application '\(clientID)'.", aadsts: .redirectURINotRegistered)
  }
}

/// Checks the code challenge method.
///
/// Entra recommends PKCE to all clients but requires it only of single-page applications (Microsoft Learn,
/// "Microsoft identity platform and OAuth 2.0 authorization code flow"). It also accepts `plain`.
private func checkCodeChallengeMethod(_ request: AuthorizationRequest) -> RuleResult {
  RuleResult(
    "code challenge method", expected: "S256 or plain", found: request.codeChallengeMethod,
    ["S256", "plain"].contains(request.codeChallengeMethod) || request.codeChallenge == nil,
    source: "RFC 7636 §4.3",
    else: OAuthError(
      .invalidRequest,
      "Invalid Code_Challenge_method parameter: '\(request.codeChallengeMethod)' is not S256 or plain.",
      aadsts: .codeChallengeMethod))
}

private func checkCodeChallengeSize(_ request: AuthorizationRequest) -> RuleResult {
  let challenge = request.codeChallenge ?? ""
  return RuleResult(
    "code challenge size", expected: "43 to 128 characters", found: "\(challenge.utf8.count)",
    request.codeChallenge == nil
      || (request.codeChallengeMethod == "plain"
        ? ProofKey.isVerifier(challenge) : Base64URL.decode(challenge)?.count == 32),
    source: "RFC 7636 §4.1, §4.2",
    else: OAuthError(
      .invalidRequest, "Invalid size of Code_Challenge parameter.", aadsts: .codeChallengeSize))
}

private func checkPrompt(_ request: AuthorizationRequest) -> RuleResult {
  RuleResult(
    "prompt", expected: "none, login, select_account, consent or create", found: request.prompt ?? "absent",
    [nil, "none", "login", "select_account", "consent", "create"].contains(request.prompt),
    source: "OpenID Connect Core §3.1.2.1",
    else: OAuthError(
      .invalidRequest, "The prompt value '\(request.prompt ?? "")' is not supported.",
      aadsts: .parameterInvalid))
}

private func checkMaxAge(_ request: AuthorizationRequest) -> RuleResult {
  RuleResult(
    "max age", expected: "a number of seconds", found: request.maxAge ?? "absent",
    request.maxAge.map { Int($0) ?? -1 >= 0 } ?? true, source: "OpenID Connect Core §3.1.2.1",
    else: OAuthError(
      .invalidRequest, "The max_age '\(request.maxAge ?? "")' is not a number of seconds.",
      aadsts: .parameterInvalid))
}

/// Returns whether a redirect URI begins with a scheme (RFC 3986 §4.3).
func isAbsoluteURI(_ uri: String) -> Bool {
  guard let colon = uri.firstIndex(of: ":"), let first = uri.first, first.isASCII, first.isLetter else {
    return false
  }
  return uri[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
}

/// Returns whether a redirect URI is registered.
///
/// Compares exactly, except that a loopback URI may have any port (RFC 8252 §7.3).
func isRegistered(_ redirectURI: String, in registered: [String]) -> Bool {
  if runsScript(redirectURI) { return false }
  return registered.contains { candidate in
    if candidate == redirectURI { return true }
    guard let sent = URLParts(redirectURI), let known = URLParts(candidate), sent.scheme == "http",
      isLoopback(sent.host), sent.host == known.host, known.scheme == "http"
    else { return false }
    return sent.path == known.path && sent.query == known.query && sent.fragment == nil
  }
}

/// Returns whether a browser would execute the URI as a script instead of navigating to it.
///
/// Browsers ignore white space and control characters in a scheme (URL Standard §4.4).
package func runsScript(_ redirectURI: String) -> Bool {
  let plain = String(redirectURI.unicodeScalars.filter { $0.value > 0x20 }).lowercased()
  return ["javascript:", "data:", "vbscript:"].contains { plain.hasPrefix($0) }
}

/// Returns whether a page may load the URI in a frame to notify an app of a sign-out: https, or http on a
/// loopback host.
package func isFrontChannelLogout(_ uri: String) -> Bool {
  guard let parts = URLParts(uri), !parts.authority.isEmpty else { return false }
  return parts.scheme == "https" || parts.scheme == "http" && isLoopback(parts.host)
}

/// Returns a URL with `fields` added to its query.
func appending(_ fields: [NameValue], to url: String) -> String {
  guard !fields.isEmpty else { return url }
  return url + (url.contains("?") ? "&" : "?") + FormEncoding.encode(fields)
}
