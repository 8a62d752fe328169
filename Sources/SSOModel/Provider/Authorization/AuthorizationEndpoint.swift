/// `GET /{tenant}/oauth2/v2.0/authorize` (RFC 6749 §3.1).
///
/// It validates the request and prompts only if necessary.
struct AuthorizationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let http = context.request
    do { try BrowserCredential(provider: provider).verify(&context) } catch let error as OAuthError {
      return context.errorPage(error)
    }
    let request = try AuthorizationRequest(http, tenant: tenant, directory: provider.directory)
    do throws(OAuthError) {
      try context.require(AuthorizationRequest.rulesBeforeRedirect, of: request)
    } catch {
      return context.errorPage(error)
    }
    guard let registration = request.registration else {
      return context.errorPage(checkClientIsKnown(request).refusal)
    }
    var flow = SignInFlow(request, now: provider.now)
    flow.enrollmentID = http.field("microsoft_enrollment_id")
    flow.isEmbedded = http.field("haschrome") == "1"
    let response = AuthorizationResponse(provider: provider, flow: flow)
    if let refusal = provider.authorizationRefusal { return try response.withError(refusal, &context) }
    let scopeRequest = try ScopeRequest(
      request.scopes, for: registration, at: tenant, in: provider.directory, named: http.resourceBesideScopes)
    do throws(OAuthError) {
      try context.require(AuthorizationRequest.rules, of: request)
      flow.claims = try RequestedClaims(request.claims)
      try context.require(ScopeRequest.rules, of: scopeRequest)
    } catch {
      return try response.withError(error, &context)
    }
    flow.requirement = provider.requirement
    let id = Base64URL.encode(provider.random.bytes(16))
    let session = try provider.sessions.session(of: context.cookies)
    let known = try accounts(of: session, for: request, flow)
    if let session, known.count == 1 { flow.authenticatedAt = session.authenticated(known[0]) }
    let signIn = OngoingSignIn(provider: provider, id: id, flow: flow)
    switch request.prompt {
    case "none":
      let silent = SilentAuthorization(
        signIn: signIn, registration: registration, signedIn: session?.usernames.count ?? 0, known: known)
      return try silent.respond(&context)
    case "login", "select_account", "create": break
    default:
      if known.count == 1, flow.requirement != .mfa,
        let person = try provider.directory.person(username: known[0]),
        try !signIn.lacksSecondFactor(person, tenant, context)
      {
        try provider.sessions.use(context.cookies)
        return try signIn.proceed(as: person, cookies: [], &context)
      }
    }
    return try ask(signIn, request, &context)
  }

  /// Shows the sign-in page with the hinted account, or signs in with a certificate if a policy requires one.
  private func ask(
    _ signIn: OngoingSignIn, _ request: AuthorizationRequest, _ context: inout RequestContext
  ) throws -> ProviderResponse {
    let hinted = try request.loginHint.flatMap { try provider.directory.person(username: $0) }
    let person = request.prompt == "select_account" ? nil : hinted
    var signIn = signIn
    signIn.flow.username = person?.username
    try signIn.save(&context)
    if let person, let response = try signIn.byCertificate(person, request.tenant, &context) {
      return response
    }
    return try signIn.page(
      username: request.loginHint ?? "", asks: person == nil ? .username : .password, context)
  }

  /// Returns the accounts of the browser session that may satisfy the request: they match its hints and
  /// signed in recently enough.
  private func accounts(
    of session: SSOSession?, for request: AuthorizationRequest, _ flow: SignInFlow
  ) throws -> [String] {
    guard let session else { return [] }
    let keys = try request.idTokenHint.map { _ in try provider.keys.published() } ?? []
    let hint = request.idTokenHint.map { (try? JSONWebToken(verifying: $0, keys: keys))?.claims ?? [:] }
    return try session.usernames.filter { name in
      if let hint, !(try isPerson(name, of: hint)) { return false }
      if let hint = request.loginHint?.lowercased(), hint != name { return false }
      if let domain = request.domainHint?.lowercased(), !name.hasSuffix("@" + domain) {
        let isPersonal = try provider.directory.person(username: name)?.isPersonal ?? false
        guard domain == (isPersonal ? "consumers" : "organizations") else { return false }
      }
      return session.knows(name, maxAge: flow.maxAge, at: provider.now)
    }
  }

  /// Returns whether an ID token is for the account.
  private func isPerson(_ username: String, of claims: [String: JSONValue]) throws -> Bool {
    guard let person = try provider.directory.person(username: username),
      let objectID = person.objectID(in: claims["tid"]?.string ?? "")
    else { return false }
    return claims["sub"]?.string
      == TokenIssuer.subject(objectID, claims["aud"]?.string ?? "")
  }
}
