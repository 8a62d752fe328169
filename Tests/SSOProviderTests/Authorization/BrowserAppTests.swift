import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Apps that are a page in a browser: redirect URIs of type SPA.
@Suite struct BrowserAppTests {
  static let page = "http://localhost:3000"
  static let app: ClientRegistration = {
    var app = ProviderLab.notes
    app.clientID = "spa"
    app.redirectURIs = [page + "/web", "msauth.com.contoso.spa://auth"]
    app.spaRedirectURIs = [page + "/app", "https://spa.contoso.com/"]
    app.isPreauthorized = true
    return app
  }()

  private func lab() throws -> ProviderLab {
    let lab = try ProviderLab()
    try lab.documents.save(Self.app)
    return lab
  }

  private func code(
    _ lab: ProviderLab, _ redirectURI: String, _ changes: [String: String?] = [:]
  ) throws -> String {
    if lab.cookies["ESTSAUTH"] == nil { _ = try lab.signIn(ProviderLab.word) }
    let answer = try lab.authorize(Self.app, changes.merging(["redirect_uri": redirectURI]) { $1 })
    return try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
  }

  private func token(
    _ lab: ProviderLab, from origin: String?, _ fields: KeyValuePairs<String, String>
  ) throws -> HTTPResponse {
    try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token",
        headers: origin.map { [NameValue("Origin", $0)] } ?? [],
        form: [NameValue("client_id", "spa")] + fields.map { NameValue($0, $1) })
    ).http
  }

  private func redeem(
    _ lab: ProviderLab, _ code: String, _ redirectURI: String, from origin: String?
  ) throws -> HTTPResponse {
    try token(
      lab, from: origin,
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI,
        "code_verifier": ProviderLab.verifier,
      ])
  }

  struct Redemption: CustomTestStringConvertible, Sendable {
    var redirectURI: String
    var origin: String?
    /// The AADSTS code, or `nil` if the request returns tokens.
    var aadsts: Int?
    var testDescription: String {
      "\(redirectURI) from \(origin ?? "a program"): \(aadsts.map(String.init) ?? "tokens")"
    }
  }

  @Test(arguments: [
    Redemption(redirectURI: page + "/app", origin: page),
    Redemption(redirectURI: page + "/app", origin: "http://localhost:5000"),
    Redemption(redirectURI: page + "/app", origin: "https://spa.contoso.com"),
    Redemption(redirectURI: page + "/app", origin: "https://evil.example", aadsts: 9_002_326),
    Redemption(redirectURI: page + "/app", origin: "https://localhost:3000", aadsts: 9_002_326),
    Redemption(redirectURI: page + "/app", origin: "null", aadsts: 9_002_326),
    Redemption(redirectURI: page + "/app", origin: nil, aadsts: 9_002_327),
    Redemption(redirectURI: page + "/app", origin: ProviderLab.origin, aadsts: 9_002_327),
    Redemption(redirectURI: page + "/web", origin: page, aadsts: 9_002_326),
    Redemption(redirectURI: page + "/web", origin: nil),
  ])
  func aCodeIsRedeemedByThePageOrByTheProgramItWasFor(_ redemption: Redemption) throws {
    let lab = try lab()
    let code = try code(lab, redemption.redirectURI)
    let answer = try redeem(lab, code, redemption.redirectURI, from: redemption.origin)
    #expect(answer.status == (redemption.aadsts == nil ? 200 : 400))
    if let aadsts = redemption.aadsts {
      let error = OAuthError(reading: answer)
      #expect(error.code == .invalidRequest && error.aadsts == aadsts)
    }
    let isPage = redemption.origin != nil && redemption.origin != ProviderLab.origin
    #expect(answer.headers["Access-Control-Allow-Origin"] == (isPage ? "*" : nil))
  }

  /// The page and a daemon may share a registration; the page has no secret, and must not send the daemon's.
  @Test func aPageNeedsNoSecretOfItsRegistration() throws {
    let lab = try lab()
    var app = Self.app
    app.secrets = ["s3cret"]
    try lab.documents.save(app)
    let uri = Self.page + "/app"
    let answer = try redeem(lab, code(lab, uri), uri, from: Self.page)
    let refreshToken = try TokenResponse(reading: answer).refreshToken ?? ""
    for secret in [nil, "s3cret"] {
      let answer = try lab.send(
        HTTPRequest(
          "POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token",
          headers: [NameValue("Origin", Self.page)],
          form: [
            NameValue("client_id", "spa"), NameValue("grant_type", "refresh_token"),
            NameValue("refresh_token", refreshToken),
          ] + (secret.map { [NameValue("client_secret", $0)] } ?? []))
      ).http
      let aadsts = answer.status == 200 ? nil : OAuthError(reading: answer).aadsts
      #expect(aadsts == secret.map { _ in 9_002_326 })
    }
  }

  /// Entra asks for PKCE before it looks at the origin.
  @Test(arguments: [page, nil, "https://evil.example"])
  func aCodeOfAPageNeedsPKCE(_ origin: String?) throws {
    let lab = try lab()
    let uri = Self.page + "/app"
    let code = try code(lab, uri, ["code_challenge": nil, "code_challenge_method": nil])
    let answer = try token(
      lab, from: origin, ["grant_type": "authorization_code", "code": code, "redirect_uri": uri])
    #expect(OAuthError(reading: answer).aadsts == 9_002_325)
    #expect(lab.failedCheck == "PKCE of a page")
  }

  @Test func noOtherGrantIsForAPage() throws {
    let lab = try lab()
    let answer = try token(
      lab, from: Self.page,
      ["grant_type": "password", "username": "alice@contoso.com", "password": "right", "scope": "User.Read"])
    #expect(OAuthError(reading: answer).aadsts == 9_002_326)
  }

  @Test func refreshTokensOfAPageEndADayAfterTheSignInHoweverOftenTheyAreRenewed() throws {
    let lab = try lab()
    let uri = Self.page + "/app"
    let first = try TokenResponse(reading: redeem(lab, code(lab, uri), uri, from: Self.page))
    func refresh(_ secret: String?, from origin: String? = Self.page) throws -> HTTPResponse {
      try token(lab, from: origin, ["grant_type": "refresh_token", "refresh_token": secret ?? ""])
    }
    lab.now = lab.now.adding(seconds: 86_399)
    #expect(OAuthError(reading: try refresh(first.refreshToken, from: nil)).aadsts == 9_002_327)
    #expect(
      OAuthError(reading: try refresh(first.refreshToken, from: "https://evil.example")).aadsts == 9_002_326)
    let renewed = try TokenResponse(reading: refresh(first.refreshToken))
    #expect((first.refreshTokenExpiresIn, renewed.refreshTokenExpiresIn) == (86_400, 1))
    #expect(try refresh(renewed.refreshToken).status == 200)
    lab.now = lab.now.adding(seconds: 1)
    for secret in [first.refreshToken, renewed.refreshToken] {
      let error = OAuthError(reading: try refresh(secret))
      #expect(error.code == .invalidGrant && error.aadsts == 700084)
    }
  }

  @Test func aRefreshTokenOfAProgramIsNotForAPage() throws {
    let lab = try lab()
    let uri = Self.page + "/web"
    let tokens = try TokenResponse(reading: redeem(lab, code(lab, uri), uri, from: nil))
    let answer = try token(
      lab, from: Self.page, ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken ?? ""])
    #expect(OAuthError(reading: answer).aadsts == 9_002_326)
  }

  @Test(arguments: [
    ("/common/v2.0/.well-known/openid-configuration", "GET, OPTIONS" as String?),
    ("/common/discovery/v2.0/keys", "GET, OPTIONS"), ("/common/discovery/instance", "GET, OPTIONS"),
    ("/common/oauth2/v2.0/token", "POST, OPTIONS"), ("/oidc/userinfo", "GET, POST, OPTIONS"),
    ("/common/oauth2/v2.0/authorize", nil), ("/common/login", nil), ("/common/oauth2/v2.0/devicecode", nil),
    ("/common/oauth2/v2.0/register", nil), ("/common/oauth2/v2.0/logout", nil),
  ])
  func aBrowserThatAsksFirstIsToldWhatAPageMaySend(_ path: String, _ methods: String?) throws {
    let asked = HTTPRequest(
      "OPTIONS", origin: ProviderLab.origin, path: path,
      headers: [
        NameValue("Origin", Self.page), NameValue("Access-Control-Request-Method", "POST"),
        NameValue(
          "Access-Control-Request-Headers",
          "Content-Type, x-client-sku, x-ms-lib-capability, x-evil, authorization"),
      ])
    let answer = try #require(asked.optionsResponse)
    #expect(answer.status == 204 && answer.headers["Allow"] != nil)
    #expect(answer.headers["Access-Control-Allow-Methods"] == methods)
    #expect(answer.headers["Access-Control-Allow-Origin"] == methods.map { _ in "*" })
    #expect(
      answer.headers["Access-Control-Allow-Headers"]
        == methods.map { _ in "content-type, x-client-sku, x-ms-lib-capability, authorization" })
  }

  @Test func discoveryMayBeReadByEveryPageAndAFaultToo() throws {
    let lab = try lab()
    let path = "/common/discovery/v2.0/keys"
    #expect(try lab.get(path, bearer: nil).headers["Access-Control-Allow-Origin"] == "*")
    try lab.provider.addFault(Fault(.keys, .status(503)))
    #expect(try lab.get(path, bearer: nil).headers["Access-Control-Allow-Origin"] == "*")
  }

  @Test func signingOutTellsTheAppsOfTheSession() throws {
    let lab = try lab()
    var told = Self.app
    told.frontChannelLogoutURI = "https://spa.contoso.com/signout?x=1"
    told.enableIDTokenIssuance = true
    try lab.documents.save(told)
    let uri = Self.page + "/app"
    let tokens = try TokenResponse(reading: redeem(lab, code(lab, uri), uri, from: Self.page))
    let sid = try #require(lab.claims(tokens.idToken ?? "")["sid"]?.string)
    let silent = try lab.authorize(
      told, ["redirect_uri": uri, "response_type": "id_token", "prompt": "none"])
    let again = try #require(silent.http.location.flatMap { URLParts($0)?.fields }?["id_token"])
    #expect(try lab.claims(again)["sid"]?.string == sid, "one session, one ID")
    #expect(silent.http.location.flatMap { URLParts($0)?.fields }?["session_state"] == sid)
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/logout",
        query: [NameValue("post_logout_redirect_uri", uri), NameValue("client_id", "spa")]))
    guard case .notice(let page) = answer.page else {
      Issue.record("no page that tells the apps")
      return
    }
    #expect(page.frames == ["https://spa.contoso.com/signout?x=1&sid=\(sid)"])
    #expect(page.next == uri)
    #expect(
      try lab.authorize(told, ["redirect_uri": uri, "prompt": "none"]).http.location?.contains(
        "login_required") == true)
  }
}
