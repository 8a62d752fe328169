import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// `/resource` reports which parts of a bearer token it accepted, and why it rejected the others.
@Suite struct ProtectedResourceEndpointTests {
  private let lab: ProviderLab

  init() throws { lab = try ProviderLab() }

  private func ask(_ bearer: String?, _ query: [NameValue] = []) throws -> HTTPResponse {
    try lab.send(
      HTTPRequest(
        "GET", origin: "https://login.microsoftonline.com", path: "/resource", query: query,
        headers: bearer.map { [NameValue("Authorization", "Bearer " + $0)] } ?? [])
    ).http
  }

  /// Returns the names of the checks with this verdict.
  private func checks(_ answer: HTTPResponse, _ verdict: String) -> [String] {
    (answer.json?["checks"]?.array ?? []).filter { $0["verdict"]?.string == verdict }
      .compactMap { $0["name"]?.string }
  }

  private static let all = [
    "bearer token", "JSON web token", "algorithm", "key", "signature", "time", "kind of token", "issuer",
    "audience", "account", "not revoked",
  ]

  @Test func aGoodTokenPassesEveryCheck() throws {
    let token = try lab.signIn(ProviderLab.word).accessToken
    let answer = try ask(
      token, [NameValue("scope", "User.Read"), NameValue("audience", "https://graph.microsoft.com/")])
    #expect(answer.status == 200)
    #expect(answer.json?["accepted"]?.bool == true)
    #expect(Set(checks(answer, "passed")) == Set(Self.all + ["scope"]))
    #expect(answer.json?["claims"]?["appid"] == "word")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    /// The name of the check that fails.
    var testDescription: String
    var status = 401
    var query: [NameValue] = []
    var bearer: @Sendable (ProviderLab) throws -> String?
  }

  @Sendable private static func token(_ lab: ProviderLab) throws -> String? {
    try lab.signIn(word).accessToken
  }
  private static let word = ProviderLab.word

  private static func forged(_ lab: ProviderLab, _ change: (inout JSONWebToken) -> Void) throws -> String {
    var token = try JSONWebToken(unverified: lab.signIn(word).accessToken)
    change(&token)
    return try token.signed(by: lab.provider.resources.keys.current())
  }

  static let refusals: [Refusal] = [
    Refusal(testDescription: "bearer token") { _ in nil },
    Refusal(testDescription: "JSON web token") { _ in "opaque" },
    Refusal(testDescription: "algorithm") { _ in "eyJhbGciOiJub25lIn0.e30." },
    Refusal(testDescription: "key") {
      let token = try token($0) ?? ""
      let header = Base64URL.encode(Data(#"{"alg":"RS256","kid":"other"}"#.utf8))
      return header + token[(token.firstIndex(of: ".") ?? token.startIndex)...]
    },
    Refusal(testDescription: "signature") { (try token($0) ?? "").dropLast(8) + "AAAAAAAA" },
    Refusal(testDescription: "time") { lab in
      let token = try token(lab)
      lab.now = lab.now.adding(seconds: 3600)
      return token
    },
    Refusal(testDescription: "kind of token") { try $0.signIn(word).idToken },
    Refusal(testDescription: "issuer") {
      try forged($0) { $0.claims["iss"] = "https://sts.windows.net/other/" }
    },
    Refusal(testDescription: "audience") { try forged($0) { $0.claims["aud"] = "https://nowhere.example" } },
    Refusal(
      testDescription: "audience", query: [NameValue("audience", "https://vault.azure.net")], bearer: token),
    Refusal(testDescription: "scope", status: 403, query: [NameValue("scope", "Mail.Send")], bearer: token),
    Refusal(testDescription: "role", status: 403, query: [NameValue("role", "Admin")], bearer: token),
    Refusal(testDescription: "account") { lab in
      let token = try token(lab)
      lab.documents.delete(.person, "alice@contoso.com")
      return token
    },
  ]

  @Test(arguments: refusals)
  func refuses(_ refusal: Refusal) throws {
    let answer = try ask(refusal.bearer(lab), refusal.query)
    #expect(answer.status == refusal.status)
    #expect(answer.json?["accepted"]?.bool == false)
    #expect(checks(answer, "failed") == [refusal.testDescription])
    #expect(answer.headers.contains { $0.name == "WWW-Authenticate" })
    #expect(answer.json?["claims"] == nil)
    let names = (answer.json?["checks"]?.array ?? []).compactMap { $0["name"]?.string }
    let place = try #require(names.firstIndex(of: refusal.testDescription))
    #expect(checks(answer, "skipped") == Array(names[(place + 1)...]), "later checks are skipped")
  }

  @Test func aRevokedTokenIsChallenged() throws {
    let first = try #require(try lab.signIn(ProviderLab.word).refreshToken)
    let body = try lab.token(
      [
        "grant_type": "refresh_token", "client_id": "word", "refresh_token": first, "scope": "User.Read",
        "claims": #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#,
      ], tenant: "common"
    ).json
    let token = try #require(body?["access_token"]?.string)
    try lab.documents.revoke("alice@contoso.com", .signedOutEverywhere, at: lab.now)
    let answer = try ask(token)
    #expect(answer.status == 401 && checks(answer, "failed") == ["not revoked"])
    #expect(
      answer.headers.contains { $0.name == "WWW-Authenticate" && $0.value.contains("insufficient_claims") })
  }

  /// A token of version 2.0 contains the client ID, however the request named the API.
  @Test(arguments: ["api://orders", "orders-id", "api://orders-id", "API://Orders/"])
  func anAPIIsKnownByAllOfItsNames(_ name: String) throws {
    var api = ProviderLab.notes
    (api.clientID, api.identifierURIs, api.accessTokenVersion) = ("orders-id", ["api://orders"], 2)
    api.exposedScopes = ["read"]
    try lab.documents.save(api)
    let token = try lab.signIn(ProviderLab.word, scope: "api://orders/read openid").accessToken
    #expect(try ask(token, [NameValue("audience", name)]).status == 200)
    #expect(try ask(token, [NameValue("audience", "api://notes")]).status == 401)
  }
}
