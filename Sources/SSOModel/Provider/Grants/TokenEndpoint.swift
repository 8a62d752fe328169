/// A request to the token endpoint with a known client and directory.
struct TokenRequest {
  var http: HTTPRequest
  var tenant: AuthorityTenant
  var client: ClientRegistration
  /// `azpacr`: the kind of client authentication.
  var authenticationClass: String
  /// The requested scopes.
  ///
  /// Empty if the request has none.
  var scopes: RequestedScopes
  var claims: RequestedClaims
  /// The grant that the tokens belong to, or `nil` if this request starts a new one.
  var grantID: String?
  /// The time of the sign-in, if the ID token must contain it.
  var authenticatedAt: Instant?
  /// The expiration of the refresh tokens of a single-page app.
  var singlePageEnd: Instant?
  /// `sid`: the browser session of the sign-in.
  var sessionID: String?
}

/// The grants of the token endpoint.
package enum GrantType: String, CaseIterable {
  case authorizationCode = "authorization_code"
  case refreshToken = "refresh_token"
  /// A primary refresh token in the field `prt`, a simplified form of the signed request; with `assertion`,
  /// on behalf of its user.
  case primaryRefreshToken = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  case clientCredentials = "client_credentials"
  case password

  /// Creates the grant of a request, or returns `nil` if it is unknown.
  package init?(_ request: HTTPRequest) {
    let name = request.form["grant_type"] ?? ""
    // ADAL's device code grant has a shorter name (ADAL Python, `adal/constants.py`).
    if name == "device_code", request.isVersionOne {
      self = .deviceCode
    } else {
      self.init(rawValue: name)
    }
  }

  /// The fields that may contain the credential, the preferred name first.
  ///
  /// Empty if the grant redeems nothing.
  private var credentialFields: [String] {
    switch self {
    case .authorizationCode: ["code"]
    case .refreshToken: ["refresh_token"]
    case .primaryRefreshToken: ["assertion", "prt"]
    case .deviceCode: ["device_code", "code"]
    case .clientCredentials, .password: []
    }
  }

  /// Returns the preferred field name if the credential is missing, or `nil` if it was sent.
  func missingCredential(in form: [NameValue]) -> String? {
    credentialFields.allSatisfy { form[$0] ?? "" == "" } ? credentialFields.first : nil
  }
}

/// `POST /{tenant}/oauth2/v2.0/token` (RFC 6749 §3.2), and `/{tenant}/oauth2/token` for version 1.
struct TokenEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let http = context.request
    let name = http.form["grant_type"]
    if name == ChallengeNonces.grantType {
      return try ChallengeNonces(documents: provider.documents, now: provider.now).response(provider.random)
    }
    let grant = try context.require(GrantType(http), checkGrantType(name, GrantType(http)))
    let client = try ClientAuthentication(provider: provider).authenticate(tenant, &context)
    if let field = grant.missingCredential(in: http.form) { try context.require(checkPresent(field, nil)) }
    let request = TokenRequest(
      http: http, tenant: tenant, client: client.registration,
      authenticationClass: client.authenticationClass, scopes: http.requestedScopes,
      claims: try RequestedClaims(http.form["claims"]))
    return ProviderResponse(try redeem(grant, request, &context).response())
  }

  private func redeem(
    _ grant: GrantType, _ request: TokenRequest, _ context: inout RequestContext
  ) throws -> TokenResponse {
    if ![.authorizationCode, .refreshToken].contains(grant) {
      try context.require(RedeemingOrigin.rules, of: RedeemingOrigin(request))
    }
    return switch grant {
    case .authorizationCode: try AuthorizationCodeGrant(provider: provider).redeem(request, &context)
    case .refreshToken: try RefreshTokenGrant(provider: provider).redeem(request, &context)
    case .primaryRefreshToken where request.http.form["prt"] == nil:
      try OnBehalfOfGrant(provider: provider).redeem(request, &context)
    case .primaryRefreshToken: try PrimaryRefreshTokenGrant(provider: provider).redeem(request, &context)
    case .deviceCode: try DeviceCodeGrant(provider: provider).redeem(request, &context)
    case .clientCredentials: try ClientCredentialsGrant(provider: provider).redeem(request, &context)
    case .password: try PasswordGrant(provider: provider).redeem(request, &context)
    }
  }
}

private func checkGrantType(_ name: String?, _ grant: GrantType?) -> RuleResult {
  let known = GrantType.allCases.map(\.rawValue)
  guard let name, !name.isEmpty else {
    return RuleResult(
      "grant type", expected: known.joined(separator: ", "), found: "none", false, source: "RFC 6749 §5.2",
      else: OAuthError(
        .invalidRequest, "The request body must contain the following parameter: 'grant_type'.",
        aadsts: .bodyParameterMissing))
  }
  return RuleResult(
    "grant type", expected: known.joined(separator: ", "), found: name, grant != nil,
    source: "RFC 6749 §5.2",
    else: OAuthError(
      .unsupportedGrantType, "The app requested an unsupported grant type '\(name)'.",
      aadsts: .grantTypeUnsupported))
}
