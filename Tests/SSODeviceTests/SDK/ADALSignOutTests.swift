import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab

/// The effects of signing out of an app with ADAL, and of forgetting an account (docs/behaviour/adal.md §7).
struct ADALSignOutTests {
  private let old = SuiteApp.adal("old", "2.6.6")
  private let new = SuiteApp.adal("new", "2.7.0")

  @Test func adalHasNoOtherWayToSignOut() throws {
    let lab = try suiteLab([old])
    try lab.signIn(old)
    let error = #expect(throws: LabError.self) {
      try lab.outcome(SignOut(app: old.bundleID, account: nil, options: SignOutOptions(fromBrowser: true)))
    }
    #expect(error?.why.hasPrefix("ADAL removes items only") == true)
  }

  @Test func signingOutAUserTakesTheClientsItemsOfBothFormatsAndTheAccountItems() throws {
    let lab = try suiteLab([new], family: true)
    try lab.signIn(new)
    let outcome = try lab.outcome(SignOut(app: new.bundleID, account: "ada@contoso.com"))
    #expect(outcome.verdict == .succeeded)
    // The copies for the family stay, because removeAllForUserId:clientId: goes by client ID (and for the unified
    // family token by its last writer).
    #expect(try lab.kinds() == ["legacy family refresh token": 1, "wipe info": 1])
    #expect(try lab.silent(new, "ada@contoso.com").source == "family refresh token")
  }

  struct Removal: CustomTestStringConvertible {
    var version: String
    var user: String? = "ada@contoso.com"
    var wipes = false
    /// The remaining items of the app, of the MSAL app with the same client, and of the MSAL app with another client.
    var left: [String: Int]
    /// Whether the two MSAL apps still list Ada.
    var listed: [Bool]
    var testDescription: String { "\(version) \(user ?? "nobody") \(wipes ? "wipe" : "removeAll")" }
  }

  /// Two apps with MSAL share the group, one with the same client and one with another (the danger in claim C6).
  ///
  /// The facts are from `ADAL/cache/ADALMSIDDataSourceWrapper.m` and both accessors in `CC@6.0.5/cache/accessor/`.
  @Test(arguments: [
    Removal(version: "2.6.6", left: msal, listed: [true, true]),
    Removal(version: "2.6.6", user: nil, left: msal, listed: [true, true]),
    Removal(version: "2.6.6", wipes: true, left: msal, listed: [true, true]),
    Removal(
      version: "2.7.0", left: ["refresh token": 1, "access token": 1, "ID token": 1], listed: [false, false]),
    Removal(version: "2.7.18", user: nil, left: msal, listed: [true, true]),
    Removal(version: "4.0.5", wipes: true, left: [:], listed: [false, false]),
    Removal(version: "6.0.5", wipes: true, left: [:], listed: [false, false]),
  ])
  func aRemovalBesideMSALTakesAsFarAsItsGenerationReaches(_ removal: Removal) throws {
    let app = SuiteApp.adal("old", removal.version)
    let same = SuiteApp.msal("same")
    let other = SuiteApp.msal("other", client: "c2")
    let lab = try suiteLab([app, same, other])
    for each in [same, other, app] { try lab.signIn(each) }
    let intent = SignOut(
      app: app.bundleID, account: removal.user, options: SignOutOptions(wipeAccount: removal.wipes))
    let radius = try lab.blastRadius(of: intent)
    _ = try lab.outcome(intent)
    let left = try lab.kinds().filter {
      !["app metadata", "account metadata", "wipe info", "throttling"].contains($0.key)
    }
    #expect(left == removal.left)
    let rows = try lab.read { try $0.apps.rows() }
    let listed = [same, other].map { app in
      rows.first { $0.bundleID == app.bundleID }?.accounts.isEmpty == false
    }
    #expect(listed == removal.listed)
    // The preview matches what happens.
    let losers = Set(radius.losses.filter(\.losesSignIn).map(\.app))
    #expect(losers == Set(["old"] + zip(["same", "other"], listed).filter { !$0.1 }.map(\.0)))
  }
  private static let msal = ["access token": 2, "refresh token": 2, "ID token": 2, "account": 1]

  /// `ADAL/tests/unit/ios/ADALKeychainTokenCacheTests.m`: an empty argument is error 100, and nothing is removed.
  @Test(arguments: ["", "   "]) func aRemovalOfNobodyIs100(_ user: String) throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    let before = try lab.kinds()
    for wipes in [false, true] {
      let outcome = try lab.outcome(
        SignOut(app: new.bundleID, account: user, options: SignOutOptions(wipeAccount: wipes)))
      #expect(
        outcome.errorCode == 100 && outcome.summary == "The argument 'userId' is invalid. Value:\(user)")
    }
    #expect(try lab.kinds() == before)
  }

  @Test func aRemovalForNoClientIs100() throws {
    let world = try ADALAnswers()
    let error = try world.refusal { try $0.under(nil, clientID: " ").removal.removeAllOfClient() }
    #expect(error?.code == 100 && error?.description == "The argument 'clientId' is invalid. Value: ")
  }

  /// The account item is looked up by the exact username, and ADAL's is lowercase.
  @Test func aUsernameWithCapitalsIsNotFoundInTheUnifiedCache() throws {
    let world = try ADALAnswers()
    let counts = try world.call { client in
      try ["Ada@contoso.com", "ada@contoso.com"].map { username in
        try client.unified.write(
          AccountItem([
            .homeAccountID: "uid.utid", .environment: "login.windows.net",
            .realm: username.hasPrefix("A") ? "one" : "two", .username: username,
          ]))
        return try client.removal.wipe(userID: "ADA@contoso.com")
      }
    }
    #expect(counts == [0, 2])
  }

  @Test func aWipeReachesAUserWhomOnlyMSALAppsHave() throws {
    let modern = SuiteApp.msal("modern", client: "c2")
    let lab = try suiteLab([new, modern])
    try lab.signIn(modern)
    let wipe = SignOut(
      app: new.bundleID, account: "ada@contoso.com", options: SignOutOptions(wipeAccount: true))
    #expect(try lab.outcome(wipe).verdict == .succeeded)
    #expect(try lab.silent(modern).errorCode == -50002)
    #expect(throws: LabError.self) { try lab.outcome(wipe) }
  }

  @Test func signingOutWithoutAUserTakesAllOfTheClient() throws {
    let other = SuiteApp.adal("other", "2.6.6", client: "c2")
    let lab = try suiteLab([old, other])
    try lab.signIn(old)
    try lab.signIn(old, "grace@contoso.com", prompt: .login)
    try lab.signIn(other)
    let radius = try lab.blastRadius(of: SignOut(app: old.bundleID, account: nil))
    #expect(radius.losses.filter(\.losesSignIn).map(\.app) == ["old"] && radius.itemCount == 4)
    _ = try lab.outcome(SignOut(app: old.bundleID, account: nil))
    #expect(try lab.read { try $0.apps.rows() }.map(\.accounts) == [[], ["ada@contoso.com"]])
  }

  @Test func forgettingAnAccountTakesTheLegacyItemsOfEveryClient() throws {
    let other = SuiteApp.adal("other", "2.6.6", client: "c2")
    let lab = try suiteLab([old, other])
    try lab.signIn(old)
    try lab.signIn(other)
    let radius = try lab.blastRadius(of: ForgetAccount(account: "ada@contoso.com"))
    #expect(radius.losses.count(where: \.losesSignIn) == 2)
    _ = try lab.outcome(ForgetAccount(account: "ada@contoso.com"))
    #expect(try lab.kinds() == ["wipe info": 1])
    #expect(try lab.undo() == "forget ada@contoso.com")
    #expect(try lab.kinds() == ["legacy access token": 2, "legacy refresh token": 2])
  }
}
