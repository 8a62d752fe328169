import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// The apps that receive a response, and the apps that forward it (claims A4, B3, D6).
@Suite struct DeliveryTests {
  struct Delegates: CustomTestStringConvertible {
    var forwarding: URLForwarding
    var usesScenes: Bool
    var arrives: Bool
    var testDescription: String {
      "\(forwarding.rawValue), \(usesScenes ? "with" : "without") scenes: \(arrives ? "arrives" : "lost")"
    }
  }

  @Test(arguments: [
    Delegates(forwarding: .appDelegate, usesScenes: false, arrives: true),
    Delegates(forwarding: .appDelegate, usesScenes: true, arrives: false),
    Delegates(forwarding: .sceneDelegate, usesScenes: false, arrives: false),
    Delegates(forwarding: .sceneDelegate, usesScenes: true, arrives: true),
    Delegates(forwarding: .both, usesScenes: false, arrives: true),
    Delegates(forwarding: .both, usesScenes: true, arrives: true),
    Delegates(forwarding: .neither, usesScenes: false, arrives: false),
    Delegates(forwarding: .neither, usesScenes: true, arrives: false),
  ])
  func theDelegateThatIsCalledMustHandTheURLOn(_ delegates: Delegates) throws {
    let world = try BrokerLab { world in
      world.apps[0].urlForwarding = delegates.forwarding
      world.apps[0].usesScenes = delegates.usesScenes
    }
    let outcome = try world.signIn().0
    #expect((outcome.verdict == .succeeded) == delegates.arrives)
    #expect(try world.row().warnings.isEmpty == delegates.arrives)
    guard !delegates.arrives else { return }
    #expect(outcome.errorCode == -42700)
    #expect(outcome.failedCheck?.source == "claim D6")
  }

  /// Schemes and delegates do not matter if the system carries the request and the response
  /// (docs/behaviour/broker.md §2(8)).
  @Test(arguments: [Platform.android, .windows]) func noURLIsOpenedElsewhereThanOnIOS(_ platform: Platform)
    throws
  {
    let world = try BrokerLab { world in
      world.device.platform = platform
      world.apps[0] = PlatformDefaults(platform).moving(world.apps[0])
      world.registrations[0].redirectURIs.append(world.apps[0].redirectURI)
      if platform == .windows { world.apps[0].urlForwarding = .neither }
    }
    #expect(try world.row().warnings == [])
    let (outcome, hops) = try world.signIn()
    #expect(outcome.verdict == .succeeded)
    #expect(outcome.source == "broker")
    #expect(!hops.contains { $0.action.hasPrefix("openURL") })
    #expect(throws: LabError.self) {
      try world.perform(InjectFault(app: BrokerLab.app, .tampered))
    }
  }

  /// The Web Account Manager's redirect URI names the client, not the app, and MSAL.NET has exceptions in place of numbers.
  @Test func onWindowsThePickerShowsTheRedirectURIOfTheClient() throws {
    let world = try BrokerLab { world in
      world.device.platform = .windows
      world.apps[0] = PlatformDefaults(.windows).moving(world.apps[0])
      world.apps[0].redirectURI = "http://localhost"
      world.registrations[0].redirectURIs.append(
        RedirectOwner.webAccountManager(clientID: world.apps[0].clientID))
    }
    let call = SignIn(app: BrokerLab.app, account: nil, scopes: [], prompt: .selectAccount)
    guard case .needs(.chooseAccount(let picker), _) = try world.lab.perform(call) else {
      Issue.record("no picker")
      return
    }
    #expect(picker.redirectURI == "ms-appx-web://microsoft.aad.brokerplugin/\(picker.clientID)")
    #expect(picker.sdk == "MSAL.NET 4.87.0" && picker.callerCheck.verdict == .passed)
    guard case .done(let outcome, _) = try world.lab.perform(call, answers: [.cancel]) else {
      Issue.record("an answer is missing")
      return
    }
    #expect(outcome.verdict == .cancelled && outcome.errorDomain == "MsalClientException")
    #expect(outcome.error?.symbol == "authentication_canceled")
    #expect(outcome.errorText?.contains("Microsoft.Identity.Client.MsalClientException") == true)
  }

  /// A client that has not registered the Web Account Manager's redirect URI gets no token.
  @Test func onWindowsTheClientMustRegisterTheRedirectURI() throws {
    let world = try BrokerLab { world in
      world.device.platform = .windows
      world.apps[0] = PlatformDefaults(.windows).moving(world.apps[0])
    }
    let (outcome, _) = try world.signIn()
    #expect(outcome.verdict == .failed && outcome.failedCheck?.name == "redirect URI registered")
  }

  @Test func theThiefOfASchemeGetsACiphertext() throws {
    let world = try BrokerLab { world in
      var thief = world.apps[0]
      thief.bundleID = "com.aaa.thief"
      thief.teamID = "X9Y8Z7W6V5"
      thief.redirectURI = "msauth.com.aaa.thief://auth"
      thief.urlSchemes = ["msauth.com.aaa.thief", "MSAUTH.com.contoso.mytestapp1"]
      world.apps.append(thief)
    }
    #expect(
      try world.row().warnings == [
        "msauth.com.contoso.mytestapp1: is also registered by com.aaa.thief (claim B3)"
      ])
    let (outcome, hops) = try world.signIn()
    #expect(outcome.errorCode == -42700)
    let theft = try #require(hops.first { $0.actor == "com.aaa.thief" && $0.action.hasPrefix("openURL") })
    #expect(theft.result == "handed to com.aaa.thief, not to com.contoso.mytestapp1")
    #expect(theft.sent["response"]?.hasSuffix("… (ciphertext)") == true)
    let check = try #require(
      hops.flatMap(\.checks).first { $0.name == "the receiver holds the key of the answer" })
    #expect(check.verdict == .failed)
    #expect(check.found == "none")
    #expect(try world.lab.read { try $0.tokens.rows() }.isEmpty)
  }

  @Test func anAdministratorsBrokerServesOnlyTheAppsItIsFor() throws {
    let world = try BrokerLab()
    let managed = BrokerManagement(apps: ["com.fabrikam.notes"])
    _ = try world.perform(InstallBroker(version: nil, managed: managed))
    #expect(
      try world.row().broker
        == "not used: the administrator does not let the broker serve this app")
    #expect(try world.row("com.fabrikam.notes").broker == "used")
    #expect(
      try world.lab.read { try $0.status.broker() }
        == BrokerStatus(
          version: "6.8.30", isManaged: true, apps: ["com.fabrikam.notes"],
          accounts: ["ada@contoso.com", "grace@contoso.com"]))
  }

  @Test func removingTheBrokerIsUndone() throws {
    let world = try BrokerLab()
    _ = try world.perform(RemoveBroker())
    #expect(try world.row().broker == "not used: no installed app registers msauthv2")
    #expect(try world.lab.read { try $0.status.broker() }.accounts.isEmpty)
    #expect(try world.lab.undo() == "remove the broker")
    #expect(try world.row().broker == "used")
    #expect(
      try world.lab.read { try $0.status.broker() }.accounts == ["ada@contoso.com", "grace@contoso.com"])
  }

  /// On macOS the broker's app can be installed, but no app reaches it without a profile or XPC (broker.md §13).
  @Test func macOSHasNoBrokerToCallByURLAndWindowsNoneToRemove() throws {
    let mac = try BrokerLab { $0.device.platform = .macOS }
    #expect(try mac.row().broker.hasPrefix("not used: macOS has no broker"))
    let windows = try BrokerLab { $0.device.platform = .windows }
    #expect(throws: LabError.self) { try windows.lab.perform(RemoveBroker()) }
  }
}
