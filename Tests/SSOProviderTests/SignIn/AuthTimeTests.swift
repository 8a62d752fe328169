import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct AuthTimeTests {
  private func idToken(_ lab: ProviderLab, _ answer: ProviderResponse) throws -> [String: JSONValue] {
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let tokens = try TokenResponse(reading: lab.redeem(code: code, ProviderLab.word))
    return try JSONWebToken(unverified: #require(tokens.idToken)).claims
  }

  @Test func tokenSaysWhenThePersonSignedInIfAsked() throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    let signedIn = JSONValue.integer(Int64(lab.now.seconds))
    lab.now = lab.now.adding(seconds: 60)
    #expect(try idToken(lab, lab.authorize(ProviderLab.word))["auth_time"] == nil)
    #expect(try idToken(lab, lab.authorize(ProviderLab.word, ["max_age": "60"]))["auth_time"] == signedIn)
    let claims = "{\"id_token\":{\"auth_time\":{\"essential\":true}}}"
    #expect(try idToken(lab, lab.authorize(ProviderLab.word, ["claims": claims]))["auth_time"] == signedIn)
  }

  @Test(arguments: [(60, 302), (61, 200)])
  func tooOldASignInIsAskedAgain(_ age: Int, _ status: Int) throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    lab.now = lab.now.adding(seconds: age)
    let answer = try lab.authorize(ProviderLab.word, ["max_age": "60"])
    #expect(answer.http.status == status)
    guard case .signIn(let page) = answer.page else { return }
    let picked = try lab.post("/common/login", ["flow": page.flowID, "username": "alice@contoso.com"])
    guard case .signIn(let again) = picked.page else {
      Issue.record("no password asked")
      return
    }
    #expect(again.asks == .password)
    let done = try lab.post("/common/login", ["flow": page.flowID, "password": "right"])
    #expect(try idToken(lab, done)["auth_time"] == .integer(Int64(lab.now.seconds)))
  }

  /// OpenID Connect Core §3.1.2.1: this is the same as `prompt=login`.
  @Test(arguments: [("0", 200), ("1", 302)])
  func aMaximumAgeOfZeroAsksEvenInTheSameSecond(_ age: String, _ status: Int) throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    #expect(try lab.authorize(ProviderLab.word, ["max_age": age]).http.status == status)
    let silent = try lab.authorize(ProviderLab.word, ["max_age": age, "prompt": "none"])
    let error = silent.http.location.flatMap { URLParts($0)?.fields }?["error"]
    #expect(error == (age == "0" ? "login_required" : nil))
  }

  @Test(arguments: ["60", "61"])
  func silentRequestIsRefusedInstead(_ age: String) throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    lab.now = lab.now.adding(seconds: Int(age) ?? 0)
    let answer = try lab.authorize(ProviderLab.word, ["max_age": "60", "prompt": "none"])
    let error = answer.http.location.flatMap { URLParts($0)?.fields }?["error"]
    #expect(error == (age == "60" ? nil : "login_required"))
  }

  @Test(arguments: ["contoso.com", "CONTOSO.com", "organizations"])
  func domainHintPicksTheSession(_ hint: String) throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    #expect(try lab.authorize(ProviderLab.word, ["domain_hint": hint]).http.status == 302)
    #expect(try lab.authorize(ProviderLab.word, ["domain_hint": "fabrikam.com"]).http.status == 200)
    #expect(try lab.authorize(ProviderLab.word, ["domain_hint": "consumers"]).http.status == 200)
  }

  @Test func capabilitiesComeBackInTheAccessToken() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    func refresh(_ claims: String) throws -> HTTPResponse {
      try lab.post(
        "/common/oauth2/v2.0/token",
        ["grant_type": "refresh_token", "client_id": "word", "refresh_token": secret, "claims": claims]
      ).http
    }
    let tokens = try TokenResponse(reading: refresh("{\"access_token\":{\"xms_cc\":{\"values\":[\"CP1\"]}}}"))
    #expect(try JSONWebToken(unverified: tokens.accessToken).claims["xms_cc"] == ["CP1"])
    #expect(tokens.scope == "User.Read openid profile")
    #expect(tokens.clientInfo == nil)
    let error = OAuthError(reading: try refresh("[1]"))
    #expect(error.aadsts == 9_002_313)
    #expect(
      error.reason.hasPrefix("Invalid request. Request is malformed or invalid. The 'claims' parameter"))
  }
}
