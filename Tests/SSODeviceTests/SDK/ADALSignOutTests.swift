import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// What signing out of an app with ADAL, and forgetting an account, take away (docs/behaviour/adal.md §7).
struct ADALSignOutTests {
  private let old = SuiteApp.adal("old", "2.6.6")
  private let new = SuiteApp.adal("new", "2.7.0")

  @Test func adalHasNoOtherWayToSignOut() throws {
    let lab = try suiteLab([old])
    try lab.signIn(old)
    let error = #expect(throws: LabError.self) {
      try lab.outcome(.signOut(app: old.bundleID, account: nil, options: SignOutOptions(fromBrowser: true)))
    }
    #expect(error?.why.hasPrefix("ADAL removes items only") == true)
  }

  @Test func signingOutAUserTakesTheClientsItemsOfBothFormats() throws {
    let lab = try suiteLab([new], family: true)
    try lab.signIn(new)
    let outcome = try lab.outcome(.signOut(app: new.bundleID, account: "ada@contoso.com"))
    #expect(outcome.verdict == .succeeded)
    // The copies for the family stay: removeAllForUserId:clientId: goes by client ID (and the unified family token by
    // its last writer).
    #expect(try lab.kinds() == ["legacy family refresh token": 1, "account": 1, "wipe info": 1])
    #expect(try lab.silent(new, "ada@contoso.com").source == "family refresh token")
  }

  @Test func signingOutWithoutAUserTakesAllOfTheClient() throws {
    let other = SuiteApp.adal("other", "2.6.6", client: "c2")
    let lab = try suiteLab([old, other])
    try lab.signIn(old)
    try lab.signIn(old, "grace@contoso.com", prompt: .login)
    try lab.signIn(other)
    let radius = try lab.blastRadius(of: .signOut(app: old.bundleID, account: nil))
    #expect(radius.losses.filter(\.losesSignIn).map(\.app) == ["old"] && radius.itemCount == 4)
    _ = try lab.outcome(.signOut(app: old.bundleID, account: nil))
    #expect(try lab.read { try $0.apps.rows() }.map(\.accounts) == [[], ["ada@contoso.com"]])
  }

  @Test func forgettingAnAccountTakesTheLegacyItemsOfEveryClient() throws {
    let other = SuiteApp.adal("other", "2.6.6", client: "c2")
    let lab = try suiteLab([old, other])
    try lab.signIn(old)
    try lab.signIn(other)
    let radius = try lab.blastRadius(of: .forget(account: "ada@contoso.com"))
    #expect(radius.losses.count(where: \.losesSignIn) == 2)
    _ = try lab.outcome(.forget(account: "ada@contoso.com"))
    #expect(try lab.kinds() == ["wipe info": 1])
    #expect(try lab.undo() == "forget ada@contoso.com")
    #expect(try lab.kinds() == ["legacy access token": 2, "legacy refresh token": 2])
  }
}
