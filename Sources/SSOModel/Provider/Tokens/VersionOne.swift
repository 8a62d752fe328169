/// The differences of the older endpoints (`/oauth2/authorize`, `/oauth2/token`), which ADAL uses
/// (docs/behaviour/provider.md §8(7), §14).
extension HTTPRequest {
  var isVersionOne: Bool {
    if path.lowercased().contains("/v2.0/") { return false }
    // AD FS has one endpoint for both versions. A request with a resource, or without a scope, is version 1.
    return !AuthorityPath(self).isFederation || field("resource") != nil || field("scope") == nil
  }
}

extension RequestedScopes {
  /// Returns whether a scope is `resource/.default`, which requests all registered permissions.
  static func isDefault(_ scope: String) -> Bool { scope == ".default" || scope.hasSuffix("/.default") }
}

extension ClientRegistration {
  /// `scp` of version 1: the last parts of the registered permissions.
  var permissions: String {
    let names = allowedScopes.filter { !RequestedScopes.openID.contains($0.lowercased()) }
      .map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return names.isEmpty ? "user_impersonation" : names.joined(separator: " ")
  }
}

/// Returns `iss` of version 1, which is the same on every host.
func issuerOfVersionOne(tenantID: String) -> String { "https://sts.windows.net/\(tenantID)/" }

extension TokenIssuer {
  func idClaimsOfVersionOne(_ request: TokenIssueRequest) -> [String: JSONValue] {
    var claims = commonClaimsOfVersionOne(request)
    claims["aud"] = .string(request.client.clientID)
    claims["nonce"] = request.nonce.map(JSONValue.string)
    claims["sid"] = request.sessionID.map(JSONValue.string)
    return claims
  }

  func stampVersionOne(_ claims: inout [String: JSONValue], tenantID: String) {
    if flaw != .issuer { claims["iss"] = .string(issuerOfVersionOne(tenantID: tenantID)) }
    claims["ver"] = "1.0"
  }

  /// Returns the common claims.
  ///
  /// A member has `upn`; a guest has `email`, and the home tenant as `idp`.
  func commonClaimsOfVersionOne(_ request: TokenIssueRequest) -> [String: JSONValue] {
    let person = request.person
    var claims = commonClaims(request)
    stampVersionOne(&claims, tenantID: request.tenantID)
    claims["unique_name"] = .string(person.username)
    claims["name"] = .string(person.displayName)
    claims["given_name"] = person.givenName.map(JSONValue.string)
    claims["family_name"] = person.familyName.map(JSONValue.string)
    if request.tenantID == person.homeTenantID {
      claims["upn"] = .string(person.username)
    } else {
      claims["email"] = .string(person.username)
      claims["idp"] = .string(issuerOfVersionOne(tenantID: person.homeTenantID))
    }
    return claims
  }
}
