import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// ADAL's calls against the real provider, through the lab's intents (docs/behaviour/adal.md §3–§5, §7, §8).
struct ADALClientTests {
  private let old = SuiteApp.adal("old", "2.6.6")
  private let new = SuiteApp.adal("new", "2.7.0")

  @Test func oneLoginOfADAL266WritesLegacyItemsOnly() throws {
    let lab = try suiteLab([old])
    let outcome = try lab.signIn(old)
    #expect(outcome.verdict == .succeeded && outcome.source == "web session" && outcome.homeAccountID == nil)
    #expect(outcome.username == "ada@contoso.com" && outcome.grantedScopes == ["https://graph.microsoft.com"])
    #expect(try lab.kinds() == ["legacy access token": 1, "legacy refresh token": 1])
  }

  @Test func oneLoginOfADAL27WritesUnifiedRefreshTokenAndAccountBeside() throws {
    let lab = try suiteLab([new])
    let outcome = try lab.signIn(new)
    #expect(outcome.homeAccountID == adaHome)
    #expect(
      try lab.kinds() == [
        "legacy access token": 1, "legacy refresh token": 1, "refresh token": 1, "account": 1,
      ])
  }

  @Test func aFamilyLoginOfADAL27WritesTheFamilysCopyInBothFormats() throws {
    let lab = try suiteLab([new], family: true)
    try lab.signIn(new)
    #expect(
      try lab.kinds() == [
        "legacy access token": 1, "legacy refresh token": 1, "legacy family refresh token": 1,
        "refresh token": 1, "family refresh token": 1, "account": 1,
      ])
  }

  @Test(arguments: ["2.0.0", "2.1.4"]) func beforeFamiliesNoCopyIsWritten(_ version: String) throws {
    let app = SuiteApp.adal("ancient", version)
    let lab = try suiteLab([app], family: true)
    try lab.signIn(app)
    #expect(try lab.kinds()["legacy family refresh token"] == nil)
  }

  @Test(arguments: [("2.5.1", "login.microsoftonline.com"), ("2.5.2", "login.windows.net")])
  func fromAliasesOnTheCacheIsFiledUnderThePreferredHost(_ version: String, _ host: String) throws {
    let app = SuiteApp.adal(
      "app", version, extra: "authority: https://login.microsoftonline.com/organizations")
    let lab = try suiteLab([app])
    try lab.signIn(app)
    let tenant = version == "2.5.1" ? "organizations" : "common"
    #expect(
      Set(try lab.read { try $0.tokens.rows() }.map { "\($0.environment)/\($0.realm ?? "")" }) == [
        "\(host)/\(tenant)"
      ])
    #expect(try lab.silent(app).source == "cache")
  }

  @Test func hostsWereWorldsOfTheirOwnBeforeAliases() throws {
    let typed = "authority: https://login.microsoftonline.com/common"
    let other = "authority: https://login.windows.net/common"
    for (version, shares) in [("2.5.1", false), ("2.5.2", true)] {
      let first = SuiteApp.adal("first", version, extra: typed)
      let second = SuiteApp.adal("second", version, extra: other)
      let lab = try suiteLab([first, second])
      try lab.signIn(first)
      #expect((try lab.silent(second, "ada@contoso.com").verdict == .succeeded) == shares)
    }
  }

  // MARK: - Silent

  @Test func forceRefreshPassesTheCacheAndKeepsItInOnePiece() throws {
    let lab = try suiteLab([old])
    try lab.signIn(old)
    #expect(try lab.silent(old, forceRefresh: true).source == "app refresh token")
    #expect(try lab.kinds() == ["legacy access token": 1, "legacy refresh token": 1])
  }

  @Test func nothingInTheCacheIs200() throws {
    let lab = try suiteLab([old])
    let outcome = try lab.silent(old)
    #expect(outcome.verdict == .failed && outcome.errorCode == 200 && !outcome.prompted)
    #expect(outcome.errorDomain == "ADAuthenticationErrorDomain")
    #expect(
      outcome.errorText?.hasPrefix("Error with code: AD_ERROR_SERVER_USER_INPUT_NEEDED Domain: ") == true)
  }

  @Test(arguments: ["2.6.6", "2.7.0"]) func severalUsersAndNobodyNamedIs300(_ version: String) throws {
    let app = SuiteApp.adal("app", version)
    let lab = try suiteLab([app])
    try lab.signIn(app)
    try lab.signIn(app, "grace@contoso.com", prompt: .login)
    let outcome = try lab.silent(app)
    #expect(outcome.errorCode == 300 && outcome.failedCheck?.name == "one user")
    #expect(try lab.silent(app, "grace@contoso.com").username == "grace@contoso.com")
    #expect(
      try lab.read { try $0.apps.rows() }.map(\.accounts) == [["ada@contoso.com"], ["grace@contoso.com"]])
    #expect(try lab.read { try $0.apps.prediction(app: app.bundleID, account: nil) }.kind == .failure)
  }

  @Test func theFamilysTokenIsTriedBeforeTheAppsOwn() throws {
    let lab = try suiteLab([new], family: true)
    try lab.signIn(new)
    #expect(try lab.silent(new, forceRefresh: true).source == "family refresh token")
    let family = try lab.read { try $0.tokens.rows() }.filter { $0.type == "LegacyFamilyRefreshToken" }.map(
      \.id)
    _ = try lab.outcome(ChangeCredentials(.invalidate, family))
    let outcome = try lab.silent(new, forceRefresh: true)
    #expect(outcome.source == "app refresh token")
    #expect(try lab.kinds()["legacy family refresh token"] == 1)
  }

  @Test func aRefusedRefreshTokenGoesAndTheCallEndsIn200() throws {
    let lab = try suiteLab([old])
    try lab.signIn(old)
    let rows = try lab.read { try $0.tokens.rows() }
    _ = try lab.outcome(ChangeCredentials(.expire, rows.filter { $0.type == "LegacyAccessToken" }.map(\.id)))
    _ = try lab.outcome(
      ChangeCredentials(.invalidate, rows.filter { $0.type == "LegacyRefreshToken" }.map(\.id)))
    #expect(try lab.read { try $0.apps.rows() }.first?.next.kind == .prompt)
    let outcome = try lab.silent(old)
    #expect(outcome.errorCode == 200)
    #expect(try lab.kinds() == ["wipe info": 1])
  }

  @Test(arguments: [
    (Fault.Kind.status(503), "ADHTTPErrorCodeDomain", 503),
    (.throttled(retryAfter: 60), "ADHTTPErrorCodeDomain", 429), (.unreachable, "NSURLErrorDomain", -1009),
  ])
  func whatIsNoAnswerOfOAuthEndsTheCallWithItsOwnNumber(_ kind: Fault.Kind, _ domain: String, _ code: Int)
    throws
  {
    let lab = try suiteLab([old])
    try lab.signIn(old)
    _ = try lab.outcome(AddFault(Fault(.token, kind)))
    let outcome = try lab.silent(old, forceRefresh: true)
    #expect(outcome.errorDomain == domain && outcome.errorCode == code)
    // This is final: no other token is tried, and nothing is removed.
    #expect(try lab.kinds() == ["legacy access token": 1, "legacy refresh token": 1])
  }

  @Test func aGroupThatIsNotEntitledIs34018InTheKeychainsDomain() throws {
    let app = SuiteApp.adal("app", "2.6.6", extra: "keychainAccessGroups: []")
    let lab = try suiteLab([app])
    let signedIn = try lab.signIn(app)
    #expect(signedIn.verdict == .failed && signedIn.errorCode == -34018)
    let outcome = try lab.silent(app)
    #expect(outcome.errorCode == -34018 && outcome.errorDomain == "ADKeychainErrorDomain")
    #expect(outcome.errorText?.contains("Error with code: -34018 Domain: ADKeychainErrorDomain") == true)
  }

  // MARK: - Interactive

  @Test func theInteractiveCallLooksIntoTheCacheFirst() throws {
    let lab = try suiteLab([old])
    try lab.signIn(old)
    let again = try lab.outcome(SignIn(app: old.bundleID, account: nil, scopes: [], prompt: .whenRequired))
    #expect(again.source == "cache" && !again.prompted)
    let forced = try lab.signIn(old, prompt: .login)
    #expect(forced.source == "web session" && forced.prompted)
  }

  @Test func closingThePageIs403() throws {
    let lab = try suiteLab([old])
    let outcome = try lab.outcome(
      SignIn(app: old.bundleID, account: nil, scopes: [], prompt: .whenRequired), [.cancel])
    #expect(outcome.verdict == .cancelled && outcome.errorCode == 403)
    #expect(outcome.errorText?.contains("Details:The user has cancelled the authorization..") == true)
  }

  @Test func anotherHostThanMicrosoftsIs101() throws {
    let app = SuiteApp.adal("app", "2.6.6", extra: "authority: https://login.contoso.com/common")
    let outcome = try suiteLab([app]).outcome(
      SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .whenRequired))
    #expect(outcome.errorCode == 101 && outcome.failedCheck?.name == "authority host is known")
  }

  @Test(arguments: [
    ("RequiredDisplayableId", "nobody@contoso.com", 204), ("RequiredDisplayableId", "ada@contoso.com", nil),
    ("OptionalDisplayableId", "nobody@contoso.com", nil),
    ("UniqueId", "7d3e9a54-16c2-4b88-a0f7-3c5e2d914b60", 204),
    ("UniqueId", "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21", nil),
  ])
  func theUserWhoSignsInMustBeTheOneAskedFor(_ type: String, _ asked: String, _ code: Int?) throws {
    let app = SuiteApp.adal("app", "2.6.6", extra: "userIDType: \(type)")
    let lab = try suiteLab([app])
    let outcome = try lab.outcome(
      SignIn(app: app.bundleID, account: asked, scopes: [], prompt: .whenRequired),
      asked == "ada@contoso.com"
        ? [.password("engine")] : [.username("ada@contoso.com"), .password("engine")])
    #expect(outcome.errorCode == code)
    // The tokens were saved before the user was checked.
    #expect(try lab.kinds() == ["legacy access token": 1, "legacy refresh token": 1])
  }

  @Test func anArgumentThatIsMissingIs100() throws {
    let app = SuiteApp.adal("app", "2.6.6", extra: "scopes: []")
    let lab = try suiteLab([app])
    for outcome in [
      try lab.outcome(SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .whenRequired)),
      try lab.silent(app),
    ] {
      #expect(outcome.errorCode == 100)
      #expect(outcome.summary == "The argument 'resource' is invalid. Value:")
      #expect(outcome.failedCheck?.name == "resource is given")
    }
  }

  @Test(arguments: ["AD_CREDENTIALS_EMBEDDED", "AD_CREDENTIALS_AUTO"])
  func anExtensionShowsNoSignInBut402AndCallsSilently(_ type: String) throws {
    let app = SuiteApp.adal("app", "2.6.6", extra: "credentialsType: \(type)")
    let lab = try suiteLab([app])
    try lab.signIn(app)
    _ = try lab.outcome(EditRecord(.app, record: app.bundleID, [try FieldChange("isExtension=yes")]))
    #expect(try lab.silent(app).source == "cache")
    let outcome = try lab.outcome(
      SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .login))
    #expect(outcome.errorCode == 402)
    #expect(outcome.errorText?.contains("AD_ERROR_UI_NOT_SUPPORTED_IN_APP_EXTENSION") == true)
  }

  // MARK: - Removal

  /// The three calls and the extent of each (docs/behaviour/adal.md §7): two clients, two users.
  @Test(arguments: [
    ("ada@contoso.com", false, ["old ada@contoso.com"]),
    (nil, false, ["old ada@contoso.com", "old grace@contoso.com"]),
    ("ada@contoso.com", true, ["old ada@contoso.com", "other ada@contoso.com"]),
  ])
  func aRemovalReachesAsFarAsItsCall(_ user: String?, _ wipes: Bool, _ losses: [String]) throws {
    let other = SuiteApp.adal("other", "2.6.6", client: "c2")
    let lab = try suiteLab([old, other])
    for app in [old, other] {
      try lab.signIn(app)
      try lab.signIn(app, "grace@contoso.com", prompt: .login)
    }
    let intent = SignOut(
      app: old.bundleID, account: user, options: SignOutOptions(wipeAccount: wipes))
    let radius = try lab.blastRadius(of: intent)
    let outcome = try lab.outcome(intent)
    let call =
      wipes ? "wipeAllItemsForUserId" : user == nil ? "removeAllForClientId" : "removeAllForUserId:clientId"
    #expect(outcome.summary.contains("(\(call)): \(losses.count * 2) items removed."))
    #expect(radius.itemCount == losses.count * 2)
    #expect(
      Set(radius.losses.filter(\.losesSignIn).map(\.app))
        == Set(losses.map { String($0.prefix { $0 != " " }) }))
    var gone: [String] = []
    for app in [old, other] {
      for user in ["ada@contoso.com", "grace@contoso.com"] where try lab.silent(app, user).errorCode == 200 {
        gone.append(app.name + " " + user)
      }
    }
    #expect(gone == losses)
  }
}
