import SSOCore

extension Provider {
  /// The two listings of Azure Resource Manager that `az login` reads (`real-clients.md` §4), and no more of it.
  static let resourceManager = ["https://management.core.windows.net", "https://management.azure.com"]

  /// `GET /tenants`: those that know the person.
  func tenants(_ exchange: inout Exchange) throws -> ProviderResponse {
    try listing(&exchange) { person, tenantID in
      try directory.tenants().filter { tenant in
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

  /// `GET /subscriptions`: those of the tenant that issued the token.
  func subscriptions(_ exchange: inout Exchange) throws -> ProviderResponse {
    try listing(&exchange) { _, tenantID in
      try directory.tenant(byNameOrID: tenantID)?.listedSubscriptions.map { subscription in
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
    _ exchange: inout Exchange, _ rows: (Person?, _ tenantID: String) throws -> [JSONValue]
  ) throws -> ProviderResponse {
    do {
      let claims = try bearerToken(for: Self.resourceManager, &exchange).claims
      let value = try rows(try person(of: claims), claims["tid"]?.string ?? "")
      return ProviderResponse(.json(200, ["value": .array(value)]))
    } catch let error as OAuthError {
      let isNone = exchange.request.header("Authorization") == nil
      let code = isNone ? "AuthenticationFailed" : "InvalidAuthenticationToken"
      return try refuseBearer(
        error, body: ["error": ["code": .string(code), "message": .string(error.reason)]], &exchange)
    }
  }
}
