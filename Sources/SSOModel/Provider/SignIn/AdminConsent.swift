import SSOCore
import SSOReference

/// `GET /{tenant}/adminconsent` and `GET /{tenant}/v2.0/adminconsent`: the sign-in in which an administrator consents for
/// the whole organisation.
///
/// Version 2.0 names the scopes, and version 1 stands for the permissions that the registration lists (Microsoft Learn,
/// "Admin consent on the Microsoft identity platform" and "Grant tenant-wide admin consent to an application").
struct AdminConsentEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let authorization = AuthorizationEndpoint(provider: provider)
    var request = try AuthorizationRequest(context.request, tenant: tenant, directory: provider.directory)
    if request.isVersionOne {
      request.scopes = request.registration?.listedScopes ?? RequestedScopes("")
      // The address that Microsoft Learn shows to administrators has only the client ID.
      if request.redirectURI.isEmpty {
        request.redirectURI = request.registration?.allRedirectURIs.first ?? ""
      }
    }
    let registration: ClientRegistration
    do {
      registration = try authorization.requireRedirect(of: request, &context)
      try context.require(checkConsentHasTenant(request))
    } catch let error as OAuthError {
      return context.errorPage(error)
    }
    var flow = SignInFlow(request, of: context.request, now: provider.now)
    flow.isAdminConsent = true
    flow.responseMode = "query"
    flow.prompt = nil
    do {
      try context.require(checkNothingIsRepeated(request.repeated))
      try authorization.requireScopes(of: request, for: registration, &context)
    } catch let error as OAuthError {
      let response = AuthorizationResponse(provider: provider, flow: flow)
      return try authorization.refuse(error, request, response, &context)
    }
    return try ask(flow, request, &context)
  }

  /// Asks who consents, or continues with the account that is signed in to the browser.
  private func ask(
    _ flow: SignInFlow, _ request: AuthorizationRequest, _ context: inout RequestContext
  ) throws -> ProviderResponse {
    var signIn = OngoingSignIn(
      provider: provider, id: Base64URL.encode(provider.random.bytes(16)), flow: flow)
    let session = try provider.sessions.session(of: context.cookies)
    let known = try session?.usernames.filter { try provider.allows($0, of: session, to: flow) } ?? []
    if let session, known.count == 1 { signIn.flow.authenticatedAt = session.authenticated(known[0]) }
    if let done = try signIn.proceed(asOnly: known, at: request.tenant, &context) { return done }
    try signIn.save(&context)
    return try signIn.page(username: request.loginHint ?? "", asks: .username, context)
  }
}

extension ClientRegistration {
  /// The scopes that stand for the permissions of the registration, which in the portal begin with one of Graph's.
  fileprivate var listedScopes: RequestedScopes {
    let apis = requiredAPIs ?? []
    let names = apis.isEmpty ? [RequestedScopes.graph] : apis
    return RequestedScopes(names.map { $0 + "/.default" }.joined(separator: " "))
  }
}

/// Checks that version 2.0 names a tenant, or leaves it to the account of an organisation (Microsoft Learn, "Admin consent on
/// the Microsoft identity platform": `tenant`; f-bader/EntraID-ErrorCodes: the number and its sentence).
private func checkConsentHasTenant(_ request: AuthorizationRequest) -> RuleResult {
  RuleResult(
    "authority of an administrator", expected: "a tenant, or organizations", found: request.tenant.segment,
    request.isVersionOne || ![.common, .consumers].contains(request.tenant), source: "Entra",
    failure: "an administrator cannot consent at this authority",
    else: OAuthError(
      .invalidRequest,
      "Invalid request. Cannot use /common or /consumers on admin-consent. Please specify the tenant in GUID or friendly "
        + "name format OR generically reference it with /organizations.", aadsts: .adminConsentWithoutTenant))
}

/// Checks that the user may consent for the organisation.
///
/// The page is that of a scope that only an administrator may grant (Microsoft Learn, "Unexpected error when performing
/// consent to an application"): no public source shows the number at this endpoint. A guest is not an administrator here.
func checkIsAdministrator(_ person: DirectoryUser, tenantID: String) -> RuleResult {
  let isAdministrator = person.isAdministrator == true && person.homeTenantID == tenantID
  return RuleResult(
    "administrator", expected: "an administrator of the tenant",
    found: isAdministrator ? "an administrator" : "another user", isAdministrator, source: "Entra",
    remedy: Remedy(.person, person.username, "isAdministrator=yes"), else: .adminConsentRequired)
}

extension OAuthError {
  static var adminConsentRequired: OAuthError {
    OAuthError(.accessDenied, "The grant requires admin permission.", aadsts: .adminConsentRequired)
  }
}
