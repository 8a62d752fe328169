/// The differences in tokens of Azure AD B2C, CIAM and AD FS (docs/behaviour/provider.md §14, §2).
extension TokenIssuer {
  /// `aud` of an AD FS access token that was requested without a resource.
  static let federationUserInfo = "urn:microsoft:userinfo"

  /// Returns `iss`.
  ///
  /// For B2C it ends with a slash; for CIAM its host contains the tenant ID.
  static func issuer(at origin: String, tenantID: String, policy: String?) -> String {
    if policy != nil { return "\(origin)/\(tenantID)/v2.0/" }
    let isCIAM = URLParts(origin)?.authority.lowercased().hasSuffix(".ciamlogin.com") ?? false
    return (isCIAM ? "https://\(tenantID).ciamlogin.com" : origin) + "/\(tenantID)/v2.0"
  }

  /// Returns the client info.
  ///
  /// B2C appends the policy to the object ID; AD FS has none.
  func clientInfo(_ person: Person) -> ClientInfo? {
    guard !isFederation else { return nil }
    let home = person.clientInfo
    return policy.map { ClientInfo(uid: home.uid + "-" + $0.lowercased(), utid: home.utid) } ?? home
  }

  /// Returns the claims in the form of this authority.
  ///
  /// B2C contains the username only in `emails`. AD FS has neither tenant nor object IDs, and its access and
  /// ID tokens have different issuers.
  func ofAuthority(_ claims: [String: JSONValue]) -> [String: JSONValue] {
    var claims = claims
    if let policy {
      let username = claims.removeValue(forKey: "preferred_username")
      claims["sub"] = claims["oid"] ?? claims["sub"]
      claims["tfp"] = .string(policy)
      claims["emails"] = username.map { .array([$0]) }
      claims["ver"] = "1.0"
      claims["tid"] = nil
      for name in ["unique_name", "upn", "email"] { claims[name] = nil }
    } else if isFederation {
      let username = claims["preferred_username"] ?? claims["upn"] ?? claims["unique_name"]
      let isAccessToken = (claims["appid"] ?? claims["azp"]) != nil
      if flaw != .issuer {
        let host = URLParts(issuerOrigin)?.authority ?? ""
        claims["iss"] = .string(
          isAccessToken ? "http://\(host)/adfs/services/trust" : issuerOrigin + "/adfs")
      }
      if claims["aud"]?.string == ProtectedResource.graphAppID {
        claims["aud"] = .string(Self.federationUserInfo)
      }
      claims["upn"] = username
      claims["unique_name"] = username
      claims["ver"] = "1.0"
      for name in ["tid", "oid", "preferred_username", "azp", "azpacr", "idp"] { claims[name] = nil }
    }
    return claims
  }
}
