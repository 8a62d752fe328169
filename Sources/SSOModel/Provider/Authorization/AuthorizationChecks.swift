import SSOCore
import SSOReference

/// The rules of the authorization endpoint, in the order they are applied.
extension AuthorizationRequest {
  /// The rules whose violation shows an error page, because the redirect URI cannot be trusted yet.
  static var rulesBeforeRedirect: [(AuthorizationRequest) -> RuleResult] {
    [
      { checkSize($0.size) }, { checkTenantExists($0.tenant) }, checkInput, checkRedirectURIForm,
    ] + ClientAtAuthority.rules.map { rule in { rule($0.clientAtAuthority) } }
      + [checkRedirectURI, checkRedirectURIIsSecure]
  }

  /// The client, as the authority of the request knows it.
  var clientAtAuthority: ClientAtAuthority {
    ClientAtAuthority(registration: registration, clientID: clientID, tenant: tenant)
  }

  /// The rules whose violation is returned to the app as `error=…`.
  static var rules: [(AuthorizationRequest) -> RuleResult] {
    [
      { checkNothingIsRepeated($0.repeated) }, checkRequestObject, checkResponseType, checkTypeIsEnabled,
      checkResponseMode, checkModeOfTokens, checkNonce, checkAccountIsNamedOnce, checkCodeChallengeIsSent,
      checkCodeChallengeMethod,
      checkCodeChallengeSize, checkPrompt, checkMaxAge, checkResourceIsSent,
    ]
  }
}

/// The maximum size of all fields, in bytes.
///
/// The header limit already bounds a GET, but not a POST.
private let maximumSize = 16_384

/// Checks the size of a request whose fields end up in a redirect.
func checkSize(_ size: Int) -> RuleResult {
  RuleResult(
    "request size", expected: "at most \(maximumSize) bytes", found: "\(size)",
    size <= maximumSize, source: "Entra, with SSOTerm's limit",
    else: OAuthError(
      .invalidRequest,
      "The query string is too long: \(size) bytes, at most \(maximumSize) are read.",
      aadsts: .requestTooLong))
}

/// Checks that no parameter contains markup (Microsoft Learn, "Error codes: Azure Active Directory B2C";
/// Chainlit/chainlit#442 and microsoftgraph/powershell-intune-samples#264 for Entra).
private func checkInput(_ request: AuthorizationRequest) -> RuleResult {
  let field = request.fieldWithMarkup
  let isOfUserFlow = request.tenant.policy != nil
  return RuleResult(
    "no markup in the parameters", expected: "neither a tag nor &#", found: field ?? "none",
    field == nil, source: isOfUserFlow ? "Azure AD B2C" : "Entra",
    failure: "a parameter of the request has markup",
    else: isOfUserFlow
      ? OAuthError(
        .invalidRequest, .inputUnsafe,
        "Input for '\(field ?? "")' received in the request has failed HTTP request validation. Ensure that the input does "
          + "not contain characters such as < or &.")
      : OAuthError(.invalidRequest, "Invalid input received from the user.", aadsts: .inputInvalid))
}

/// The refusal of a version 1 request at `consumers`, or `nil` for any other request.
///
/// The authorization endpoint returns it to the app (AlteredSecurity/365-Stealer#1, ydogandjiev/taskmeow#62).
func checkVersionOne(at tenant: AuthorityTenant, isVersionOne: Bool) -> RuleResult? {
  guard isVersionOne, tenant == .consumers else { return nil }
  return RuleResult(
    "version for personal accounts", expected: "2.0", found: "version 1", false,
    source: "Microsoft Learn, \"Microsoft Entra authentication and authorization error codes\"",
    else: OAuthError(
      .invalidRequest,
      "We are unable to issue tokens from this API version on the MSA tenant. Please contact the application vendor as "
        + "they need to use version 2.0 of the protocol to support this.",
      aadsts: .versionWithoutPersonalAccounts))
}

/// The result for a personal account that signs in with a version 1 request at an authority of all accounts, or `nil`
/// (mguessan/davmail#180, DominicMaas/TimelineExtension#109).
func checkVersionOne(issuedBy tenantID: String, isVersionOne: Bool) -> RuleResult? {
  guard isVersionOne, tenantID == Tenant.personalID else { return nil }
  return RuleResult(
    "version for a personal account", expected: "2.0", found: "version 1", false, source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "We are unable to issue tokens from this API version for a Microsoft account. Please contact the application "
        + "vendor as they need to use version 2.0 of the protocol to support this.",
      aadsts: .versionWithoutPersonalAccount))
}

/// Checks that no parameter is sent twice (RFC 6749 §3.1, §3.2).
///
/// If the redirect URI is registered, the error goes to the first of two.
func checkNothingIsRepeated(_ name: String?) -> RuleResult {
  RuleResult(
    "no parameter twice", expected: "each once", found: name ?? "each once", name == nil,
    source: "RFC 6749 §3.1",
    failure: "a parameter occurs twice",
    else: OAuthError(
      .invalidRequest,
      "The request is not properly formatted. The parameter '\(name ?? "")' is duplicated.",
      aadsts: .parameterRepeated))
}

/// The refusal of a public client by a user flow, or `nil` if the user flow serves it or the authority is another.
///
/// The registration needs "Allow public client flows"; the switch counts as set if it was never changed
/// (MicrosoftDocs/azure-docs#80744, dotnet/aspnetcore#27917).
func checkPublicClientOfUserFlow(_ request: AuthorizationRequest) -> RuleResult? {
  guard request.tenant.policy != nil, request.registration?.isConfidential == false,
    request.registration?.allowsPublicClient == false
  else { return nil }
  return RuleResult(
    "user flow serves public client", expected: "public client flows are allowed", found: "not allowed",
    false, source: "Azure AD B2C",
    remedy: Remedy(.registration, request.clientID, "allowsPublicClient=yes"),
    failure: "the user flow does not serve public clients",
    else: OAuthError(
      .unauthorizedClient, .publicClientNotAllowed,
      "The provided application is not configured to allow public clients."))
}

private func checkRequestObject(_ request: AuthorizationRequest) -> RuleResult {
  let name = request.requestObject
  return RuleResult(
    "no request object", expected: "none", found: name ?? "none", name == nil,
    source: "OpenID Connect Core §3.1.2.6",
    failure: "there is a request object",
    else: OAuthError(
      name == "request" ? .requestNotSupported : .requestURINotSupported,
      "The parameter '\(name ?? "")' is not supported: send its fields one by one."))
}

/// Checks that the redirect URI is absolute.
///
/// Entra does so before it looks for the client (microsoftgraph/aspnet-security-api-sample#45).
private func checkRedirectURIForm(_ request: AuthorizationRequest) -> RuleResult {
  let uri = request.redirectURI
  return RuleResult(
    "redirect URI absolute", expected: "a URI with its scheme", found: uri.isEmpty ? "none" : uri,
    uri.isEmpty || isAbsoluteURI(uri) || request.tenant.policy != nil, source: "Entra",
    failure: "the redirect URI is not absolute",
    else: OAuthError(
      .invalidRequest, "'redirect_uri' value must be a valid absolute URI.", aadsts: .redirectURINotAbsolute))
}

/// Returns the error of a registration without a redirect URI, or `nil` if it has one.
private func redirectURIProblem(_ request: AuthorizationRequest, _ registered: [String]) -> OAuthError? {
  guard registered.isEmpty else { return nil }
  if request.tenant.policy != nil {
    return OAuthError(
      .invalidRequest, .noRedirectURIRegistered,
      "The application associated with client id '\(request.clientID)' has no registered redirect URIs.")
  }
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
    request.tenant.policy == nil
      ? isRegistered(request.redirectURI, in: registered)
      // User flows compare the port of this machine, too (MicrosoftDocs/azure-docs#72695).
      : !runsScript(request.redirectURI) && registered.contains(request.redirectURI),
    source: "RFC 6749 §3.1.2.4, claim C3",
    remedy: Remedy(.registration, request.clientID, "redirectURIs+=\(request.redirectURI)"),
    failure: "the redirect URI is not registered",
    else: problem ?? .redirectURINotRegistered(.invalidRequest, request.redirectURI, of: request.clientID))
}

/// Checks that the redirect URI, though registered, does not send the answer to another machine in the clear
/// (praetorian-inc/oauthseeker).
private func checkRedirectURIIsSecure(_ request: AuthorizationRequest) -> RuleResult {
  let parts = request.tenant.asksForConsent ? URLParts(request.redirectURI) : nil
  let isInClear = parts.map { $0.scheme == "http" && !isLoopback($0.host) } ?? false
  return RuleResult(
    "redirect URI secure", expected: "https, or http on this machine", found: request.redirectURI, !isInClear,
    source: "Entra",
    failure: "the redirect URI is not secure",
    else: OAuthError(
      .invalidRequest, "The reply uri specified in the request isn't using a secure scheme.",
      aadsts: .redirectURINotSecure))
}

extension OAuthError {
  /// Returns the error for a redirect URI that the client does not have.
  static func redirectURINotRegistered(
    _ code: OAuthErrorCode, _ uri: String, of clientID: String
  ) -> OAuthError {
    OAuthError(
      code,
      "The redirect URI '\(uri)' specified in the request does not match the redirect URIs configured for the "
        + "application '\(clientID)'. Make sure the redirect URI sent in the request matches one added to your "
        + "application in the Azure portal. Navigate to https://aka.ms/redirectUriMismatchError to learn more about how "
        + "to troubleshoot this error.", aadsts: .redirectURINotRegistered)
  }
}

/// Checks that an access token of version 1 at the authorization endpoint is for a named API
/// (MicrosoftDocs/azure-docs#67544, xamarin/Xamarin.Auth#407).
private func checkResourceIsSent(_ request: AuthorizationRequest) -> RuleResult {
  let needsResource = request.isVersionOne && request.responseType?.hasAccessToken == true
  let isMissing = needsResource && !request.tenant.isFederation && request.isResourceDefault
  return RuleResult(
    "resource of the access token", expected: needsResource ? "resource" : "any",
    found: request.isResourceDefault ? "none" : "sent", !isMissing, source: "Entra",
    else: OAuthError(
      .invalidResource, "Resource identifier is not provided.", aadsts: .resourceNotNamed))
}

/// Checks that a request that names a method has a challenge (Microsoft Learn, "Microsoft identity platform and OAuth
/// 2.0 authorization code flow": `code_challenge`).
///
/// Otherwise, a client with a mistake would continue without PKCE.
private func checkCodeChallengeIsSent(_ request: AuthorizationRequest) -> RuleResult {
  let isMissing = request.namesChallengeMethod && request.codeChallenge == nil
  return RuleResult(
    "code challenge of the method", expected: request.namesChallengeMethod ? "code_challenge" : "any",
    found: request.codeChallenge == nil ? "none" : "sent", !isMissing, source: "Entra",
    else: OAuthError(
      .invalidRequest, "Missing code_challenge parameter.", aadsts: .codeChallengeMissing))
}

/// Checks that the request names the account in one way only.
private func checkAccountIsNamedOnce(_ request: AuthorizationRequest) -> RuleResult {
  let isAmbiguous =
    request.sessionID != nil && request.loginHint?.isEmpty == false && request.tenant.asksForConsent
  return RuleResult(
    "sid without a login_hint", expected: "sid or login_hint", found: isAmbiguous ? "both" : "at most one",
    !isAmbiguous, source: "Entra",
    else: OAuthError(
      .invalidRequest, "Invalid ambiguous request. sid cannot be used with login_hint.",
      aadsts: .accountNamedTwice))
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

/// Checks `prompt`, for which version 2.0 has its own number if it is that of version 1's administrators
/// (AzureAD/passport-azure-ad#524).
private func checkPrompt(_ request: AuthorizationRequest) -> RuleResult {
  let isOfVersionOne = request.prompt == "admin_consent" && request.tenant.asksForConsent
  let known =
    ["none", "login", "select_account", "consent", "create"] + (request.isVersionOne ? ["admin_consent"] : [])
  return RuleResult(
    "prompt", expected: known.joined(separator: ", "), found: request.prompt ?? "absent",
    request.prompt.map(known.contains) ?? true,
    source: "OpenID Connect Core §3.1.2.1",
    else: isOfVersionOne
      ? OAuthError(
        .invalidRequest, "Invalid request. The prompt request parameter value 'admin_consent' is invalid.",
        aadsts: .promptInvalid)
      : OAuthError(.invalidRequest, "Unsupported 'prompt' value.", aadsts: .parameterInvalid))
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
/// Compares exactly, except that a loopback URI may have any port (RFC 8252 §7.3). A registration at Entra cannot have the
/// IPv6 loopback address (Microsoft Learn, "Redirect URI (reply URL) best practices and limitations";
/// MicrosoftDocs/azure-docs#34193).
func isRegistered(_ redirectURI: String, in registered: [String]) -> Bool {
  if runsScript(redirectURI) || URLParts(redirectURI)?.host == Loopback.ipv6.inURL { return false }
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
