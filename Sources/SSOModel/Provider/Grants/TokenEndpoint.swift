import SSOCore
import SSOReference

/// A request to the token endpoint with a known client and directory.
struct TokenRequest {
  var http: HTTPRequest
  var tenant: AuthorityTenant
  var client: ClientRegistration
  /// `azpacr`: the kind of client authentication.
  var authenticationClass: String
  /// The requested scopes.
  ///
  /// Empty if the request does not contain any.
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
  /// The redirect URI of the sign-in, if it had one.
  var redirectURI: String?
  /// The key to which the access token is bound, or `nil` for a bearer token.
  var confirmation: Confirmation?
}

/// The key to which an access token is bound (`token_type=pop` and `req_cnf`, the claim `cnf`; RFC 7800 §3.4).
///
/// MSAL sends the base64url encoding of `{"kid":"<thumbprint of the key>"}`.
struct Confirmation: Hashable {
  static let tokenType = "pop"

  var claim: JSONValue

  /// Reads the key from a form, or returns `nil` for a bearer token.
  ///
  /// - Throws: `invalid_request` for another type of token, such as `ssh-cert`, and for a key that cannot be read. The
  ///   client did not ask for a bearer token.
  init?(_ form: [NameValue]) throws(OAuthError) {
    guard let type = form["token_type"], !type.isEmpty, type.lowercased() != "bearer" else { return nil }
    guard type.lowercased() == Self.tokenType else {
      throw OAuthError(
        .invalidRequest, "The token type '\(shortened(type))' is not supported.", aadsts: .parameterInvalid)
    }
    let key = Base64URL.decode(form["req_cnf"] ?? "").flatMap { JSONValue(bounded: $0) }
    guard let key, key["kid"]?.string?.isEmpty == false else {
      throw OAuthError(
        .invalidRequest,
        "The provided confirmation request (req_cnf or pop_jwk) is not properly formatted.",
        aadsts: .confirmationMalformed)
    }
    claim = key
  }
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
    // Microsoft's libraries use a shorter name, in both versions (ADAL Python, `adal/constants.py`; MSAL Go,
    // `apps/internal/oauth/ops/internal/grant`).
    if name == "device_code" {
      self = .deviceCode
    } else {
      self.init(rawValue: name)
    }
  }

  /// Whether an authority has the grant.
  ///
  /// A user flow has neither on-behalf-of (Microsoft Q&A 1523594) nor device codes (MicrosoftDocs/azure-docs#76424), and an
  /// external tenant takes no passwords (Microsoft Learn, "Supported features in workforce and external tenants").
  func isServed(at tenant: AuthorityTenant) -> Bool {
    switch self {
    case .deviceCode, .primaryRefreshToken: tenant.policy == nil
    case .password: tenant.policy != nil || tenant.tenant?.isExternal != true
    case .authorizationCode, .refreshToken, .clientCredentials: true
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
    let served = GrantType(http).flatMap { $0.isServed(at: tenant) ? $0 : nil }
    let grant = try context.require(served, checkGrantType(name, served))
    let isForApp = grant == .clientCredentials
    if isForApp { try context.requireOfClient(checkAppProves(http)) }
    let client = try ClientAuthentication(provider: provider)
      .authenticate(tenant, &context, at: isForApp ? .appToken : .token)
    try context.require(
      [checkVersionOne(at: tenant, isVersionOne: http.isVersionOne)].compactMap(\.self))
    try RequestLimit(documents: provider.documents, now: provider.now).count(client.registration, &context)
    if let field = grant.missingCredential(in: http.form) { try context.require(checkPresent(field, nil)) }
    try context.require(
      [
        http.form["requested_token_type"].flatMap(checkTokenType),
        http.form["fmi_path"].flatMap(checkNoAgent),
      ].compactMap(\.self))
    var request = TokenRequest(
      http: http, tenant: tenant, client: client.registration,
      authenticationClass: client.authenticationClass, scopes: http.requestedScopes,
      claims: try RequestedClaims(http.form["claims"]))
    request.confirmation = try Confirmation(http.form)
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

/// The limit of a client's requests, by which Entra recognises a client in a loop
/// (Microsoft Learn, "Microsoft Entra authentication and authorization error codes": AADSTS50196).
private struct RequestLimit {
  let documents: any DocumentStore
  let now: Instant

  /// The time in seconds that is our choice, as is the number.
  private static let seconds = 300

  func count(_ client: ClientRegistration, _ context: inout RequestContext) throws {
    guard let limit = client.requestLimit else { return }
    let key = "loop/" + sha256Hex(client.clientID.lowercased())
    let times = (try documents.read([Instant].self, .authorizationCode, key) ?? []).filter {
      (0..<Self.seconds).contains($0.seconds(until: now))
    }
    try context.require(
      RuleResult(
        "requests in five minutes", expected: "at most \(limit)", found: "\(times.count + 1)",
        times.count < limit, source: "Entra, with the registration's limit",
        else: OAuthError(
          .invalidGrant,
          "The server terminated an operation because it encountered a client request loop. Please contact your app "
            + "vendor.", aadsts: .clientLoop)))
    try documents.write(times + [now], .authorizationCode, key)
  }
}

/// Checks that a client that names a token type asks for an access token.
///
/// Entra also issues SAML assertions on behalf of a user (Microsoft Learn, "OAuth 2.0 On-Behalf-Of flow"). A JWT in their place
/// would go unnoticed.
private func checkTokenType(_ name: String) -> RuleResult? {
  let known = "urn:ietf:params:oauth:token-type:access_token"
  guard !name.isEmpty else { return nil }
  return RuleResult(
    "requested token type", expected: known, found: name, name == known, source: "Entra",
    else: OAuthError(
      .invalidRequest, "The requested token type '\(shortened(name))' is not supported.",
      aadsts: .parameterInvalid))
}

/// Checks that the token is not for an agent identity, which only a blueprint may ask for (Microsoft Learn, "Agent user
/// impersonation protocol").
private func checkNoAgent(_ path: String) -> RuleResult? {
  guard !path.isEmpty else { return nil }
  return RuleResult(
    "agent identity", expected: "none", found: shortened(path), false, source: "Entra",
    else: OAuthError(
      .invalidRequest, "The parameter 'fmi_path' is not supported.", aadsts: .parameterInvalid))
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
  func issue(_ context: inout RequestContext) throws -> (response: TokenResponse, person: DirectoryUser) {
    let found = try provider.directory.person(username: username)
    let person = try context.require(found, checkAccountExists(found, username, request.tenant))
    let tenantID = request.tenant.issuingTenantID(for: person) ?? person.homeTenantID
    let scopeRequest = try ScopeRequest(
      scopes, for: request.client, at: request.tenant, in: provider.directory,
      of: request.http)
    let results = try rules(scopeRequest, for: person, tenantID: tenantID)
    do throws(OAuthError) { try context.require(results) } catch { throw refusal(error) }
    guard var target = scopeRequest.resource else { throw checkResourceIsKnown(scopeRequest).refusal }
    // Version 1 returns the resource as the client sent it, with or without a trailing slash.
    if request.http.isVersionOne { target.identifier = request.http.form["resource"] ?? target.identifier }
    try provider.noteTokens(for: request.client.clientID, of: person, tenantID: tenantID)
    let consented = try provider.consents.scopes(
      of: person, at: request.tenant, tenantID: tenantID, for: request.client, on: target)
    let issue = TokenIssueRequest(
      person: person, tenantID: tenantID, client: request.client,
      authenticationClass: request.authenticationClass, scopes: scopes, consented: consented, nonce: nonce,
      deviceID: deviceID,
      claims: request.claims, grantID: request.grantID,
      authenticatedAt: request.authenticatedAt, wantsClientInfo: request.http.form["client_info"] == "1",
      situation: situation, singlePageEnd: request.singlePageEnd, sessionID: request.sessionID,
      redirectURI: request.redirectURI,
      confirmation: request.confirmation, target: target, isVersionOne: request.http.isVersionOne)
    var issuer = TokenIssuer(provider, for: request)
    issuer.now = try provider.issueTime(
      for: person, tenantID: tenantID, clientID: request.client.clientID)
    return (try issuer.issue(issue), person)
  }

  /// Returns the error as this version of the endpoint words it.
  ///
  /// A policy is `interaction_required` in version 1 and `invalid_grant` in version 2.0, with the same number and suberror
  /// (docs/behaviour/provider.md §15(1)).
  private func refusal(_ error: OAuthError) -> OAuthError {
    var error = error
    let isOfPolicy = error.aadsts.flatMap { AADSTSCode(number: $0) }.map(AADSTSCode.ofPolicies.contains)
    if isOfPolicy == true, error.code == .interactionRequired, !request.http.isVersionOne {
      error.code = .invalidGrant
    }
    return error
  }

  /// Returns the results of the rules in the order in which they apply.
  private func rules(
    _ scopeRequest: ScopeRequest, for person: DirectoryUser, tenantID: String
  ) throws -> [RuleResult] {
    let missing = try provider.consents.missing(
      scopes, of: person, at: request.tenant, tenantID: tenantID, for: request.client)
    let assignment = try checkAssigned(
      person, to: request.client, tenantID: tenantID, in: provider.directory)
    let belongs = try checkPersonBelongs(
      person, to: request.tenant, for: request.client, in: provider.directory)
    let version = checkVersionOne(issuedBy: tenantID, isVersionOne: request.http.isVersionOne)
    var situation = situation
    if situation.usesDeviceCode != true, request.http.namesKnownPlatform { situation.isPlatformKnown = true }
    return [checkEnabled(person), belongs]
      + [version, assignment].compactMap(\.self) + scopeRequest.rules.map { $0(scopeRequest) }
      + (try [secondFactor(of: person)].compactMap(\.self))
      + [provider.requirement?.result(accessing: try provider.directory.resourceID(of: scopes))].compactMap(
        \.self)
      + (try ConditionalAccess(provider: provider).results(
        person, tenantID: tenantID, request.client, situation, accessing: scopes))
      + [checkPreauthorized(request.client, for: scopes)].compactMap(\.self)
      + [
        checkConsent(
          missing, code: .invalidGrant, request.client,
          isPersonal: person.isPersonal && [.common, .consumers].contains(request.tenant)
            && GrantType(request.http) != .primaryRefreshToken)
      ]
  }

  /// Returns the result for an account that itself requires a second factor, or `nil` if it does not or if a page has
  /// just asked for it.
  ///
  /// Entra requires the factor when the access token has expired, and not only at the next sign-in (Microsoft Learn,
  /// "Enable per-user Microsoft Entra multifactor authentication").
  private func secondFactor(of person: DirectoryUser) throws -> RuleResult? {
    guard person.requiresMFA, request.tenant.policy == nil, !request.tenant.isFederation,
      let grant = GrantType(request.http), [.refreshToken, .primaryRefreshToken].contains(grant)
    else { return nil }
    return checkSecondFactor(
      of: person, isGiven: situation.hasSecondFactor == true,
      accessing: try provider.directory.resourceID(of: scopes))
  }
}

extension ProviderResources {
  /// Records that an external client receives tokens, so that undo does not remove what they depend on.
  func noteTokens(for clientID: String, of person: DirectoryUser, tenantID: String) throws {
    guard isServed else { return }
    try consents.keepForExternalClient(clientID, of: person, tenantID: tenantID)
    try UnusedClients(documents: documents, now: now).remove(clientID)
  }
}

private func checkAccountExists(
  _ person: DirectoryUser?, _ username: String, _ tenant: AuthorityTenant
) -> RuleResult {
  RuleResult(
    "account exists", expected: "an account", found: person == nil ? "deleted" : username, person != nil,
    source: "silent-call.md §1",
    failure: "the account no longer exists",
    else: OAuthError(
      .invalidGrant,
      "The user account {EUII Hidden} has been deleted from the \(tenant.tenant?.id ?? tenant.displayName) directory. To "
        + "sign into this application, the account must be added to the directory.",
      aadsts: .accountDeleted, suberror: .userAccountDeleted))
}
