import SSOCore
import SSOReference

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
      var body = ["sub": subject(reading.claims), "name": .string(person.displayName)]
      body["given_name"] = person.givenName.map(JSONValue.string)
      body["family_name"] = person.familyName.map(JSONValue.string)
      // Microsoft Learn, "Userinfo endpoint"; the address is at the lab's Graph.
      if !AuthorityPath(context.request).isFederation {
        body["picture"] = .string(context.request.origin + "/v1.0/me/photo/$value")
      }
      if reading.hasScope("email") { body["email"] = .string(person.username) }
      return ProviderResponse(.json(200, .object(body)))
    } catch let error as OAuthError {
      let body: JSONValue = ["error": .string(error.code.text), "error_description": .string(error.reason)]
      return bearer.refuse(error, body: body, &context)
    }
  }
}

/// Returns `sub` of the client's ID tokens (Microsoft Learn, "Userinfo endpoint"), which is not that of a token for Graph.
private func subject(_ claims: [String: JSONValue]) -> JSONValue {
  guard let objectID = claims["oid"]?.string, let clientID = (claims["appid"] ?? claims["azp"])?.string else {
    return claims["sub"] ?? ""
  }
  return .string(TokenIssuer.subject(objectID, clientID))
}

private func checkOpenIDScope(_ reading: AccessTokenReading) -> RuleResult {
  RuleResult(
    "scope openid", expected: "openid", found: reading.claims["scp"]?.string ?? "none",
    reading.hasScope("openid"), source: "OpenID Connect Core §5.3.1",
    else: OAuthError(.insufficientScope, "The access token lacks the scope openid."))
}

private func checkTokenOwnerExists(_ person: DirectoryUser?) -> RuleResult {
  RuleResult(
    "account exists", expected: "an account", found: person?.username ?? "none", person != nil,
    source: "OpenID Connect Core §5.3.3",
    failure: "the account no longer exists",
    else: OAuthError(.invalidToken, "The account of the access token no longer exists."))
}

/// The two Azure Resource Manager listings that `az login` reads.
///
/// The rest of the API is not simulated.
struct ResourceManagerEndpoint {
  private static let audiences = ["https://management.core.windows.net", "https://management.azure.com"]

  let provider: ProviderResources

  /// Lists the tenants of which the user is a member or a guest (`GET /tenants`).
  func tenants(_ context: inout RequestContext) throws -> ProviderResponse {
    try listing(&context) { person, tenantID in
      try provider.directory.tenants().filter { tenant in
        person.map { $0.objectID(in: tenant.id) != nil } ?? (tenant.id == tenantID)
      }
      .map { tenant in
        [
          "id": .string("/tenants/" + tenant.id), "tenantId": .string(tenant.id),
          "displayName": .string(tenant.displayName), "defaultDomain": .string(tenant.domains.first ?? ""),
          "domains": .array(tenant.domains.map(JSONValue.string)), "tenantType": "AAD", "countryCode": "CH",
          "tenantCategory": "Home",
        ]
      }
    }
  }

  /// Lists the subscriptions of the tenant that issued the token (`GET /subscriptions`).
  func subscriptions(_ context: inout RequestContext) throws -> ProviderResponse {
    try listing(&context) { _, tenantID in
      try provider.directory.tenant(byNameOrID: tenantID)?.listedSubscriptions.map { subscription in
        [
          "id": .string("/subscriptions/" + subscription.id), "subscriptionId": .string(subscription.id),
          "tenantId": .string(tenantID), "displayName": .string(subscription.displayName), "state": "Enabled",
          "subscriptionPolicies": [
            "locationPlacementId": "Public_2014-09-01", "quotaId": "PayAsYouGo_2014-09-01",
            "spendingLimit": "Off",
          ],
          "authorizationSource": "RoleBased", "managedByTenants": [],
        ]
      } ?? []
    }
  }

  private func listing(
    _ context: inout RequestContext, _ rows: (DirectoryUser?, _ tenantID: String) throws -> [JSONValue]
  ) throws -> ProviderResponse {
    let bearer = BearerAuthentication(provider: provider)
    do {
      let claims = try bearer.verify(for: Self.audiences, &context).claims
      let value = try rows(try provider.directory.person(of: claims), claims["tid"]?.string ?? "")
      return ProviderResponse(.json(200, ["value": .array(value)]))
    } catch let error as OAuthError {
      let isMissing = context.request.header("Authorization") == nil
      let code = isMissing ? "AuthenticationFailed" : "InvalidAuthenticationToken"
      return bearer.refuse(
        error, body: ["error": ["code": .string(code), "message": .string(error.reason)]], &context)
    }
  }
}
