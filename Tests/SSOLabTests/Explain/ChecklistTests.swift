import SSOProvider
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// `why` starts with the one condition that decided, and marks no unneeded condition as failed.
@Suite struct ChecklistTests {
  private static let ada = "ada@contoso.com"
  private static let grace = "grace@contoso.com"

  /// Returns a lab with one app in which ada and grace are signed in.
  private func twoAccounts(_ app: SuiteApp) throws -> Lab {
    let lab = try suiteLab([app])
    try lab.signIn(app)
    try lab.signIn(app, Self.grace, prompt: .login)
    return lab
  }

  /// Regression: one row said that the call fails, while the key beside it made the call for the first account.
  @Test(arguments: [SuiteApp.msal("one"), .adal("one", "2.6.6"), .adal("one", "4.0.5")])
  func anAppWithTwoAccountsHasARowForEach(_ app: SuiteApp) throws {
    let lab = try twoAccounts(app)
    let rows = try lab.read { try $0.apps.rows() }
    #expect(rows.map(\.accounts) == [[Self.ada], [Self.grace]])
    try lab.outcome(
      ChangeCredentials(.expire, lab.read { try $0.tokens.rows(TokenFilter(account: Self.grace)) }.map(\.id)))
    let kinds = try lab.read { try $0.apps.rows() }.map(\.next.kind)
    #expect(kinds == [.cache, .prompt])
    for row in rows {
      let call = try lab.silent(app, row.account)
      #expect(call.verdict == (row.accounts == [Self.ada] ? .succeeded : .failed))
    }
  }

  @Test func moreAccountsThanAreNamedHaveARowTogether() throws {
    func isSuitable(_ app: InstalledApp) -> Bool {
      app.sdk == .msal && app.brokerUse == .none && app.platform == nil && app.isEntitled
        && app.authority == "https://login.microsoftonline.com/common"
    }
    let files = (1...100 as ClosedRange<UInt64>).lazy.map { seed in
      var world = GeneratedWorld(seed: seed)
      return world.file()
    }
    let file = try #require(
      files.first { $0.world.device.platform == .iOS && $0.world.apps.contains(where: isSuitable) })
    let lab = try Lab.temporary(file)
    let app = try #require(file.world.apps.first(where: isSuitable))
    for person in file.world.people {
      try signIn(person.username, to: app.bundleID, on: lab)
    }
    let rows = try lab.read { try $0.apps.rows() }.filter { $0.bundleID == app.bundleID }
    #expect(rows.map(\.accountCount) == [1, 1, 1, 1])
    #expect(rows.map(\.accounts.count) == [1, 1, 1, 0])
    #expect(rows.last?.next.checks.firstFailure?.name == "one account is signed in, or one is named")
  }

  /// Signs in, with an answer to every prompt of the provider.
  private func signIn(_ username: String, to app: String, on lab: Lab) throws {
    var answers: [Answer] = []
    let intent = SignIn(app: app, account: nil, scopes: [], prompt: .login)
    while case .needs(let prompt, _) = try lab.perform(intent, answers: answers), answers.count < 9 {
      guard case .signIn(let page) = prompt else {
        answers.append(.accept)
        continue
      }
      switch page.asks {
      case .username: answers.append(.username(username))
      case .password: answers.append(.password("p"))
      case .verification(let number): answers.append(.verification(number))
      }
    }
  }

  /// Regression: the answer was "all hold", or an unrelated condition of the broker.
  @Test(arguments: [
    (SuiteApp.msal("one"), "one account is signed in, or one is named"), (.adal("one", "2.6.6"), "one user"),
  ])
  func severalAccountsAndNoneNamedIsTheReason(_ app: SuiteApp, _ name: String) throws {
    let lab = try twoAccounts(app)
    let call = try lab.silent(app)
    let why = try lab.read { try $0.why.app(app.bundleID) }
    #expect(call.failedCheck?.name == name && why.firstFailure == call.failedCheck && !why.holds)
    let calls = ["ada@contoso.com", Self.grace].map {
      Advice.Action(.silent, ["com.contoso.one"], with: [.account: $0])
    }
    #expect(call.next?.actions == calls)
    #expect(call.next?.parts.first == .text("Name one: "))
    let named = try lab.read { try $0.why.app(app.bundleID, account: Self.grace) }
    #expect(named.holds && named.title == "Why one needs no sign-in for grace@contoso.com")
  }

  @Test func anAccountThatNobodyKnowsIsNotExplained() throws {
    let app = SuiteApp.msal("one")
    let lab = try suiteLab([app])
    #expect(throws: LabError.self) {
      try lab.read { try $0.why.app(app.bundleID, account: "bob@contoso.com") }
    }
  }

  /// Regression: the star was on "an account is given", four rows above.
  @Test func theConditionOfSharingDecidesAndNotWhatFollowsFromIt() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite-broken-sharing-group"))
    try lab.outcome(
      SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired),
      [.accept, .username(Self.ada), .password("analytical-engine"), .accept])
    let why = try lab.read { try $0.why.app("com.contoso.mytestapp2") }
    #expect(
      why.answer
        == "My Test App 2 needs sign-in, because its sharing group differs from My Test App 1's.")
    #expect(
      why.remedy == Remedy(.app, "com.contoso.mytestapp2", "keychainSharingGroup=com.microsoft.adalcache"))
    #expect(why.firstFailure?.name == "configured sharing group")
    let given = why.sections.flatMap(\.checks).first { $0.name == "an account is given" }
    #expect(given?.verdict == .skipped)
  }

  /// Regression: "2 fail" included a broker that a silent call does not use, and consent that was granted.
  @Test func whatSucceedsHasNoFailedCondition() throws {
    let app = SuiteApp.msal("one")
    let lab = try suiteLab([app])
    guard
      case .done(let outcome, let trace) = try lab.perform(
        SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .consent),
        answers: [.username(Self.ada), .password("engine"), .accept])
    else { return #expect(Bool(false)) }
    #expect(outcome.verdict == .succeeded)
    for list in [
      try lab.read { try $0.why.app(app.bundleID) }, try #require(try lab.read { try $0.why.trace(trace) }),
    ] {
      #expect(list.holds && list.firstFailure == nil, "\(list.title)")
      #expect(list.sections.allSatisfy { $0.checks.firstFailure == nil }, "\(list.title)")
    }
  }

  @Test func aCallThatIsCancelledSaysSo() throws {
    let app = SuiteApp.msal("one")
    let lab = try suiteLab([app])
    guard
      case .done(let outcome, let trace) = try lab.perform(
        SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .whenRequired), answers: [.cancel])
    else { return #expect(Bool(false)) }
    #expect(outcome.failedCheck?.name == "the person completes the sign-in")
    #expect(try lab.read { try $0.why.trace(trace) }?.firstFailure == outcome.failedCheck)
  }

  @Test func whatFailedBeforeTheDecisionWasAnAlternative() {
    func check(_ name: String, _ verdict: Check.Verdict) -> Check {
      Check(name, expected: "", found: "", verdict: verdict, source: "")
    }
    let cause = check("b", .failed)
    let sections = [
      Checklist.Section(title: "1", checks: [check("a", .failed)]),
      Checklist.Section(title: "2", checks: [check("c", .failed), cause, check("d", .failed)]),
      Checklist.Section(title: "3", checks: [check("e", .failed)]),
    ]
    func marks(_ cause: Check?) -> [[Check.Verdict]] {
      Checklist(title: "", answer: "", cause: cause, sections: sections).sections.map {
        $0.checks.map(\.verdict)
      }
    }
    #expect(marks(cause) == [[.skipped], [.skipped, .failed, .failed], [.failed]])
    #expect(marks(nil) == [[.skipped], [.skipped, .skipped, .skipped], [.skipped]])
    #expect(
      marks(check("z", .failed)) == [[.skipped], [.skipped, .skipped, .skipped], [.skipped], [.failed]])
  }
}
