import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct RefreshTokenReuseTests {
  private func detecting() throws -> ProviderLab {
    let lab = try ProviderLab()
    var contoso = ProviderLab.contoso
    contoso.detectsRefreshTokenReuse = true
    try lab.documents.save(contoso)
    return lab
  }

  @Test func oldTokenGoesOnToServeUnlessReuseIsLookedFor() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    for _ in 0..<3 { #expect(try lab.refresh(secret, ProviderLab.word).status == 200) }
  }

  @Test func reuseRevokesAllOfTheGrantButNoOther() throws {
    let lab = try detecting()
    let another = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let first = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let second = try #require(TokenResponse(reading: lab.refresh(first, ProviderLab.word)).refreshToken)
    let third = try #require(TokenResponse(reading: lab.refresh(second, ProviderLab.word)).refreshToken)
    let error = OAuthError(reading: try lab.refresh(first, ProviderLab.word))
    #expect((error.code, error.aadsts, error.suberror) == (.invalidGrant, 70000, "bad_token"))
    #expect(lab.failedCheck == "refresh token not used")
    #expect(OAuthError(reading: try lab.refresh(third, ProviderLab.word)).aadsts == 50173)
    #expect(try lab.refresh(another, ProviderLab.word).status == 200)
  }

  @Test func refusedRedemptionSpendsNothing() throws {
    let lab = try detecting()
    let secret = try #require(lab.signIn(ProviderLab.notes).refreshToken)
    #expect(
      OAuthError(reading: try lab.refresh(secret, ProviderLab.notes, scope: "Mail.Read")).aadsts == 65001)
    #expect(try lab.refresh(secret, ProviderLab.notes).status == 200)
  }

  @Test func refreshWithoutScopesGrantsWhatWasGranted() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let answer = try lab.token(["grant_type": "refresh_token", "client_id": "word", "refresh_token": secret])
    #expect(try TokenResponse(reading: answer).scope == "User.Read openid profile")
  }
}

@Suite struct RevocationTests {
  private func revoke(_ lab: ProviderLab, _ token: String, client: String = "word") throws -> HTTPResponse {
    lab.isGeneric = true
    return try lab.post(
      "/common/oauth2/v2.0/revoke",
      ["token": token, "token_type_hint": "refresh_token", "client_id": client]
    ).http
  }

  @Test func refreshTokenAndItsSiblingsAreDead() throws {
    let lab = try ProviderLab()
    let first = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let second = try #require(TokenResponse(reading: lab.refresh(first, ProviderLab.word)).refreshToken)
    #expect(try revoke(lab, second) == HTTPResponse(200, headers: [NameValue("Cache-Control", "no-store")]))
    for secret in [first, second] {
      #expect(OAuthError(reading: try lab.refresh(secret, ProviderLab.word)).aadsts == 50173)
    }
    #expect(try revoke(lab, second).status == 200)
    #expect(!String(describing: lab.trace.hops).contains(second))
  }

  @Test func unknownTokenIsNoError() throws {
    #expect(try revoke(ProviderLab(), "0.Ax").status == 200)
  }

  @Test func othersTokensAndAccessTokensAreRefused() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word)
    let secret = try #require(tokens.refreshToken)
    #expect(OAuthError(reading: try revoke(lab, secret, client: "excel")).code == .unauthorizedClient)
    #expect(OAuthError(reading: try revoke(lab, tokens.accessToken)).code == .unsupportedTokenType)
    #expect(OAuthError(reading: try revoke(lab, "")).aadsts == 900_144)
    #expect(try lab.refresh(secret, ProviderLab.word).status == 200)
  }
}

@Suite struct IntrospectionTests {
  private func ask(_ lab: ProviderLab, _ token: String, client: String = "word") throws -> JSONValue? {
    lab.isGeneric = true
    return try lab.post("/common/oauth2/v2.0/introspect", ["token": token, "client_id": client]).http.json
  }

  @Test func clientSeesItsOwnTokens() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word)
    let secret = try #require(tokens.refreshToken)
    #expect(
      try ask(lab, secret) == [
        "active": .bool(true), "client_id": "word", "username": "alice@contoso.com",
        "token_type": "refresh_token", "iat": .integer(1_767_261_600),
        "exp": .integer(1_767_261_600 + 90 * 86_400), "scope": "User.Read openid profile",
      ])
    var access = try lab.claims(tokens.accessToken)
    access.merge([
      "active": .bool(true), "client_id": "word", "username": "alice@contoso.com", "token_type": "Bearer",
      "scope": "User.Read openid profile",
    ]) { $1 }
    #expect(try ask(lab, tokens.accessToken) == .object(access))
  }

  @Test(arguments: ["another client", "expired", "revoked", "no token"])
  func anythingElseIsNotActive(_ how: String) throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word)
    let secret = try #require(tokens.refreshToken)
    if how == "expired" { lab.now = lab.now.adding(seconds: 90 * 86_400) }
    if how == "revoked" { _ = try lab.provider.revokeRefreshToken(secret: secret) }
    let inactive: JSONValue = ["active": .bool(false)]
    let client = how == "another client" ? "excel" : "word"
    #expect(try ask(lab, how == "no token" ? "x" : secret, client: client) == inactive)
    guard how == "another client" || how == "expired" else { return }
    #expect(try ask(lab, tokens.accessToken, client: client) == inactive)
  }

  @Test func apiSeesTheTokensThatAreForIt() throws {
    let lab = try ProviderLab.withServer()
    let compact = try lab.signIn(ProviderLab.word, scope: "api://server/access").accessToken
    lab.isGeneric = true
    let answer = try lab.post(
      "/common/oauth2/v2.0/introspect", ["token": compact, "client_id": "server", "client_secret": "s3cret"])
    #expect(answer.http.json?["active"] == .bool(true))
  }
}

@Suite struct EndSessionTests {
  private func logout(_ lab: ProviderLab, _ query: KeyValuePairs<String, String>) throws -> ProviderResponse {
    try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/logout",
        query: query.map { NameValue($0, $1) }))
  }

  @Test func browserIsSignedOutAndGoesBackToTheApp() throws {
    let lab = try ProviderLab()
    let hint = try #require(lab.signIn(ProviderLab.notes).idToken)
    lab.now = lab.now.adding(seconds: 60)
    let answer = try logout(
      lab, ["id_token_hint": hint, "post_logout_redirect_uri": "http://localhost:5000", "state": "s 1"])
    #expect(answer.http.location == "http://localhost:5000?state=s+1")
    #expect(answer.setCookies == [NameValue(SSOSession.cookieName, "")])
    #expect(lab.trace.hops.last?.result == "302 back to the app")
    #expect(lab.documents.bodies[.ssoSession]?.isEmpty == true)
    #expect(try lab.authorize(ProviderLab.notes).http.status == 200)
  }

  /// A registered URI is enough, as at Entra.
  @Test(arguments: [nil, "a.b.c"])
  func aRegisteredAddressAloneGoesBack(_ hint: String?) throws {
    let lab = try ProviderLab()
    var query = [NameValue("post_logout_redirect_uri", "http://localhost")]
    if let hint { query.append(NameValue("id_token_hint", hint)) }
    let answer = try lab.send(
      HTTPRequest("GET", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/logout", query: query))
    #expect(answer.http.location == "http://localhost")
  }

  @Test func aClientThatShowsAnothersTokenStaysOnThePage() throws {
    let lab = try ProviderLab()
    let hint = try #require(lab.signIn(ProviderLab.word).idToken)
    let answer = try logout(
      lab, ["client_id": "notes", "id_token_hint": hint, "post_logout_redirect_uri": "http://localhost"])
    #expect(answer.http.location == nil)
    #expect(lab.failedCheck == "ID token hint is the client's")
  }

  @Test(arguments: [
    ["post_logout_redirect_uri": "https://evil.example", "client_id": "notes"],
    ["post_logout_redirect_uri": "https://evil.example"], [:],
  ])
  func strangersGetAPageAndNoRedirect(_ query: [String: String]) throws {
    let lab = try ProviderLab()
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/logout",
        query: query.map { NameValue($0.key, $0.value) }))
    #expect(
      answer.page == .notice(NoticePage(title: "Signed out", message: "You signed out of this browser.")))
    #expect(answer.http.location == nil)
  }
}
