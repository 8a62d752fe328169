import SSOCore

extension Provider {
  /// `grant_type=client_credentials` (RFC 6749 §4.4): a token for the app itself. No refresh token, no ID token,
  /// and as at Entra no `scope` in the answer. Version 1 names a `resource`, and no scope.
  func redeemClientCredentials(_ request: TokenRequest, _ exchange: inout Exchange) throws -> TokenResponse {
    try requireProof(request, &exchange)
    try exchange.checks.require(checkTenantIsNamed(request.tenant))
    let resource = request.http.isVersionOne ? request.http.form["resource"] : nil
    if resource == nil { try exchange.checks.require(checkDefaultScope(request.scopes)) }
    var issuer = tokenIssuer(request.http)
    issuer.isFederation = request.tenant.isFederation
    return try issuer.issueForApp(
      request.client, authenticationClass: request.authenticationClass,
      tenantID: request.tenant.tenant?.id ?? request.tenant.segment,
      resource: resource ?? request.scopes.resources.first ?? RequestedScopes.graph,
      isVersionOne: resource != nil)
  }
}

private func checkTenantIsNamed(_ tenant: AuthorityTenant) -> Finding {
  Finding(
    "tenant named", expected: "a tenant's ID or domain", found: tenant.segment, tenant.tenant != nil,
    source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "No tenant-identifying information found in either the request or implied by any provided credentials.",
      aadsts: 50059))
}

private func checkDefaultScope(_ scopes: RequestedScopes) -> Finding {
  let isDefault = scopes.all.count == 1 && scopes.all[0].lowercased().hasSuffix("/.default")
  return Finding(
    "scope of an app token", expected: "one RESOURCE/.default",
    found: scopes.isEmpty ? "none" : scopes.all.joined(separator: " "), isDefault, source: "Entra",
    else: OAuthError(
      .invalidScope,
      "The provided value for scope '\(scopes.all.joined(separator: " "))' is not valid. Client credential flows "
        + "must have a scope value with /.default suffixed to the resource identifier (application ID URI).",
      aadsts: 1_002_012))
}
