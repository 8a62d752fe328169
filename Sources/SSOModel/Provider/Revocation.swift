import SSOCore

extension Provider {
  /// `POST /{tenant}/oauth2/v2.0/revoke` (RFC 7009): a refresh token, with all that came of the same sign-in.
  /// An access token cannot be revoked: APIs verify it by itself. Entra has no such endpoint.
  func revoke(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    let client = try authenticateClient(tenant, &exchange).registration
    let token = exchange.request.form["token"] ?? ""
    try exchange.checks.require(checkPresent("token", token))
    if let record = try refreshTokens.record(secret: token) {
      try exchange.checks.require(checkOwner(record, client))
      try refreshTokens.change(key: sha256Hex(token)) { $0.revokedAt = $0.revokedAt ?? now }
      if let grantID = record.grantID { try refreshTokens.revoke(grantID: grantID) }
    } else {
      let isAccessToken =
        AccessTokenReading(compact: token, keys: try keys.published(), now: now).fault == nil
      try exchange.checks.require(checkCanBeRevoked(isAccessToken: isAccessToken))
    }
    return ProviderResponse(HTTPResponse(200, headers: [NameValue("Cache-Control", "no-store")]))
  }

  /// `POST /{tenant}/oauth2/v2.0/introspect` (RFC 7662): what a token is. To a client only its own tokens, and
  /// to an API those for it; anything else is not active. Entra has no such endpoint.
  func introspect(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    let client = try authenticateClient(tenant, &exchange).registration
    let token = exchange.request.form["token"] ?? ""
    try exchange.checks.require(checkPresent("token", token))
    let found = try introspected(token, for: client.clientID.lowercased(), exchange.request)
    return ProviderResponse(.json(200, .object(found ?? ["active": .bool(false)])))
  }

  private func introspected(
    _ token: String, for clientID: String, _ request: HTTPRequest
  ) throws -> [String: JSONValue]? {
    if let record = try refreshTokens.record(secret: token) {
      guard record.clientID.lowercased() == clientID, record.revokedAt == nil, now < record.expiresAt else {
        return nil
      }
      return [
        "active": .bool(true), "client_id": .string(record.clientID), "username": .string(record.username),
        "token_type": "refresh_token", "iat": .integer(Int64(record.issuedAt.seconds)),
        "exp": .integer(Int64(record.expiresAt.seconds)), "scope": .string(record.scopes?.granted ?? ""),
      ]
    }
    var claims = AccessTokenReading(compact: token, keys: try keys.published(), now: now).claims
    let owners = [claims["appid"], claims["aud"]].compactMap { $0?.string?.lowercased() }
    guard owners.contains(clientID) || owners.contains("api://" + clientID) else { return nil }
    claims["active"] = .bool(true)
    claims["client_id"] = claims["appid"]
    claims["username"] = claims["preferred_username"]
    claims["scope"] = claims["scp"]
    claims["token_type"] = "Bearer"
    return claims
  }
}

private func checkOwner(_ record: RefreshTokenRecord, _ client: ClientRegistration) -> Finding {
  Finding(
    "refresh token of this client", expected: record.clientID, found: client.clientID,
    record.clientID.lowercased() == client.clientID.lowercased(), source: "RFC 7009 §2.1",
    else: OAuthError(.unauthorizedClient, "The token was issued to another client.", aadsts: 70000))
}

private func checkCanBeRevoked(isAccessToken: Bool) -> Finding {
  Finding(
    "token can be revoked", expected: "a refresh token", found: isAccessToken ? "an access token" : "unknown",
    !isAccessToken, source: "RFC 7009 §2.2.1",
    else: OAuthError(
      .unsupportedTokenType, "An access token cannot be revoked: it ends by itself. Revoke the refresh token."
    ))
}
