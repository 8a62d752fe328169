import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// MSAL for Android (docs/behaviour/android.md).
struct AndroidTests {
  private static let first = "com.contoso.mytestapp1"
  private static let second = "com.contoso.mytestapp2"

  /// The suite on an Android phone, with each app's redirect URI registered.
  private func suite(_ change: (inout LabWorld) -> Void = { _ in }) throws -> SilentLab {
    try SilentLab(signIn: false) { world in
      world.device.platform = .android
      world.apps = world.apps.map { PlatformDefaults(.android).moving($0) }
      for app in world.apps {
        for index in world.registrations.indices where world.registrations[index].clientID == app.clientID {
          world.registrations[index].redirectURIs.append(app.redirectURI)
        }
      }
      change(&world)
    }
  }

  private func signIn(_ lab: SilentLab, _ app: String) throws -> Outcome {
    var answers: [Answer] = []
    while true {
      switch try lab.lab.perform(SignIn(app: app), answers: answers) {
      case .done(let outcome, _): return outcome
      case .needs(let prompt, _):
        var approver = try lab.lab.store.write(nil) {
          try AutomaticApprover(username: "ada@contoso.com", in: $0)
        }
        answers.append(approver.answer(prompt))
      }
    }
  }

  private func silent(_ lab: SilentLab, _ app: String, _ account: String? = "ada@contoso.com") throws
    -> Outcome
  {
    try lab.perform(AcquireSilently(app: app, account: account)).outcome
  }

  /// All items of the device.
  private func items(_ lab: SilentLab) throws -> [KeychainItem] {
    try lab.lab.read { reader in
      try reader.accessGroups().flatMap {
        try reader.credentials.items(matching: KeychainQuery(accessGroups: [$0]))
      }
    }
  }

  @Test func twoAppsOfOnePublisherHaveTheirOwnCaches() throws {
    let lab = try suite()
    #expect(try signIn(lab, Self.first).source == "web session")
    #expect(try silent(lab, Self.first).source == "cache")
    let other = try silent(lab, Self.second)
    #expect(other.errorDomain == "MsalArgumentException")
    #expect(other.error == ReportedError(symbol: "illegal_argument_exception"))
    #expect(try lab.lab.read { try $0.tokens.rows() }.allSatisfy { $0.apps == ["My Test App 1"] })
    let types = try items(lab).map(\.type)
    // AppMetadata is 3001, and AccountMetadata is 5001 (docs/behaviour/msal-cache.md).
    #expect(!types.isEmpty && !types.contains(3001) && !types.contains(5001))
  }

  @Test func aMisconfiguredGroupOfIOSMakesNoDifference() throws {
    let lab = try suite { world in
      for index in world.apps.indices {
        world.apps[index].keychainSharingGroup = "com.microsoft.adalcache"
        world.apps[index].keychainAccessGroups = ["$(AppIdentifierPrefix)com.microsoft.adalcache"]
      }
    }
    #expect(try signIn(lab, Self.first).verdict == .succeeded)
    #expect(try silent(lab, Self.second).verdict == .failed)
    let why = try lab.lab.read { try $0.why.app(Self.second, with: Self.first) }
    #expect(why.answer.contains("on Android each app has a token cache of its own"))
  }

  @Test func aSignOutRemovesTheAccountItemToo() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    #expect(try lab.perform(SignOut(app: Self.first)).outcome.verdict == .succeeded)
    #expect(try items(lab).isEmpty)
    #expect(try lab.lab.read { try $0.app(Self.first) }.platform == .android)
  }

  struct SetUp: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout InstalledApp) -> Void
    var className: String?
    var errorCode: String?
  }

  @Test(arguments: [
    SetUp(testDescription: "as the documentation says", change: { _ in }),
    SetUp(
      testDescription: "the hash in another case", change: { $0.redirectURI = $0.redirectURI.lowercased() }),
    SetUp(
      testDescription: "another key signed the app",
      change: { $0.redirectURI = "msauth://\($0.bundleID)/other" },
      className: "MsalClientException", errorCode: "redirect_uri_validation_error"),
    SetUp(
      testDescription: "another hash, and the broker is off",
      change: { ($0.redirectURI, $0.brokerUse) = ("msauth://\($0.bundleID)/other", .none) }),
    SetUp(
      testDescription: "a redirect URI of iOS", change: { $0.redirectURI = "msauth.\($0.bundleID)://auth" }),
    SetUp(
      testDescription: "no activity", change: { $0.urlForwarding = .neither },
      className: "MsalClientException",
      errorCode: "app_manifest_validation_error"),
    SetUp(
      testDescription: "no redirect URI", change: { $0.redirectURI = "" },
      className: "IllegalArgumentException"),
    SetUp(
      testDescription: "no client ID", change: { $0.clientID = "" }, className: "IllegalArgumentException"),
  ]) func theObjectIsCreated(_ row: SetUp) {
    var app = PlatformDefaults(.android).app(
      bundleID: "com.contoso.notes", teamID: "aGFzaA==", clientID: "client", vendor: "Contoso"
    ).asInstalled(on: .android)
    row.change(&app)
    let (checks, error) = app.msal.applicationChecks(of: app, on: .android)
    #expect(error?.exception?.className == row.className && error?.exception?.errorCode == row.errorCode)
    #expect(checks.contains { $0.verdict == .failed } == (error != nil))
  }

  /// What only iOS has changes nothing: a locked keychain, app extensions, and Safari's view.
  @Test func whatOnlyIOSHasIsNotAsked() throws {
    let lab = try suite { world in
      world.device.isLocked = true
      for index in world.apps.indices {
        world.apps[index].isExtension = true
        world.apps[index].webView = .safariView
      }
    }
    #expect(try signIn(lab, Self.first).verdict == .succeeded)
    #expect(try silent(lab, Self.first).verdict == .succeeded)
  }

  /// The cache is among the data that the system deletes with an app.
  @Test func anAppsCacheIsDeletedWithIt() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    _ = try signIn(lab, Self.second)
    let before = try items(lab).count
    let outcome = try lab.perform(ReinstallApp(app: Self.first)).outcome
    #expect(outcome.summary.contains("its cache of"))
    #expect(try silent(lab, Self.first).verdict == .failed && silent(lab, Self.second).verdict == .succeeded)
    #expect(try items(lab).count < before)
  }

  /// iOS's memory of refused requests is not Android's: each call asks the provider.
  @Test func requestsAreNotThrottled() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    try lab.wait(7_200)
    try lab.perform(AddFault(Fault(.token, .status(503), remaining: 2)))
    #expect(try silent(lab, Self.first).verdict == .failed)
    #expect(try silent(lab, Self.first).verdict == .succeeded)
  }

  @Test func theBrokerIsUsedOnlyWithItsRedirectURI() throws {
    let lab = try suite { $0.device.brokerVersion = Device.currentBrokerVersion }
    #expect(try lab.lab.read { $0.sdk(of: try $0.app(Self.first)).brokerUse } == "used")
    try lab.perform(
      EditRecord(.app, record: Self.first, [try FieldChange("redirectURI=msauth.\(Self.first)://auth")]))
    #expect(
      try lab.lab.read { $0.sdk(of: try $0.app(Self.first)).brokerUse }.hasPrefix(
        "not used: its redirect URI"))
    #expect(try signIn(lab, Self.second).source == "broker")
    #expect(try lab.lab.read { try $0.tokens.rows() }.isEmpty)
    // An account that only the broker keeps is listed with the app that it serves.
    #expect(try lab.lab.read { try $0.accounts.rows() }.map(\.apps) == [["My Test App 2"]])
  }

  /// The prediction makes the same call as the app, with the broker's answer.
  @Test func theBrokerAnswersAsPredicted() throws {
    let lab = try suite { $0.device.brokerVersion = Device.currentBrokerVersion }
    #expect(try signIn(lab, Self.first).source == "broker")
    for (app, account) in [
      (Self.first, nil), (Self.first, "ada@contoso.com"), (Self.second, "ada@contoso.com"),
    ]
      as [(String, String?)]
    {
      let next = try lab.lab.read { try Predictor(reader: $0).prediction(try $0.app(app), account: account) }
      let outcome = try silent(lab, app, account)
      #expect(next.kind == .broker && next.sentence == "silent: broker")
      #expect(outcome.source == "broker" && !outcome.prompted)
    }
    let known = try lab.lab.read {
      try $0.sdk(of: try $0.app(Self.second)).accounts(limit: 9).map(\.username)
    }
    #expect(known == ["ada@contoso.com"])
    _ = try lab.perform(SignOut(app: Self.first))
    #expect(try lab.lab.read { try $0.sdk(of: try $0.app(Self.first)).accounts(limit: 9) }.isEmpty)
    #expect(try silent(lab, Self.first, nil).error?.symbol == "illegal_argument_exception")
    #expect(try silent(lab, Self.first).source == "broker")
  }

  @Test func errorsAreExceptions() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    let refused = try lab.perform(
      AcquireSilently(app: Self.first, account: "ada@contoso.com", scopes: ["Mail.Read"], forceRefresh: true))
    #expect(refused.outcome.verdict == .failed)
    #expect(refused.outcome.errorCode == nil)
    #expect(
      refused.outcome.errorText?.hasPrefix("com.microsoft.identity.client.exception.Msal") == true,
      "\(refused.outcome.errorText ?? "")")
  }
}
