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
    do { try BrowserCredential(provider: provider).verify(&context) } catch let error as OAuthError {
      return context.errorPage(error)
    }
    var request = try AuthorizationRequest(context.request, tenant: tenant, directory: provider.directory)
    if request.isVersionOne {
      request.scopes = request.registration?.listedScopes ?? RequestedScopes("")
      // The address that Microsoft Learn shows to administrators has only the client ID.
      if request.redirectURI.isEmpty {
        request.redirectURI = request.registration?.allRedirectURIs.first ?? ""
      }
    }
    do throws(OAuthError) {
      try context.require(AuthorizationRequest.rulesBeforeRedirect, of: request)
    } catch {
      return context.errorPage(error)
    }
    guard let registration = request.registration else {
      return context.errorPage(checkClientIsKnown(request.clientAtAuthority).refusal)
    }
    var flow = SignInFlow(request, now: provider.now)
    flow.isAdminConsent = true
    flow.responseMode = "query"
    flow.prompt = nil
    flow.isEmbedded = context.request.isFromEmbeddedView
    flow.isPlatformKnown = context.request.namesKnownPlatform ? true : nil
    let authorization = AuthorizationEndpoint(provider: provider)
    do {
      try context.require(checkNothingIsRepeated(request.repeated))
      try authorization.requireScopes(of: request, for: registration, &context)
    } catch let error as OAuthError {
      return authorization.showsOnPage(error, request)
        ? context.errorPage(error)
        : try AuthorizationResponse(provider: provider, flow: flow).withError(error, &context)
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
    if known.count == 1, let person = try provider.directory.person(username: known[0]),
      try !signIn.lacksSecondFactor(person, request.tenant, context)
    {
      signIn.flow.authenticatedAt = session?.authenticated(known[0])
      try provider.sessions.use(context.cookies)
      return try signIn.proceed(as: person, cookies: [], &context)
    }
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

/// Checks that the user may consent for the organisation.
///
/// The page is the one of a scope that only an administrator may grant (Microsoft Learn, "Unexpected error when performing
/// consent to an application"): no public source shows the number at this endpoint. A guest is not an administrator here.
func checkIsAdministrator(_ person: DirectoryUser, tenantID: String) -> RuleResult {
  let isAdministrator = person.isAdministrator == true && person.homeTenantID == tenantID
  return RuleResult(
    "administrator", expected: "an administrator of the tenant",
    found: isAdministrator ? "an administrator" : "another person", isAdministrator, source: "Entra",
    remedy: Remedy(.person, person.username, "isAdministrator=yes"), else: .adminConsentRequired)
}

extension OAuthError {
  static var adminConsentRequired: OAuthError {
    OAuthError(.accessDenied, "The grant requires admin permission.", aadsts: .adminConsentRequired)
  }
}
