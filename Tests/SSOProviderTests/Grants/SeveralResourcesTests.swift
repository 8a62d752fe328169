import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// A sign-in may ask for consent to several APIs; each token is for one (docs/behaviour/provider.md §4(16), §9(2)).
@Suite struct SeveralResourcesTests {
  private static let graph = "https://graph.microsoft.com/User.Read"
  private static let vault = "https://vault.azure.net/user_impersonation"
  private static let both = "\(graph) \(vault) openid offline_access"

  /// An app without a list of registered scopes.
  private static let app: ClientRegistration = {
    var app = ProviderLab.notes
    (app.clientID, app.allowedScopes, app.adminOnlyScopes) = ("several", [], [])
    return app
  }()

  private func lab() throws -> ProviderLab {
    let lab = try ProviderLab()
    try lab.documents.save(Self.app)
    return lab
  }

  private func redeem(_ lab: ProviderLab, _ code: String, scope: String?) throws -> HTTPResponse {
    var form = [
      NameValue("grant_type", "authorization_code"), NameValue("client_id", Self.app.clientID),
      NameValue("code", code), NameValue("redirect_uri", Self.app.redirectURIs[0]),
      NameValue("code_verifier", ProviderLab.verifier),
    ]
    if let scope { form.append(NameValue("scope", scope)) }
    return try lab.send(
      HTTPRequest("POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token", form: form)
    ).http
  }

  @Test func consentIsForAllAndATokenForTheNamedOne() throws {
    let lab = try lab()
    guard case .signIn(let page) = try lab.authorize(Self.app, scope: Self.both).page else {
      Issue.record("no sign-in page")
      return
    }
    let answer = try lab.post(
      "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"])
    guard case .consent(let asked) = answer.page else {
      Issue.record("no consent page")
      return
    }
    #expect(asked.scopes.map(\.scope) == Self.both.split(separator: " ").map(String.init))
    let redirected = try lab.post("/common/consent", ["flow": asked.flowID, "accept": "1"])
    let code = try #require(redirected.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let tokens = try TokenResponse(
      reading: redeem(lab, code, scope: Self.vault + " offline_access"))
    #expect(try lab.claims(tokens.accessToken)["aud"] == "https://vault.azure.net")
    // The refresh token serves the other API without another question.
    let other = try lab.refresh(#require(tokens.refreshToken), Self.app, scope: Self.graph)
    #expect(other.status == 200)
  }

  @Test(arguments: [(nil, 28003), ("", 28003), (both, 28000)] as [(String?, Int)])
  func aRedemptionNamesOne(_ scope: String?, _ aadsts: Int) throws {
    let lab = try lab()
    let answer = try redeem(lab, lab.code(Self.app, scope: Self.both), scope: scope)
    #expect(OAuthError(reading: answer).aadsts == aadsts)
  }

  /// The authorization endpoint itself issues an access token for only one.
  @Test func anAccessTokenAtTheAuthorizationEndpointIsForOne() throws {
    let lab = try lab()
    var app = Self.app
    (app.enableAccessTokenIssuance, app.enableIDTokenIssuance) = (true, true)
    try lab.documents.save(app)
    let answer = try lab.authorize(app, scope: Self.both, ["response_type": "id_token token"])
    #expect(answer.errorNumber == "AADSTS700022" && answer.http.location == nil)
  }

  /// Each API is checked as if it was asked for alone.
  @Test(arguments: [
    ("api://nobody/read", 500_011), ("https://graph.microsoft.com/User.Reed", 650_053),
    ("https://graph.microsoft.com/.default", 70011),
  ])
  func eachIsChecked(_ scope: String, _ aadsts: Int) throws {
    let answer = try lab().authorize(
      Self.app, scope: "\(Self.vault) \(scope) openid", ["prompt": "none"])
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect(fields["error_description"]?.hasPrefix("AADSTS\(aadsts):") == true)
  }

  /// Entra shows on its own page that the scopes cannot be read (docs/behaviour/provider.md §4(16)).
  @Test(arguments: ["orders/read", "https://graph.microsoft.com/.default \(vault)"])
  func scopesThatCannotBeReadAreRefusedOnAPage(_ scope: String) throws {
    let answer = try lab().authorize(Self.app, scope: scope)
    #expect(answer.errorNumber == "AADSTS70011" && answer.http.location == nil)
  }

  @Test(arguments: [
    "https://graph.microsoft.com/.default User.Read", "https://vault.azure.net/.default User.Read",
    "https://graph.microsoft.com/.DEFAULT Mail.Read",
  ])
  func defaultStandsAloneAtARefresh(_ scope: String) throws {
    let lab = try lab()
    let secret = try #require(lab.signIn(Self.app).refreshToken)
    let answer = try lab.refresh(secret, Self.app, scope: scope)
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts) == (.invalidScope, 70011))
    #expect(error.message.contains(".default scope can't be combined with resource-specific scopes."))
  }
}

extension ProviderResponse {
  /// The number on the error page, or `nil` if another page or no page is shown.
  fileprivate var errorNumber: String? { if case .error(let page) = page { page.number } else { nil } }
}

/// A client that is its own API (docs/behaviour/provider.md §10(9)).
@Suite struct TokenForItselfTests {
  private static let app: ClientRegistration = {
    var app = ProviderLab.notes
    (app.clientID, app.allowedScopes, app.adminOnlyScopes) = ("5e1f0000-0000-4000-8000-000000000001", [], [])
    return app
  }()

  @Test(
    arguments: [
      ("api://5e1f0000-0000-4000-8000-000000000001/read", "", 90009),
      ("api://5e1f0000-0000-4000-8000-000000000001/read", "openid offline_access", 90009),
      (
        "api://5e1f0000-0000-4000-8000-000000000001/read",
        "api://5e1f0000-0000-4000-8000-000000000001/read", nil
      ),
      ("5e1f0000-0000-4000-8000-000000000001/read", "", nil), ("User.Read", "", nil),
    ] as [(String, String, Int?)])
  func aRefreshNamesItsScope(_ scope: String, _ refreshed: String, _ aadsts: Int?) throws {
    let lab = try ProviderLab()
    try lab.documents.save(Self.app)
    let secret = try #require(lab.signIn(Self.app, scope: scope + ProviderLab.openID).refreshToken)
    let answer = try lab.refresh(secret, Self.app, scope: refreshed)
    #expect(OAuthError(reading: answer).aadsts == aadsts && (answer.status == 200) == (aadsts == nil))
  }
}
