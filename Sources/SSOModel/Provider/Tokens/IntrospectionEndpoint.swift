/// `POST /{tenant}/oauth2/v2.0/introspect` (RFC 7662): returns the state of a token.
///
/// A client sees only its own tokens, and an API only tokens for it. Other tokens are reported as not active.
/// Entra does not have this endpoint.
struct IntrospectionEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let client = try ClientAuthentication(provider: provider).authenticate(tenant, &context).registration
    let token = context.request.form["token"] ?? ""
    try context.require(checkPresent("token", token))
    let found = try introspected(token, for: client.clientID.lowercased(), context.request)
    return ProviderResponse(.json(200, .object(found ?? ["active": .bool(false)])))
  }

  private func introspected(
    _ token: String, for clientID: String, _ request: HTTPRequest
  ) throws -> [String: JSONValue]? {
    if let record = try provider.documents.refreshToken(secret: token) {
      guard record.clientID.lowercased() == clientID, record.revokedAt == nil, provider.now < record.expiresAt
      else {
        return nil
      }
      return [
        "active": .bool(true), "client_id": .string(record.clientID), "username": .string(record.username),
        "token_type": "refresh_token", "iat": .integer(Int64(record.issuedAt.seconds)),
        "exp": .integer(Int64(record.expiresAt.seconds)), "scope": .string(record.scopes?.granted ?? ""),
      ]
    }
    var claims = AccessTokenReading(compact: token, keys: try provider.keys.published(), now: provider.now)
      .claims
    let owners = [claims["appid"] ?? claims["azp"], claims["aud"]].compactMap { $0?.string?.lowercased() }
    guard owners.contains(clientID) || owners.contains("api://" + clientID) else { return nil }
    claims["active"] = .bool(true)
    claims["client_id"] = claims["appid"] ?? claims["azp"]
    claims["username"] = claims["preferred_username"] ?? claims["unique_name"]
    claims["scope"] = claims["scp"]
    claims["token_type"] = "Bearer"
    return claims
  }
}
