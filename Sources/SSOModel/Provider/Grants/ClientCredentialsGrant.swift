import SSOCore
import SSOReference

/// `grant_type=client_credentials` (RFC 6749 §4.4): issues an app-only token.
///
/// The response does not contain a refresh token, an ID token, or, as at Entra, a `scope`. Version 1 uses `resource`
/// instead of a scope; the default is Azure AD Graph.
struct ClientCredentialsGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    try context.require(checkTenantIsNamed(request.tenant))
    if let missing = checkHasServicePrincipal(request.client, in: request.tenant) {
      try context.requireOfClient(missing)
    }
    let resource = request.http.isVersionOne ? request.http.form["resource"] ?? defaultResource(request) : nil
    if resource == nil {
      try context.require(
        [checkScopePresent, checkOneDefaultScope, checkDefaultScope].map { $0(request.scopes.ofApp) })
      let scopeRequest = try ScopeRequest(
        request.scopes, for: request.client, at: request.tenant, in: provider.directory,
        of: request.http)
      try context.require(checkResourceFits(scopeRequest))
      if request.tenant.policy != nil { try context.require(checkScopesOfUserFlow(scopeRequest)) }
    }
    let name = resource ?? request.scopes.resources.first ?? ProtectedResource.graphAppID
    let known = try provider.directory.resource(named: name)
    let target = try context.require(known, checkResourceIsKnown(known, named: name, request.tenant))
    let assignment = try checkAppAssigned(
      [request.client.clientID], named: request.client.displayName, to: target, in: provider.directory)
    try context.require([assignment].compactMap(\.self))
    var issuer = TokenIssuer(provider, for: request)
    // A user flow requires a user.
    issuer.policy = nil
    return try issuer.issueForApp(
      request.client, authenticationClass: request.authenticationClass,
      tenantID: request.tenant.tenant?.id ?? request.tenant.segment,
      target: target, isVersionOne: resource != nil, confirmation: request.confirmation)
  }
}

/// Returns the default resource.
///
/// AD FS accepts a scope instead.
private func defaultResource(_ request: TokenRequest) -> String? {
  AuthorityPath(request.http).isFederation ? nil : ProtectedResource.legacyGraphAppID
}

private func checkTenantIsNamed(_ tenant: AuthorityTenant) -> RuleResult {
  RuleResult(
    "tenant named", expected: "a tenant's ID or domain", found: tenant.segment, tenant.tenant != nil,
    source: "Entra", else: .tenantNotNamed)
}

/// The refusal of an app without an enterprise application in the tenant, or `nil` if it has one
/// (Azure/Commercial-Marketplace-SaaS-Accelerator#830, SidU/openclaw-teams-setup#3).
private func checkHasServicePrincipal(
  _ client: ClientRegistration, in tenant: AuthorityTenant
) -> RuleResult? {
  guard client.hasNoServicePrincipal == true else { return nil }
  return RuleResult(
    "service principal", expected: "one in the tenant", found: "none", false, source: "Entra",
    remedy: Remedy(.registration, client.clientID, "hasNoServicePrincipal=no"),
    else: OAuthError(
      .invalidClient,
      "The client application \(client.clientID) is missing service principal in the tenant "
        + "\(tenant.tenant?.id ?? tenant.segment). See instructions here: "
        + "https://go.microsoft.com/fwlink/?linkid=2225119",
      aadsts: .servicePrincipalMissing))
}

/// Checks that an app or a managed identity has a role of the API, or returns `nil` if the API requires no assignment.
///
/// `names` are the names of the app in the lab, the client ID first. It is an assumption that Entra treats a managed
/// identity the same way.
func checkAppAssigned(
  _ names: [String], named displayName: String, to target: ProtectedResource, in directory: Directory
) throws -> RuleResult? {
  guard let api = try directory.registration(clientID: target.appID), api.isAssignmentRequired == true else {
    return nil
  }
  let assigned = Set((api.assigned ?? []).map { $0.lowercased() })
  let roles = try AppRoles(directory).roles(at: api.clientID).values(of: names)
  let isAssigned = !roles.isEmpty || names.contains { assigned.contains($0.lowercased()) }
  return RuleResult(
    "app assigned to the API", expected: "a role of \(api.displayName)",
    found: roles.isEmpty ? "none" : roles.joined(separator: ", "), isAssigned, source: "Entra",
    remedy: Remedy(.registration, api.clientID, "assigned+=\(names[0])"),
    failure: "the app is not assigned to the API",
    else: OAuthError(
      .invalidGrant,
      "Application '\(names[0])'(\(displayName)) is not assigned to a role for the application "
        + "'\(api.clientID)'(\(api.displayName)).",
      aadsts: .appNotAssigned))
}

extension RequestedScopes {
  /// The scopes of a request for an app-only token.
  ///
  /// OpenID Connect's own, which MSAL Go and MSAL Java send too, have no effect.
  fileprivate var ofApp: RequestedScopes {
    ofResources.isEmpty ? self : RequestedScopes(ofResources.joined(separator: " "))
  }
}

private func checkScopePresent(_ scopes: RequestedScopes) -> RuleResult {
  RuleResult(
    "scope present", expected: "one RESOURCE/.default", found: "\(scopes.all.count)", !scopes.isEmpty,
    source: "Entra", failure: "the scope is missing", else: .fieldMissingFromCredential("scope"))
}

/// Checks that the scope is readable: the `.default` of one resource, which is a URI or an app ID.
///
/// AD FS and B2C are not known to check it.
private func checkOneDefaultScope(_ scopes: RequestedScopes) -> RuleResult {
  let areDefault = scopes.all.allSatisfy(RequestedScopes.isDefaultOfResource)
  let isReadable = scopes.all.count == 1 && RequestedScopes.isWellFormed(scopes.all[0])
  return RuleResult(
    "form of the scope", expected: "one RESOURCE/.default, with a URI or an app ID",
    found: scopes.all.joined(separator: " "), !areDefault || isReadable, source: "Entra",
    else: .scopeInvalid(scopes))
}

private func checkDefaultScope(_ scopes: RequestedScopes) -> RuleResult {
  let isDefault = scopes.all.count == 1 && RequestedScopes.isDefaultOfResource(scopes.all[0])
  return RuleResult(
    "scope of an app token", expected: "one RESOURCE/.default",
    found: scopes.isEmpty ? "none" : scopes.all.joined(separator: " "), isDefault, source: "Entra",
    else: .appScopeInvalid(scopes.all.joined(separator: " ")))
}

extension OAuthError {
  /// Returns the refusal of an app-only token whose scope is not the `.default` of a resource.
  package static func appScopeInvalid(_ written: String) -> OAuthError {
    OAuthError(
      .invalidScope,
      "The provided value for scope \(written) is not valid. Client credential flows "
        + "must have a scope value with /.default suffixed to the resource identifier (application ID URI).",
      aadsts: .appScopeInvalid)
  }
}
