import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOStore

/// Sign-ins of a real client that the person answers in a terminal, while the browser waits.
@Suite struct TerminalApprovalTests {
  private let program: ServedLab
  private var lab: Lab { program.lab }
  private let ada = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  private var answers: [Answer] {
    [.account(homeAccountID: ada), .password("analytical-engine"), .accept]
  }

  init() throws { program = try ServedLab() }

  /// Where the browser is sent to wait.
  private func wait(_ request: SSOCore.HTTPRequest) throws -> SSOCore.HTTPRequest {
    let served = try lab.serve(request, approval: .terminal)
    #expect(served.startsWaiting)
    #expect(served.answer.http.status == 303)
    let location = try #require(served.answer.http.location)
    return try HTTPRequest("GET", origin: request.origin, target: location)
  }

  private func intent() throws -> Intent {
    let waiting = try #require(try lab.read { try $0.provider.waitingSignIns() }.first)
    return .answerSignIn(id: waiting.id, client: waiting.client)
  }

  private func answer(_ answers: [Answer]) throws -> Outcome {
    guard case .done(let outcome, _) = try lab.perform(intent(), answers: answers) else {
      Issue.record("an answer is missing")
      return Outcome(.failed, "")
    }
    return outcome
  }

  @Test func theBrowserWaitsWithTheNumberThatTheTerminalShows() throws {
    let page = try wait(program.authorize)
    let waiting = try #require(try lab.read { try $0.provider.waitingSignIns() }.first)
    #expect(waiting.client == "Lab Public App")
    #expect(waiting.redirectURI == program.redirect)
    #expect(waiting.scopes == ["User.Read", "openid", "profile", "offline_access"])
    #expect(waiting.program == "MSAL.Python 1.39.0")
    let shown = try lab.serve(page, approval: .terminal).waiting
    #expect(shown == WaitingPage(client: "Lab Public App", number: waiting.number))
    #expect(waiting.number.count == 2)
  }

  @Test func ofMoreThanFiftyThatWaitTheOldestGoes() throws {
    let first = try wait(program.authorize)
    _ = try lab.perform(.moveClock(bySeconds: 1))
    for _ in 1..<PendingSignIn.most { _ = try wait(program.authorize) }
    #expect(try lab.serve(first, approval: .terminal).waiting != nil)
    _ = try wait(program.authorize)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.count == PendingSignIn.most)
    #expect(try lab.serve(first, approval: .terminal).answer.http.status == 404)
  }

  @Test func theTerminalIsToldThatADeviceCodeWaitsAndNobodyElseIs() throws {
    let asked = program.request(
      "POST", "oauth2/v2.0/devicecode",
      [NameValue("client_id", ServedLab.client), NameValue("scope", "User.Read")])
    #expect(try lab.serve(asked, approval: .terminal).startsWaiting)
    #expect(try !lab.serve(asked, approval: .browser).startsWaiting)
  }

  @Test func theTerminalIsAskedWithWhoAsksAndEverybodyOfTheLab() throws {
    _ = try wait(program.authorize)
    guard case .needs(.chooseAccount(let picker), _) = try lab.perform(intent()) else {
      Issue.record("no picker")
      return
    }
    #expect(picker.clientID == ServedLab.client)
    #expect(picker.redirectURI == program.redirect)
    #expect(picker.candidates.map(\.username) == [ServedLab.ada, "grace@contoso.com"])
    #expect(picker.candidates.allSatisfy { $0.state == .signedOut })
  }

  @Test func theAnswerReachesTheBrowserAsACodeThatIsRedeemed() throws {
    let page = try wait(program.authorize)
    #expect(try answer(answers).summary == "Lab Public App continues in the browser as ada@contoso.com.")
    let answer = try lab.serve(page, approval: .terminal).answer.http
    let fields = try #require(URLParts(answer.location ?? "")?.fields)
    #expect(fields["state"] == "xyz")
    #expect(answer.headers.contains { $0.name == "Set-Cookie" && $0.value.hasPrefix("ESTSAUTH=") })
    #expect(try program.redeem(fields["code"] ?? "").refreshToken != nil)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.isEmpty)
  }

  @Test func theFlowIsReplayedWithEachAnswerAndWritesNothingBeforeTheLast() throws {
    _ = try wait(program.authorize)
    let before = try lab.read { try $0.traces.rows() }.count
    for count in 0..<answers.count {
      guard case .needs = try lab.perform(intent(), answers: Array(answers.prefix(count))) else {
        Issue.record("finished with \(count) answers")
        return
      }
    }
    #expect(try lab.read { try $0.traces.rows() }.count == before)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.count == 1)
  }

  @Test func anAccountOfTheBrokerNeedsNoPassword() throws {
    _ = try lab.perform(.installBroker(version: "6.8.30", managed: nil))
    let held = BrokerAccount(
      homeAccountID: ada, username: ServedLab.ada, displayName: "Ada Lovelace", tenantName: "Contoso",
      primaryRefreshToken: try givePrimaryRefreshToken(),
      expiresOn: try lab.read { $0.now }.adding(seconds: 3600))
    try lab.store.write(nil) { try $0.write(held, .brokerAccount, "device-1/" + ada) }
    _ = try wait(program.authorize)
    #expect(try answer([.account(homeAccountID: ada), .accept]).username == ServedLab.ada)
  }

  private func givePrimaryRefreshToken() throws -> String {
    let person = try #require(
      try lab.read { try $0.directory.people() }.first { $0.username == ServedLab.ada })
    return try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: lab.clock())
      return try RefreshTokens(documents: transaction, now: intent.now).issue(
        .primary, for: person, client: .authenticationBroker, deviceID: "device-1", random: intent.random)
    }
  }

  @Test func anotherAccountIsTyped() throws {
    _ = try wait(program.authorize)
    let outcome = try answer(
      [.useAnotherAccount, .username("grace@contoso.com"), .password("first-actual-bug"), .accept])
    #expect(outcome.username == "grace@contoso.com")
  }

  @Test func theHintedAccountComesFirst() throws {
    var request = program.authorize
    request.query.append(NameValue("login_hint", "Grace@contoso.com"))
    _ = try wait(request)
    guard case .needs(.chooseAccount(let picker), _) = try lab.perform(intent()) else {
      Issue.record("no picker")
      return
    }
    #expect(picker.candidates.first?.username == "grace@contoso.com")
    #expect(picker.candidates.first?.isHinted == true)
  }

  @Test func cancellingTellsTheProgram() throws {
    let page = try wait(program.authorize)
    #expect(try answer([.cancel]).verdict == .cancelled)
    let answer = try lab.serve(page, approval: .terminal).answer.http
    #expect(URLParts(answer.location ?? "")?.fields?["error"] == "access_denied")
  }

  @Test func theSecondAnswerComesTooLate() throws {
    _ = try wait(program.authorize)
    let intent = try intent()
    _ = try answer(answers)
    let error = #expect(throws: LabError.self) { try lab.perform(intent, answers: answers) }
    #expect(error?.kind == .nothingMatched)
  }

  @Test func aSignInWaitsTenMinutes() throws {
    let page = try wait(program.authorize)
    let intent = try intent()
    _ = try lab.perform(.moveClock(bySeconds: 599))
    #expect(try lab.serve(page, approval: .terminal).waiting != nil)
    _ = try lab.perform(.moveClock(bySeconds: 1))
    #expect(try lab.serve(page, approval: .terminal).answer.http.status == 404)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.isEmpty)
    #expect(throws: LabError.self) { try lab.perform(intent, answers: answers) }
  }

  @Test func nobodyElseFindsTheAnswer() throws {
    _ = try wait(program.authorize)
    _ = try answer(answers)
    let key = try #require(try lab.store.read { try $0.documents(.pendingSignIn, keyPrefix: "").first?.key })
    let guess = HTTPRequest(
      "GET", origin: "https://localhost:8443", path: WaitingPage.path, query: [NameValue("id", key)])
    #expect(try lab.serve(guess, approval: .terminal).answer.http.status == 404)
  }

  @Test func aBrowserThatIsSignedInIsNotAsked() throws {
    let page = try wait(program.authorize)
    _ = try answer(answers)
    let cookies = try lab.serve(page, approval: .terminal).answer.setCookies
    let again = try lab.serve(program.authorize, cookies: cookies, approval: .terminal)
    #expect(!again.startsWaiting)
    #expect(again.answer.http.location?.hasPrefix(program.redirect) == true)
  }

  @Test func aDeviceCodeWaitsForTheTerminalWithoutABrowser() throws {
    let code = try program.deviceCode(approval: .terminal)
    let waiting = try #require(try lab.read { try $0.provider.waitingSignIns() }.first)
    #expect(waiting.userCode == code.user)
    #expect(waiting.redirectURI.isEmpty)
    #expect(try answer(answers).verdict == .succeeded)
    let answer = try lab.serve(program.poll(code.device), approval: .terminal).answer.http
    #expect(try TokenResponse(reading: answer).refreshToken != nil)
  }

  @Test func aDeviceCodeThatIsDeclinedInTheTerminalIsCancelled() throws {
    _ = try program.deviceCode(approval: .terminal)
    let outcome = try answer([.cancel])
    #expect(outcome.verdict == .cancelled)
    #expect(outcome.summary == "Lab Public App was not signed in. You may close this window.")
  }

  @Test func whoTypesTheCodeInABrowserMeetsTheSignInThatWaitsAlready() throws {
    let code = try program.deviceCode(approval: .terminal)
    let typed = HTTPRequest(
      "POST", origin: "https://localhost:8443", path: "/common/oauth2/deviceauth",
      form: [NameValue("user_code", code.user.lowercased())])
    let page = try wait(typed)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.count == 1)
    _ = try answer(answers)
    guard case .notice(let notice) = try lab.serve(page, approval: .terminal).answer.page else {
      Issue.record("no notice")
      return
    }
    #expect(notice.title == "Signed in")
  }
}
