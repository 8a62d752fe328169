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
  /// Of a browser app: when its refresh tokens end.
  var singlePageEnd: Instant?
  /// `sid`: the browser's session that the sign-in was made in.
  var sessionID: String?
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

  /// The grant that a request names; nil: none that is known.
  package init?(_ request: HTTPRequest) {
    let name = request.form["grant_type"] ?? ""
    // ADAL's device code grant has a short name (ADAL Python, `adal/constants.py`).
    if name == "device_code", request.isVersionOne {
      self = .deviceCode
    } else {
      self.init(rawValue: name)
    }
  }

  /// The fields that may hold what is redeemed, the one to name first; none where the client or a person is enough.
  private var credentialFields: [String] {
    switch self {
    case .authorizationCode: ["code"]
    case .refreshToken: ["refresh_token"]
    case .primaryRefreshToken: ["assertion", "prt"]
    case .deviceCode: ["device_code", "code"]
    case .clientCredentials, .password: []
    }
  }

  /// The field to name if none that may hold what is redeemed was sent; nil if one was.
  func missingCredential(in form: [NameValue]) -> String? {
    credentialFields.allSatisfy { form[$0] ?? "" == "" } ? credentialFields.first : nil
  }
}

/// `POST /{tenant}/oauth2/v2.0/token` (RFC 6749 §3.2), and `/{tenant}/oauth2/token`, version 1.
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
