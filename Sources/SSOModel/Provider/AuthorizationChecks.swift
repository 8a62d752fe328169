import SSOCore

/// The rules of the authorization endpoint, in the order they are applied.
extension AuthorizationRequest {
  /// A request that breaks one of these is never redirected: the person sees an error page.
  static var rulesBeforeRedirect: [(AuthorizationRequest) -> Finding] {
    [
      checkSize, { checkTenantExists($0.tenant) }, checkClientIsKnown, checkClientServesTenant,
      checkRedirectURI,
    ]
  }

  /// A request that breaks one of these goes back to the app with `error=…`.
  static var rules: [(AuthorizationRequest) -> Finding] {
    [
      { checkNothingIsRepeated($0.repeated) }, checkRequestObject, checkResponseType, checkResponseMode,
      checkCodeChallenge, checkCodeChallengeMethod,
      checkCodeChallengeSize, checkPrompt, checkMaxAge,
    ]
  }
}

/// Bytes of all fields. A GET is bounded by its header anyway, a POST would not be.
private let maximumSize = 16_384

private func checkSize(_ request: AuthorizationRequest) -> Finding {
  Finding(
    "request size", expected: "at most \(maximumSize) bytes", found: "\(request.size)",
    request.size <= maximumSize, source: "Entra, the limit is ours",
    else: OAuthError(
      .invalidRequest,
      "The query string is too long: \(request.size) bytes, at most \(maximumSize) are read.",
      aadsts: 90015))
}

/// RFC 6749 §3.1, §3.2. The first of two is the one that is told, if its redirect URI is registered.
func checkNothingIsRepeated(_ name: String?) -> Finding {
  Finding(
    "no parameter twice", expected: "each once", found: name ?? "each once", name == nil,
    source: "RFC 6749 §3.1",
    else: OAuthError(
      .invalidRequest,
      "The request is not properly formatted. The parameter '\(name ?? "")' is duplicated.",
      aadsts: 9_000_411))
}

private func checkRequestObject(_ request: AuthorizationRequest) -> Finding {
  let name = request.requestObject
  return Finding(
    "no request object", expected: "none", found: name ?? "none", name == nil,
    source: "OpenID Connect Core §3.1.2.6",
    else: OAuthError(
      name == "request" ? .requestNotSupported : .requestURINotSupported,
      "The parameter '\(name ?? "")' is not supported: send its fields one by one."))
}

private func checkClientIsKnown(_ request: AuthorizationRequest) -> Finding {
  checkClientIsKnown(request.registration, clientID: request.clientID, tenant: request.tenant)
}

func checkClientIsKnown(
  _ registration: ClientRegistration?, clientID: String, tenant: AuthorityTenant
) -> Finding {
  guard !clientID.isEmpty else { return checkPresent("client_id", nil) }
  return Finding(
    "client registered", expected: "a registered client ID", found: clientID, registration != nil,
    source: "RFC 6749 §4.1.2.1",
    else: OAuthError(
      .unauthorizedClient,
      "Application with identifier '\(clientID)' was not found in the directory '\(tenant.displayName)'.",
      aadsts: 700016))
}

private func checkClientServesTenant(_ request: AuthorizationRequest) -> Finding {
  let registration = request.registration
  let isMultiTenant = registration?.isMultiTenant ?? false
  let name = registration?.displayName ?? request.clientID
  guard let tenant = request.tenant.tenant else {
    return Finding(
      "app serves tenant", expected: "a named tenant, unless multi-tenant", found: request.tenant.segment,
      isMultiTenant, source: "Entra",
      else: OAuthError(
        .invalidRequest,
        "Application '\(name)' is not configured as a multi-tenant application. "
          + "Use a tenant-specific endpoint.",
        aadsts: 50194))
  }
  let home = registration?.homeTenantID
  return Finding(
    "app serves tenant", expected: isMultiTenant ? "any" : home ?? "any", found: tenant.id,
    isMultiTenant || home == nil || home == tenant.id, source: "Entra",
    else: OAuthError(
      .unauthorizedClient,
      "Application '\(name)' was not found in the directory '\(tenant.displayName)'.", aadsts: 700016))
}

private func checkRedirectURI(_ request: AuthorizationRequest) -> Finding {
  let registered = request.registration?.redirectURIs ?? []
  return Finding(
    "redirect URI registered", expected: registered.joined(separator: " or "),
    found: request.redirectURI.isEmpty ? "none" : request.redirectURI,
    isRegistered(request.redirectURI, in: registered), source: "RFC 6749 §3.1.2.4, claim C3",
    else: OAuthError(
      .invalidRequest,
      "The redirect URI '\(request.redirectURI)' specified in the request does not match the redirect URIs "
        + "configured for the application '\(request.clientID)'.",
      aadsts: 50011))
}

private func checkResponseType(_ request: AuthorizationRequest) -> Finding {
  guard !request.responseType.isEmpty else { return checkPresent("response_type", nil) }
  return Finding(
    "response type", expected: "code", found: request.responseType, request.responseType == "code",
    source: "RFC 6749 §3.1.1",
    else: OAuthError(
      .unsupportedResponseType, "The response type '\(request.responseType)' is not enabled for this app.",
      aadsts: 700051))
}

private func checkResponseMode(_ request: AuthorizationRequest) -> Finding {
  Finding(
    "response mode", expected: "query, fragment or form_post", found: request.responseMode,
    ["query", "fragment", "form_post"].contains(request.responseMode), source: "Entra",
    else: OAuthError(
      .invalidRequest, "The response mode '\(request.responseMode)' is not supported.", aadsts: 9_002_313))
}

private func checkCodeChallenge(_ request: AuthorizationRequest) -> Finding {
  let exemption =
    request.registration?.isConfidential ?? false
    ? "any: the client is confidential" : request.isVersionOne ? "any: version 1 of the endpoint" : nil
  return Finding(
    "code challenge present", expected: exemption ?? "code_challenge",
    found: request.codeChallenge ?? "none", request.codeChallenge != nil || exemption != nil,
    source: "RFC 7636 §4.4.1",
    else: OAuthError(
      .invalidRequest, "The code challenge parameter is missing: a public client must use PKCE.",
      aadsts: 50147))
}

private func checkCodeChallengeMethod(_ request: AuthorizationRequest) -> Finding {
  Finding(
    "code challenge method", expected: "S256", found: request.codeChallengeMethod,
    request.codeChallengeMethod == "S256" || request.codeChallenge == nil,
    source: "RFC 7636 §4.2, RFC 9700 §2.1.1",
    else: OAuthError(
      .invalidRequest,
      "The code challenge method '\(request.codeChallengeMethod)' is not supported: use S256.",
      aadsts: 9_002_313))
}

private func checkCodeChallengeSize(_ request: AuthorizationRequest) -> Finding {
  let challenge = request.codeChallenge ?? ""
  return Finding(
    "code challenge size", expected: "43 characters of base64url", found: "\(challenge.utf8.count)",
    Base64URL.decode(challenge)?.count == 32 || request.codeChallenge == nil, source: "RFC 7636 §4.2",
    else: OAuthError(.invalidRequest, "The size of the code challenge is not valid.", aadsts: 501491))
}

private func checkPrompt(_ request: AuthorizationRequest) -> Finding {
  Finding(
    "prompt", expected: "none, login, select_account, consent or create", found: request.prompt ?? "absent",
    [nil, "none", "login", "select_account", "consent", "create"].contains(request.prompt),
    source: "OpenID Connect Core §3.1.2.1",
    else: OAuthError(
      .invalidRequest, "The prompt value '\(request.prompt ?? "")' is not supported.", aadsts: 90023))
}

private func checkMaxAge(_ request: AuthorizationRequest) -> Finding {
  Finding(
    "max age", expected: "a number of seconds", found: request.maxAge ?? "absent",
    request.maxAge.map { Int($0) ?? -1 >= 0 } ?? true, source: "OpenID Connect Core §3.1.2.1",
    else: OAuthError(
      .invalidRequest, "The max_age '\(request.maxAge ?? "")' is no number of seconds.", aadsts: 90023))
}
