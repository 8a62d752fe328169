import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// One rule decides, for all endpoints, which accounts, tenant, and authority an app serves (docs/wrong-requests.md has
/// the source of each response).
@Suite struct ClientAtAuthorityTests {
  enum Request: String, CaseIterable, Sendable { case authorize, device, password, refresh, app }
  enum App: String, Sendable {
    case ofFabrikam, singleTenant, personal, organizations, notConverged, unknown, notForMobile
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var request: Request
    var app: App
    var tenant: String
    var aadsts: Int
    var code: OAuthErrorCode
    var testDescription: String { "\(request) of \(app) at \(tenant)" }

    init(_ request: Request, _ app: App, _ tenant: String, _ aadsts: Int, _ code: OAuthErrorCode) {
      (self.request, self.app, self.tenant) = (request, app, tenant)
      (self.aadsts, self.code) = (aadsts, code)
    }
  }

  private static let refusals: [Refusal] =
    Request.allCases.map { Refusal($0, .ofFabrikam, "contoso.com", 700_016, .unauthorizedClient) }
    + Request.allCases.map { Refusal($0, .personal, "contoso.com", 9_002_346, .invalidRequest) }
    + Request.allCases.map { Refusal($0, .organizations, "consumers", 9_002_332, .invalidRequest) }
    + Request.allCases.map { Refusal($0, .singleTenant, "consumers", 9_002_332, .invalidRequest) }
    + Request.allCases.map { Refusal($0, .notConverged, "common", 90130, .invalidRequest) }
    + [
      Refusal(.authorize, .singleTenant, "common", 50194, .invalidRequest),
      Refusal(.refresh, .singleTenant, "common", 50194, .invalidRequest),
      Refusal(.app, .singleTenant, "common", 50059, .invalidRequest),
      Refusal(.device, .singleTenant, "common", 50059, .invalidRequest),
      Refusal(.device, .singleTenant, "organizations", 50059, .invalidRequest),
      Refusal(.device, .unknown, "common", 50059, .invalidRequest),
      Refusal(.device, .unknown, "consumers", 700_016, .unauthorizedClient),
      Refusal(.device, .notForMobile, "consumers", 70002, .invalidClient),
    ]

  private static func register(_ app: App, _ client: inout ClientRegistration) {
    switch app {
    case .ofFabrikam: (client.isMultiTenant, client.homeTenantID) = (false, ProviderLab.fabrikam.id)
    case .singleTenant: client.isMultiTenant = false
    case .personal: client.accounts = .personal
    case .organizations: client.accounts = .organizations
    case .notConverged: client.isConverged = false
    case .unknown: client.clientID = "nobody"
    case .notForMobile: client.allowsPublicClient = false
    }
  }

  @Test(arguments: refusals) func isTheSameAtEachEndpoint(_ refusal: Refusal) throws {
    let lab = try ProviderLab()
    let isForApp = refusal.request == .app
    var client = ProviderLab.word
    client.clientID = "tried"
    if isForApp { client.secrets = ["s3cret"] }
    try lab.documents.save(client)
    let token = refusal.request == .refresh ? try lab.signIn(client).refreshToken ?? "" : ""
    Self.register(refusal.app, &client)
    if refusal.app != .unknown { try lab.documents.save(client) }
    let path = "/\(refusal.tenant)/oauth2/v2.0/"
    let answer =
      switch refusal.request {
      case .authorize: try lab.authorize(client, tenant: refusal.tenant)
      case .device:
        try lab.post(path + "devicecode", ["client_id": client.clientID, "scope": "User.Read"])
      case .password:
        try lab.post(
          path + "token",
          [
            "grant_type": "password", "client_id": client.clientID, "username": "alice@contoso.com",
            "password": "right", "scope": "User.Read",
          ])
      case .refresh:
        try lab.post(
          path + "token",
          ["grant_type": "refresh_token", "client_id": client.clientID, "refresh_token": token])
      case .app:
        try lab.post(
          path + "token",
          [
            "grant_type": "client_credentials", "client_id": client.clientID, "client_secret": "s3cret",
            "scope": "https://graph.microsoft.com/.default",
          ])
      }
    if refusal.request == .authorize {
      guard case .error(let page) = answer.page else {
        Issue.record("no error page")
        return
      }
      #expect(page.number == "AADSTS\(refusal.aadsts)")
    } else {
      let error = OAuthError(reading: answer.http)
      #expect((error.aadsts, error.code) == (refusal.aadsts, refusal.code))
      #expect(answer.http.status == (refusal.code == .invalidClient ? 401 : 400))
    }
    #expect(lab.failedCheck != nil)
  }

  /// A recording of Azure/azure-sdk-for-js has neither a client ID nor a tenant.
  @Test(arguments: ["contoso.com", "undefined"])
  func anAppWithoutAProofIsRefusedBeforeItsTenant(_ tenant: String) throws {
    let lab = try ProviderLab()
    for version in ["", "v2.0/"] {
      let answer = try lab.post(
        "/\(tenant)/oauth2/\(version)token",
        ["grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"]
      ).http
      #expect(OAuthError(reading: answer).aadsts == 7_000_216 && answer.status == 401)
    }
  }

  /// Personal accounts have codes and refresh tokens of another form (abraunegg/onedrive#1370,
  /// BingAds/BingAds-Python-SDK#279).
  @Test(arguments: [("common", "M.R3_BAY.x", 70000), ("consumers", "x", 70000), ("common", "x", 9_002_313)])
  func aMadeUpGrantOfAPersonalAccountIsNotValid(_ tenant: String, _ grant: String, _ number: Int) throws {
    let lab = try ProviderLab()
    for (type, field) in [("authorization_code", "code"), ("refresh_token", "refresh_token")] {
      let answer = try lab.post(
        "/\(tenant)/oauth2/v2.0/token",
        ["grant_type": type, "client_id": "word", field: grant, "redirect_uri": "http://localhost"]
      ).http
      #expect(OAuthError(reading: answer).aadsts == number, "\(type)")
    }
  }

  @Test func versionOneDoesNotServePersonalAccounts() throws {
    let lab = try ProviderLab()
    let answer = try lab.post(
      "/consumers/oauth2/token", ["grant_type": "refresh_token", "client_id": "word", "refresh_token": "x"]
    ).http
    #expect(OAuthError(reading: answer).aadsts == 90027)
    let location = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/consumers/oauth2/authorize",
        query: [
          NameValue("client_id", "word"), NameValue("redirect_uri", ProviderLab.word.redirectURIs[0]),
          NameValue("response_type", "code"),
        ])
    ).http.location
    #expect(location?.contains("error=invalid_request&error_description=AADSTS90027") == true)
  }

  /// A personal account at an authority of all accounts gets no token of version 1, on the page and at the token endpoint
  /// (mguessan/davmail#180).
  @Test func versionOneDoesNotServeAPersonalAccountAtCommon() throws {
    let lab = try ProviderLab()
    try lab.documents.save(
      Tenant(id: Tenant.personalID, displayName: "Microsoft Accounts", domains: ["outlook.com"]))
    var joe = ProviderLab.alice
    (joe.username, joe.homeTenantID, joe.isPersonal, joe.guestIn) = (
      "joe@outlook.com", Tenant.personalID, true, [:]
    )
    try lab.save(joe)
    let page = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/common/oauth2/authorize",
        query: [
          NameValue("client_id", "word"), NameValue("redirect_uri", ProviderLab.word.redirectURIs[0]),
          NameValue("response_type", "code"), NameValue("resource", "https://graph.microsoft.com"),
        ])
    ).page
    guard case .signIn(let signIn) = page,
      case .error(let error) = try lab.post(
        "/common/login", ["flow": signIn.flowID, "username": "joe@outlook.com", "password": "right"]
      ).page
    else {
      Issue.record("no error page")
      return
    }
    #expect(error.number == "AADSTS500201")
    let tokens = try TokenResponse(
      reading: lab.redeem(
        code: lab.code(ProviderLab.word, username: "joe@outlook.com"), ProviderLab.word))
    let answer = try lab.post(
      "/common/oauth2/token",
      [
        "grant_type": "refresh_token", "client_id": "word", "refresh_token": tokens.refreshToken ?? "",
        "resource": "https://graph.microsoft.com",
      ]
    ).http
    #expect(OAuthError(reading: answer).aadsts == 500_201)
  }

  /// A client names itself by its client ID as the resource of version 1
  /// (AzureAD/azure-activedirectory-library-for-dotnet#659).
  @Test func versionOneHasNoTokenForAClientNamedByItsURI() throws {
    let lab = try ProviderLab()
    var app = ProviderLab.word
    (app.clientID, app.identifierURIs) = (
      "5e4a0000-0000-4000-8000-000000000001", ["https://orders.contoso.com"]
    )
    try lab.documents.save(app)
    func number(_ resource: String) throws -> Int? {
      let answer = try lab.post(
        "/contoso.com/oauth2/token",
        [
          "grant_type": "password", "client_id": app.clientID, "username": "alice@contoso.com",
          "password": "right", "resource": resource,
        ]
      ).http
      return OAuthError(reading: answer).aadsts
    }
    for uri in ["https://orders.contoso.com", "api://" + app.clientID] {
      #expect(try number(uri) == 90009)
      let location = try lab.send(
        HTTPRequest(
          "GET", origin: ProviderLab.origin, path: "/contoso.com/oauth2/authorize",
          query: [
            NameValue("client_id", app.clientID), NameValue("redirect_uri", app.redirectURIs[0]),
            NameValue("response_type", "code"), NameValue("resource", uri),
          ])
      ).http.location
      #expect(location?.contains("AADSTS90009") == true)
    }
    #expect(try number(app.clientID) == nil)
  }

  /// The personal accounts' service has its own sentences (pennersr/django-allauth#2920).
  @Test func personalAccountsHaveSentencesOfTheirOwn() throws {
    let lab = try ProviderLab.withServer()
    try lab.documents.save(
      Tenant(id: Tenant.personalID, displayName: "Microsoft Accounts", domains: ["outlook.com"]))
    var joe = ProviderLab.alice
    (joe.username, joe.homeTenantID, joe.isPersonal, joe.guestIn) = (
      "joe@outlook.com", Tenant.personalID, true, [:]
    )
    try lab.save(joe)
    func redeem(
      _ client: ClientRegistration, _ fields: KeyValuePairs<String, String>, after seconds: Int = 0
    ) throws -> OAuthError {
      let code = try lab.code(client, tenant: "consumers", username: "joe@outlook.com")
      lab.now = lab.now.adding(seconds: seconds)
      var form = [
        NameValue("grant_type", "authorization_code"), NameValue("client_id", client.clientID),
        NameValue("code", code), NameValue("redirect_uri", client.redirectURIs[0]),
      ]
      form += fields.map { NameValue($0, $1) }
      return OAuthError(
        reading: try lab.send(
          HTTPRequest("POST", origin: ProviderLab.origin, path: "/consumers/oauth2/v2.0/token", form: form)
        ).http)
    }
    for fields: KeyValuePairs<String, String> in [[:], ["code_verifier": ProviderLab.challenge]] {
      let error = try redeem(ProviderLab.word, fields)
      #expect((error.code, error.aadsts) == (.invalidGrant, 70000))
      #expect(
        error.reason
          == "The provided 'code_verifier' input value does not match the original 'code_challenge'.")
    }
    let expired = try redeem(ProviderLab.word, ["code_verifier": ProviderLab.verifier], after: 660)
    #expect((expired.code, expired.aadsts) == (.invalidGrant, 70000))
    #expect(expired.reason.hasSuffix("The code has expired."))
    let error = try redeem(ProviderLab.server, ["code_verifier": ProviderLab.verifier])
    #expect(
      error.aadsts == 70002 && error.reason.hasSuffix("must include a 'client_secret' input parameter."))
  }

  /// A refresh for scopes that were not granted (AzureAD/microsoft-authentication-library-for-js#3303).
  @Test(arguments: [("joe@outlook.com", 70000), ("alice@contoso.com", 65001)])
  func scopesOfARefreshWereGranted(_ username: String, _ number: Int) throws {
    let lab = try ProviderLab()
    try lab.documents.save(
      Tenant(id: Tenant.personalID, displayName: "Microsoft Accounts", domains: ["outlook.com"]))
    var joe = ProviderLab.alice
    (joe.username, joe.homeTenantID, joe.isPersonal) = ("joe@outlook.com", Tenant.personalID, true)
    try lab.save(joe)
    var word = ProviderLab.word
    word.isPreauthorized = false
    try lab.documents.save(word)
    let tokens = try TokenResponse(reading: lab.redeem(code: lab.code(word, username: username), word))
    let refreshed = try lab.refresh(tokens.refreshToken ?? "", word, scope: "Calendars.Read")
    #expect(OAuthError(reading: refreshed).aadsts == number)
  }

  /// The service of an account redeems its codes and refresh tokens (BingAds/BingAds-Python-SDK#297).
  @Test(
    arguments: [
      ("joe@outlook.com", "contoso.com", 70_000_121), ("joe@outlook.com", "organizations", 70_000_121),
      ("joe@outlook.com", "common", nil), ("joe@outlook.com", "consumers", nil),
      ("joe@outlook.com", "fabrikam.com", nil), ("alice@contoso.com", "consumers", 7_000_012),
      ("alice@contoso.com", "common", nil),
    ] as [(String, String, Int?)])
  func aGrantIsOfAService(_ username: String, _ tenant: String, _ number: Int?) throws {
    let lab = try ProviderLab()
    try lab.documents.save(
      Tenant(id: Tenant.personalID, displayName: "Microsoft Accounts", domains: ["outlook.com"]))
    var joe = ProviderLab.alice
    (joe.username, joe.homeTenantID, joe.isPersonal) = ("joe@outlook.com", Tenant.personalID, true)
    try lab.save(joe)
    let tokens = try TokenResponse(
      reading: lab.redeem(code: lab.code(ProviderLab.word, username: username), ProviderLab.word))
    let refreshed = try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word, tenant: tenant)
    #expect(OAuthError(reading: refreshed).aadsts == number)
    guard let number else { return }
    lab.cookies = []
    let code = try lab.code(ProviderLab.word, username: username)
    #expect(
      OAuthError(reading: try lab.redeem(code: code, ProviderLab.word, tenant: tenant)).aadsts == number)
  }

  /// Discovery looks for a name of any form; the other endpoints tell a domain from a mistyped word or GUID.
  @Test(arguments: [
    ("secrets", 900_023), ("tenant_id", 900_023), ("{tenant}", 900_023), ("nowhere.example", 90002),
    ("e63649b2-07c0-49ed-a24b-87381dac292", 900_023), ("e63649b2-07c0-49ed-a24b-87381dac2924", 90002),
  ])
  func aTenantThatDoesNotExist(_ name: String, _ number: Int) throws {
    let lab = try ProviderLab()
    let document = try lab.get("/\(name)/v2.0/.well-known/openid-configuration", bearer: nil)
    let error = OAuthError(reading: document)
    #expect((error.code, error.aadsts) == (.invalidTenant, 90002))
    #expect(OAuthError(reading: try lab.refresh("x", ProviderLab.word, tenant: name)).aadsts == number)
    guard case .error(let page) = try lab.authorize(ProviderLab.word, tenant: name).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS\(number)")
  }

  /// azure-docs, "Understand the OAuth 2.0 authorization code flow in Azure AD" (version 1).
  @Test func versionOneHasAnotherPrompt() throws {
    let lab = try ProviderLab()
    func answer(_ path: String) throws -> ProviderResponse {
      try lab.send(
        HTTPRequest(
          "GET", origin: ProviderLab.origin, path: "/common/oauth2/" + path,
          query: [
            NameValue("client_id", "word"), NameValue("redirect_uri", ProviderLab.word.redirectURIs[0]),
            NameValue("response_type", "code"), NameValue("prompt", "admin_consent"),
            NameValue("scope", "openid"), NameValue("nonce", "n"),
          ]))
    }
    #expect(try answer("authorize").http.status == 200)
    guard case .error(let page) = try answer("v2.0/authorize").page else {
      Issue.record("no error page")
      return
    }
    #expect(
      page.message
        == "AADSTS901001: Invalid request. The prompt request parameter value 'admin_consent' is invalid.")
  }

  /// MicrosoftDocs/azure-docs#46696.
  @Test func versionOneNamesTheResourceThatIsMissing() throws {
    let answer = try ProviderLab().post(
      "/contoso.com/oauth2/token",
      [
        "grant_type": "password", "client_id": "word", "username": "alice@contoso.com", "password": "right",
        "scope": "openid",
      ]
    ).http
    let error = OAuthError(reading: answer)
    #expect(error.aadsts == 900_144 && error.reason.contains("'resource'"))
  }

  @Test func theSessionOfSidMustBeThere() throws {
    let lab = try ProviderLab()
    func answer(_ sid: String?) throws -> String {
      try lab.authorize(ProviderLab.word, ["prompt": "none", "sid": sid]).http.location ?? ""
    }
    let unknown = "12345678-0000-4000-8000-000000000000"
    #expect(try answer(unknown).contains("160021"))
    #expect(try answer(nil).contains("50058"))
    _ = try lab.code(ProviderLab.word)
    #expect(try answer(unknown).contains("error=interaction_required"))
    let state = try #require(URLParts(answer(nil))?.fields)["session_state"]
    #expect(try state.map { try answer($0).contains("error=") } == false)
  }

  /// Minecraft's launchers ask for it.
  @Test(arguments: [("consumers", 200), ("contoso.com", 400)])
  func personalAccountsHaveScopesOfXbox(_ tenant: String, _ status: Int) throws {
    let answer = try ProviderLab().post(
      "/\(tenant)/oauth2/v2.0/devicecode",
      ["client_id": "word", "scope": "XboxLive.signin offline_access"])
    #expect(answer.http.status == status)
  }

  @Test func anIDTokenIsNoAssertion() throws {
    let lab = try ProviderLab.withServer()
    let tokens = try lab.signIn(ProviderLab.word)
    let answer = try lab.token([
      "grant_type": GrantType.primaryRefreshToken.rawValue, "client_id": "server", "client_secret": "s3cret",
      "assertion": tokens.idToken ?? "", "requested_token_use": "on_behalf_of", "scope": "User.Read",
    ])
    let error = OAuthError(reading: answer)
    #expect((error.aadsts, error.code) == (240_002, .invalidRequest))
  }
}
