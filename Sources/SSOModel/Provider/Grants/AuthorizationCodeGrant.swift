/// `grant_type=authorization_code`.
///
/// If the broker's client redeems the code, the response also contains a primary refresh token (`prt`,
/// `session_key`, `prt_expires_in`).
struct AuthorizationCodeGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let form = request.http.form
    let key = "code/" + sha256Hex(form["code"] ?? "")
    let grantID = sha256Hex(key)
    let issued = try provider.documents.read(AuthorizationCode.self, .authorizationCode, key)
    try markRedeemed(issued, key: key, grantID: grantID)
    let code = try context.require(issued, checkCodeIsKnown(issued, form["code"] ?? ""))
    let redemption = CodeRedemption(
      code: code, clientID: request.client.clientID, redirectURI: form["redirect_uri"] ?? "",
      verifier: form["code_verifier"], now: provider.now)
    try context.require(CodeRedemption.rules, of: redemption)
    var origin = RedeemingOrigin(request)
    origin.redirectURI = code.redirectURI
    origin.isSinglePage = isRegistered(code.redirectURI, in: request.client.spaRedirectURIs ?? [])
    origin.hasChallenge = code.codeChallenge != nil
    try context.require(RedeemingOrigin.rules, of: origin)

    var request = request
    if origin.isSinglePage {
      request.singlePageEnd = provider.now.adding(seconds: RefreshTokenRecord.lifetime(of: .singlePage))
    }
    request.sessionID = code.sessionID
    request.tenant = try AuthorityTenant(code.authoritySegment, in: provider.directory)
    request.grantID = grantID
    request.authenticatedAt = code.authenticatedAt
    request.claims.asksAuthTime = code.authenticatedAt != nil
    let deviceID = form["device_id"]
    let issuance = TokenIssuance(
      provider: provider, request: request, username: code.username,
      scopes: request.scopes.isEmpty ? code.scopes : request.scopes, nonce: code.nonce,
      deviceID: deviceID ?? code.situation?.deviceID, situation: code.situation ?? AccessSituation())
    var (response, person) = try issuance.issue(&context)
    if request.client.clientID.lowercased() == ClientRegistration.brokerClientID {
      try addPrimaryRefreshToken(
        to: &response, for: person, client: request.client, deviceID: deviceID, grantID: grantID,
        code.situation)
    }
    return response
  }

  /// Marks the code as redeemed, because a code is single-use (RFC 6749 §4.1.2).
  ///
  /// An attempt with a wrong verifier, redirect URI or client also uses the code up, since the sender may
  /// have stolen it (RFC 9700 §4.5) and no client tries twice. This is SSOTerm's choice. A client that fails
  /// to authenticate does not get here and uses up nothing. A second redemption revokes the tokens of the
  /// first.
  private func markRedeemed(_ issued: AuthorizationCode?, key: String, grantID: String) throws {
    guard var code = issued else { return }
    guard code.redeemedAt == nil else { return try provider.refreshTokens.revoke(grantID: grantID) }
    code.redeemedAt = provider.now
    try provider.documents.write(code, .authorizationCode, key)
  }

  /// Adds a primary refresh token for a user on a device, and its session key (base64url, 32 bytes).
  ///
  /// The broker signs with the session key the cookies that it gives a browser.
  private func addPrimaryRefreshToken(
    to response: inout TokenResponse, for person: Person, client: ClientRegistration, deviceID: String?,
    grantID: String, _ situation: AccessSituation?
  ) throws {
    let secret = try provider.refreshTokens.issue(
      .primary, for: person, client: client, deviceID: deviceID, grantID: grantID, situation: situation,
      random: provider.random)
    let sessionKey = Base64URL.encode(provider.random.bytes(32))
    try provider.refreshTokens.setSessionKey(sessionKey, of: secret)
    response.primaryRefreshToken = secret
    response.sessionKey = sessionKey
    response.primaryRefreshTokenExpiresIn = RefreshTokenRecord.lifetime(of: .primary)
  }
}
