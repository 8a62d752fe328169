import SSOCore

extension Provider {
  /// `GET` and `POST /oidc/userinfo` (OpenID Connect Core §5.3), at Entra a part of Graph: the token must be
  /// Graph's, with the scope `openid`.
  func userInfo(_ exchange: inout Exchange) throws -> ProviderResponse {
    do {
      let reading = try bearerToken(
        for: [RequestedScopes.graph, TokenIssuer.federationUserInfo], &exchange)
      try exchange.checks.require(
        Finding(
          "scope openid", expected: "openid", found: reading.claims["scp"]?.string ?? "none",
          reading.hasScope("openid"), source: "OpenID Connect Core §5.3.1",
          else: OAuthError(.insufficientScope, "The access token lacks the scope openid.")))
      let found = try person(of: reading.claims)
      try exchange.checks.require(
        Finding(
          "account exists", expected: "an account", found: found?.username ?? "none", found != nil,
          source: "OpenID Connect Core §5.3.3",
          else: OAuthError(.invalidToken, "The account of the access token does not exist any more.")))
      guard let person = found else { return ProviderResponse(HTTPResponse(401)) }
      var body = ["sub": reading.claims["sub"] ?? "", "name": .string(person.displayName)]
      body["given_name"] = person.givenName.map(JSONValue.string)
      body["family_name"] = person.familyName.map(JSONValue.string)
      if reading.hasScope("email") { body["email"] = .string(person.username) }
      return ProviderResponse(.json(200, .object(body)))
    } catch let error as OAuthError {
      let body: JSONValue = [
        "error": .string(error.code.rawValue), "error_description": .string(error.reason),
      ]
      return try refuseBearer(error, body: body, &exchange)
    }
  }
}
