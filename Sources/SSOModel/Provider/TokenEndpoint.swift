import SSOCore

/// A request to the token endpoint whose client and directory are known.
struct TokenRequest {
  var http: HTTPRequest
  var tenant: AuthorityTenant
  var client: ClientRegistration
  /// `azpacr`: how the client proved itself.
  var authenticationClass: String
  /// Scopes asked; empty if none were.
  var scopes: RequestedScopes
  var claims: RequestedClaims
  /// The sign-in that the tokens come of; nil: this request.
  var grantID: String?
  /// When the person signed in, if the ID token is to say so.
  var authenticatedAt: Instant?
}

/// The grants that the token endpoint knows.
package enum GrantType: String, CaseIterable {
  case authorizationCode = "authorization_code"
  case refreshToken = "refresh_token"
  /// With the field `prt` a primary refresh token, the signed request simplified; with `assertion` on behalf of
  /// its person.
  case primaryRefreshToken = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  case clientCredentials = "client_credentials"
  case password

  /// The fields that may hold what is redeemed, the one to name first; none where the client or a person is enough.
  fileprivate var credentialFields: [String] {
    switch self {
    case .authorizationCode: ["code"]
    case .refreshToken: ["refresh_token"]
    case .primaryRefreshToken: ["assertion", "prt"]
    case .deviceCode: ["device_code", "code"]
    case .clientCredentials, .password: []
    }
  }
}

extension Provider {
  /// `POST /{tenant}/oauth2/v2.0/token` (RFC 6749 §3.2), and `/{tenant}/oauth2/token`, version 1.
  func token(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    let http = exchange.request
    try exchange.checks.require(checkGrantType(http.form["grant_type"]))
    let client = try authenticateClient(tenant, &exchange)
    guard let grant = http.form["grant_type"].flatMap(GrantType.init(rawValue:))
    else { return ProviderResponse(HTTPResponse(400)) }
    if let name = grant.credentialFields.first,
      grant.credentialFields.allSatisfy({ http.form[$0] ?? "" == "" })
    {
      try exchange.checks.require(checkPresent(name, nil))
    }
    let request = TokenRequest(
      http: http, tenant: tenant, client: client.registration,
      authenticationClass: client.authenticationClass, scopes: http.requestedScopes,
      claims: try RequestedClaims(http.form["claims"]))
    let response =
      switch grant {
      case .authorizationCode: try redeemCode(request, &exchange)
      case .refreshToken: try redeemRefreshToken(request, &exchange)
      case .primaryRefreshToken where http.form["prt"] == nil: try redeemOnBehalfOf(request, &exchange)
      case .primaryRefreshToken: try redeemPrimaryRefreshToken(request, &exchange)
      case .deviceCode: try redeemDeviceCode(request, &exchange)
      case .clientCredentials: try redeemClientCredentials(request, &exchange)
      case .password: try redeemPassword(request, &exchange)
      }
    return ProviderResponse(response.response())
  }

  /// Judges person, directory, scopes and consent, and then issues: what every grant ends with.
  func issue(
    _ request: TokenRequest, username: String, scopes: RequestedScopes, nonce: String? = nil,
    deviceID: String?, situation: AccessSituation = AccessSituation(), _ exchange: inout Exchange
  ) throws -> (response: TokenResponse, person: Person) {
    let found = try directory.person(username: username)
    try exchange.checks.require(
      Finding(
        "account exists", expected: "an account", found: found == nil ? "deleted" : username, found != nil,
        source: "fact sheet 4.1",
        else: OAuthError(
          .invalidGrant, "The user account '\(username)' does not exist any more.", aadsts: 50034,
          suberror: "user_account_deleted")))
    guard let person = found else { throw OAuthError(.invalidGrant, "No such account.", aadsts: 50034) }
    try exchange.checks.require(checkEnabled(person))
    try exchange.checks.require(checkPersonBelongs(person, to: request.tenant))
    try exchange.checks.require(
      ScopeRequest.rules, of: ScopeRequest(scopes: scopes, registration: request.client))
    if let requirement { try exchange.checks.require(requirement.finding) }
    let tenantID = request.tenant.issuingTenantID(for: person) ?? person.homeTenantID
    for finding in try policyFindings(person, tenantID: tenantID, request.client, situation) {
      try exchange.checks.require(finding)
    }
    let missing =
      try request.tenant.asksForConsent
      ? consents.missing(scopes, of: person, tenantID: tenantID, for: request.client) : []
    try exchange.checks.require(checkConsent(missing, code: .invalidGrant, request.client))
    let order = TokenOrder(
      person: person, tenantID: tenantID, client: request.client,
      authenticationClass: request.authenticationClass, scopes: scopes, nonce: nonce, deviceID: deviceID,
      claims: request.claims, grantID: request.grantID,
      authenticatedAt: request.authenticatedAt, wantsClientInfo: request.http.form["client_info"] == "1",
      situation: situation, resource: request.http.resource(of: scopes))
    var issuer = tokenIssuer(request.http)
    issuer.policy = request.tenant.policy
    issuer.isFederation = request.tenant.isFederation
    return (try issuer.issue(order), person)
  }

  func tokenIssuer(_ http: HTTPRequest) -> TokenIssuer {
    TokenIssuer(
      issuerOrigin: issuerOrigin(http), now: now, chance: chance, keys: keys, refreshTokens: refreshTokens,
      flaw: tokenFlaw)
  }
}

private func checkGrantType(_ name: String?) -> Finding {
  let known = GrantType.allCases.map(\.rawValue)
  guard let name, !name.isEmpty else {
    return Finding(
      "grant type", expected: known.joined(separator: ", "), found: "none", false, source: "RFC 6749 §5.2",
      else: OAuthError(
        .invalidRequest, "The request body must contain the following parameter: 'grant_type'.",
        aadsts: 900144))
  }
  return Finding(
    "grant type", expected: known.joined(separator: ", "), found: name, known.contains(name),
    source: "RFC 6749 §5.2",
    else: OAuthError(
      .unsupportedGrantType, "The app requested an unsupported grant type '\(name)'.", aadsts: 70003))
}
