import SSOCore
import SSOReference

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with `assertion` and
/// `requested_token_use=on_behalf_of`.
///
/// An API that was called uses it to call another API for the same user.
struct OnBehalfOfGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let form = request.http.form
    try context.requireProof(request)
    try context.require(checkTokenUse(form["requested_token_use"]))
    let assertion = form["assertion"] ?? ""
    // Not even Entra verifies a token that is for Microsoft Graph.
    let reading = AccessTokenReading(
      compact: assertion, keys: try provider.keys.published(), now: provider.now, resolvesNonce: false)
    let claims = reading.claims
    let name = (claims["preferred_username"] ?? claims["unique_name"] ?? claims["upn"])?.string
    try context.require([
      checkAssertion(reading, try provider.keys.certificate(of: assertion), at: provider.now),
      checkAudience(of: claims, isOf: request.client),
    ])
    let username = try context.require(name, checkSpeaksForPerson(name, request.client.clientID))
    let found = try provider.directory.person(of: claims, evenDisabled: true)
    let person = try context.require(
      found, checkUserExists(found, username: username, tenant: request.tenant))
    try context.require(checkTenant(of: claims, is: request.tenant))
    var request = request
    request.tenant = try AuthorityTenant(claims["tid"]?.string ?? "", in: provider.directory)
    // The policies apply to the next API too, and to the factors of the assertion's sign-in (Microsoft Learn, "Microsoft
    // identity platform and OAuth 2.0 On-Behalf-Of flow": "Error response example").
    return try TokenIssuance(
      provider: provider, request: request, username: person.username, scopes: request.scopes,
      situation: AccessSituation(
        hasSecondFactor: TokenIssuer.hasSecondFactor(claims),
        authenticatedAt: claims.issueSecond.map { Instant(Int($0)) }, isPlatformKnown: true)
    ).issue(&context).response
  }
}

private func checkTokenUse(_ use: String?) -> RuleResult {
  guard let use, !use.isEmpty else { return checkPresent("requested_token_use", nil) }
  return RuleResult(
    "requested token use", expected: "on_behalf_of", found: use, use == "on_behalf_of",
    source: "Entra",
    else: OAuthError(
      .invalidRequest, "The value '\(shortened(use))' of 'requested_token_use' is not supported.",
      aadsts: .parameterInvalid))
}

private func checkAssertion(
  _ reading: AccessTokenReading, _ certificate: KeyCertificate?, at now: Instant
) -> RuleResult {
  RuleResult(
    "assertion valid", expected: "an access token of this provider", found: reading.fault ?? "valid",
    reading.fault == nil, source: "RFC 7523 §3",
    failure: "the assertion is not valid", else: error(of: reading, certificate, at: now))
}

private func error(
  of reading: AccessTokenReading, _ certificate: KeyCertificate?, at now: Instant
) -> OAuthError {
  switch reading.failedStep {
  case .form:
    OAuthError(.invalidRequest, "JWT token is invalid or malformed.", aadsts: .clientAssertionMalformed)
  case .time:
    OAuthError(
      .invalidGrant,
      "Assertion is not within its valid time range. Ensure that the access token is not expired before using it for user "
        + "assertion, or request a new token. Current time: \(now.ticks), expiry time of assertion "
        + "\((reading.expiresAt ?? now).ticks).", aadsts: .assertionExpired)
  case .kind:
    OAuthError(
      .invalidRequest,
      "Input id_token cannot be used as '\(GrantType.primaryRefreshToken.rawValue)' grant.",
      aadsts: .assertionIsIDToken)
  case .algorithm, .key, .signature, nil:
    OAuthError(
      .invalidGrant, "Assertion failed signature validation. [Reason - \(reason(of: reading, certificate))]",
      aadsts: .assertionInvalid)
  }
}

/// The reason as Entra words it (microsoftgraph/msgraph-sdk-php#1585, AzureAD/microsoft-authentication-library-for-dotnet#2604).
private func reason(of reading: AccessTokenReading, _ certificate: KeyCertificate?) -> String {
  switch reading.failedStep {
  case .signature:
    "Key was found, but use of the key to verify the signature failed., "
      + (certificate.map {
        "Thumbprint of key used by client: '\($0.displayText)', Found key '\($0.validity)', "
      } ?? "")
      + OAuthError.keysOfApp("00000000-0000-0000-0000-000000000000")
  case .key: "The key was not found."
  default: (reading.fault ?? "") + "."
  }
}

private func checkAudience(of claims: [String: JSONValue], isOf client: ClientRegistration) -> RuleResult {
  let (audience, clientID) = (claims["aud"]?.string ?? "", client.clientID)
  let own = ([clientID, "api://" + clientID] + (client.identifierURIs ?? [])).map(ProtectedResource.identity)
  return RuleResult(
    "assertion is for this client", expected: own.joined(separator: " or "), found: audience,
    own.contains(ProtectedResource.identity(of: audience)), source: "RFC 7523 §3",
    failure: "the assertion is for another client",
    else: OAuthError(
      .invalidGrant,
      "Assertion audience does not match the Client app presenting the assertion. The audience in the assertion "
        + "was '\(audience)' and the expected audience is '\(clientID)' or one of the Application Uris of this application "
        + "with App ID '\(clientID)'(\(client.displayName)). The downstream client must request a token for the expected "
        + "audience (the application that made the OBO request) and this application should use that token as the "
        + "assertion.",
      aadsts: .assertionAudience))
}

private func checkSpeaksForPerson(_ username: String?, _ clientID: String) -> RuleResult {
  RuleResult(
    "assertion is of a person", expected: "a user", found: username ?? "an app", username != nil,
    source: "Entra (AzureAD/microsoft-authentication-library-for-dotnet#2130)",
    failure: "the assertion is of an app",
    else: OAuthError(
      .unauthorizedClient, "Application '\(clientID)' is not allowed to make application on-behalf-of calls.",
      aadsts: .assertionWithoutPerson))
}

private func checkTenant(of claims: [String: JSONValue], is tenant: AuthorityTenant) -> RuleResult {
  let issuing = claims["tid"]?.string ?? ""
  var isSame = true
  if let named = tenant.tenant { isSame = named.id == issuing }
  return RuleResult(
    "assertion's tenant", expected: tenant.segment, found: issuing, isSame, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "Cannot issue On-Behalf-Of token for tenant '\(tenant.segment)' as JWT bearer token was issued for '\(issuing)'.",
      aadsts: .assertionOfAnotherTenant))
}
