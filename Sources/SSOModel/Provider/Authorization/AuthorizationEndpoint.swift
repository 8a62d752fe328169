import SSOCore
import SSOReference

/// `GET /{tenant}/oauth2/v2.0/authorize` (RFC 6749 §3.1).
///
/// It validates the request and prompts only if necessary.
struct AuthorizationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let http = context.request
    let request = try AuthorizationRequest(http, tenant: tenant, directory: provider.directory)
    let registration: ClientRegistration
    do { registration = try requireRedirect(of: request, &context) } catch let error as OAuthError {
      return context.errorPage(error)
    }
    var flow = SignInFlow(request, of: http, now: provider.now)
    flow.enrollmentID = http.field("microsoft_enrollment_id")
    let response = AuthorizationResponse(provider: provider, flow: flow)
    if let refusal = provider.authorizationRefusal { return try response.withError(refusal, &context) }
    do {
      let version = checkVersionOne(at: tenant, isVersionOne: request.isVersionOne)
      try context.require([version, checkPublicClientOfUserFlow(request)].compactMap(\.self))
      try context.require(AuthorizationRequest.rules, of: request)
      flow.claims = try RequestedClaims(request.claims)
      try requireScopes(of: request, for: registration, &context)
    } catch let error as OAuthError {
      return try refuse(error, request, response, &context)
    }
    flow.requirement = provider.requirement
    let id = Base64URL.encode(provider.random.bytes(16))
    let session = try provider.sessions.session(of: context.cookies)
    if request.prompt == "none", let sessionID = request.sessionID, tenant.asksForConsent {
      let own = try provider.sessions.id(of: context.cookies)
      // A session from a broker's cookie does not have an ID.
      if session == nil || own != nil {
        let result = checkSession(sessionID, is: session == nil ? nil : own)
        do throws(OAuthError) { try context.require(result) } catch {
          return try response.withError(error, &context)
        }
      }
    }
    let matching = try accounts(of: session, at: tenant, for: request)
    let known = try matching.filter {
      try session?.knows($0, maxAge: provider.maximumAge(of: $0, for: flow), at: provider.now) ?? false
    }
    if let session, known.count == 1 { flow.authenticatedAt = session.authenticated(known[0]) }
    let signIn = OngoingSignIn(provider: provider, id: id, flow: flow)
    switch request.prompt {
    case "none":
      var silent = SilentAuthorization(
        signIn: signIn, registration: registration, signedIn: session?.usernames.count ?? 0, known: known)
      silent.isTooOldForPolicy =
        known.isEmpty
        && matching.contains { session?.knows($0, maxAge: flow.maxAge, at: provider.now) == true }
      return try silent.respond(&context)
    case "login", "select_account", "create": break
    default:
      if flow.requirement != .mfa, let done = try signIn.proceed(asOnly: known, at: tenant, &context) {
        return done
      }
    }
    return try ask(signIn, request, &context)
  }

  /// Requires that the response may be sent to the redirect URI, and returns the app.
  ///
  /// - Throws: The `OAuthError` of a page, if it may not.
  func requireRedirect(
    of request: AuthorizationRequest, _ context: inout RequestContext
  ) throws -> ClientRegistration {
    try BrowserCredential(provider: provider).verify(&context)
    try context.require(AuthorizationRequest.rulesBeforeRedirect, of: request)
    guard let registration = request.registration else {
      throw checkClientIsKnown(request.clientAtAuthority).refusal
    }
    return registration
  }

  /// Responds with an error at the redirect URI, or on a page if Entra does.
  func refuse(
    _ error: OAuthError, _ request: AuthorizationRequest, _ response: AuthorizationResponse,
    _ context: inout RequestContext
  ) throws -> ProviderResponse {
    showsOnPage(error, request) ? context.errorPage(error) : try response.withError(error, &context)
  }

  /// Returns whether Entra shows an error on its own page although the redirect URI is registered.
  ///
  /// This was seen with requests that Entra cannot read: scopes (vgrem/office365-rest-python-client#751,
  /// AzureAD/microsoft-authentication-library-for-js#1718 and #523), a missing parameter (skilion/onedrive#542), a repeated
  /// one (AzureAD/microsoft-authentication-library-for-js#555), and a value of `prompt` (screenpipe/screenpipe#4257,
  /// AzureAD/azure-activedirectory-library-for-js#678). A request that forbids a page gets the response itself.
  private func showsOnPage(_ error: OAuthError, _ request: AuthorizationRequest) -> Bool {
    let numbers: [AADSTSCode] = [
      .scopeInvalid, .severalResourcesOfToken, .clientAssertionAudience, .bodyParameterMissing,
      .parameterRepeated,
      .parameterInvalid, .promptInvalid,
    ]
    return request.prompt != "none" && request.tenant != .consumers && request.tenant.policy == nil
      && !request.tenant.isFederation
      && numbers.contains { $0.number == error.aadsts }
  }

  /// Requires that the scopes can be requested, both together and for each resource.
  func requireScopes(
    of request: AuthorizationRequest, for registration: ClientRegistration, _ context: inout RequestContext
  ) throws {
    let http = context.request
    func scopeRequest(_ scopes: RequestedScopes) throws -> ScopeRequest {
      var found = try ScopeRequest(
        scopes, for: registration, at: request.tenant, in: provider.directory, of: http)
      found.isForFrontChannel = request.responseType?.hasAccessToken ?? false
      return found
    }
    let whole = try scopeRequest(request.scopes)
    let namesScopes = !request.isVersionOne && !request.tenant.isFederation && request.tenant != .consumers
    if namesScopes, request.responseType?.hasAccessToken == true, !provider.isGeneric {
      try context.require(checkNamesResource(whole))
    }
    guard whole.mayNameSeveralResources else { return try context.require(whole.rules, of: whole) }
    try context.require(ScopeRequest.rulesOfForm, of: whole)
    for scopes in request.scopes.byResource {
      let part = try scopeRequest(scopes)
      try context.require(part.rulesOfResource, of: part)
    }
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

  /// Returns the accounts of the browser session that match the request's hints, and that the authority is for: accounts of the
  /// other kind do not count (Microsoft Learn, "Microsoft identity platform and OAuth 2.0 authorization code flow":
  /// login_required).
  private func accounts(
    of session: SSOSession?, at tenant: AuthorityTenant, for request: AuthorizationRequest
  ) throws -> [String] {
    guard let session else { return [] }
    let keys = try request.idTokenHint.map { _ in try provider.keys.published() } ?? []
    let hint = request.idTokenHint.map { (try? JSONWebToken(verifying: $0, keys: keys))?.claims ?? [:] }
    return try session.usernames.filter { name in
      if tenant == .consumers || tenant == .organizations,
        let person = try provider.directory.person(username: name),
        person.isPersonal != (tenant == .consumers)
      {
        return false
      }
      if let hint, !(try isPerson(name, of: hint)) { return false }
      if let hint = request.loginHint?.lowercased(), hint != name { return false }
      if let domain = request.domainHint?.lowercased(), !name.hasSuffix("@" + domain) {
        let isPersonal = try provider.directory.person(username: name)?.isPersonal ?? false
        return domain == (isPersonal ? "consumers" : "organizations")
      }
      return true
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

/// A parsed request to the authorization endpoint.
///
/// It is not validated yet.
struct AuthorizationRequest {
  var tenant: AuthorityTenant
  var clientID: String
  var registration: ClientRegistration?
  var redirectURI: String
  /// The response type as the client sent it.
  var responseTypeText: String
  /// The response type, or `nil` if it is unknown.
  var responseType: ResponseType?
  /// The response mode (default: `query` for a code, `fragment` for tokens; OAuth 2.0 Multiple Response Types
  /// §3, §5).
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var loginHint: String?
  /// `sid` of an earlier ID token, for `prompt=none`.
  var sessionID: String?
  /// An earlier ID token of the expected user (OpenID Connect Core §3.1.2.1).
  var idTokenHint: String?
  var codeChallenge: String?
  /// The code challenge method, or `plain` if the request does not specify one (RFC 7636 §4.3).
  var codeChallengeMethod: String
  /// Whether the request has a code challenge method.
  var namesChallengeMethod: Bool
  /// Whether the API of version 1 is the default, because the request does not name one.
  var isResourceDefault: Bool
  var domainHint: String?
  /// The maximum number of seconds since the last sign-in, as the client sent it.
  var maxAge: String?
  var claims: String?
  var wantsClientInfo: Bool
  /// Whether the request uses ADAL's endpoint, which never requires PKCE.
  var isVersionOne: Bool
  /// The size of all fields in bytes.
  ///
  /// They end up in redirects, pages and tokens.
  var size: Int
  /// The first field that was sent twice, or `nil` if each is sent once.
  var repeated: String?
  /// The first field of a request to a user flow that contains markup, as ASP.NET recognises it, or `nil`.
  var fieldWithMarkup: String?
  /// A request object, which would replace the other fields and is not supported (OpenID Connect Core §6).
  var requestObject: String?

  init(_ request: HTTPRequest, tenant: AuthorityTenant, directory: Directory) throws {
    self.tenant = tenant
    clientID = request.field("client_id") ?? ""
    registration = try directory.registration(
      clientID: clientID, at: URLParts(request.origin)?.authority ?? "")
    // Without the parameter, Entra takes any that is registered (Microsoft Learn, "OpenID Connect on the Microsoft identity
    // platform": `redirect_uri`): here the first one.
    let usual = tenant.policy == nil && !tenant.isFederation ? registration?.allRedirectURIs.first : nil
    redirectURI = request.field("redirect_uri") ?? usual ?? ""
    responseTypeText = request.field("response_type") ?? ""
    responseType = ResponseType(text: responseTypeText)
    responseMode = request.field("response_mode") ?? (responseType ?? .code).usualMode
    scopes = request.scopesOfSignIn
    state = request.field("state")
    nonce = request.field("nonce")
    prompt = request.field("prompt")
    loginHint = try request.field("login_hint").map(directory.username(ofHint:))
    sessionID = request.field("sid")
    idTokenHint = request.field("id_token_hint")
    codeChallenge = request.field("code_challenge")
    codeChallengeMethod = request.field("code_challenge_method") ?? "plain"
    namesChallengeMethod = request.field("code_challenge_method")?.isEmpty == false
    isResourceDefault = (request.field("resource") ?? "").isEmpty
    domainHint = request.field("domain_hint")
    maxAge = request.field("max_age")
    claims = request.field("claims")
    wantsClientInfo = request.field("client_info") == "1"
    isVersionOne = request.isVersionOne
    size = request.sizeOfFields
    repeated = request.repeatedField
    fieldWithMarkup = (request.query + request.form).first { Self.hasMarkup($0.value) }?.name
    requestObject = ["request", "request_uri"].first { request.field($0) != nil }
  }

  private static func hasMarkup(_ text: String) -> Bool {
    zip(text.unicodeScalars, text.unicodeScalars.dropFirst()).contains { sign, next in
      sign == "<" && (next.isASCII && next.properties.isAlphabetic || "!/?".unicodeScalars.contains(next))
        || sign == "&" && next == "#"
    }
  }

  /// The code challenge as method S256 computes it.
  ///
  /// A plain challenge is the verifier itself (RFC 7636 §4.2).
  var hashedChallenge: String? {
    codeChallengeMethod == "plain"
      ? codeChallenge.map { ProofKey(verifier: $0).challenge } : codeChallenge
  }
}

extension HTTPRequest {
  /// The `resource` of a version 2.0 request (RFC 8707), which must match the scopes, or `nil` if there is
  /// nothing to compare.
  var resourceBesideScopes: String? { isVersionOne ? nil : field("resource") }

  /// The size of all fields in bytes.
  var sizeOfFields: Int { (query + form).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

  /// The scopes of a request that starts a sign-in.
  ///
  /// In version 1 the default is Azure AD Graph.
  var scopesOfSignIn: RequestedScopes {
    let scopes = requestedScopes
    guard scopes.isEmpty, isVersionOne, !AuthorityPath(self).isFederation else { return scopes }
    return RequestedScopes(ProtectedResource.legacyGraphAppID + "/.default openid profile offline_access")
  }

  /// The requested scopes: `scope`, or in version 1 `resource` as
  /// `resource/.default openid profile offline_access`.
  package var requestedScopes: RequestedScopes {
    guard isVersionOne else { return RequestedScopes(field("scope") ?? "") }
    // AD FS reads both parameters.
    let scope = AuthorityPath(self).isFederation ? field("scope") ?? "" : ""
    guard let resource = field("resource"), !resource.isEmpty else { return RequestedScopes(scope) }
    let bare = resource.hasSuffix("/") ? String(resource.dropLast()) : resource
    return RequestedScopes(
      ["openid", ""].contains(scope) ? bare + "/.default openid profile offline_access" : scope)
  }
}

private func checkSession(_ named: String, is own: String?) -> RuleResult {
  RuleResult(
    "session of sid", expected: named, found: own ?? "no session", own == named, source: "Entra",
    else: OAuthError(
      .interactionRequired, "Application requested a user session which does not exist.",
      aadsts: .sessionNotFound))
}

/// `prompt=none`: responds with a code, or with an error that states the missing step (OpenID Connect Core
/// §3.1.2.6).
struct SilentAuthorization {
  let signIn: OngoingSignIn
  let registration: ClientRegistration
  /// The number of accounts that are signed in to the browser.
  let signedIn: Int
  /// The signed-in accounts that may satisfy the request.
  let known: [String]
  /// Whether an account would satisfy the request if no policy limited the age of its sign-in.
  var isTooOldForPolicy = false

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let provider = signIn.provider
    let tenant = try AuthorityTenant(signIn.flow.authoritySegment, in: provider.directory)
    let person = try known.first.flatMap { try provider.directory.person(username: $0) }
    let belongs = try person.map {
      try checkPersonBelongs($0, to: tenant, for: registration, in: provider.directory)
    }
    let missing = try person.map {
      try provider.consents.missing(
        signIn.flow.scopes, of: $0, at: tenant, tenantID: tenant.issuingTenantID(for: $0) ?? $0.homeTenantID,
        for: registration)
    }
    let requirement = try provider.requirement.map {
      $0.silentResult(accessing: try provider.directory.resourceID(of: signIn.flow.scopes))
    }
    let admitted: DirectoryUser
    do throws(OAuthError) {
      try context.require(
        [checkBrowserSession()] + (isTooOldForPolicy ? [checkSignInAge] : []) + [checkOneAccount()])
      guard let person, let belongs else {
        throw OAuthError(
          .interactionRequired, "The signed-in account cannot be used here.", aadsts: .accountNotInTenant)
      }
      // Only the number is documented for a request without a page.
      do throws(OAuthError) { try context.require(checkEnabled(person)) } catch {
        throw OAuthError(.interactionRequired, error.reason, aadsts: .accountDisabled)
      }
      // Without a page, Entra has its own number for this (Microsoft Learn, "Microsoft Entra authentication and
      // authorization error codes": AADSTS16000, InteractionRequired).
      if belongs.check.verdict == .failed {
        throw OAuthError(.interactionRequired, belongs.refusal.reason, aadsts: .severalSessions)
      }
      if let requirement { try context.require(requirement) }
      try context.require(checkConsent(missing ?? [], code: .consentRequired, registration))
      admitted = person
    } catch {
      return try signIn.response.withError(error, &context)
    }
    try provider.sessions.use(context.cookies)
    return try signIn.proceed(as: admitted, cookies: [], &context)
  }

  private func checkBrowserSession() -> RuleResult {
    RuleResult(
      "browser session", expected: "an account signed in", found: "\(signedIn)",
      !known.isEmpty || isTooOldForPolicy,
      source: "OpenID Connect Core §3.1.2.6",
      else: OAuthError(
        .loginRequired, "A silent sign-in request was sent but no user is signed in.", aadsts: .noSession))
  }

  private var checkSignInAge: RuleResult {
    RuleResult(
      "age of the session", expected: "as the policies allow", found: "older", false,
      source: "Entra, sign-in frequency",
      else: OAuthError(
        .interactionRequired,
        "The session has expired or is invalid due to sign-in frequency checks by conditional access.",
        aadsts: .sessionTooOld))
  }

  private func checkOneAccount() -> RuleResult {
    RuleResult(
      "one account", expected: "1", found: "\(known.count)", known.count == 1,
      source: "OpenID Connect Core §3.1.2.6",
      else: OAuthError(
        .interactionRequired,
        "Either multiple user identities are available for the current request or selected account is not supported for "
          + "the scenario.", aadsts: .severalSessions))
  }
}
