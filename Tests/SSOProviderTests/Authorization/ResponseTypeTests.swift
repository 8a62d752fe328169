import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Tokens from the authorization endpoint itself: `id_token`, `code id_token`, `id_token token`.
@Suite struct ResponseTypeTests {
  private func lab(idTokens: Bool = true, accessTokens: Bool = true) throws -> (
    ProviderLab, ClientRegistration
  ) {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    var app = ProviderLab.notes
    app.isPreauthorized = true
    app.enableIDTokenIssuance = idTokens
    app.enableAccessTokenIssuance = accessTokens
    try lab.documents.save(app)
    return (lab, app)
  }

  private func hash(_ text: String) -> JSONValue { .string(Base64URL.encode(sha256(text.utf8).prefix(16))) }

  @Test(arguments: [
    ("id_token", ["id_token"]), ("code id_token", ["code", "id_token"]),
    ("id_token code", ["code", "id_token"]),
    ("id_token token", ["access_token", "token_type", "expires_in", "scope", "id_token"]),
    ("token", ["access_token", "token_type", "expires_in", "scope"]), ("code", ["code"]),
  ])
  func theAnswerHasWhatWasAskedFor(_ type: String, _ names: [String]) throws {
    let (lab, app) = try lab()
    let answer = try lab.authorize(app, ["response_type": type])
    let location = try #require(answer.http.location)
    let parts = try #require(URLParts(location))
    #expect((parts.fragment == nil) == (type == "code"), "tokens come in the fragment")
    let fields = try #require(parts.fields)
    #expect(fields.map(\.name) == names + ["state", "session_state"])
    if let token = fields["id_token"] {
      let claims = try lab.claims(token)
      #expect(claims["nonce"] == "n1" && claims["aud"] == "notes")
      #expect(claims["c_hash"] == fields["code"].map(hash))
      #expect(claims["at_hash"] == fields["access_token"].map(hash))
    }
    if let token = fields["access_token"] {
      #expect(try lab.claims(token)["aud"] == .string(ProtectedResource.graphAppID))
    }
    if let code = fields["code"] { #expect(try lab.redeem(code: code, app).status == 200) }
  }

  @Test func aFormCarriesTokensToo() throws {
    let (lab, app) = try lab()
    let answer = try lab.authorize(app, ["response_type": "code id_token", "response_mode": "form_post"])
    let html = String(decoding: answer.http.body, as: UTF8.self)
    #expect(answer.http.status == 200 && html.contains("name=\"id_token\"") && html.contains("name=\"code\""))
  }

  @Test func aPersonWhoTypesAPasswordGetsTheSame() throws {
    let (lab, app) = try lab()
    lab.cookies = []
    guard case .signIn(let page) = try lab.authorize(app, ["response_type": "id_token"]).page else {
      Issue.record("no sign-in page")
      return
    }
    let answer = try lab.post(
      "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"])
    let token = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["id_token"])
    #expect(try lab.claims(token)["ver"] == "2.0", "version 2, though the page's own address names none")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var aadsts: Int
    var changes: [String: String?]
    var isAllowed = true
    var testDescription: String { "AADSTS\(aadsts) for \(changes)" }
  }

  @Test(arguments: [
    Refusal(aadsts: 700054, changes: ["response_type": "id_token"], isAllowed: false),
    Refusal(aadsts: 700054, changes: ["response_type": "code id_token"], isAllowed: false),
    Refusal(aadsts: 700051, changes: ["response_type": "token"], isAllowed: false),
    Refusal(aadsts: 70005, changes: ["response_type": "code token"]),
    Refusal(aadsts: 70005, changes: ["response_type": "nonsense"]),
    Refusal(aadsts: 700053, changes: ["response_type": "id_token", "scope": "User.Read"]),
    Refusal(aadsts: 70007, changes: ["response_type": "id_token", "response_mode": "query"]),
    Refusal(aadsts: 90014, changes: ["response_type": "id_token", "nonce": nil]),
    Refusal(aadsts: 90014, changes: ["response_type": "code id_token", "nonce": ""]),
  ])
  func refusalsGoBackInTheModeThatTheTypeHas(_ refusal: Refusal) throws {
    let (lab, app) = try lab(idTokens: refusal.isAllowed, accessTokens: refusal.isAllowed)
    let answer = try lab.authorize(app, refusal.changes)
    let parts = try #require(answer.http.location.flatMap { URLParts($0) })
    #expect(parts.fields?["error_description"]?.hasPrefix("AADSTS\(refusal.aadsts):") == true)
    let isKnown = refusal.aadsts != 70005
    let isQuery = refusal.changes["response_mode"] == "query" || !isKnown
    #expect((parts.fragment == nil) == isQuery)
  }

  /// An access token of the authorization endpoint is for an API (AzureAD/microsoft-authentication-library-for-js#333).
  @Test(arguments: ["token", "id_token token"])
  func anAccessTokenNeedsAnAPI(_ type: String) throws {
    let (lab, app) = try lab()
    let changes = ["response_type": type, "scope": "openid profile"]
    guard case .error(let page) = try lab.authorize(app, changes).page else {
      Issue.record("no error page")
      return
    }
    #expect(
      page.message
        == "AADSTS700023: The provided value for the input parameter scope 'openid profile' is not valid when requesting "
        + "an access token. Please specify a valid scope.")
    lab.isGeneric = true
    #expect(try lab.authorize(app, changes).http.location?.contains("access_token=") == true)
  }

  @Test func silentRefusalsComeInTheFragment() throws {
    let (lab, app) = try lab()
    lab.cookies = []
    let answer = try lab.authorize(app, ["response_type": "id_token", "prompt": "none"])
    let parts = try #require(answer.http.location.flatMap { URLParts($0) })
    #expect(parts.fragment?.hasPrefix("error=login_required&") == true)
  }
}
