import SSOCore

extension Provider {
  /// `GET /common/userrealm/{user name}?api-version=1.0` and `/common/UserRealm?user=…&api-version=2.1`: whether
  /// a domain signs in here. MSAL asks before it sends a password.
  func userRealm(_ name: String?, _ exchange: Exchange) throws -> ProviderResponse {
    let asked = name.flatMap { FormEncoding.decodeText($0, plusIsSpace: false) }
    let username = asked ?? exchange.request.field("user") ?? exchange.request.field("login") ?? ""
    let domain = username.split(separator: "@").last.map { $0.lowercased() } ?? ""
    let tenant = try directory.tenant(byNameOrID: domain)
    let isManaged = tenant?.domains.contains(domain) ?? false
    let kind = isManaged ? "Managed" : "Unknown"
    let isVersion1 = (exchange.request.field("api-version") ?? "1.0").hasPrefix("1")
    var body: [String: JSONValue] = ["cloud_instance_name": "microsoftonline.com"]
    if isVersion1 {
      body["ver"] = "1.0"
      body["account_type"] = .string(kind)
      if isManaged { body["domain_name"] = .string(domain) }
    } else {
      body["NameSpaceType"] = .string(kind)
      body["Login"] = .string(username)
      if isManaged { body["DomainName"] = .string(domain) }
      body["FederationBrandName"] = tenant.map { .string($0.displayName) }
    }
    if isManaged { body["cloud_audience_urn"] = "urn:federation:MicrosoftOnline" }
    return ProviderResponse(.json(200, .object(body)))
  }
}
