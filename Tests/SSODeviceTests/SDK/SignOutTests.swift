import Foundation
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOStore

/// Sign-out and its variants, the current account, and the SDK's records of both.
///
/// See docs/behaviour/msal-cache.md §11, §5, and docs/behaviour/keychain.md §6(1).
struct SignOutTests {
  static let first = SuiteApp.msal("first")
  static let mate = SuiteApp.msal("mate")
  static let other = SuiteApp.msal("other", client: "c2")

  struct Variant: CustomTestStringConvertible, Sendable {
    var options = SignOutOptions()
    /// The remaining items in the group.
    var left: [String: Int]
    /// The apps that can still acquire a token silently.
    var silent: [String]
    var testDescription: String {
      options.words.isEmpty ? "removeAccount" : options.words.joined(separator: ", ")
    }
  }

  /// Returns a lab with two apps of client c1 and one of c2, all signed in as Ada.
  private func lab() throws -> Lab {
    let lab = try suiteLab([Self.first, Self.mate, Self.other])
    try lab.signIn(Self.first)
    try lab.signIn(Self.other)
    return lab
  }

  @Test(arguments: [
    Variant(
      left: [
        "account": 1, "account metadata": 2, "app metadata": 2, "access token": 1, "ID token": 1,
        "refresh token": 1, "throttling": 1, "wipe info": 1,
      ], silent: ["other"]),
    Variant(
      options: SignOutOptions(wipeAccount: true),
      left: ["account metadata": 2, "app metadata": 2, "throttling": 1, "wipe info": 1], silent: []),
    Variant(options: SignOutOptions(wipeCache: true), left: [:], silent: []),
    Variant(
      options: SignOutOptions(fromBrowser: true),
      left: [
        "account": 1, "account metadata": 2, "app metadata": 2, "access token": 1, "ID token": 1,
        "refresh token": 1, "throttling": 1, "wipe info": 1,
      ], silent: ["other"]),
  ])
  func theVariant(_ variant: Variant) throws {
    let lab = try lab()
    let outcome = try lab.outcome(
      SignOut(app: Self.first.bundleID, account: nil, options: variant.options))
    #expect(outcome.verdict == .succeeded)
    #expect(try lab.kinds() == variant.left)
    let silent = try [Self.first, Self.mate, Self.other].filter {
      try lab.silent($0, "ada@contoso.com").verdict == .succeeded
    }
    #expect(silent.map(\.name) == variant.silent)
    while let words = try lab.undo(), !words.hasPrefix("sign out") {}
    #expect(try lab.silent(Self.mate).source == "cache")
  }

  @Test func aSignedOutAccountIsAskedForItsPasswordOnlyIfTheBrowserForgot() throws {
    let lab = try lab()
    _ = try lab.outcome(SignOut(app: Self.first.bundleID, account: nil))
    // The account is no longer listed, so the call is sent without a prompt, and the browser knows Ada.
    let quick = try lab.outcome(
      SignIn(app: Self.first.bundleID, account: nil, scopes: [], prompt: .whenRequired))
    #expect(quick.prompted == false)
    _ = try lab.outcome(
      SignOut(app: Self.first.bundleID, account: nil, options: SignOutOptions(fromBrowser: true)))
    guard
      case .needs(.signIn(let page), _) = try lab.perform(
        SignIn(app: Self.first.bundleID, account: nil, scopes: [], prompt: .whenRequired))
    else {
      Issue.record("the browser still knows somebody")
      return
    }
    #expect(page.asks == .username)
  }

  @Test func whatIsRemovedStaysRemovedIfTheBrowserStepFails() throws {
    let lab = try lab()
    _ = try lab.outcome(AddFault(Fault(.logout, #require(Fault.Kind("503")))))
    let outcome = try lab.outcome(
      SignOut(app: Self.first.bundleID, account: nil, options: SignOutOptions(fromBrowser: true)), [.cancel])
    #expect(outcome.errorCode == -50005, "the person closed the error page")
    #expect(try lab.silent(Self.first, "ada@contoso.com").errorCode == -50002)
  }

  @Test func theBlastRadiusOfEachVariantNamesWhoLosesTheAccount() throws {
    let lab = try lab()
    func losers(_ options: SignOutOptions) throws -> [String] {
      try lab.blastRadius(of: SignOut(app: Self.first.bundleID, account: nil, options: options)).losses
        .filter(\.losesSignIn).map(\.app)
    }
    #expect(try losers(SignOutOptions()) == ["first", "mate"])
    #expect(try losers(SignOutOptions(wipeAccount: true)) == ["first", "mate", "other"])
    #expect(try losers(SignOutOptions(wipeCache: true)) == ["first", "mate", "other"])
  }

  // MARK: - TokenWipe

  @Test func whoDeletedARefreshTokenIsNotedAndShownWhereNothingIsFound() throws {
    let lab = try lab()
    _ = try lab.outcome(SignOut(app: Self.first.bundleID, account: nil))
    let items = try lab.store.write(nil) {
      try $0.credentials(device: "device-1").items(
        matching: KeychainQuery(accessGroups: [suiteGroup], account: "TokenWipe"))
    }
    let item = try #require(items.first)
    #expect(item.key.service.isEmpty && item.type == nil)
    #expect(item.generic == Data("Microsoft.ADAL.WipeAll.1".utf8))
    let info = try #require(WipeInfo(data: item.data))
    #expect(info == WipeInfo(bundleID: Self.first.bundleID, wipedAt: try lab.read { $0.now }))
    // Deleting the other client's token by hand records nothing, so its call reports the last app that deleted one.
    _ = try lab.outcome(
      ChangeCredentials(
        .delete, lab.read { try $0.tokens.rows() }.filter { $0.type == "RefreshToken" }.map(\.id)))
    _ = try lab.outcome(MoveClock(bySeconds: 60))
    guard
      case .done(let outcome, let id) = try lab.perform(
        AcquireSilently(app: Self.other.bundleID, account: adaHome, scopes: [], forceRefresh: true))
    else { return }
    #expect(outcome.errorCode == -50002)
    #expect(
      try lab.read { try $0.traces.trace(id) }?.hops.flatMap(\.checks).last {
        $0.name.hasPrefix("app that last deleted")
      }
        == Check(
          "app that last deleted refresh tokens of the group", expected: "no app",
          found: "com.contoso.first, 60 s ago", verdict: .skipped, source: "keychain.md §6(1)"))
  }

  @Test(arguments: [Data(), Data("bplist00".utf8), Data(repeating: 0xFF, count: 64)])
  func whatIsNoWipeInfoIsNone(_ data: Data) { #expect(WipeInfo(data: data) == nil) }

  // MARK: - One account

  @Test func theCurrentAccountIsRememberedAsPrincipal() throws {
    let lab = try suiteLab([Self.first, Self.other])
    #expect(try current(lab) == "first: no account is signed in; before: none.")
    #expect(try metadata(lab) == nil)
    try lab.signIn(Self.first)
    #expect(try current(lab) == "first: ada@contoso.com is signed in; before: none.")
    let kept = try #require(try metadata(lab))
    #expect(kept.principalHomeAccountID == adaHome)
    #expect(kept.principalUsername == "ada@contoso.com")
    #expect(kept.principalEnvironment == "login.windows.net")
    _ = try lab.outcome(SignOut(app: Self.first.bundleID, account: nil))
    #expect(try current(lab) == "first: no account is signed in; before: ada@contoso.com.")
    #expect(try metadata(lab)?.principalHomeAccountID == nil)
  }

  @Test func severalAccountsAreAmbiguous() throws {
    let lab = try suiteLab([Self.first])
    try lab.signIn(Self.first)
    try lab.signIn(Self.first, "grace@contoso.com", prompt: .login)
    for intent in [
      GetCurrentAccount(app: Self.first.bundleID),
      AcquireSilently(app: Self.first.bundleID, account: nil, scopes: [], forceRefresh: false),
    ] as [any Intent] {
      let outcome = try lab.outcome(intent)
      // Only getCurrentAccount has a code for it: a silent call gets no account (docs/behaviour/errors.md §4).
      let isSilent = intent is AcquireSilently
      #expect(outcome.errorCode == (isSilent ? -50002 : -42102))
      #expect(
        outcome.summary.hasPrefix(
          isSilent ? "No account provided for the silent request." : "Multiple accounts found in cache."))
      #expect(outcome.failedCheck?.found == "ada@contoso.com, grace@contoso.com")
    }
    #expect(try lab.silent(Self.first, "grace@contoso.com").source == "cache")
  }

  /// MSAL never compares the accounts (`shouldValidateResultAccount` is NO, docs/behaviour/silent-call.md §1(8)).
  @Test func anotherPersonThanAskedForIsReturned() throws {
    let app = SuiteApp.msal("app")
    let lab = try suiteLab([app])
    try lab.signIn(app)
    let intent = SignIn(
      app: app.bundleID, account: "ada@contoso.com", scopes: [], prompt: .selectAccount)
    let outcome = try lab.outcome(intent, [.username("grace@contoso.com"), .password("bug")])
    #expect(outcome.verdict == .succeeded)
    #expect(outcome.username == "grace@contoso.com")
    #expect(try lab.silent(app, "grace@contoso.com").source == "cache")
  }

  @Test func signOutWithoutAnAccountIsRefusedWhereItHasOptions() throws {
    let lab = try suiteLab([Self.first])
    for options in [
      SignOutOptions(wipeAccount: true), SignOutOptions(wipeCache: true), SignOutOptions(fromBrowser: true),
    ] {
      let outcome = try lab.outcome(SignOut(app: Self.first.bundleID, account: nil, options: options))
      #expect(outcome.errorCode == -42000)
      #expect(outcome.errorText?.contains("MSALErrorDescriptionKey=Account is required,") == true)
    }
  }

  /// `removeAccount:` specifies no environment, and an account without an identifier is looked up by its username.
  @Test(arguments: ["login.microsoftonline.us", "login.chinacloudapi.cn", "login.windows.net"])
  func anAccountIsRemovedInEveryCloud(_ environment: String) throws {
    let lab = try lab()
    let all = KeychainQuery(accessGroups: [suiteGroup], type: CredentialType.refreshToken.attributeType)
    try lab.store.write(nil) { store in
      let credentials = store.credentials(device: "device-1")
      for item in try credentials.items(matching: all) {
        guard var token = CredentialItem(data: item.data), token.clientID == "c1" else { continue }
        try credentials.delete(item.key)
        token[.environment] = environment
        try credentials.insert(CacheKey(token).item(in: suiteGroup, data: token.data, at: item.createdAt))
      }
    }
    _ = try lab.outcome(SignOut(app: Self.first.bundleID, account: "ada@contoso.com"))
    let left = try lab.store.write(nil) { try $0.credentials(device: "device-1").items(matching: all) }
      .compactMap { CredentialItem(data: $0.data)?.clientID }
    #expect(left == ["c2"])
  }

  @Test func aBlankUsernameIsNone() throws {
    let lab = try lab()
    let outcome = try lab.silent(Self.first, " ")
    #expect(outcome.errorDomain == "MSIDErrorDomain")
    #expect(outcome.errorCode == -51111)
    #expect(outcome.summary == "No username is provided")
  }

  @Test func onASharedDeviceOneSignOutIsEverybodys() throws {
    var file = try ScenarioLibrary().scenario("A5-picker-on-ios")
    file.world.device.isShared = true
    file.world.brokerAccounts = Array(file.world.brokerAccounts.prefix(1))
    let lab = try Lab.temporary(file)
    let apps = file.world.apps.filter { $0.sdk == .msal }
    try #require(apps.count > 1)
    let person = try #require(file.world.brokerAccounts.first?.username)
    // No user signed in to these apps, so the account comes from the device.
    for app in apps {
      let outcome = try lab.outcome(GetCurrentAccount(app: app.bundleID))
      #expect(outcome.username == person)
    }
    let home = try #require(try lab.read { try $0.brokerAccounts().first?.homeAccountID })
    _ = try lab.outcome(ForgetAccount(account: home))
    let outcome = try lab.outcome(GetCurrentAccount(app: apps[1].bundleID))
    #expect(outcome.username == nil)
    #expect(outcome.summary.hasSuffix("no account is signed in; before: \(person)."))
    #expect(outcome.next?.description.contains("must delete its data") == true)
  }

  @Test func anAppWithADALHasNoCurrentAccount() throws {
    let old = SuiteApp.adal("old", "2.6.6")
    let lab = try suiteLab([old])
    let error = #expect(throws: LabError.self) { try lab.outcome(GetCurrentAccount(app: old.bundleID)) }
    #expect(error?.why == "getCurrentAccount is MSAL's; the app was built with ADAL 2.6.6.")
  }

  private func current(_ lab: Lab) throws -> String {
    try lab.outcome(GetCurrentAccount(app: Self.first.bundleID)).summary
  }

  private func metadata(_ lab: Lab) throws -> AccountMetadata? {
    let query = KeychainQuery(accessGroups: [suiteGroup], account: "authority_map", service: "c1")
    return try lab.store.write(nil) { try $0.credentials(device: "device-1").items(matching: query) }.first
      .flatMap { AccountMetadata(data: $0.data) }
  }
}
