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
    if let issued, issued.redeemedAt != nil {
      for key in issued.refreshTokenKeys {
        try refreshTokens.change(key: key) { $0.revokedAt = $0.revokedAt ?? now }
      }
    }
    // Whatever the rules say, this code is spent (RFC 9700 §4.5).
    if var spent = issued, spent.redeemedAt == nil {
      spent.redeemedAt = now
      try documents.write(spent, .authorizationCode, key)
    }
    try exchange.checks.require(CodeRedemption.rules, of: redemption)
    guard var code = issued else { throw OAuthError(.invalidGrant, "Unknown code.", aadsts: 70000) }

    var request = request
    request.tenant = try AuthorityTenant(code.authoritySegment, in: directory)
    let deviceID = request.http.form["device_id"]
    let tokens = try issue(
      request, username: code.username,
      scopes: request.scopes.isEmpty ? code.scopes : request.scopes,
      nonce: code.nonce, deviceID: deviceID, &exchange)
    var response = tokens.response
    if request.client.clientID.lowercased() == ClientRegistration.brokerClientID {
      try addPrimaryRefreshToken(
        to: &response, for: tokens.person, client: request.client, deviceID: deviceID)
    }
    code.redeemedAt = now
    code.refreshTokenKeys = [response.refreshToken, response.primaryRefreshToken].compactMap {
      $0.map(sha256Hex)
    }
    try documents.write(code, .authorizationCode, key)
    return response
  }

  private func addPrimaryRefreshToken(
    to response: inout TokenResponse, for person: Person, client: ClientRegistration, deviceID: String?
  ) throws {
    let granted = try issuePrimaryRefreshToken(person: person, client: client, deviceID: deviceID)
    response.primaryRefreshToken = granted.secret
    response.sessionKey = granted.sessionKey
    response.primaryRefreshTokenExpiresIn = RefreshTokenRecord.lifetime(of: .primary)
  }

  /// A primary refresh token for a person on a device, and the session key that goes with it (base64url, 32
  /// bytes).
  /// The session key is made up: no request is signed with it.
  func issuePrimaryRefreshToken(
    person: Person, client: ClientRegistration, deviceID: String?
  ) throws -> (secret: String, sessionKey: String) {
    let secret = try refreshTokens.issue(
      .primary, for: person, client: client, deviceID: deviceID, chance: chance)
    return (secret, Base64URL.encode(chance.bytes(32)))
  }
}
