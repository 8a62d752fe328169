/// `GET` and `POST /oidc/userinfo` (OpenID Connect Core §5.3).
///
/// At Entra this endpoint is part of Graph: it requires a token for Graph with the scope `openid`.
struct UserInfoEndpoint {
  let provider: ProviderResources

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let bearer = BearerAuthentication(provider: provider)
    do {
      let reading = try bearer.verify(
        for: [RequestedScopes.graph, ProtectedResource.graphAppID, TokenIssuer.federationUserInfo], &context)
      try context.require(checkOpenIDScope(reading))
      let found = try provider.directory.person(of: reading.claims)
      let person = try context.require(found, checkTokenOwnerExists(found))
      var body = ["sub": reading.claims["sub"] ?? "", "name": .string(person.displayName)]
      body["given_name"] = person.givenName.map(JSONValue.string)
      body["family_name"] = person.familyName.map(JSONValue.string)
      if reading.hasScope("email") { body["email"] = .string(person.username) }
      return ProviderResponse(.json(200, .object(body)))
    } catch let error as OAuthError {
      let body: JSONValue = ["error": .string(error.code.text), "error_description": .string(error.reason)]
      return bearer.refuse(error, body: body, &context)
    }
  }
}

private func checkOpenIDScope(_ reading: AccessTokenReading) -> RuleResult {
  RuleResult(
    "scope openid", expected: "openid", found: reading.claims["scp"]?.string ?? "none",
    reading.hasScope("openid"), source: "OpenID Connect Core §5.3.1",
    else: OAuthError(.insufficientScope, "The access token lacks the scope openid."))
}

private func checkTokenOwnerExists(_ person: Person?) -> RuleResult {
  RuleResult(
    "account exists", expected: "an account", found: person?.username ?? "none", person != nil,
    source: "OpenID Connect Core §5.3.3",
    else: OAuthError(.invalidToken, "The account of the access token no longer exists."))
}
