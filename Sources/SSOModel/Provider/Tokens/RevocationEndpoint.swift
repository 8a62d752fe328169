/// `POST /{tenant}/oauth2/v2.0/revoke` (RFC 7009): revokes a refresh token and everything else from the same
/// sign-in.
///
/// An access token cannot be revoked, because APIs verify it without the provider. Entra does not have this
/// endpoint.
struct RevocationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let client = try ClientAuthentication(provider: provider).authenticate(tenant, &context).registration
    let token = context.request.form["token"] ?? ""
    try context.require(checkPresent("token", token))
    if let record = try provider.documents.refreshToken(secret: token) {
      try context.require(checkOwner(record, client))
      try provider.refreshTokens.change(key: sha256Hex(token)) { $0.revokedAt = $0.revokedAt ?? provider.now }
      if let grantID = record.grantID { try provider.refreshTokens.revoke(grantID: grantID) }
    } else {
      let isAccessToken =
        AccessTokenReading(compact: token, keys: try provider.keys.published(), now: provider.now).fault
        == nil
      try context.require(checkCanBeRevoked(isAccessToken: isAccessToken))
    }
    return ProviderResponse(HTTPResponse(200, headers: [NameValue("Cache-Control", "no-store")]))
  }
}

private func checkOwner(_ record: RefreshTokenRecord, _ client: ClientRegistration) -> RuleResult {
  RuleResult(
    "refresh token of this client", expected: record.clientID, found: client.clientID,
    record.clientID.lowercased() == client.clientID.lowercased(), source: "RFC 7009 §2.1",
    else: OAuthError(.unauthorizedClient, "The token was issued to another client.", aadsts: .grantInvalid))
}

private func checkCanBeRevoked(isAccessToken: Bool) -> RuleResult {
  RuleResult(
    "token can be revoked", expected: "a refresh token", found: isAccessToken ? "an access token" : "unknown",
    !isAccessToken, source: "RFC 7009 §2.2.1",
    else: OAuthError(
      .unsupportedTokenType, "An access token cannot be revoked: it expires. Revoke the refresh token."
    ))
}
