import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct UserInfoTests {
  @Test func tellsWhoThePersonIs() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word, scope: "openid profile email")
    let sub = try #require(JSONWebToken(unverified: tokens.idToken ?? "").claims["sub"])
    let answer = try lab.get("/oidc/userinfo", bearer: tokens.accessToken)
    #expect(answer.status == 200)
    #expect(
      answer.json == [
        "sub": sub, "name": "Alice", "email": "alice@contoso.com",
        "picture": .string(ProviderLab.origin + "/v1.0/me/photo/$value"),
      ])
  }

  @Test(arguments: [
    ("none", 401, "Bearer authorization_uri"), ("another API", 401, "Bearer error=\"invalid_token\""),
    ("from the future", 401, "Bearer error=\"invalid_token\""),
    ("expired", 401, "Bearer error=\"invalid_token\""), ("no token", 401, "Bearer error=\"invalid_token\""),
    ("without openid", 403, "Bearer error=\"insufficient_scope\""),
    ("deleted account", 401, "Bearer error=\"invalid_token\""),
  ])
  func refuses(_ how: String, _ status: Int, _ challenge: String) throws {
    let lab = try ProviderLab()
    let scope =
      switch how {
      case "another API": "https://vault.azure.net/.default openid"
      case "without openid": "User.Read"
      default: "openid"
      }
    var compact: String? = try lab.signIn(ProviderLab.word, scope: scope).accessToken
    if how == "none" { compact = nil }
    if how == "no token" { compact = "x" }
    if how == "expired" { lab.now = lab.now.adding(seconds: 3600) }
    if how == "from the future" { lab.now = lab.now.adding(seconds: -601) }
    if how == "deleted account" {
      lab.documents.delete(.person, "alice@contoso.com")
    }
    let answer = try lab.get("/oidc/userinfo", bearer: compact)
    #expect(answer.status == status)
    #expect(answer.headers["WWW-Authenticate"]?.hasPrefix(challenge) == true)
  }
}

@Suite struct UnknownTenantTests {
  @Test(arguments: [
    ("GET", "discovery/v2.0/keys"), ("POST", "oauth2/v2.0/devicecode"), ("POST", "oauth2/v2.0/revoke"),
    ("POST", "oauth2/v2.0/introspect"), ("POST", "oauth2/v2.0/register"), ("GET", "oauth2/v2.0/logout"),
    ("GET", "oauth2/deviceauth"),
  ])
  func isRefusedEverywhere(_ method: String, _ path: String) throws {
    let lab = try ProviderLab()
    lab.isGeneric = true
    let answer = try lab.send(
      HTTPRequest(method, origin: ProviderLab.origin, path: "/nowhere.com/" + path))
    #expect(answer.http.status == 400)
    if case .error(let page) = answer.page {
      #expect(page.number == "AADSTS90002")
    } else {
      let error = OAuthError(reading: answer.http)
      let isOfClient = ["devicecode", "revoke", "introspect"].contains { path.hasSuffix($0) }
      #expect((error.code, error.aadsts) == (isOfClient ? .invalidRequest : .invalidTenant, 90002))
    }
  }
}

@Suite struct ResourceManagerTests {
  private func armToken(_ lab: ProviderLab, tenant: String = "organizations") throws -> String {
    try lab.signIn(
      ProviderLab.word, tenant: tenant, scope: "https://management.core.windows.net//.default openid"
    ).accessToken
  }

  @Test func listsTheTenantsThatKnowThePerson() throws {
    let lab = try ProviderLab()
    let compact = try armToken(lab)
    #expect(try lab.claims(compact)["aud"] == "https://management.core.windows.net/")
    #expect(try lab.claims(compact)["scp"] == "user_impersonation")
    func row(_ tenant: Tenant) -> JSONValue {
      [
        "id": .string("/tenants/" + tenant.id), "tenantId": .string(tenant.id),
        "displayName": .string(tenant.displayName), "defaultDomain": .string(tenant.domains[0]),
        "domains": [.string(tenant.domains[0])], "tenantType": "AAD", "countryCode": "CH",
        "tenantCategory": "Home",
      ]
    }
    let answer = try lab.get("/tenants", bearer: compact)
    #expect(answer.json == ["value": [row(ProviderLab.contoso), row(ProviderLab.fabrikam)]])
  }

  @Test func listsTheSubscriptionsOfTheTokensTenant() throws {
    let lab = try ProviderLab()
    let own = Subscription(id: "50000000-0000-4000-8000-000000000001", displayName: "Production")
    try lab.documents.save(
      Tenant(
        id: ProviderLab.fabrikam.id, displayName: "Fabrikam", domains: ["fabrikam.com"], subscriptions: [own])
    )
    let answer = try lab.get("/subscriptions", bearer: armToken(lab, tenant: "fabrikam.com"))
    #expect(
      answer.json == [
        "value": [
          [
            "id": .string("/subscriptions/" + own.id), "subscriptionId": .string(own.id),
            "tenantId": .string(ProviderLab.fabrikam.id), "displayName": "Production", "state": "Enabled",
            "subscriptionPolicies": [
              "locationPlacementId": "Public_2014-09-01", "quotaId": "PayAsYouGo_2014-09-01",
              "spendingLimit": "Off",
            ], "authorizationSource": "RoleBased", "managedByTenants": [],
          ]
        ]
      ])
    let other = try lab.get("/subscriptions", bearer: armToken(lab, tenant: "contoso.com"))
    #expect(other.json?["value"]?.array?.first?["displayName"] == "Contoso Lab")
  }

  @Test func tokenForAnotherAPIIsRefusedInAzuresWords() throws {
    let lab = try ProviderLab()
    let answer = try lab.get("/tenants", bearer: lab.signIn(ProviderLab.word).accessToken)
    #expect(answer.status == 401)
    #expect(answer.json?["error"]?["code"] == "InvalidAuthenticationToken")
    #expect(try lab.get("/tenants", bearer: nil).json?["error"]?["code"] == "AuthenticationFailed")
  }
}

/// Entra has none of them (Microsoft Learn, "OpenID Connect on the Microsoft identity platform"), so a client that needs one
/// must fail here too.
@Suite struct EndpointsBesidesTests {
  @Test(arguments: ["revoke", "introspect", "register"])
  func existOnlyWhereTheyAreAskedFor(_ name: String) throws {
    let lab = try ProviderLab()
    func status() throws -> Int {
      try lab.post("/common/oauth2/v2.0/" + name, ["client_id": "word", "token": "x"]).http.status
    }
    #expect(try status() == 404)
    lab.isGeneric = true
    #expect(try status() != 404)
  }
}

@Suite struct DynamicRegistrationTests {
  private static let minimal =
    "{\"redirect_uris\":[\"http://localhost\"],\"token_endpoint_auth_method\":\"none\"}"

  private func register(
    _ lab: ProviderLab, _ body: String, type: String = "application/json"
  ) throws -> HTTPResponse {
    lab.isGeneric = true
    return try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/contoso.com/oauth2/v2.0/register",
        headers: [NameValue("Content-Type", type)], body: Data(body.utf8))
    ).http
  }

  /// The request is that of oidc-agent 4.2.6 (docs/behaviour/external-clients.md §5).
  @Test func oidcAgentGetsAClientThatWorks() throws {
    let lab = try ProviderLab()
    let answer = try register(
      lab,
      """
      {"application_type":"web","client_name":"oidc-agent:lab","grant_types":["refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code"],"redirect_uris":["http://localhost:4242",
      "http://localhost:9345","http://localhost:8080","edu.kit.data.oidc-agent:/redirect"]}
      """)
    #expect(answer.status == 201)
    let body = try #require(answer.json)
    let clientID = try #require(body["client_id"]?.string)
    let secret = try #require(body["client_secret"]?.string)
    let uris: JSONValue = [
      "http://localhost:4242", "http://localhost:9345", "http://localhost:8080",
      "edu.kit.data.oidc-agent:/redirect",
    ]
    #expect(
      body == [
        "client_id": .string(clientID), "client_secret": .string(secret),
        "client_id_issued_at": .integer(1_767_261_600), "client_secret_expires_at": .integer(0),
        "client_name": "oidc-agent:lab", "redirect_uris": uris, "application_type": "web",
        "grant_types": ["refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        "token_endpoint_auth_method": "client_secret_basic",
      ])
    let asked = try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/contoso.com/oauth2/v2.0/devicecode",
        headers: [
          NameValue("Authorization", "Basic " + Data("\(clientID):\(secret)".utf8).base64EncodedString())
        ],
        form: [NameValue("scope", "openid profile offline_access")]))
    #expect(asked.http.status == 200)
    #expect(!String(describing: lab.trace.hops).contains(secret))
  }

  @Test func aClientThatAsksForNoCodeNeedsNoRedirectURI() throws {
    let body = "{\"grant_types\":[\"client_credentials\"]}"
    #expect(try register(ProviderLab(), body).status == 201)
  }

  @Test func publicClientGetsNoSecret() throws {
    let answer = try register(
      ProviderLab(),
      "{\"token_endpoint_auth_method\":\"none\",\"redirect_uris\":[\"https://app.example/cb\"]}")
    #expect(answer.json?["client_secret"] == nil)
    #expect(answer.json?["client_name"] == "Registered client")
  }

  @Test(arguments: [
    ("[]", "invalid_client_metadata"), ("", "invalid_client_metadata"),
    ("{\"client_name\":\"\"}", "invalid_client_metadata"),
    ("{}", "invalid_redirect_uri"), ("{\"grant_types\":[\"authorization_code\"]}", "invalid_redirect_uri"),
    ("{\"redirect_uris\":[\"http://evil.example/\"]}", "invalid_redirect_uri"),
    ("{\"redirect_uris\":[\"http://localhost.evil.example/\"]}", "invalid_redirect_uri"),
    ("{\"redirect_uris\":[\"http://localhost:80@evil.example/\"]}", "invalid_redirect_uri"),
    ("{\"redirect_uris\":[\"javascript:alert(1)\"]}", "invalid_redirect_uri"),
    ("{\"redirect_uris\":[\"https://a.example/#f\"]}", "invalid_redirect_uri"),
    ("{\"post_logout_redirect_uris\":[\"data:text/html,x\"]}", "invalid_redirect_uri"),
    ("{\"token_endpoint_auth_method\":\"tls_client_auth\"}", "invalid_client_metadata"),
    ("{\"token_endpoint_auth_method\":\"private_key_jwt\"}", "invalid_client_metadata"),
  ])
  func refuses(_ body: String, _ code: String) throws {
    let lab = try ProviderLab()
    let before = lab.documents.bodies[.clientRegistration]?.count
    let answer = try register(lab, body)
    #expect(answer.status == 400)
    #expect(answer.json?["error"]?.string == code)
    #expect(lab.documents.bodies[.clientRegistration]?.count == before)
  }

  /// A page of another site can send every other type without a preflight request (Fetch, CORS-safelisted
  /// request-header).
  @Test(arguments: [
    ("text/plain", 400), ("", 400), ("application/x-www-form-urlencoded", 400), ("application/jsonx", 400),
    ("Application/JSON; charset=utf-8", 201),
  ])
  func onlyJSONIsTaken(_ type: String, _ status: Int) throws {
    #expect(try register(ProviderLab(), Self.minimal, type: type).status == status)
  }

  @Test func clientsThatNeverSignInAreBoundedAndForgotten() throws {
    let lab = try ProviderLab()
    let before = lab.documents.bodies[.clientRegistration]?.count ?? 0
    let used = try #require(register(lab, Self.minimal).json?["client_id"]?.string)
    let client = try #require(try Directory(documents: lab.documents).registration(clientID: used))
    try lab.documents.write("noted", .externalClient, used)
    let program = Provider(
      documents: lab.documents, now: lab.now, random: lab.random, trace: lab.trace, isServed: true)
    _ = try program.respond(
      to: HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token",
        form: [
          NameValue("grant_type", "authorization_code"), NameValue("client_id", used),
          NameValue("code", lab.code(client)), NameValue("redirect_uri", client.redirectURIs[0]),
          NameValue("code_verifier", ProviderLab.verifier),
        ]))
    for _ in 0..<100 { #expect(try register(lab, Self.minimal).status == 201) }
    let refused = try register(lab, Self.minimal)
    #expect((refused.status, refused.json?["error"]?.string) == (400, "temporarily_unavailable"))
    lab.now = lab.now.adding(seconds: 3599)
    #expect(try register(lab, Self.minimal).status == 400)
    lab.now = lab.now.adding(seconds: 1)
    #expect(try register(lab, Self.minimal).status == 201)
    #expect(lab.documents.bodies[.clientRegistration]?.count == before + 2, "the one in use stays")
    #expect(lab.documents.document(.externalClient, used) != nil)
  }

  @Test func tooManyRedirectURIsAreRefused() throws {
    func list(_ count: Int) -> String {
      "{\"redirect_uris\":[" + (0..<count).map { "\"http://localhost/\($0)\"" }.joined(separator: ",") + "]}"
    }
    #expect(try register(ProviderLab(), list(20)).status == 201)
    #expect(try register(ProviderLab(), list(21)).status == 400)
  }
}

@Suite struct WellKnownClientsTests {
  @Test func missingRegistrationsAreAddedAndOwnOnesKept() throws {
    let lab = try ProviderLab()
    let directory = Directory(documents: lab.documents)
    var own = ProviderLab.notes
    own.clientID = WellKnownClients.publicClient
    try lab.documents.save(own)
    try lab.documents.addWellKnownClients(random: lab.random)
    let added = try directory.wellKnownClients()
    #expect(added.map(\.clientID) == WellKnownClients.clientIDs)
    #expect(added[2] == own)
    #expect(added.map(\.familyID) == ["1", "1", nil, nil])
    #expect(added.map(\.isConfidential) == [false, false, false, true])
    try lab.documents.addWellKnownClients(random: lab.random)
    #expect(try directory.wellKnownClients() == added)
  }

  @Test(arguments: ["http://localhost:51234", "http://localhost:51234/", "http://127.0.0.1:8000/callback"])
  func azureCLIMayUseAnyPort(_ uri: String) throws {
    let lab = try ProviderLab()
    let directory = Directory(documents: lab.documents)
    try lab.documents.addWellKnownClients(random: lab.random)
    let cli = try #require(try directory.registration(clientID: WellKnownClients.azureCLI))
    #expect(try lab.authorize(cli, tenant: "organizations", ["redirect_uri": uri]).http.status == 200)
    #expect(try lab.authorize(cli, ["redirect_uri": uri + "x"]).http.status == 400)
  }
}
