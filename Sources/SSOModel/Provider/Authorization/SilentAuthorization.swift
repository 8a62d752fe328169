/// `prompt=none`: responds with a code, or with an error that states the missing step (OpenID Connect Core
/// §3.1.2.6).
struct SilentAuthorization {
  let signIn: OngoingSignIn
  let registration: ClientRegistration
  /// The number of accounts that are signed in to the browser.
  let signedIn: Int
  /// The signed-in accounts that may satisfy the request.
  let known: [String]

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let provider = signIn.provider
    let tenant = try AuthorityTenant(signIn.flow.authoritySegment, in: provider.directory)
    let person = try known.first.flatMap { try provider.directory.person(username: $0) }
    let missing = try person.map {
      try provider.consents.missing(
        signIn.flow.scopes, of: $0, at: tenant, tenantID: tenant.issuingTenantID(for: $0) ?? $0.homeTenantID,
        for: registration)
    }
    let admitted: Person
    do throws(OAuthError) {
      try context.require([checkBrowserSession(), checkOneAccount()])
      guard let person, !person.isDisabled, tenant.issuingTenantID(for: person) != nil else {
        throw OAuthError(
          .interactionRequired, "The signed-in account cannot be used here.", aadsts: .accountNotInTenant)
      }
      if let requirement = provider.requirement { try context.require(requirement.silentResult) }
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
      "browser session", expected: "an account signed in", found: "\(signedIn)", !known.isEmpty,
      source: "OpenID Connect Core §3.1.2.6",
      else: OAuthError(
        .loginRequired, "Session information is not sufficient for single sign-on.", aadsts: .noSession))
  }

  private func checkOneAccount() -> RuleResult {
    RuleResult(
      "one account", expected: "1", found: "\(known.count)", known.count == 1,
      source: "OpenID Connect Core §3.1.2.6",
      else: OAuthError(
        .interactionRequired, "Several accounts are signed in: one has to be chosen.",
        aadsts: .severalSessions))
  }
}
