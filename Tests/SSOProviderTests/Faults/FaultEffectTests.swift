import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The effects of the faults that let the route respond.
@Suite struct FaultEffectTests {
  @Test(arguments: [
    (Fault.Kind.slow(seconds: 5), Delivery.late(seconds: 5)), (.hang, .never),
    (.truncated(bytes: 10), .truncated(bytes: 10)),
  ])
  func answerIsRightAndItsDeliveryIsNot(_ kind: Fault.Kind, _ delivery: Delivery) throws {
    let lab = try ProviderLab()
    let before = try lab.get("/common/discovery/v2.0/keys", bearer: nil)
    try lab.provider.addFault(Fault(.keys, kind))
    let answer = try lab.send(
      HTTPRequest("GET", origin: ProviderLab.origin, path: "/common/discovery/v2.0/keys"))
    #expect(answer.http == before)
    #expect(answer.delivery == delivery)
    switch delivery {
    case .never: #expect(answer.received == .noConnection)
    case .truncated: #expect(answer.received.body == before.body.prefix(10))
    case .late, .whole: #expect(answer.received == before)
    }
  }

  @Test func tokensWithAWrongSignatureDoNotVerify() throws {
    let lab = try ProviderLab()
    try lab.provider.addFault(Fault(.token, .token(.signature)))
    let tokens = try lab.signIn(ProviderLab.word)
    for compact in [tokens.accessToken, tokens.idToken ?? ""] {
      #expect(throws: JSONWebToken.Refusal.signature) { try lab.claims(compact) }
    }
  }

  @Test func tokensWithAWrongIssuerVerify() throws {
    let lab = try ProviderLab()
    try lab.provider.addFault(Fault(.token, .token(.issuer)))
    let claims = try lab.claims(lab.signIn(ProviderLab.word).accessToken)
    #expect(claims["iss"] == .string("https://issuer.invalid/\(ProviderLab.contoso.id)/v2.0"))
  }

  @Test func expiredTokensAreIssuedAndRefusedByTheAPI() throws {
    let lab = try ProviderLab()
    try lab.provider.addFault(Fault(.token, .token(.expired)))
    let tokens = try lab.signIn(ProviderLab.word)
    #expect(tokens.expiresIn == 3600)
    #expect(try lab.claims(tokens.accessToken)["exp"] == .integer(1_767_261_600 - 60))
    #expect(try lab.get("/oidc/userinfo", bearer: tokens.accessToken).status == 401)
  }

  @Test(arguments: [-600, 600])
  func clockThatIsOffShowsInTheTokens(_ seconds: Int) throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    try lab.provider.addFault(Fault(.token, .clock(seconds: seconds)))
    let tokens = try TokenResponse(reading: lab.refresh(secret, ProviderLab.word))
    #expect(try lab.claims(tokens.accessToken)["iat"] == .integer(Int64(1_767_261_600 - 300 + seconds)))
  }

  @Test(arguments: [(Fault.Kind.KeyChange.rollover, 2), (.forgotten, 1)])
  func keyChangesOnce(_ change: Fault.Kind.KeyChange, _ published: Int) throws {
    let lab = try ProviderLab()
    let old = try lab.provider.resources.keys.current().id
    try lab.provider.addFault(Fault(.any, .keys(change), remaining: 1))
    let keys = try #require(lab.get("/common/discovery/v2.0/keys", bearer: nil).json?["keys"]?.array)
    #expect(keys.count == published)
    #expect(keys.first?["kid"]?.string != old)
    #expect(try lab.provider.resources.keys.current().id == keys.first?["kid"]?.string)
  }

  @Test(arguments: [
    (Fault.Kind.Requirement.consent, OAuthErrorCode.invalidGrant, 65001, "consent_required" as String?),
    (.mfa, .invalidGrant, 50076, "basic_action"), (.device, .invalidGrant, 53000, nil),
  ])
  func silentCallIsToldWhatIsRequired(
    _ requirement: Fault.Kind.Requirement, _ code: OAuthErrorCode, _ aadsts: Int, _ suberror: String?
  ) throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    try lab.provider.addFault(Fault(.any, .requires(requirement)))
    let answer = try lab.refresh(secret, ProviderLab.word)
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts, error.suberror) == (code, aadsts, suberror))
    #expect(
      (error.claims?.hasPrefix("{\"access_token\":{\"capolids\":") ?? false) == (requirement != .consent))
    let silent = try lab.authorize(ProviderLab.word, ["prompt": "none"])
    let expected = requirement == .consent ? "consent_required" : "interaction_required"
    #expect(silent.http.location.flatMap { URLParts($0)?.fields }?["error"] == expected)
  }

  @Test func aRefusalAtAuthorizeGoesToTheClientAndNeverToAStranger() throws {
    let lab = try ProviderLab()
    try lab.provider.addFault(Fault(.authorize, .refused(.accessDenied, suberror: nil)))
    let fields = try lab.authorize(ProviderLab.word).http.location.flatMap { URLParts($0)?.fields }
    #expect(fields?["error"] == "access_denied" && fields?["state"] == "s1")
    #expect(
      fields?["error_description"]?.hasPrefix("AADSTS65004: A fault set in the lab refuses this request.")
        == true)
    let stranger = try lab.authorize(ProviderLab.word, ["redirect_uri": "https://evil.example"])
    #expect(stranger.http.status == 400 && stranger.http.location == nil)
  }

  @Test func interactiveSignInMeetsTheRequirement() throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    try lab.provider.addFault(Fault(.authorize, .requires(.mfa), remaining: 1))
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page,
      case .signIn(let asked) = try lab.post(
        "/common/login", ["flow": page.flowID, "username": "alice@contoso.com"]
      ).page, case .verification(let number) = asked.asks
    else {
      Issue.record("no second factor asked")
      return
    }
    #expect(try lab.post("/common/login", ["flow": page.flowID, "code": number]).http.status == 302)
    try lab.provider.addFault(Fault(.authorize, .requires(.consent), remaining: 1))
    guard case .consent = try lab.authorize(ProviderLab.word).page else {
      Issue.record("no consent asked")
      return
    }
    try lab.provider.addFault(Fault(.authorize, .requires(.device), remaining: 1))
    guard case .error(let page) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS53000")
    #expect(try lab.authorize(ProviderLab.word).http.status == 302)
  }

  @Test func faultOfAClientFollowsItThroughPagesAndHeaders() throws {
    let lab = try ProviderLab()
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("no sign-in page")
      return
    }
    try lab.provider.addFault(Fault(.any, .status(500), clientID: "word"))
    #expect(try lab.post("/common/login", ["flow": page.flowID, "cancel": "1"]).http.status == 500)
    let header = [NameValue("Authorization", "Basic " + Data("word:".utf8).base64EncodedString())]
    let asked = HTTPRequest(
      "POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/devicecode", headers: header)
    #expect(try lab.send(asked).http.status == 500)
    #expect(try lab.authorize(ProviderLab.excel).http.status == 200)
  }
}
