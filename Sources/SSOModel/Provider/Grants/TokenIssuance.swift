/// The last stage of every grant for a user: checks user, tenant, scopes, policies, and consent, and issues
/// tokens.
struct TokenIssuance {
  let provider: ProviderResources
  var request: TokenRequest
  /// The user of the sign-in, from the grant's record.
  var username: String
  var scopes: RequestedScopes
  var nonce: String?
  var deviceID: String?
  var situation = AccessSituation()

  /// Issues the tokens.
  ///
  /// - Returns: The response, and the user for additions that a grant makes to the response.
  func issue(_ context: inout RequestContext) throws -> (response: TokenResponse, person: Person) {
    let found = try provider.directory.person(username: username)
    let person = try context.require(found, checkAccountExists(found, username))
    let tenantID = request.tenant.issuingTenantID(for: person) ?? person.homeTenantID
    let scopeRequest = try ScopeRequest(
      scopes, for: request.client, at: request.tenant, in: provider.directory,
      named: request.http.resourceBesideScopes)
    try context.require(try rules(scopeRequest, for: person, tenantID: tenantID))
    guard var target = scopeRequest.resource else { throw checkResourceIsKnown(scopeRequest).refusal }
    // Version 1 returns the resource as the client sent it, with or without a trailing slash.
    if request.http.isVersionOne { target.identifier = request.http.form["resource"] ?? target.identifier }
    try provider.noteTokens(for: request.client.clientID, of: person, tenantID: tenantID)
    let issue = TokenIssueRequest(
      person: person, tenantID: tenantID, client: request.client,
      authenticationClass: request.authenticationClass, scopes: scopes, nonce: nonce, deviceID: deviceID,
      claims: request.claims, grantID: request.grantID,
      authenticatedAt: request.authenticatedAt, wantsClientInfo: request.http.form["client_info"] == "1",
      situation: situation, singlePageEnd: request.singlePageEnd, sessionID: request.sessionID,
      target: target, isVersionOne: request.http.isVersionOne)
    var issuer = TokenIssuer(provider, for: request)
    issuer.now = try provider.issueTime(
      for: person, tenantID: tenantID, clientID: request.client.clientID)
    return (try issuer.issue(issue), person)
  }

  /// Returns the results of the rules in the order in which they apply.
  private func rules(
    _ scopeRequest: ScopeRequest, for person: Person, tenantID: String
  ) throws -> [RuleResult] {
    let missing = try provider.consents.missing(
      scopes, of: person, at: request.tenant, tenantID: tenantID, for: request.client)
    return [checkEnabled(person), checkPersonBelongs(person, to: request.tenant)]
      + ScopeRequest.rules.map { $0(scopeRequest) }
      + [provider.requirement?.result].compactMap(\.self)
      + (try ConditionalAccess(provider: provider).results(
        person, tenantID: tenantID, request.client, situation))
      + [checkConsent(missing, code: .invalidGrant, request.client)]
  }
}

extension ProviderResources {
  /// Records that an external client receives tokens, so that undo does not remove what they depend on.
  func noteTokens(for clientID: String, of person: Person, tenantID: String) throws {
    guard isServed else { return }
    try consents.keepForExternalClient(clientID, of: person, tenantID: tenantID)
    try UnusedClients(documents: documents, now: now).remove(clientID)
  }
}

private func checkAccountExists(_ person: Person?, _ username: String) -> RuleResult {
  RuleResult(
    "account exists", expected: "an account", found: person == nil ? "deleted" : username, person != nil,
    source: "silent-call.md §1",
    else: OAuthError(
      .invalidGrant, "The user account '\(username)' no longer exists.", aadsts: .accountNotFound,
      suberror: .userAccountDeleted))
}
