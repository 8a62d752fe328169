import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// A policy that requires MFA prompts once per browser on the page, and never for a request that shows no page.
@Suite struct SecondFactorPolicyTests {
  private let lab: ProviderLab

  init() throws { lab = try ProviderLab() }

  private func demand(of client: ClientRegistration? = nil) throws {
    try lab.documents.save(Policy(name: "Two", requires: .mfa, clientID: client?.clientID))
  }

  private func number(_ answer: ProviderResponse) -> (flow: String, number: String)? {
    guard case .signIn(let page) = answer.page, case .verification(let number) = page.asks else { return nil }
    return (page.flowID, number)
  }

  /// Sends the first request and continues to the page with the number.
  private func askedNumber(_ client: ClientRegistration) throws -> (flow: String, number: String) {
    guard case .signIn(let page) = try lab.authorize(client).page else { throw Unexpected() }
    let known = page.accountsInSession.contains("alice@contoso.com")
    let form: KeyValuePairs = ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"]
    let picked: KeyValuePairs = ["flow": page.flowID, "username": "alice@contoso.com"]
    return try #require(number(lab.post("/common/login", known ? picked : form)))
  }

  private struct Unexpected: Error {}

  private func signIn(_ client: ClientRegistration) throws -> TokenResponse {
    let asked = try askedNumber(client)
    let answer = try lab.post("/common/login", ["flow": asked.flow, "code": asked.number])
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    return try TokenResponse(reading: lab.redeem(code: code, client))
  }

  @Test func thePageAsksOnceAndTheRefreshTokenRemembers() throws {
    try demand()
    let tokens = try signIn(ProviderLab.word)
    #expect(try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word).status == 200)
    #expect(
      try lab.authorize(ProviderLab.excel).http.location?.contains("code=") == true, "the session has it")
    #expect(
      try lab.authorize(ProviderLab.excel, ["prompt": "none"]).http.location?.contains("code=") == true)
  }

  @Test func whoSignedInBeforeThePolicyIsAskedForMore() throws {
    let tokens = try lab.signIn(ProviderLab.word)
    try demand()
    let error = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word))
    #expect(error.code == .invalidGrant && error.aadsts == 50076 && error.suberror == "basic_action")
    #expect(lab.failedCheck == "policy “Two”: second factor")
    let silent = try lab.authorize(ProviderLab.word, ["prompt": "none"])
    #expect(silent.page == nil)
    #expect(silent.http.location.flatMap { URLParts($0)?.fields }?["error"] == "interaction_required")
    #expect(try lab.refresh(signIn(ProviderLab.word).refreshToken ?? "", ProviderLab.word).status == 200)
  }

  /// A policy's error is `invalid_grant` in version 2.0 and `interaction_required` in version 1, with the same number.
  @Test(arguments: [("oauth2/v2.0/token", "invalid_grant"), ("oauth2/token", "interaction_required")])
  func theErrorDependsOnTheVersion(_ path: String, _ code: String) throws {
    let tokens = try lab.signIn(ProviderLab.notes)
    try demand()
    let answer = try lab.post(
      "/contoso.com/" + path,
      [
        "grant_type": "refresh_token", "client_id": "notes", "refresh_token": tokens.refreshToken ?? "",
        "resource": path.contains("v2.0") ? "" : "https://graph.microsoft.com",
      ])
    let error = OAuthError(reading: answer.http)
    #expect((error.code.text, error.aadsts, error.suberror) == (code, 50076, "basic_action"))
    #expect(error.claims?.contains("capolids") == true)
  }

  /// Microsoft Learn, "Credential chains in the Azure Identity client library for C++".
  @Test func aBlockNamesItsPolicy() throws {
    let tokens = try lab.signIn(ProviderLab.notes)
    try lab.documents.save(Policy(name: "closed", requires: .block))
    let error = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes))
    #expect((error.aadsts, error.suberror) == (53003, "message_only"))
    #expect(error.claims?.contains(guid(of: "policy closed")) == true)
  }

  @Test func anotherAppIsNotConcerned() throws {
    try demand(of: ProviderLab.excel)
    #expect(try lab.signIn(ProviderLab.word).refreshToken != nil)
    #expect(try signIn(ProviderLab.excel).refreshToken != nil)
  }

  @Test func aWrongNumberIsNoFactor() throws {
    try demand()
    let asked = try askedNumber(ProviderLab.word)
    let wrong = try lab.post("/common/login", ["flow": asked.flow, "code": "1"])
    #expect(number(wrong)?.number == asked.number)
    #expect(lab.cookies[SSOSession.cookieName] == nil)
  }

  @Test func aPasswordAloneIsNotEnoughForThePasswordGrant() throws {
    try demand()
    let answer = try lab.post(
      "/contoso.com/oauth2/v2.0/token",
      [
        "grant_type": "password", "client_id": ProviderLab.word.clientID, "scope": "User.Read",
        "username": "alice@contoso.com", "password": "right",
      ])
    #expect(OAuthError(reading: answer.http).aadsts == 50076)
  }

  @Test func aDeviceGetsTheFactorsOfThePersonWhoApproved() throws {
    try demand()
    let code = try #require(
      JSONValue(
        bounded: lab.post(
          "/common/oauth2/v2.0/devicecode",
          ["client_id": ProviderLab.word.clientID, "scope": "User.Read offline_access"]
        ).http.body))
    guard
      case .signIn(let page) = try lab.post(
        "/common/oauth2/deviceauth", ["user_code": code["user_code"]?.string ?? ""]
      ).page,
      let asked = number(
        try lab.post(
          "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"])),
      case .consent(let question) = try lab.post(
        "/common/login", ["flow": asked.flow, "code": asked.number]
      ).page
    else { throw Unexpected() }
    _ = try lab.post("/common/consent", ["flow": question.flowID, "accept": "1"])
    let poll = try lab.post(
      "/common/oauth2/v2.0/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": ProviderLab.word.clientID,
        "device_code": code["device_code"]?.string ?? "",
      ])
    let tokens = try TokenResponse(reading: poll.http)
    #expect(try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word).status == 200)
  }

  /// `prompt=none` shows no page, whatever the policy (OpenID Connect Core §3.1.2.6).
  @Test(arguments: [
    (Policy.Requirement.compliantDevice, 53000), (.approvedApp, 53002), (.registeredDevice, 50129),
  ])
  func aSilentRequestIsToldByARedirect(_ requirement: Policy.Requirement, _ number: Int) throws {
    _ = try lab.signIn(ProviderLab.word)
    try lab.documents.save(Policy(name: "Guard", requires: requirement))
    let answer = try lab.authorize(ProviderLab.word, ["prompt": "none"])
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect(answer.page == nil && fields["error"] == "interaction_required" && fields["state"] == "s1")
    #expect(fields["error_description"]?.hasPrefix("AADSTS\(number):") == true)
  }
}
