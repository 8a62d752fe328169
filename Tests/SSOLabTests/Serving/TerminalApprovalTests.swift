import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOStore

/// Sign-ins of an external client that the user answers in a terminal while the browser waits.
@Suite struct TerminalApprovalTests {
  let program: ServedLab
  var lab: Lab { program.lab }
  private let ada = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  var answers: [Answer] {
    [.account(homeAccountID: ada), .password("analytical-engine"), .accept]
  }

  init() throws { program = try ServedLab() }

  /// A browser that shows the waiting page.
  struct Waiting {
    var request: SSOCore.HTTPRequest
    var cookies: [NameValue]
  }

  func wait(_ request: SSOCore.HTTPRequest, cookies: [NameValue] = []) throws -> Waiting {
    let served = try lab.serve(request, cookies: cookies, approval: .terminal)
    #expect(served.startsWaiting)
    #expect(served.answer.http.status == 303)
    let location = try #require(served.answer.http.location)
    return Waiting(
      request: try HTTPRequest("GET", origin: request.origin, target: location),
      cookies: cookies + served.answer.setCookies)
  }

  /// Returns the response to the browser's next request.
  func look(_ browser: Waiting) throws -> ServedAnswer {
    try lab.serve(browser.request, cookies: browser.cookies, approval: .terminal)
  }

  /// Returns the request with which the user types the code of another device.
  func type(_ userCode: String) -> SSOCore.HTTPRequest {
    HTTPRequest(
      "POST", origin: "https://localhost:8443", path: "/common/oauth2/deviceauth",
      form: [NameValue("user_code", userCode)])
  }

  func intent() throws -> any Intent {
    let waiting = try #require(try lab.read { try $0.provider.waitingSignIns() }.first)
    return AnswerSignIn(id: waiting.id, client: waiting.client)
  }

  func answer(_ answers: [Answer]) throws -> Outcome {
    guard case .done(let outcome, _) = try lab.perform(intent(), answers: answers) else {
      Issue.record("an answer is missing")
      return Outcome(.failed, "")
    }
    return outcome
  }

  @Test func theBrowserWaitsWithTheNumberThatTheTerminalShows() throws {
    let page = try wait(program.authorize)
    let waiting = try #require(try lab.read { try $0.provider.waitingSignIns() }.first)
    #expect(waiting.client == "Lab Public App" && waiting.redirectURI == program.redirect)
    #expect(waiting.scopes == ["User.Read", "openid", "profile", "offline_access"])
    #expect(waiting.program == "MSAL.Python 1.39.0")
    #expect(try look(page).waiting == WaitingPage(client: "Lab Public App", number: waiting.number))
    #expect(waiting.number.count == 2)
  }

  @Test func ofMoreThanFiftyThatWaitTheOldestGoes() throws {
    let first = try wait(program.authorize)
    _ = try lab.perform(MoveClock(bySeconds: 1))
    for _ in 1..<PendingSignIn.most { _ = try wait(program.authorize) }
    #expect(try look(first).waiting != nil)
    _ = try wait(program.authorize)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.count == PendingSignIn.most)
    #expect(try look(first).answer.http.status == 404)
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
    let answer = try look(page).answer.http
    let fields = try #require(URLParts(answer.location ?? "")?.fields)
    #expect(fields["state"] == "xyz")
    #expect(!answer.headers.contains { $0.name == "Set-Cookie" }, "who waits is not signed in by that")
    #expect(try look(page).answer.http.status == 404, "it is returned only once")
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
    _ = try lab.perform(InstallBroker(version: "6.8.30", managed: nil))
    let held = BrokerAccount(
      homeAccountID: ada, username: ServedLab.ada, displayName: "Ada Lovelace", tenantName: "Contoso",
      primaryRefreshToken: try givePrimaryRefreshToken(),
      expiresOn: try lab.read { $0.now }.adding(seconds: 3600))
    try lab.store.write(nil) { try $0.write(held, .brokerAccount, "device-1/" + ada) }
    _ = try wait(program.authorize)
    #expect(try answer([.account(homeAccountID: ada), .accept]).username == ServedLab.ada)
    let hops = try lab.read { try $0.traces.trace(try $0.traces.rows(limit: 1)[0].id) }?.hops
    #expect(hops?.first { $0.action == "choose an account" }?.result.hasPrefix(ServedLab.ada) == true)
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

  /// The forms that are sent on the user's behalf come from the provider's pages, whichever site led the browser here.
  @Test func anotherAccountIsTyped() throws {
    var request = program.authorize
    request.headers += [
      NameValue("Sec-Fetch-Site", "cross-site"), NameValue("Origin", "https://app.example"),
    ]
    let automatic = try lab.serve(request, approval: .automatic(username: ServedLab.ada)).answer.http
    #expect(automatic.location?.contains("code=") == true)
    _ = try wait(request)
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
    let answer = try look(page).answer.http
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
    _ = try lab.perform(MoveClock(bySeconds: 599))
    #expect(try look(page).waiting != nil)
    _ = try lab.perform(MoveClock(bySeconds: 1))
    #expect(try look(page).answer.http.status == 404)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.isEmpty)
    #expect(throws: LabError.self) { try lab.perform(intent, answers: answers) }
  }

  @Test func nobodyElseFindsTheAnswer() throws {
    let page = try wait(program.authorize)
    let key = try #require(try lab.store.read { try $0.documents(.pendingSignIn, keyPrefix: "").first?.key })
    _ = try answer(answers)
    var other = page
    other.request.query = [NameValue("id", key)]
    #expect(try look(other).answer.http.status == 404)
    other = page
    for cookies in [[], [NameValue("__Host-esctx", "another")]] {
      other.cookies = cookies
      #expect(try look(other).answer.http.status == 404, "the address alone is not enough")
    }
    #expect(try look(page).answer.http.status == 302)
  }

  @Test func lookingForTheHeadersAloneDoesNotUseTheAnswerUp() throws {
    let page = try wait(program.authorize)
    _ = try answer(answers)
    var head = page
    head.request.method = "HEAD"
    #expect(try look(head).waiting != nil)
    #expect(try look(page).answer.http.status == 302)
  }

  @Test func aBrowserInWhichSomebodySignedInIsNotAsked() throws {
    let cookies = try lab.serve(program.authorize, approval: .automatic(username: ServedLab.ada)).answer
      .setCookies
    let again = try lab.serve(program.authorize, cookies: cookies, approval: .terminal)
    #expect(!again.startsWaiting)
    #expect(again.answer.http.location?.hasPrefix(program.redirect) == true)
  }

  /// The user who answers in the terminal signs in to the app.
  ///
  /// The browser's session is unchanged, because it may be another user's.
  @Test func theBrowsersOwnSessionStaysWhenAnotherPersonAnswers() throws {
    let cookies = try lab.serve(program.authorize, approval: .automatic(username: "grace@contoso.com")).answer
      .setCookies
    var request = program.authorize
    request.query.append(NameValue("prompt", "select_account"))
    let page = try wait(request, cookies: cookies)
    #expect(try answer(answers).username == ServedLab.ada)
    #expect(try look(page).answer.setCookies.isEmpty)
    let session = try lab.store.read { try SSOSessions(documents: $0, now: lab.clock()).session(of: cookies) }
    #expect(session?.usernames == ["grace@contoso.com"])
  }

  /// The program that requested the code knows it, and may be untrusted.
  ///
  /// Neither the code nor waiting gives that program the user's session.
  @Test func whoAskedForADeviceCodeGetsNoSessionOfWhoApprovesIt() throws {
    let code = try program.deviceCode(approval: .terminal)
    let page = try wait(type(code.user))
    _ = try answer(answers)
    let byCode = HTTPRequest(
      "GET", origin: "https://localhost:8443", path: WaitingPage.path, query: [NameValue("id", code.user)])
    for cookies in [[], page.cookies] {
      #expect(try lab.serve(byCode, cookies: cookies, approval: .terminal).answer.http.status == 404)
    }
    let end = try look(page).answer
    guard case .notice(let notice) = end.page else {
      Issue.record("no notice")
      return
    }
    #expect(notice.title == "Signed in")
    #expect(end.setCookies.isEmpty && !end.http.headers.contains { $0.name == "Set-Cookie" })
    #expect(
      try lab.serve(program.authorize, cookies: page.cookies, approval: .terminal).startsWaiting,
      "the browser that waited is not signed in")
  }

  @Test func aDeviceCodeThatIsDeclinedInTheTerminalIsCancelled() throws {
    _ = try wait(type(program.deviceCode(approval: .terminal).user))
    let outcome = try answer([.cancel])
    #expect(outcome.verdict == .cancelled)
    #expect(outcome.summary == "Declined: Lab Public App was not signed in.")
  }

  @Test func anAnswerCannotBeUndone() throws {
    let page = try wait(program.authorize)
    _ = try answer(answers)
    #expect(try lab.status().canUndo == nil && lab.undo() == nil)
    let code = URLParts(try look(page).answer.http.location ?? "")?.fields?["code"]
    #expect(try program.redeem(code ?? "").refreshToken != nil)
  }
}
