import Foundation
import SSOKeychain
import SSOStore
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

@Suite struct ScenarioRunTests {
  static let picker = Prompt.chooseAccount(
    AccountPicker(
      appName: "One", bundleID: "com.contoso.one", clientID: "c1",
      redirectURI: "msauth.com.contoso.one://auth",
      sdk: "MSAL", scopes: [], prompt: nil, loginHint: nil,
      callerCheck: Check("caller", expected: "a", found: "a", true, source: "claim B1"),
      candidates: [
        PickerCandidate(
          homeAccountID: "o1.t1", displayName: "Ada", username: "ada@contoso.com", tenantName: "Contoso",
          state: .ready, remark: "", isHinted: false)
      ], presentation: .transition, reason: ""))

  static func step(answers: ScenarioAnswers, _ expectation: StepExpectation) -> ScenarioStep {
    ScenarioStep(
      title: "Ada signs in", note: "",
      action: .intent(
        AnyIntent(
          SignIn(
            app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired))),
      answers: answers, expectation: expectation)
  }

  @Test func picksByUsernameAndOnlyOnce() {
    var answers = ScenarioAnswers()
    answers.choose = "ada@contoso.com"
    var answerer = PromptAnswerer(answers)
    #expect(answerer.answer(Self.picker) == .account(homeAccountID: "o1.t1"))
    #expect(answerer.answer(Self.picker) == nil)
  }

  @Test func cancelsWhatNothingElseAnswers() {
    var answers = ScenarioAnswers()
    answers.cancel = true
    var answerer = PromptAnswerer(answers)
    #expect(answerer.answer(Self.picker) == .cancel)
  }

  @Test func anotherAccountIsAChoice() {
    var answers = ScenarioAnswers()
    answers.choose = "another"
    var answerer = PromptAnswerer(answers)
    #expect(answerer.answer(Self.picker) == .useAnotherAccount)
  }

  /// Returns a lab with the scenario's apps and users, before its first step.
  static func lab() throws -> Lab {
    try Lab.temporary(ScenarioLibrary().scenario("contoso-suite"))
  }

  @Test func performsAgainWithEachAnswerAppended() throws {
    var answers = ScenarioAnswers()
    (answers.username, answers.password, answers.consent) = ("ada@contoso.com", "analytical-engine", .accept)
    var expectation = StepExpectation()
    expectation.verdict = .succeeded
    expectation.prompts = [.systemAlert, .signIn, .consent]
    let report = Self.step(answers: answers, expectation).run(on: try Self.lab(), index: 1)
    #expect(
      report
        == StepReport(index: 1, title: "Ada signs in", note: "", passed: true, mismatches: [], traceID: 1))
  }

  @Test func aQuestionWithoutAnAnswerIsAMismatch() throws {
    let report = Self.step(answers: ScenarioAnswers(), StepExpectation()).run(on: try Self.lab(), index: 1)
    #expect(
      report.mismatches == [
        Mismatch(expected: "no more questions", found: "asked for signIn, with no answer left")
      ])
  }

  @Test func theCheckNamesEveryDifference() {
    var expectation = StepExpectation()
    expectation.verdict = .failed
    expectation.source = TokenSource(rawValue: "appRefreshToken")
    expectation.errorCode = -50002
    expectation.failedCheck = "same team"
    expectation.notAsked = [.chooseAccount]
    expectation.trace = [ExpectedCheck(name: "same team", verdict: .failed)]
    expectation.items = [
      ExpectedItems(
        group: "T.g", service: "contoso.com", kind: .account, format: .unified,
        owner: ["ada@contoso.com", "o1.t1"],
        count: 1)
    ]
    expectation.homeAccountID = "o1.t1"
    expectation.hops = [
      ExpectedHop(from: .sdk, to: .provider, action: "token", result: "200"),
      ExpectedHop(to: .provider, action: "POST", result: "20", sent: [NameValue("prompt", "login")]),
    ]
    expectation.broker = []
    expectation.notChecked = ["team"]
    expectation.notReached = [.provider, .broker]
    expectation.next = ["com.contoso.one": .ofEachAccount(.prompt)]
    expectation.tree = [
      ExpectedBranch(clientID: "c1", redirectURI: "msauth.com.contoso.one://auth", tokens: ["AccessToken"])
    ]
    expectation.accounts = ["com.contoso.one": ["ada@contoso.com"]]
    expectation.losses = [ExpectedLoss(app: "One", losesSignIn: true, effect: nil)]
    var evidence = StepEvidence()
    evidence.outcome = Outcome(.succeeded, "Done.", source: "cache")
    evidence.prompts = [.chooseAccount]
    evidence.hops = [
      Hop(
        from: .sdk, to: .provider, action: "POST token", result: "200", sent: [NameValue("prompt", "login")],
        checks: [Check("same team", expected: "A", found: "A", true, source: "claim C1")])
    ]
    evidence.broker = BrokerStorage(accounts: ["ada@contoso.com"], exposedIn: ["T.g"])
    evidence.next = ["com.contoso.one": ["": .cache]]
    #expect(
      expectation.check(evidence) == [
        Mismatch(expected: "a failure", found: "success"),
        Mismatch(expected: "source app refresh token", found: "source cache"),
        Mismatch(expected: "error code -50002", found: "error code none"),
        Mismatch(expected: "home account ID o1.t1", found: "home account ID none"),
        Mismatch(expected: "failed check with 'same team'", found: "failed check 'none'"),
        Mismatch(expected: "not the account picker", found: "the account picker"),
        Mismatch(expected: "check 'same team' failed", found: "check 'same team' passed"),
        Mismatch(
          expected: "hop … → provider 'POST' with '20' prompt=login", found: "no such hop from there on"),
        Mismatch(expected: "no check 'team'", found: "check 'same team' passed"),
        Mismatch(expected: "no hop to provider", found: "a hop to provider"),
        Mismatch(
          expected: "1 items in unified format account with 'contoso.com' of ada@contoso.com in T.g",
          found: "0"),
        Mismatch(
          expected: "accounts of com.contoso.one: ada@contoso.com", found: "accounts of com.contoso.one: "),
        Mismatch(
          expected: "next call of com.contoso.one: prompt", found: "next call of com.contoso.one: cache"),
        Mismatch(expected: "the broker holds no account", found: "the broker holds ada@contoso.com"),
        Mismatch(
          expected: "primary refresh tokens in the broker's storage only", found: "one of them in T.g"),
        Mismatch(
          expected: "c1 › msauth.com.contoso.one://auth › AccessToken",
          found: "c1 › msauth.com.contoso.one://auth › nothing"),
        Mismatch(expected: "a warning for One", found: ""),
      ])
  }

  @Test func checksMustComeInOrder() {
    var expectation = StepExpectation()
    expectation.trace = [
      ExpectedCheck(name: "second", verdict: .passed), ExpectedCheck(name: "first", verdict: .passed),
    ]
    var evidence = StepEvidence()
    evidence.hops = [
      Hop(
        from: .sdk, to: .sdk, action: "",
        checks: ["first", "second"].map { Check($0, expected: "", found: "", true, source: "") })
    ]
    #expect(
      expectation.check(evidence) == [
        Mismatch(expected: "check 'first' passed", found: "no such check from there on")
      ])
  }

  @Test func aHopMatchesByWholeWordsAndWholeValues() {
    let hop = Hop(
      from: .app, to: .sdk, action: "accountForIdentifier", result: "ada@contoso.com",
      sent: [NameValue("identifier", "o1.t1")])
    #expect(ExpectedHop(from: .app, action: "accountForIdentifier").matches(hop))
    #expect(!ExpectedHop(action: "ForIdentifier").matches(hop))
    #expect(ExpectedHop(sent: [NameValue("identifier", "o1.t1")]).matches(hop))
    #expect(!ExpectedHop(sent: [NameValue("identifier", "o1")]).matches(hop))
    #expect(!ExpectedHop(from: .sdk).matches(hop))
    #expect(!ExpectedHop(to: .app).matches(hop))
    #expect(!ExpectedHop(result: "grace").matches(hop))
  }

  /// The primary refresh token in an app's keychain would break claim A3.
  @Test func theBrokersStorageIsComparedWithTheKeychain() throws {
    let lab = try Lab.temporary(ScenarioLibrary().scenario("two-vendors"))
    let storage = try lab.read { try $0.status.brokerStorage() }
    #expect(Set(storage.accounts) == ["ada@contoso.com", "grace@contoso.com"])
    #expect(storage.exposedIn == [])
    let secret = try lab.read { try #require($0.brokerAccounts().first).primaryRefreshToken }
    let group = "K1L2M3N4O5.com.microsoft.adalcache"
    try lab.store.write(nil) { store in
      let key = KeychainKey(
        accessGroup: group, itemClass: .genericPassword, account: "", service: "copy")
      try store.credentials(device: "device-1").insert(
        KeychainItem(
          key: key, data: Data("{\"secret\":\"\(secret)\"}".utf8), createdAt: Instant(0),
          modifiedAt: Instant(0)))
    }
    #expect(try lab.read { try $0.status.brokerStorage() }.exposedIn == [group])
  }
}
