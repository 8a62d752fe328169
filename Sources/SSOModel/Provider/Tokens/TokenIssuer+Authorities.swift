/// What the tokens of Azure AD B2C, CIAM and AD FS have otherwise (docs/behaviour/provider.md §14, §2).
extension TokenIssuer {
  /// `aud` of an access token of AD FS that was asked for no resource.
  static let federationUserInfo = "urn:microsoft:userinfo"

  /// `iss`: of B2C with a slash at its end, of CIAM at a host named for the tenant's ID.
  static func issuer(at origin: String, tenantID: String, policy: String?) -> String {
    if policy != nil { return "\(origin)/\(tenantID)/v2.0/" }
    let isCIAM = URLParts(origin)?.authority.lowercased().hasSuffix(".ciamlogin.com") ?? false
    return (isCIAM ? "https://\(tenantID).ciamlogin.com" : origin) + "/\(tenantID)/v2.0"
  }

  /// B2C joins the policy to the object ID; AD FS sends none.
  func clientInfo(_ person: Person) -> ClientInfo? {
    guard !isFederation else { return nil }
    let home = person.clientInfo
    return policy.map { ClientInfo(uid: home.uid + "-" + $0.lowercased(), utid: home.utid) } ?? home
  }

  /// The claims as this authority words them.
  ///
  /// B2C names no user but in `emails`; AD FS knows neither tenant nor object IDs, and its two tokens have two issuers.
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
