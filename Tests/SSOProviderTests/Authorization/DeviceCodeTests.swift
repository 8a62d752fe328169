import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct DeviceCodeTests {
  private func ask(_ lab: ProviderLab, _ client: ClientRegistration = ProviderLab.word) throws -> JSONValue {
    let answer = try lab.post(
      "/common/oauth2/v2.0/devicecode",
      ["client_id": client.clientID, "scope": "User.Read openid profile offline_access"])
    #expect(answer.http.status == 200)
    return try #require(JSONValue(bounded: answer.http.body))
  }

  private func poll(_ lab: ProviderLab, _ code: JSONValue, client: String = "word") throws -> HTTPResponse {
    let secret = code["device_code"]?.string ?? ""
    return try lab.post(
      "/common/oauth2/v2.0/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": client, "client_info": "1",
        "device_code": secret, "code": secret,
      ]
    ).http
  }

  private func enter(_ lab: ProviderLab, _ code: String) throws -> ProviderResponse {
    try lab.post("/common/oauth2/deviceauth", ["user_code": code])
  }

  /// Types the code, signs in, and stops before the consent page is answered.
  private func question(_ lab: ProviderLab, _ code: JSONValue) throws -> ConsentPage {
    guard case .signIn(let page) = try enter(lab, code["user_code"]?.string ?? "").page,
      case .consent(let question) = try lab.post(
        "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"]
      ).page
    else { throw OAuthError(.serverError, "no question") }
    return question
  }

  @Test func answersWithAllThatClientsRead() throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    let userCode = try #require(code["user_code"]?.string)
    let page = "https://login.microsoftonline.com/common/oauth2/deviceauth"
    #expect(
      code == [
        "device_code": code["device_code"] ?? "", "user_code": .string(userCode),
        "verification_uri": .string(page), "expires_in": .integer(900), "interval": .integer(5),
        "message": .string(
          "To sign in, use a web browser to open the page \(page) and enter the code \(userCode) to "
            + "authenticate."),
      ])
    #expect(userCode.count == 9)
  }

  /// MSAL Go, `apps/internal/oauth/ops/internal/grant`; in version 2.0 too.
  @Test func theGrantHasAShorterName() throws {
    let lab = try ProviderLab()
    let secret = try ask(lab)["device_code"]?.string ?? ""
    let answer = try lab.post(
      "/common/oauth2/v2.0/token", ["grant_type": "device_code", "client_id": "word", "device_code": secret])
    #expect(OAuthError(reading: answer.http).code == .authorizationPending)
  }

  /// Microsoft Learn, "OAuth 2.0 device authorization grant": "Same tenant or tenant alias used in the initial request".
  @Test(arguments: ["contoso.com", "organizations", "consumers"])
  func anotherTenantOrAliasRefusesThePoll(_ tenant: String) throws {
    let lab = try ProviderLab()
    let secret = try ask(lab)["device_code"]?.string ?? ""
    let answer = try lab.post(
      "/\(tenant)/oauth2/v2.0/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "word",
        "device_code": secret,
      ]
    ).http
    #expect(OAuthError(reading: answer).aadsts == 700005 && lab.failedCheck == "tenant of the device code")
  }

  @Test func aCodeMustBeTyped() throws {
    guard case .deviceCode(let page) = try enter(ProviderLab(), "").page else {
      Issue.record("no device code page")
      return
    }
    #expect(page.failure == "AADSTS90119: The user code is null or missing.")
  }

  @Test func personApprovesOnAnotherDevice() throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    #expect(OAuthError(reading: try poll(lab, code)).code == .authorizationPending)
    let question = try question(lab, code)
    #expect(question.question?.contains("Word") == true)
    #expect(question.scopes.allSatisfy { $0.alreadyGranted })
    let end = try lab.post("/common/consent", ["flow": question.flowID, "accept": "1"])
    #expect(
      end.page
        == .notice(
          NoticePage(
            title: "Signed in",
            message:
              "You have signed in to the Word application on your device. You may now close this window.")))
    let tokens = try TokenResponse(reading: poll(lab, code))
    #expect(tokens.scope == "User.Read openid profile")
    #expect(tokens.familyID == "1")
    let claims = try JSONWebToken(unverified: tokens.idToken ?? "").claims
    #expect(claims["preferred_username"] == "alice@contoso.com" && claims["auth_time"] == nil)
    #expect(lab.cookies.last?.name == SSOSession.cookieName)
    let again = OAuthError(reading: try poll(lab, code))
    #expect((again.code, again.aadsts) == (.invalidGrant, 54005))
  }

  @Test func appThatIsNotPreauthorizedAsksForConsentOnce() throws {
    let lab = try ProviderLab()
    let question = try question(lab, ask(lab, ProviderLab.notes))
    #expect(question.question != nil)
    #expect(question.scopes.allSatisfy { !$0.alreadyGranted })
  }

  @Test(arguments: ["question", "sign-in"])
  func declineEndsThePolling(_ whereTo: String) throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    if whereTo == "question" {
      _ = try lab.post("/common/consent", ["flow": question(lab, code).flowID, "cancel": "1"])
    } else if case .signIn(let page) = try enter(lab, code["user_code"]?.string ?? "").page {
      _ = try lab.post("/common/login", ["flow": page.flowID, "cancel": "1"])
    }
    let error = OAuthError(reading: try poll(lab, code))
    #expect((error.code, error.aadsts) == (.authorizationDeclined, 65004))
    #expect(lab.failedCheck == "device code not declined")
  }

  @Test(arguments: [(899, OAuthErrorCode.authorizationPending), (900, .expiredToken)])
  func codeLivesFifteenMinutes(_ age: Int, _ expected: OAuthErrorCode) throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    lab.now = lab.now.adding(seconds: age)
    #expect(OAuthError(reading: try poll(lab, code)).code == expected)
    guard case .deviceCode(let page) = try enter(lab, code["user_code"]?.string ?? "").page else {
      #expect(age == 899)
      return
    }
    #expect(page.failure?.hasPrefix("AADSTS70019:") == true)
  }

  @Test func pollingTooFastIsSlowedDownByFiveSecondsEachTime() throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    var heard: [OAuthErrorCode] = []
    for wait in [0, 3, 9, 8, 14] {
      lab.now = lab.now.adding(seconds: wait)
      heard.append(OAuthError(reading: try poll(lab, code)).code)
    }
    #expect(
      heard == [.authorizationPending, .slowDown, .authorizationPending, .slowDown, .authorizationPending])
  }

  @Test func aClockThatIsPutBackMakesNobodyTooFast() throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    _ = try poll(lab, code)
    lab.now = lab.now.adding(seconds: -3600)
    #expect(OAuthError(reading: try poll(lab, code)).code == .authorizationPending)
  }

  @Test func otherClientsAndUnknownCodesAreRefused() throws {
    let lab = try ProviderLab()
    let other = OAuthError(reading: try poll(lab, ask(lab), client: "excel"))
    #expect((other.code, other.aadsts) == (.invalidGrant, 70000))
    let unknown = OAuthError(reading: try poll(lab, ["device_code": "x"]))
    #expect((unknown.code, unknown.aadsts) == (.invalidGrant, 7_000_014))
  }

  @Test(arguments: [("", 90119), ("AAAAAAAAA", 70018), ("'; DROP", 70018)])
  func unknownUserCodeIsAskedForAgain(_ typed: String, number: Int) throws {
    let lab = try ProviderLab()
    _ = try ask(lab)
    guard case .deviceCode(let page) = try enter(lab, typed).page else {
      Issue.record("no device code page")
      return
    }
    #expect(page.failure?.hasPrefix("AADSTS\(number):") == true)
  }

  /// RFC 8628 §5.1.
  ///
  /// After fifty wrong codes, even the right code is rejected for a minute.
  @Test func userCodesCannotBeGuessed() throws {
    let lab = try ProviderLab()
    let code = try #require(ask(lab)["user_code"]?.string)
    for number in 0..<49 { _ = try enter(lab, "WRONG\(number)") }
    _ = try enter(lab, "WRONG48")
    guard case .signIn = try enter(lab, code).page else {
      Issue.record("49 wrong codes and a repeated one lock nothing")
      return
    }
    _ = try enter(lab, "WRONG49")
    for wait in [0, 59] {
      lab.now = lab.now.adding(seconds: wait)
      #expect(
        try enter(lab, code).page
          == .deviceCode(
            DeviceCodePage(
              userCode: "", failure: "Too many wrong codes were entered. Wait a minute, then try again.")))
    }
    lab.now = lab.now.adding(seconds: 1)
    guard case .signIn = try enter(lab, code).page else {
      Issue.record("a minute later the code is taken")
      return
    }
  }

  @Test func userCodeIsReadLeniently() throws {
    let lab = try ProviderLab()
    let code = try #require(ask(lab)["user_code"]?.string)
    guard case .signIn = try enter(lab, " \(code.prefix(4).lowercased())-\(code.dropFirst(4)) ").page else {
      Issue.record("code not taken")
      return
    }
  }

  @Test func linkWithTheCodeOnlyFillsItIn() throws {
    let lab = try ProviderLab()
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: "https://login.microsoftonline.com", path: "/common/oauth2/deviceauth",
        query: [NameValue("user_code", "BCD")]))
    #expect(answer.page == .deviceCode(DeviceCodePage(userCode: "BCD", failure: nil)))
  }

  @Test func traceShowsNeitherCode() throws {
    let lab = try ProviderLab()
    let code = try ask(lab)
    _ = try poll(lab, code)
    _ = try enter(lab, code["user_code"]?.string ?? "")
    let text = String(describing: lab.trace.hops)
    #expect(!text.contains(code["user_code"]?.string ?? "?"))
    #expect(!text.contains(code["device_code"]?.string ?? "?"))
  }
}
