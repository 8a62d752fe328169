import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOInterop
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import TestSamples

/// The facade: replay, prediction, blast radius, and undo on the articles' suite.
struct LabTests {
  private let app1 = "com.contoso.mytestapp1"
  private let app2 = "com.contoso.mytestapp2"
  private let answers: [Answer] = [
    .accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept,
  ]

  private func lab(_ engine: TestEngine, _ scenario: String = "contoso-suite") throws -> Lab {
    try engine.lab(try ScenarioLibrary().scenario(scenario))
  }

  private func signIn(_ app: String) -> any Intent {
    SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired)
  }

  private func silent(_ app: String, scopes: [String] = []) -> any Intent {
    AcquireSilently(app: app, account: nil, scopes: scopes, forceRefresh: false)
  }

  private func outcome(_ performance: IntentResult) throws -> Outcome {
    guard case .done(let outcome, _) = performance else {
      Issue.record("an answer is missing")
      return Outcome(.failed, "")
    }
    return outcome
  }

  @Test(arguments: TestEngine.allCases)
  func anUnansweredPromptWritesNothing(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    for count in 0..<answers.count {
      let performance = try lab.perform(signIn(app1), answers: Array(answers.prefix(count)))
      guard case .needs = performance else {
        Issue.record("finished with \(count) answers")
        return
      }
      #expect(try lab.read { try $0.tokens.rows() }.isEmpty)
      #expect(try lab.read { try $0.traces.rows() }.isEmpty)
      #expect(try lab.status().canUndo == nil)
    }
    #expect(try outcome(lab.perform(signIn(app1), answers: answers)).verdict == .succeeded)
  }

  @Test(arguments: TestEngine.allCases)
  func theSameSeedAndIntentsGiveTheSameTrace(_ engine: TestEngine) throws {
    let hops = try (0..<2).map { _ in
      let lab = try lab(engine)
      guard case .done(_, let id) = try lab.perform(signIn(app1), answers: answers) else { return [Hop]() }
      return try lab.read { try $0.traces.trace(id) }?.hops ?? []
    }
    #expect(!hops[0].isEmpty)
    #expect(hops[0].map(\.action) == hops[1].map(\.action))
    #expect(hops[0].map(\.checks) == hops[1].map(\.checks))
  }

  @Test(arguments: TestEngine.allCases)
  func anAppMayBeNamedInPartAndIsWrittenDownInFull(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    guard case .done(_, let id) = try lab.perform(signIn("testapp1"), answers: answers) else {
      Issue.record("an answer is missing")
      return
    }
    #expect(try lab.read { try $0.traces.trace(id) }?.summary.title == "sign in \(app1)")
    #expect(try lab.status().canUndo == "sign in \(app1)")
    #expect(throws: LabError.self) { try lab.perform(signIn("testapp"), answers: answers) }
  }

  /// The key that is offered for undo would otherwise undo the sign-in before.
  @Test(arguments: TestEngine.allCases)
  func aTokenOutOfTheCacheIsNothingToUndo(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    guard case .done(let signedIn, _) = try lab.perform(signIn(app1), answers: answers),
      case .done(let silent, _) = try lab.perform(
        AcquireSilently(app: app1, account: nil, scopes: [], forceRefresh: false))
    else {
      Issue.record("an answer is missing")
      return
    }
    #expect(signedIn.verdict == .succeeded && signedIn.canUndo)
    #expect(silent.verdict == .succeeded && !silent.canUndo)
  }

  @Test(arguments: TestEngine.allCases)
  func anAnswerToAnotherPromptIsNotTaken(_ engine: TestEngine) throws {
    let performance = try lab(engine).perform(signIn(app1), answers: [.accept, .accept])
    guard case .needs(.signIn(let page), _) = performance else {
      Issue.record("expected the sign-in page")
      return
    }
    #expect(page.asks == .username)
  }

  @Test(
    arguments: TestEngine.allCases,
    [
      "contoso-suite", "contoso-suite-broken-client-id", "contoso-suite-broken-team",
      "contoso-suite-broken-entitlement", "contoso-suite-broken-sharing-group",
    ])
  func thePredictionOfTheSecondAppIsWhatThenHappens(_ engine: TestEngine, _ scenario: String) throws {
    let lab = try lab(engine, scenario)
    _ = try lab.perform(signIn(app1), answers: answers)
    let predicted = try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == app2 }).next
    let happened = try outcome(lab.perform(silent(app2)))
    #expect((predicted.kind == .cache) == (happened.verdict == .succeeded))
    #expect((predicted.kind == .cache) == (scenario == "contoso-suite"))
    #expect(happened.verdict == .succeeded || happened.failedCheck?.verdict == .failed)
  }

  @Test(arguments: TestEngine.allCases)
  func theSecondAppRedeemsTheRefreshTokenOfTheFirstForScopesOfItsOwn(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    _ = try lab.perform(signIn(app1), answers: answers)
    let happened = try outcome(
      lab.perform(AcquireSilently(app: app2, account: nil, scopes: [], forceRefresh: true)))
    #expect(happened.source == "app refresh token")
    #expect(!happened.prompted)
  }

  @Test(arguments: TestEngine.allCases)
  func theBlastRadiusNamesTheLosersAndTakesNothing(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    _ = try lab.perform(signIn(app1), answers: answers)
    let before = try lab.read { try $0.tokens.rows() }
    let radius = try lab.blastRadius(of: ForgetAccount(account: "ada@contoso.com"))
    #expect(radius.losses.count == 3)
    let losers = radius.losses.filter(\.losesSignIn)
    #expect(losers == radius.losses)
    #expect(try lab.read { try $0.tokens.rows() } == before)
  }

  @Test(arguments: TestEngine.allCases)
  func aDeletedRefreshTokenIsMissedBeforeTheAccessTokenEnds(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    _ = try lab.perform(signIn(app1), answers: answers)
    let tokens = try lab.read { try $0.tokens.rows() }
    func effects(_ type: String) throws -> Set<String> {
      let id = try #require(tokens.first { $0.type == type }).id
      return Set(try lab.blastRadius(of: ChangeCredentials(.delete, [id])).losses.map(\.effect))
    }
    #expect(try effects("RefreshToken") == ["loses the refresh token; its next call is not affected"])
    #expect(try effects("AccessToken") == ["next call is silent: app refresh token"])
  }

  @Test(arguments: TestEngine.allCases)
  func anImportedAccountHasTheRefreshTokenThatCameWithIt(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    let file = try CacheReader.read(try cacheSample("az_msal_token_cache.json"))
    _ = try lab.perform(ImportCache(name: "az", file))
    let account = try #require(
      try lab.read { try $0.accounts.rows() }.first { $0.username == "alice@contoso.com" })
    #expect(account.refreshToken.state == .unknown)
    #expect(account.apps.isEmpty && account.sharingApps.isEmpty && account.guestRealms.isEmpty)
    // Its host does not belong to the public cloud.
    let whole = try lab.read { try $0.tokens.tree() }.clients.flatMap(\.redirects).flatMap(\.tokens)
    #expect(whole.count == 7)
    #expect(
      try lab.read { try $0.tokens.tree(TokenFilter(account: account.homeAccountID)) }.clients.flatMap(
        \.redirects
      )
      .flatMap(\.tokens) == whole)
    #expect(try lab.read { try $0.status.picker(app: nil) }.candidates.map(\.state) == [.unknown])
  }

  @Test(arguments: TestEngine.allCases)
  func undoBringsAForgottenAccountBackAndRedoTakesItAgain(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    _ = try lab.perform(signIn(app1), answers: answers)
    let before = try lab.read { try $0.tokens.rows(unmasked: true) }
    _ = try lab.perform(ForgetAccount(account: "ada@contoso.com"))
    #expect(try lab.read { try $0.tokens.rows() }.isEmpty)
    #expect(try lab.undo() == "forget ada@contoso.com")
    let id = try #require(try lab.read { try $0.accounts.rows() }.first?.homeAccountID)
    #expect(id != "ada@contoso.com")
    #expect(try lab.blastRadius(of: ForgetAccount(account: id)).title == "forget ada@contoso.com")
    #expect(try lab.read { try $0.tokens.rows(unmasked: true) } == before)
    #expect(try lab.redo() == "forget ada@contoso.com")
    #expect(try lab.read { try $0.tokens.rows() }.isEmpty)
  }

  @Test(arguments: TestEngine.allCases)
  func anInvalidRefreshTokenEndsInInteractionRequired(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    _ = try lab.perform(signIn(app1), answers: answers)
    let rows = try lab.read { try $0.tokens.rows() }
    _ = try lab.perform(ChangeCredentials(.expire, rows.filter { $0.type == "AccessToken" }.map(\.id)))
    _ = try lab.perform(ChangeCredentials(.invalidate, rows.filter { $0.type == "RefreshToken" }.map(\.id)))
    let predicted = try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == app1 }).next
    let happened = try outcome(lab.perform(silent(app1)))
    #expect(predicted.kind == .prompt)
    #expect(happened.errorCode == -50002)
    let printed = "Error Domain=MSALErrorDomain Code=-50002 \"(null)\" UserInfo={"
    #expect(happened.errorText?.hasPrefix(printed) == true)
  }

  @Test(arguments: TestEngine.allCases)
  func tracesHoldNoSecret(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    guard case .done(_, let id) = try lab.perform(signIn(app1), answers: answers) else { return }
    let secrets = try lab.read { try $0.tokens.rows(unmasked: true) }.map(\.secret) + ["analytical-engine"]
    let text = try lab.read { try $0.traces.trace(id) }.map { "\($0)" } ?? ""
    #expect(!text.isEmpty)
    #expect(!secrets.contains { text.contains($0) })
  }
}
