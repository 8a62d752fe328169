/// The tokens that the authorization endpoint itself issues (OpenID Connect Core §3.2.2.5, §3.3.2.5).
///
/// The sign-in has already checked the user, scopes, policies and consent. A refresh token is never included.
struct FrontChannelTokens {
  let provider: ProviderResources
  let flow: SignInFlow
  let person: Person
  let situation: AccessSituation
  let sessionID: String?

  /// Returns the fields of the response, in Entra's order.
  func fields(
    for client: ClientRegistration, code: String?, _ context: RequestContext
  ) throws -> [NameValue] {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: provider.directory)
    let tenantID = tenant.issuingTenantID(for: person) ?? person.homeTenantID
    let claims = try flow.claims ?? RequestedClaims(nil)
    let request = TokenRequest(
      http: context.request, tenant: tenant, client: client, authenticationClass: "0", scopes: flow.scopes,
      claims: claims)
    let scopeRequest = try ScopeRequest(flow.scopes, for: client, at: tenant, in: provider.directory)
    guard let target = scopeRequest.resource else { throw checkResourceIsKnown(scopeRequest).refusal }
    try provider.noteTokens(for: client.clientID, of: person, tenantID: tenantID)
    let asksTime = flow.maxAge != nil || claims.asksAuthTime
    var issue = TokenIssueRequest(
      person: person, tenantID: tenantID, client: client, authenticationClass: "0", scopes: flow.scopes,
      nonce: flow.nonce, deviceID: situation.deviceID, claims: claims, grantID: nil,
      authenticatedAt: asksTime ? flow.authenticatedAt : nil, wantsClientInfo: false, situation: situation,
      sessionID: sessionID, target: target, isVersionOne: flow.isVersionOne ?? false)
    issue.isInAddress = flow.responseMode != "form_post"
    var issuer = TokenIssuer(provider, for: request)
    issuer.now = try provider.issueTime(for: person, tenantID: tenantID, clientID: client.clientID)
    return try issuer.issueAtAuthorization(issue, flow.responseType ?? .code, code: code)
  }
}

extension TokenIssuer {
  fileprivate func issueAtAuthorization(
    _ request: TokenIssueRequest, _ type: ResponseType, code: String?
  ) throws -> [NameValue] {
    var fields: [NameValue] = []
    var hashes: [String: JSONValue] = [:]
    hashes["c_hash"] = code.map { .string(leftHash(of: $0)) }
    if type.hasAccessToken {
      let token = try signed(accessClaims(request))
      hashes["at_hash"] = .string(leftHash(of: token))
      fields += [
        NameValue("access_token", token), NameValue("token_type", "Bearer"),
        NameValue("expires_in", String(request.lifetime)),
        NameValue("scope", request.scopes.granted(declining: request.client.declinedScopes)),
      ]
    }
    if type.hasIDToken {
      var claims = request.isVersionOne ? idClaimsOfVersionOne(request) : idClaims(request)
      try addMemberships(&claims, request, toAppOf: request.client.clientID)
      fields.append(NameValue("id_token", try signed(claims.merging(hashes) { $1 })))
    }
    return fields
  }
}

/// Returns the left half of the SHA-256 in base64url, which an RS256 ID token contains for an accompanying
/// code or token (OpenID Connect Core §3.3.2.11).
private func leftHash(of text: String) -> String { Base64URL.encode(sha256(text.utf8).prefix(16)) }
