import SSOCore

extension Provider {
  /// `GET /{tenant}/oauth2/v2.0/authorize`: judges the request, then asks the person no more than it has to.
  func authorize(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    let request = try AuthorizationRequest(exchange.request, tenant: tenant, directory: directory)
    do {
      try exchange.checks.require(AuthorizationRequest.rulesBeforeRedirect, of: request)
    } catch {
      return errorPage(error, &exchange)
    }
    guard let registration = request.registration else { return ProviderResponse(HTTPResponse(400)) }
    var flow = SignInFlow(request, now: now, correlationID: exchange.correlationID)
    flow.enrollmentID = exchange.request.field("microsoft_enrollment_id")
    flow.isEmbedded = exchange.request.field("haschrome") == "1"
    if let refusal { return try redirect(flow, refusing: refusal, &exchange) }
    do {
      try exchange.checks.require(AuthorizationRequest.rules, of: request)
      flow.claims = try RequestedClaims(request.claims)
      try exchange.checks.require(
        ScopeRequest.rules, of: ScopeRequest(scopes: request.scopes, registration: registration))
    } catch {
      return try redirect(flow, refusing: error, &exchange)
    }
    flow.requirement = requirement
    let id = Base64URL.encode(chance.bytes(16))
    let session = try sessions.session(of: exchange.cookies)
    let known = try accounts(of: session, for: request, flow)
    if let session, known.count == 1 { flow.authenticatedAt = session.authenticated(known[0]) }
    switch request.prompt {
    case "none":
      let count = session?.usernames.count ?? 0
      return try continueSilently(id, flow, known: known, count: count, registration, &exchange)
    case "login", "select_account", "create":
      break
    default:
      if known.count == 1, flow.requirement != .mfa, let person = try directory.person(username: known[0]) {
        try sessions.use(exchange.cookies)
        return try admit(person, id, flow, cookies: [], &exchange)
      }
    }
    let hinted = try request.loginHint.flatMap { try directory.person(username: $0)?.username }
    flow.username = request.prompt == "select_account" ? nil : hinted
    try flows.save(flow, id: id)
    if let hinted = flow.username, let person = try directory.person(username: hinted),
      let answer = try signInByCertificate(person, id, flow, tenant, &exchange)
    {
      return answer
    }
    return try signInPage(
      id, flow, username: request.loginHint ?? "", asks: flow.username == nil ? .username : .password,
      &exchange)
  }

  /// The accounts of the browser's session that this request may go on with: those of the hints, signed in no
  /// longer ago than asked.
  private func accounts(
    of session: SSOSession?, for request: AuthorizationRequest, _ flow: SignInFlow
  ) throws -> [String] {
    guard let session else { return [] }
    return try session.usernames.filter { name in
      if let hint = request.loginHint?.lowercased(), hint != name { return false }
      if let domain = request.domainHint?.lowercased(), !name.hasSuffix("@" + domain) {
        let isPersonal = try directory.person(username: name)?.isPersonal ?? false
        guard domain == (isPersonal ? "consumers" : "organizations") else { return false }
      }
      return session.knows(name, maxAge: flow.maxAge, at: now)
    }
  }

  /// `prompt=none`: a code, or an error that says what is missing (OpenID Connect Core §3.1.2.6).
  private func continueSilently(
    _ id: String, _ flow: SignInFlow, known: [String], count: Int,
    _ registration: ClientRegistration, _ exchange: inout Exchange
  ) throws -> ProviderResponse {
    do {
      try exchange.checks.require(
        Finding(
          "browser session", expected: "somebody signed in", found: "\(count)", !known.isEmpty,
          source: "OpenID Connect Core §3.1.2.6",
          else: OAuthError(
            .loginRequired, "Session information is not sufficient for single sign-on.", aadsts: 50058)))
      try exchange.checks.require(
        Finding(
          "one account", expected: "1", found: "\(known.count)", known.count == 1,
          source: "OpenID Connect Core §3.1.2.6",
          else: OAuthError(
            .interactionRequired, "Several accounts are signed in: one has to be chosen.", aadsts: 16000)))
      let person = try directory.person(username: known[0])
      let tenant = try AuthorityTenant(flow.authoritySegment, in: directory)
      guard let person, !person.isDisabled, let tenantID = tenant.issuingTenantID(for: person) else {
        throw OAuthError(.interactionRequired, "The signed-in account cannot be used here.", aadsts: 50020)
      }
      if let requirement { try exchange.checks.require(requirement.silentFinding) }
      let missing =
        try tenant.asksForConsent
        ? consents.missing(flow.scopes, of: person, tenantID: tenantID, for: registration) : []
      try exchange.checks.require(checkConsent(missing, code: .consentRequired, registration))
      try sessions.use(exchange.cookies)
      return try admit(person, id, flow, cookies: [], &exchange)
    } catch let error as OAuthError {
      return try redirect(flow, refusing: error, &exchange)
    }
  }
}

/// The person must have agreed to every scope asked.
func checkConsent(
  _ missing: [String], code: OAuthError.Code, _ registration: ClientRegistration
) -> Finding {
  Finding(
    "consent", expected: "granted", found: missing.isEmpty ? "granted" : missing.joined(separator: " "),
    missing.isEmpty, source: "Entra",
    else: OAuthError(
      code, "The user has not consented to use '\(registration.displayName)' with these scopes.",
      aadsts: 65001, suberror: "consent_required"))
}
