import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab

/// A guest, who has one home account ID, several realms, and one refresh token for all of them.
///
/// See docs/behaviour/msal-cache.md §8 and docs/behaviour/interactive-call.md §5.
struct GuestTests {
  static let fabrikam = "0d4f7c11-9b5e-4c8a-8e22-6f1a3b5c7d90"
  static let northwind = "7c1e2a90-33b4-4f5d-9a61-2e8d4c6b1f05"
  static let guestObject = "91b7d3e2-6a5c-4d1f-8b30-5c2e7f9a1d44"
  static let app = SuiteApp.msal("app")

  /// Returns a lab in which Ada of Contoso is a guest of Fabrikam, and unknown to Northwind.
  private func lab(_ engine: TestEngine) throws -> Lab {
    let lab = try suiteLab(on: engine, [Self.app])
    for (id, domain) in [(Self.fabrikam, "fabrikam.com"), (Self.northwind, "northwind.com")] {
      _ = try lab.outcome(
        AddRecord(
          .tenant, record: id,
          [try FieldChange("domains=\(domain)"), try FieldChange("displayName=\(domain)")]))
    }
    _ = try lab.outcome(
      EditRecord(
        .person, record: "ada@contoso.com",
        [try FieldChange("guestIn={\"\(Self.fabrikam)\":\"\(Self.guestObject)\"}")]))
    return lab
  }

  private func silent(_ lab: Lab, at tenant: String?, force: Bool = false) throws -> Outcome {
    try lab.outcome(
      AcquireSilently(
        app: Self.app.bundleID, account: "ada@contoso.com", scopes: [], forceRefresh: force,
        options: CallOptions(authority: tenant.map { "https://login.microsoftonline.com/\($0)" })))
  }

  @Test(arguments: TestEngine.allCases)
  func oneRefreshTokenServesTheTenantsThatKnowThePerson(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    try lab.signIn(Self.app)
    #expect(try silent(lab, at: "fabrikam.com").source == "app refresh token")
    #expect(try silent(lab, at: "fabrikam.com").source == "cache")
    // `common` means the home tenant, whose token is unchanged.
    #expect(try silent(lab, at: "common").source == "cache")
    #expect(try silent(lab, at: nil).source == "cache")
    #expect(
      try lab.kinds() == [
        "account": 2, "access token": 2, "ID token": 2, "refresh token": 1, "app metadata": 1,
        "account metadata": 1, "throttling": 1,
      ])
    let accounts = try AuthorityTests.accounts(lab).sorted { $0.realm < $1.realm }
    #expect(accounts.map(\.realm) == [Self.fabrikam, AuthorityTests.tenant])
    #expect(accounts.map(\.homeAccountID) == [adaHome, adaHome])
    #expect(accounts.map { $0[.localAccountID] } == [Self.guestObject, AuthorityTests.adaObject])
  }

  @Test(arguments: TestEngine.allCases)
  func theAppListsOneAccountWithTwoTenantProfiles(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    try lab.signIn(Self.app)
    _ = try silent(lab, at: "fabrikam.com")
    let rows = try lab.read { try $0.accounts.rows() }.filter { $0.username == "ada@contoso.com" }
    #expect(rows.map(\.homeAccountID) == [adaHome])
    #expect(rows.first?.homeTenantID == AuthorityTests.tenant)
    #expect(rows.first?.guestRealms.count == 1)
    // There is one account, so the call is not ambiguous.
    #expect(try lab.outcome(GetCurrentAccount(app: Self.app.bundleID)).username == "ada@contoso.com")
  }

  @Test(arguments: TestEngine.allCases)
  func whoSignsInAsAGuestFirstIsAtHomeInTheHomeTenantAfterwards(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    let options = CallOptions(authority: "https://login.microsoftonline.com/\(Self.fabrikam)")
    let outcome = try lab.outcome(
      SignIn(app: Self.app.bundleID, account: nil, scopes: [], prompt: .whenRequired, options: options),
      [.username("ada@contoso.com"), .password("engine")])
    #expect(outcome.homeAccountID == adaHome)
    #expect(try AuthorityTests.accounts(lab).map(\.realm) == [Self.fabrikam])
    #expect(try silent(lab, at: Self.fabrikam).source == "cache")
    #expect(try silent(lab, at: "organizations").source == "app refresh token")
    #expect(try AuthorityTests.accounts(lab).map(\.realm).sorted() == [Self.fabrikam, AuthorityTests.tenant])
  }

  @Test(arguments: TestEngine.allCases)
  func aTenantThatDoesNotKnowThePersonNeedsOne(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    try lab.signIn(Self.app)
    let outcome = try silent(lab, at: "northwind.com")
    #expect(outcome.errorCode == -50002)
    #expect(outcome.failedCheck?.name == "person belongs to tenant")
    #expect(try AuthorityTests.accounts(lab).count == 1)
  }

  @Test(arguments: TestEngine.allCases)
  func removingTheAccountTakesTheTokensOfEveryRealmAndKeepsItsProfiles(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    try lab.signIn(Self.app)
    _ = try silent(lab, at: "fabrikam.com")
    _ = try lab.outcome(SignOut(app: Self.app.bundleID, account: nil))
    #expect(
      try lab.kinds() == [
        "account": 2, "app metadata": 1, "account metadata": 1, "throttling": 1, "wipe info": 1,
      ])
    #expect(
      try silent(lab, at: "fabrikam.com").summary == "Account is signed out, user interaction is required.")
    _ = try lab.undo()
    _ = try lab.undo()
    _ = try lab.outcome(
      SignOut(app: Self.app.bundleID, account: nil, options: SignOutOptions(wipeAccount: true)))
    #expect(try lab.kinds()["account"] == nil)
  }
}
