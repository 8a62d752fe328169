/// Issuing of tokens for managed identities (docs/behaviour/workloads.md §2).
extension TokenIssuer {
  /// Issues an access token.
  ///
  /// Its `xms_mirid` is the Azure resource that the identity belongs to.
  func accessToken(
    of identity: ManagedIdentity, for target: ProtectedResource, lifetime: Int
  ) throws -> String {
    var claims = stamps(tenantID: identity.tenantID, objectID: identity.objectID, lifetime: lifetime)
    claims["sub"] = .string(identity.objectID)
    if target.tokenVersion == 1 { stampVersionOne(&claims, tenantID: identity.tenantID) }
    stamp(&claims, clientID: identity.clientID, authenticationClass: "2", target)
    try addRoles(&claims, of: [identity.name, identity.clientID], toAppOf: target.appID)
    claims["idp"] = .string(issuerOfVersionOne(tenantID: identity.tenantID))
    claims["idtyp"] = "app"
    claims["xms_mirid"] = .string(identity.resourceID)
    claims["uti"] = .string(Base64URL.encode(random.bytes(16)))
    return try signed(claims)
  }
}
