import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct DiscoveryTests {
  static let origin = "https://localhost:8443"
  static let contoso = ProviderLab.contoso.id

  private func get(_ lab: ProviderLab, _ path: String, _ query: KeyValuePairs<String, String> = [:]) throws
    -> (status: Int, body: JSONValue)
  {
    let answer = try lab.send(
      HTTPRequest("GET", origin: Self.origin, path: path, query: query.map { NameValue($0, $1) }))
    return (answer.http.status, try #require(JSONValue(bounded: answer.http.body)))
  }

  @Test(arguments: [
    (contoso, contoso, contoso), ("contoso.com", contoso, contoso), ("CONTOSO.COM", contoso, contoso),
    ("common", "common", "{tenantid}"), ("organizations", "organizations", "{tenantid}"),
    ("consumers", "consumers", Tenant.personalID),
  ])
  func configurationNamesTheTenantAndTheOriginAsked(
    _ asked: String, _ segment: String, _ issuer: String
  ) throws {
    let body = try get(ProviderLab(), "/\(asked)/v2.0/.well-known/openid-configuration").body
    let base = "\(Self.origin)/\(segment)"
    let urls: [String: String] = [
      "issuer": "\(Self.origin)/\(issuer)/v2.0", "authorization_endpoint": "\(base)/oauth2/v2.0/authorize",
      "token_endpoint": "\(base)/oauth2/v2.0/token", "jwks_uri": "\(base)/discovery/v2.0/keys",
      "device_authorization_endpoint": "\(base)/oauth2/v2.0/devicecode",
      "end_session_endpoint": "\(base)/oauth2/v2.0/logout",
    ]
    for (name, url) in urls { #expect(body[name]?.string == url) }
    #expect(body["scopes_supported"] == ["openid", "profile", "email", "offline_access"])
    #expect(body["tenant_region_scope"] == (segment == Self.contoso ? "WW" : .null))
    #expect(body["response_modes_supported"] == ["query", "fragment", "form_post"])
  }

  /// The fields of Entra's documents, as they were recorded (docs/behaviour/provider.md §3(1)).
  @Test(
    arguments: [("v2.0/", []), ("", ["microsoft_multi_refresh_token", "check_session_iframe"])]
      as [(String, [String])])
  func configurationHasEntrasFieldsAndNoOthers(_ version: String, _ more: [String]) throws {
    let fields: Set = [
      "token_endpoint", "token_endpoint_auth_methods_supported", "jwks_uri", "response_modes_supported",
      "subject_types_supported", "id_token_signing_alg_values_supported", "response_types_supported",
      "scopes_supported", "issuer", "request_uri_parameter_supported", "userinfo_endpoint",
      "authorization_endpoint", "device_authorization_endpoint", "http_logout_supported",
      "frontchannel_logout_supported", "end_session_endpoint", "claims_supported", "kerberos_endpoint",
      "mtls_endpoint_aliases", "tls_client_certificate_bound_access_tokens", "tenant_region_scope",
      "cloud_instance_name", "cloud_graph_host_name", "msgraph_host", "rbac_url",
    ]
    let body = try get(ProviderLab(), "/common/\(version).well-known/openid-configuration").body
    #expect(Set(body.object?.keys.map { $0 } ?? []) == fields.union(more))
    #expect(body["scopes_supported"]?.array?.count == (version.isEmpty ? 1 : 4))
  }

  @Test func genericConfigurationNamesWhatEntraLacks() throws {
    let lab = try ProviderLab()
    lab.isGeneric = true
    let body = try get(lab, "/contoso.com/v2.0/.well-known/openid-configuration").body
    for name in ["registration", "revocation", "introspection"] { #expect(body[name + "_endpoint"] != nil) }
    #expect(body["code_challenge_methods_supported"] == ["S256", "plain"])
  }

  @Test func unknownTenantIsStatus400() throws {
    let answer = try get(ProviderLab(), "/no-such.example/v2.0/.well-known/openid-configuration")
    #expect(answer.status == 400)
    #expect(answer.body["error"] == "invalid_tenant")
    #expect(answer.body["error_codes"] == [.integer(90002)])
  }

  @Test func keySetKeepsTheKeysThatSignedBefore() throws {
    let lab = try ProviderLab()
    let before = try lab.signIn(ProviderLab.word).accessToken
    try lab.provider.resources.keys.rollOver()
    let after = try lab.signIn(ProviderLab.word).accessToken
    let list = try get(lab, "/common/discovery/v2.0/keys").body["keys"]?.array ?? []
    #expect(
      list.map { $0["issuer"] } == Array(repeating: .string("\(Self.origin)/{tenantid}/v2.0"), count: 2))
    let keys = list.compactMap { TokenVerificationKey($0) }
    for token in [before, after] {
      #expect(throws: Never.self) { try JSONWebToken(verifying: token, keys: keys, resolvesNonce: true) }
    }
    try lab.provider.resources.keys.rollOver(forgetting: true)
    let left = try get(lab, "/common/discovery/v2.0/keys").body["keys"]?.array ?? []
    #expect(left.count == 1)
    #expect(throws: JSONWebToken.Refusal.self) {
      try JSONWebToken(
        verifying: after, keys: left.compactMap { TokenVerificationKey($0) }, resolvesNonce: true)
    }
  }

  /// Entra's key ID is the thumbprint of the certificate.
  @Test func keyIDIsTheThumbprintOfTheCertificate() throws {
    let lab = try ProviderLab()
    let token = try lab.signIn(ProviderLab.word).accessToken
    let key = try #require(try get(lab, "/common/discovery/v2.0/keys").body["keys"]?.array?.first)
    #expect(key["kid"] != nil && key["kid"] == key["x5t"])
    #expect(try JSONWebToken(unverified: token).header["kid"] == key["kid"])
  }

  /// Entra's keys name no algorithm (lestrrat-go/jwx#469), and those of a user flow have no certificate
  /// (dotnet/aspnetcore#52283).
  @Test(arguments: [
    ("common", false, ["issuer", "x5c", "x5t"]), ("common", true, ["alg", "issuer", "x5c", "x5t"]),
    ("contoso.com/B2C_1_signin", false, []), ("adfs", false, ["alg", "x5c", "x5t"]),
  ])
  func aKeyHasEntrasMembers(_ authority: String, _ isGeneric: Bool, _ more: [String]) throws {
    let lab = try ProviderLab()
    lab.isGeneric = isGeneric
    let path = authority == "adfs" ? "/adfs/discovery/keys" : "/\(authority)/discovery/v2.0/keys"
    let key = try #require(try get(lab, path).body["keys"]?.array?.first)
    #expect(Set(key.object?.keys.map { $0 } ?? []) == Set(["kty", "use", "kid", "n", "e"] + more))
  }

  /// Each host of a public cloud is known, and all of them are named (MSAL.js, `AuthorityMetadata.ts`).
  @Test(arguments: Cloud.allCases.flatMap(\.hosts)) func instanceDiscoveryKnowsEachCloud(_ host: String)
    throws
  {
    let answer = try get(
      ProviderLab(), "/common/discovery/instance", ["authorization_endpoint": "https://\(host)/common"])
    #expect(answer.status == 200)
    let records = answer.body["metadata"]?.array ?? []
    #expect(
      records.map { $0["preferred_network"]?.string } == [
        "login.microsoftonline.com", "login.partner.microsoftonline.cn", "login.microsoftonline.de",
        "login.microsoftonline.us", "login-us.microsoftonline.com",
      ])
    #expect(records.contains { $0["aliases"]?.array?.contains(.string(host)) == true })
  }

  /// The document of another cloud's tenant (MSAL.js, `AuthorityMetadata.ts`).
  @Test(arguments: [
    ("login.microsoftonline.us", "microsoftonline.us", "graph.microsoft.com", "USGov" as String?),
    ("login.chinacloudapi.cn", "partner.microsoftonline.cn", "microsoftgraph.chinacloudapi.cn", nil),
  ])
  func aTenantOfAnotherCloudNamesItsHosts(
    _ host: String, _ instance: String, _ graph: String, _ region: String?
  ) throws {
    let lab = try ProviderLab()
    var contoso = ProviderLab.contoso
    contoso.cloudHost = host
    try lab.documents.save(contoso)
    let body = try get(lab, "/contoso.com/v2.0/.well-known/openid-configuration").body
    #expect(body["cloud_instance_name"]?.string == instance && body["msgraph_host"]?.string == graph)
    #expect(body["tenant_region_scope"] == (region.map(JSONValue.string) ?? .null))
    #expect(body["rbac_url"]?.string?.hasPrefix("https://pas") == true)
  }

  /// A tenant of another cloud has its cloud's host for apps of the lab, and the server's for real programs, which would
  /// otherwise send secrets to the Internet.
  @Test(arguments: [
    (origin, origin), ("https://login.microsoftonline.com", "https://login.microsoftonline.us"),
  ])
  func endpointsOfAnotherCloudAreAtTheServerThatIsAsked(_ asked: String, _ named: String) throws {
    let lab = try ProviderLab()
    var contoso = ProviderLab.contoso
    contoso.cloudHost = "login.microsoftonline.us"
    try lab.documents.save(contoso)
    let body = try #require(
      try lab.send(
        HTTPRequest("GET", origin: asked, path: "/contoso.com/v2.0/.well-known/openid-configuration")
      ).http.json)
    for field in ["authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "jwks_uri"] {
      #expect(body[field]?.string?.hasPrefix(named + "/") == true, "\(field)")
    }
  }

  /// The fields of a user flow's document, as every B2C tenant publishes it.
  @Test func aUserFlowHasFewerFields() throws {
    let body = try get(ProviderLab(), "/contoso.com/B2C_1_signin/v2.0/.well-known/openid-configuration").body
    #expect(
      body.object?.keys.sorted() == [
        "authorization_endpoint", "claims_supported", "end_session_endpoint",
        "id_token_signing_alg_values_supported", "issuer", "jwks_uri", "response_modes_supported",
        "response_types_supported", "scopes_supported", "subject_types_supported", "token_endpoint",
        "token_endpoint_auth_methods_supported",
      ])
    #expect(body["scopes_supported"] == ["openid"])
  }

  /// A client caches metadata for a day, but no response that concerns a user.
  @Test(arguments: ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys", "discovery/instance"])
  func metadataMayBeKept(_ path: String) throws {
    let answer = try ProviderLab().send(
      HTTPRequest(
        "GET", origin: Self.origin, path: "/common/" + path,
        query: [NameValue("authorization_endpoint", Self.origin + "/common")]))
    #expect(answer.http.status == 200 && answer.http.headers["Cache-Control"] == "max-age=86400, private")
  }

  /// The host of an External ID tenant's issuer is named by its ID, and the endpoints keep the host of the request.
  @Test func externalTenantHasAHostOfItsOwn() throws {
    let answer = try ProviderLab().send(
      HTTPRequest(
        "GET", origin: "https://contoso.ciamlogin.com",
        path: "/\(Self.contoso)/v2.0/.well-known/openid-configuration"))
    let body = try #require(answer.http.json)
    #expect(body["issuer"]?.string == "https://\(Self.contoso).ciamlogin.com/\(Self.contoso)/v2.0")
    #expect(
      body["authorization_endpoint"]?.string
        == "https://contoso.ciamlogin.com/\(Self.contoso)/oauth2/v2.0/authorize")
    #expect(
      body["mtls_endpoint_aliases"]?["token_endpoint"]?.string
        == "https://mtlsauth.microsoft.com/\(Self.contoso)/oauth2/v2.0/token")
  }

  @Test(arguments: ["localhost", "localhost:8443", "LOCALHOST"])
  func instanceDiscoveryNamesItselfWithItsPort(_ host: String) throws {
    let endpoint = "https://\(host)/contoso.com/oauth2/v2.0/authorize"
    let body = try get(
      ProviderLab(), "/common/discovery/instance",
      ["api-version": "1.1", "authorization_endpoint": endpoint]
    ).body
    #expect(
      body["tenant_discovery_endpoint"]?.string
        == "\(Self.origin)/contoso.com/v2.0/.well-known/openid-configuration")
    #expect(body["metadata"]?.array?.last?["aliases"] == ["localhost:8443", "localhost"])
  }

  @Test func strangeHostIsNoInstance() throws {
    let answer = try get(
      ProviderLab(), "/common/discovery/instance",
      ["authorization_endpoint": "https://evil.example/common/oauth2/v2.0/authorize"])
    #expect(answer.body["error"] == "invalid_instance")
  }

  @Test(arguments: [
    ("/common/userrealm/alice@contoso.com", "1.0", "Managed"),
    ("/common/userrealm/alice%40contoso.com", "1.0", "Managed"),
    ("/common/userrealm/zoe@elsewhere.example", "1.0", "Unknown"),
  ])
  func userRealmSaysWhoseDomainItIs(_ path: String, _ version: String, _ kind: String) throws {
    let body = try get(ProviderLab(), path, ["api-version": version]).body
    var expected: [String: JSONValue] = [
      "ver": "1.0", "account_type": .string(kind), "cloud_instance_name": "microsoftonline.com",
    ]
    if kind == "Managed" {
      expected["domain_name"] = "contoso.com"
      expected["cloud_audience_urn"] = "urn:federation:MicrosoftOnline"
    }
    #expect(body == .object(expected))
  }

  @Test func userRealmOfVersionTwoHasOtherNames() throws {
    let body = try get(
      ProviderLab(), "/common/UserRealm", ["api-version": "2.1", "user": "alice@contoso.com"]
    ).body
    #expect(
      body == [
        "NameSpaceType": "Managed", "Login": "alice@contoso.com", "DomainName": "contoso.com",
        "FederationBrandName": "Contoso", "cloud_instance_name": "microsoftonline.com",
        "cloud_audience_urn": "urn:federation:MicrosoftOnline",
      ])
  }

  @Test func wrongMethodIsNamed() throws {
    let lab = try ProviderLab()
    let answer = try lab.send(
      HTTPRequest("GET", origin: Self.origin, path: "/common/oauth2/v2.0/token")
    ).http
    #expect(answer.status == 400)
    #expect(answer.headers["Allow"] == "POST, OPTIONS")
    let error = OAuthError(reading: answer)
    #expect(error.aadsts == 900561)
    #expect(
      error.message.contains("The endpoint only accepts POST, OPTIONS requests. Received a GET request."))
    let page = try lab.send(
      HTTPRequest(
        "GET", origin: Self.origin, path: "/common/oauth2/v2.0/token",
        headers: [NameValue("Accept", "text/html,*/*")]))
    guard case .error(let shown) = page.page else {
      Issue.record("no page for a browser")
      return
    }
    #expect(shown.number == "AADSTS900561")
  }

  /// Microsoft Learn, "Access tokens": an app with its own signing key names itself.
  @Test func theKeysOfAnAppAreFoundByItsID() throws {
    let path = "/contoso.com/v2.0/.well-known/openid-configuration"
    let body = try get(ProviderLab(), path, ["appid": "notes"]).body
    #expect(body["jwks_uri"]?.string?.hasSuffix("/discovery/v2.0/keys?appid=notes") == true)
  }
}
