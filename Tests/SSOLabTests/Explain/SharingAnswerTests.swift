import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// The answers of `why`, the matrix, the lists, and the predictions about a shared sign-in, compared with the actual
/// call.
@Suite struct SharingAnswerTests {
  /// Regression: `why` said "They do not share a sign-in" here, while the matrix said RT and the call succeeded.
  @Test func twoClientsOfAFamilyShareBySayingAndByDoing() throws {
    let (one, two) = (SuiteApp.msal("one"), SuiteApp.msal("two", client: "c2"))
    let lab = try suiteLab([one, two], family: true)
    try lab.signIn(one)
    let why = try lab.read { try $0.why.app(two.bundleID, with: one.bundleID) }
    #expect(why.answer == "They share a sign-in through the keychain, not through the broker.")
    #expect(why.holds)
    #expect(
      why.sections[0].checks.map { "\($0.name): \($0.verdict.rawValue)" } == [
        "same client ID or family: passed", "same team: passed", "access group in its entitlements: passed",
        "access group in the other app's entitlements: passed", "configured sharing group: passed",
        "format is read: passed",
      ])
    #expect(try lab.read { try $0.why.visibility() }.map(\.extent) == [.refreshToken, .refreshToken])
    #expect(
      try lab.read { try $0.apps.prediction(app: two.bundleID, account: nil) }.kind == .familyRefreshToken)
    #expect(try lab.silent(two).source == "family refresh token")
  }

  /// Regression: the row and `why` said "no SSO with My Test App 1: same client ID" here, because every -50002 compared
  /// the other apps.
  @Test func aRefusedRefreshTokenIsTheReasonAndNotAnotherApp() throws {
    let notes = "com.fabrikam.notes"
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("A1-sign-in-in-the-app"))
    for app in ["com.contoso.mytestapp1", notes] {
      try lab.outcome(
        SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired),
        (app == notes ? [] : [.accept])
          + [.username("ada@contoso.com"), .password("analytical-engine"), .accept])
    }
    let tokens = try lab.read { try $0.tokens.rows() }.filter { $0.apps == ["Fabrikam Notes"] }
    try lab.outcome(ChangeCredentials(.expire, tokens.filter { $0.type == "AccessToken" }.map(\.id)))
    try lab.outcome(ChangeCredentials(.invalidate, tokens.filter { $0.type == "RefreshToken" }.map(\.id)))
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == notes })
    #expect(row.next.sentence == "needs sign-in: the provider does not know the refresh token")
    #expect(row.next.checks.last?.name == "refresh token known")
    let why = try lab.read { try $0.why.app(notes) }
    #expect(
      why.answer == "Fabrikam Notes needs sign-in, because the provider does not know the refresh token."
    )
    let call = AcquireSilently(app: notes, account: nil, scopes: [], forceRefresh: false)
    #expect(try lab.outcome(call).failedCheck == row.next.checks.last)
    // The provider's error for a malformed token has no suberror, so the SDK keeps the token.
    let kept = try lab.read { try $0.tokens.rows() }.filter { $0.apps == ["Fabrikam Notes"] }
    #expect(kept.contains { $0.type == "RefreshToken" })
  }

  /// The same with ADAL, which has the same error for both cases.
  @Test func aRefusedRefreshTokenOfADALIsTheReasonAndNotAnotherApp() throws {
    let (one, two) = (SuiteApp.msal("one"), SuiteApp.adal("two", "2.6.6", client: "c2"))
    let lab = try suiteLab([one, two])
    for app in [one, two] { try lab.signIn(app) }
    let tokens = try lab.read { try $0.tokens.rows() }.filter { $0.apps == ["two"] }
    try lab.outcome(ChangeCredentials(.expire, tokens.filter { $0.type == "LegacyAccessToken" }.map(\.id)))
    try lab.outcome(
      ChangeCredentials(.invalidate, tokens.filter { $0.type == "LegacyRefreshToken" }.map(\.id)))
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == two.bundleID })
    #expect(row.next.sentence == "needs sign-in: the provider does not know the refresh token")
    #expect(try lab.silent(two).failedCheck?.name == "refresh token known")
  }

  @Test func anAppThatSignedOutIsNotToldOfAnotherVendors() throws {
    let (one, two) = (SuiteApp.msal("one"), SuiteApp.msal("two", client: "c2"))
    let lab = try suiteLab([one, two])
    for app in [one, two] { try lab.signIn(app) }
    try lab.outcome(SignOut(app: two.bundleID, account: "ada@contoso.com"))
    #expect(
      try lab.read { try $0.apps.prediction(app: two.bundleID, account: nil) }.sentence
        == "needs sign-in: no account is signed in")
    #expect(try lab.silent(two).failedCheck?.name == "an account is given")
  }

  /// Another user's sign-in is not a reason.
  @Test func onlyAnAppThatHasTheAccountIsCompared() throws {
    let (one, two) = (SuiteApp.msal("one"), SuiteApp.msal("two", client: "c2"))
    let lab = try suiteLab([one, two])
    try lab.signIn(one, "grace@contoso.com")
    #expect(try lab.silent(two, "ada@contoso.com").failedCheck?.name == "an account is given")
    #expect(try lab.silent(two, "grace@contoso.com").failedCheck?.name == "same client ID")
    let failed = try #require(try lab.silent(two).failedCheck)
    #expect(failed.name == "same client ID")
    #expect(failed.reason == "its client ID differs from one's", "the name alone says the opposite")
    #expect(failed.reasonInFull == "its client ID differs from one's: expected c1, found c2")
    let next = try lab.read { try $0.apps.prediction(app: two.bundleID, account: nil) }
    #expect(next.sentence == "needs sign-in: its client ID differs from one's")
    #expect(
      try lab.read { try $0.why.visibility() }.map(\.displayText).contains(
        "nothing: its client ID differs from one's"))
  }

  /// A refresh token that the provider would not accept from the app is not the app's.
  @Test func aStrangersRowDoesNotShowTheFamilysToken() throws {
    let (one, two) = (SuiteApp.msal("one"), SuiteApp.msal("two", client: "c2"))
    let lab = try suiteLab([one, two], family: true)
    try lab.outcome(EditRecord(.registration, record: "c2", [FieldChange("familyID=")]))
    try lab.signIn(one)
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == two.bundleID })
    #expect(row.refreshToken.state == .none)
    #expect(try lab.read { try $0.accounts.rows() }.first?.sharingApps == [])
    let why = try lab.read { try $0.why.account("ada@contoso.com") }
    #expect(
      why.sections.map { $0.checks.last?.verdict } == [.passed, .skipped],
      "one can use a refresh token, two cannot")
    #expect(try lab.silent(two).failedCheck?.name == "refresh token serves client")
  }

  @Test func anAppFindsTheReasonInTheAuthority() throws {
    let old = SuiteApp.adal("old", "2.6.6")
    let tenant = "authority: https://login.microsoftonline.com/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
    let other = SuiteApp.adal("other", "2.6.6", extra: tenant)
    let lab = try suiteLab([old, other])
    try lab.signIn(old)
    #expect(try lab.read { try $0.tokens.rows() }.allSatisfy { $0.apps == ["old"] })
    #expect(try lab.silent(other).failedCheck?.name == "authority of the item is one that the SDK tries")
    let why = try lab.read { try $0.why.app(other.bundleID, with: old.bundleID) }
    #expect(why.firstFailure?.found.contains("5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90") == true)
  }
}
