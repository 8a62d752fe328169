import SSOCore
import Testing

@testable import LabTestSupport
@testable import SSODevice
@testable import SSOLab

/// MSAL beside ADAL: the accounts that it lists, and how it gets their tokens.
///
/// See docs/behaviour/adal.md §6, docs/behaviour/msal-cache.md §10, and claims F2 to F6.
struct LegacyAccountTests {
  private let old = SuiteApp.adal("old", "2.6.6")
  private let new = SuiteApp.adal("new", "2.7.0")
  private let modern = SuiteApp.msal("modern")

  private func accounts(_ lab: Lab) throws -> [String] {
    try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == modern.bundleID }).accounts
  }

  @Test func anAccountOfADAL266IsListedByItsUsername() throws {
    let lab = try suiteLab([old, modern])
    try lab.signIn(old)
    #expect(try accounts(lab) == ["ada@contoso.com"])
    #expect(try lab.read { try $0.accounts.rows() }.map(\.homeAccountID) == [""])
    // Her identifier has no meaning yet, because no item contains it.
    #expect(throws: LabError.self) { try lab.silent(modern, adaHome) }
  }

  @Test func oneRedemptionMigratesTheAccount() throws {
    let lab = try suiteLab([old, modern])
    try lab.signIn(old)
    let predicted = try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == modern.bundleID })
      .next
    let outcome = try lab.silent(modern)
    #expect(predicted.kind == .appRefreshToken && outcome.source == "legacy refresh token")
    #expect(outcome.homeAccountID == adaHome && !outcome.prompted)
    #expect(try lab.read { try $0.accounts.rows() }.map(\.homeAccountID) == [adaHome])
    #expect(try accounts(lab) == ["ada@contoso.com"])
    #expect(try lab.silent(modern, adaHome, forceRefresh: true).source == "app refresh token")
    #expect(try lab.silent(old).source == "cache")
    // The old app ignores whatever is in MSAL's format.
    let unified = try lab.read { try $0.tokens.rows() }.filter { !$0.type.hasPrefix("Legacy") }
    #expect(unified.count == 3 && unified.allSatisfy { $0.apps == ["modern"] })
  }

  @Test func anAccountOfADAL27IsListedOnceThoughItLiesInBothFormats() throws {
    let lab = try suiteLab([new, modern])
    try lab.signIn(new)
    #expect(try accounts(lab) == ["ada@contoso.com"])
    #expect(try lab.silent(modern, adaHome).source == "app refresh token")
  }

  @Test func aSignedOutAccountDoesNotComeBackThroughItsLegacyItem() throws {
    let lab = try suiteLab([old, new, modern])
    try lab.signIn(new)
    _ = try lab.silent(modern)
    _ = try lab.outcome(SignOut(app: modern.bundleID, account: "ada@contoso.com"))
    #expect(try accounts(lab).isEmpty)
    // Another app writes her legacy items again, without a home account ID.
    try lab.signIn(old)
    #expect(try accounts(lab).isEmpty)
    #expect(try lab.silent(modern, "ada@contoso.com").verdict == .failed)
  }

  @Test func signingOutTakesTheClientsLegacyItemsToo() throws {
    let lab = try suiteLab([old, modern])
    try lab.signIn(old)
    _ = try lab.silent(modern)
    _ = try lab.outcome(SignOut(app: modern.bundleID, account: "ada@contoso.com"))
    #expect(try lab.kinds()["legacy refresh token"] == nil)
    #expect(try lab.silent(old).errorCode == 200)
  }

  @Test func withoutAnIdentifierAnAccountCannotBeMarkedSignedOut() throws {
    let lab = try suiteLab([old, modern])
    try lab.signIn(old)
    let outcome = try lab.outcome(SignOut(app: modern.bundleID, account: "ada@contoso.com"))
    #expect(outcome.verdict == .failed)
    #expect(outcome.summary == "HomeAccountId is needed to mark signed out state!")
    #expect(try lab.kinds() == ["wipe info": 1])
  }

  @Test func theFamilysLegacyTokenServesAnotherClientOfTheFamily() throws {
    let other = SuiteApp.msal("other", client: "c2")
    let lab = try suiteLab([old, other], family: true)
    try lab.signIn(old)
    #expect(try lab.silent(other).source == "legacy family refresh token")
    let foreign = try suiteLab([old, other])
    try foreign.signIn(old)
    #expect(try foreign.silent(other, "ada@contoso.com").errorCode == -50002)
  }

  @Test func aRefusedLegacyTokenGoesFromTheLegacyCache() throws {
    let lab = try suiteLab([old, modern])
    try lab.signIn(old)
    let refresh = try lab.read { try $0.tokens.rows() }.filter { $0.type == "LegacyRefreshToken" }.map(\.id)
    _ = try lab.outcome(ChangeCredentials(.expire, refresh))
    #expect(
      try #require(try lab.read { try $0.apps.rows() }.first { $0.bundleID == modern.bundleID }).next.kind
        == .prompt)
    #expect(try lab.silent(modern).errorCode == -50002)
    #expect(try lab.kinds() == ["legacy access token": 1, "wipe info": 1])
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/consumers", [String]()),
    ("https://login.microsoftonline.com/organizations", ["a/common", "b/common"]),
    ("https://login.microsoftonline.com/common", ["a/common", "b/common"]),
    ("https://login.microsoftonline.com/tid", ["a/tid", "b/tid", "a/common", "b/common"]),
  ])
  func theAuthoritiesTriedAreTheTenantsThenCommon(_ authority: String, _ expected: [String]) {
    let tenant = ADALAuthority(url: authority, version: ADALVersion("6")).tenant
    #expect(
      LegacyLookup.authorities(hosts: ["a", "b"], tenant: tenant) == expected.map { "https://" + $0 })
  }
}
