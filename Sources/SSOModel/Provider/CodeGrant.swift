import SSOCore

extension Provider {
  /// `grant_type=authorization_code`. Redeemed by the broker's own client, the answer carries a primary
  /// refresh token too (`prt`, `session_key`, `prt_expires_in`).
  func redeemCode(_ request: TokenRequest, _ exchange: inout Exchange) throws -> TokenResponse {
    let key = "code/" + sha256Hex(request.http.form["code"] ?? "")
    let issued = try documents.read(AuthorizationCode.self, .authorizationCode, key)
    let redemption = CodeRedemption(
      code: issued, clientID: request.client.clientID,
      redirectURI: request.http.form["redirect_uri"] ?? "", verifier: request.http.form["code_verifier"],
      now: now)
    let grantID = sha256Hex(key)
    if issued?.redeemedAt != nil { try refreshTokens.revoke(grantID: grantID) }
    // RFC 6749 §4.1.2 gives a code one use. Our choice: an attempt with a wrong verifier, address or client is that
    // use, since whoever sends it may have stolen the code (RFC 9700 §4.5); nobody tries twice. A client that could not
    // prove itself has not come this far and spends nothing.
    if var spent = issued, spent.redeemedAt == nil {
      spent.redeemedAt = now
      try documents.write(spent, .authorizationCode, key)
    }
    try exchange.checks.require(CodeRedemption.rules, of: redemption)
    guard let code = issued else { throw OAuthError(.invalidGrant, "Unknown code.", aadsts: 70000) }

    var request = request
    request.tenant = try AuthorityTenant(code.authoritySegment, in: directory)
    request.grantID = grantID
    request.authenticatedAt = code.authenticatedAt
    request.claims.asksAuthTime = code.authenticatedAt != nil
    let deviceID = request.http.form["device_id"]
    let tokens = try issue(
      request, username: code.username,
      scopes: request.scopes.isEmpty ? code.scopes : request.scopes,
      nonce: code.nonce, deviceID: deviceID ?? code.situation?.deviceID,
      situation: code.situation ?? AccessSituation(), &exchange)
    var response = tokens.response
    if request.client.clientID.lowercased() == ClientRegistration.brokerClientID {
      try addPrimaryRefreshToken(
        to: &response, for: tokens.person, client: request.client, deviceID: deviceID, grantID: grantID)
    }
    return response
  }

  private func addPrimaryRefreshToken(
    to response: inout TokenResponse, for person: Person, client: ClientRegistration, deviceID: String?,
    grantID: String
  ) throws {
    let granted = try issuePrimaryRefreshToken(
      person: person, client: client, deviceID: deviceID, grantID: grantID)
    response.primaryRefreshToken = granted.secret
    response.sessionKey = granted.sessionKey
    response.primaryRefreshTokenExpiresIn = RefreshTokenRecord.lifetime(of: .primary)
  }

  /// A primary refresh token for a person on a device, and the session key that goes with it (base64url, 32
  /// bytes).
  /// The session key is made up: no request is signed with it.
  func issuePrimaryRefreshToken(
    person: Person, client: ClientRegistration, deviceID: String?, grantID: String? = nil
  ) throws -> (secret: String, sessionKey: String) {
    let secret = try refreshTokens.issue(
      .primary, for: person, client: client, deviceID: deviceID, grantID: grantID, chance: chance)
    return (secret, Base64URL.encode(chance.bytes(32)))
  }
}
