import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Tokens that are revoked before they expire.
@Suite struct ContinuousEvaluationTests {
  private let lab: ProviderLab
  private static let capability = #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#

  init() throws { lab = try ProviderLab() }

  private func refresh(
    _ secret: String, scope: String = "User.Read offline_access", claims: String = capability
  ) throws -> HTTPResponse {
    try lab.token(
      [
        "grant_type": "refresh_token", "client_id": "word", "refresh_token": secret, "scope": scope,
        "claims": claims,
      ], tenant: "common")
  }

  private func tokens(claims: String = capability) throws -> (access: String, refresh: String) {
    let first = try #require(try lab.signIn(ProviderLab.word).refreshToken)
    let body = try #require(try refresh(first, claims: claims).json)
    return (try #require(body["access_token"]?.string), try #require(body["refresh_token"]?.string))
  }

  @Test(
    arguments: [
      ("User.Read", capability, 100_800, 50_400), ("User.Read", "{}", 3600, nil),
      ("https://management.azure.com/.default", capability, 100_800, 50_400),
      ("https://vault.azure.net/.default", capability, 3600, nil),
    ] as [(String, String, Int, Int?)])
  func aTokenThatCanBeEndedLives28Hours(
    _ scope: String, _ claims: String, _ lifetime: Int, _ refreshIn: Int?
  ) throws {
    let first = try #require(try lab.signIn(ProviderLab.word).refreshToken)
    let body = try #require(try refresh(first, scope: scope, claims: claims).json)
    #expect(body["expires_in"] == JSONValue.integer(Int64(lifetime)))
    #expect(body["refresh_in"] == refreshIn.map { .integer(Int64($0)) })
    let token = try lab.claims(try #require(body["access_token"]?.string))
    #expect(token["exp"]?.integer == (token["iat"]?.integer ?? 0) + 300 + Int64(lifetime))
  }

  /// An event, and the resulting error for the refresh token.
  struct Event: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var refusal: Int?
    var happens: @Sendable (ProviderLab) throws -> Void
  }

  static let events = [
    Event(testDescription: "the user was signed out everywhere", refusal: 50_173) {
      try $0.documents.revoke("Alice@contoso.com", .signedOutEverywhere, at: $0.now)
    },
    Event(testDescription: "the password was changed", refusal: 50_173) {
      try $0.documents.revoke("alice@contoso.com", .passwordChanged, at: $0.now)
    },
    Event(testDescription: "the account was disabled", refusal: 50_057) {
      var alice = ProviderLab.alice
      alice.isDisabled = true
      try $0.save(alice)
      try $0.documents.revoke(alice.username, .accountDisabled, at: $0.now)
    },
    Event(testDescription: "a policy was changed", refusal: nil) {
      try $0.documents.noteChange(
        of: Policy(name: "p", requires: .compliantDevice, username: "alice@contoso.com"), at: $0.now)
    },
  ]

  @Test(arguments: events)
  func anEventIsAnsweredWithAChallenge(_ event: Event) throws {
    let (access, refresh) = try tokens()
    #expect(try lab.get("/v1.0/me", bearer: access).status == 200)
    try event.happens(lab)
    let answer = try lab.get("/v1.0/me", bearer: access)
    let claims = #"{"access_token":{"nbf":{"essential":true, "value":"1767261601"}}}"#
    #expect(answer.status == 401)
    #expect(
      answer.headers.first { $0.name == "WWW-Authenticate" }?.value
        == #"Bearer realm="", authorization_uri="https://localhost:8443/common/oauth2/authorize", "#
        + #"client_id="00000003-0000-0000-c000-000000000000", error_description="Continuous access evaluation resulted "#
        + "in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp\", "
        + #"error="insufficient_claims", claims="\#(Data(claims.utf8).base64EncodedString())""#)
    #expect(lab.trace.hops.last?.checks.last?.found == event.testDescription)
    let next = try self.refresh(refresh)
    #expect(next.json?["error_codes"]?.array?.first?.integer.map(Int.init) == event.refusal)
    guard event.refusal == nil else { return }
    #expect(try lab.get("/v1.0/me", bearer: next.json?["access_token"]?.string).status == 200)
  }

  /// This holds even at the same moment, because only what comes after the event counts.
  @Test func aSignInAfterwardsIsGood() throws {
    let before = try tokens()
    try lab.documents.revoke("alice@contoso.com", .passwordChanged, at: lab.now)
    #expect(try refresh(before.refresh).status == 400)
    lab.cookies = []
    let after = try tokens()
    #expect(try lab.get("/v1.0/me", bearer: after.access).status == 200)
    #expect(try refresh(after.refresh).status == 200)
  }

  @Test func aBrowserSessionFromBeforeIsNone() throws {
    _ = try lab.signIn(ProviderLab.word)
    #expect(try lab.authorize(ProviderLab.word).http.location?.contains("code=") == true)
    try lab.documents.revoke("alice@contoso.com", .signedOutEverywhere, at: lab.now)
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page else {
      return #expect(Bool(false), "the session went on")
    }
    #expect(page.accountsInSession.isEmpty)
  }

  @Test func aClientThatCannotBeChallengedKeepsItsTokenUntilItExpires() throws {
    let (access, refresh) = try tokens(claims: "{}")
    try lab.documents.revoke("alice@contoso.com", .passwordChanged, at: lab.now)
    #expect(try lab.get("/v1.0/me", bearer: access).status == 200)
    #expect(try self.refresh(refresh).json?["error_codes"] == [.integer(50_173)])
    #expect(try lab.documents.revocation(ofAccessToken: lab.claims(access)) == nil)
  }

  @Test func aPolicyForAnotherAppEndsNothing() throws {
    let (access, _) = try tokens()
    for policy in [
      Policy(name: "a", requires: .approvedApp, clientID: "excel"),
      Policy(name: "b", requires: .approvedApp, username: "bob@contoso.com"),
      Policy(name: "c", requires: .approvedApp, tenantID: ProviderLab.fabrikam.id),
    ] {
      try lab.documents.noteChange(of: policy, at: lab.now)
    }
    #expect(try lab.get("/v1.0/me", bearer: access).status == 200)
  }

  @Test func graphSignsOutEverywhere() throws {
    let (access, refresh) = try tokens()
    func revoke(_ bearer: String) throws -> HTTPResponse {
      try lab.send(
        HTTPRequest(
          "POST", origin: ProviderLab.origin, path: "/v1.0/me/revokeSignInSessions",
          headers: [NameValue("Authorization", "Bearer " + bearer)])
      ).http
    }
    #expect(try revoke(access).status == 403)
    let wider = try #require(
      try self.refresh(refresh, scope: "User.ReadWrite offline_access").json?["access_token"]?.string)
    #expect(try revoke(wider).json?["value"]?.bool == true)
    #expect(try lab.get("/v1.0/me", bearer: access).status == 401)
    #expect(try self.refresh(refresh).json?["error_codes"] == [.integer(50_173)])
  }
}
