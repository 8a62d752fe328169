/// `POST /{tenant}/consent`: the user's response to the consent page.
///
/// The fields are `flow`, and `accept` or `cancel`.
struct ConsentEndpoint {
  let provider: ProviderResources

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let signIn = try provider.signIn(of: &context)
    let flow = signIn.flow
    let username = flow.username ?? ""
    let tenant = try AuthorityTenant(flow.authoritySegment, in: provider.directory)
    guard flow.isSignedIn, let person = try provider.directory.person(username: username),
      let registration = try provider.directory.registration(clientID: flow.clientID),
      let tenantID = tenant.issuingTenantID(for: person)
    else {
      return try signIn.page(username: username, asks: .username, context)
    }
    try signIn.end()
    do throws(OAuthError) { try context.require(checkConsentGiven(context.request.form)) } catch {
      return try signIn.response.withError(error, &context)
    }
    try provider.consents.grant(flow.scopes, of: person, tenantID: tenantID, to: registration)
    let situation = try AccessSituation(of: flow, context, provider)
    return try signIn.response.completed(for: person, situation, cookies: [], context)
  }
}

private func checkConsentGiven(_ form: [NameValue]) -> RuleResult {
  let isAccepted = form["accept"] != nil && form["cancel"] == nil
  return RuleResult(
    "consent given", expected: "accept", found: isAccepted ? "accept" : "cancel", isAccepted,
    source: "RFC 6749 §4.1.2.1",
    else: OAuthError(
      .accessDenied, "The user declined to consent to access the app.", aadsts: .consentDeclined))
}
