import SSOReference
import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// Policies reject an app that requests tokens itself, and allow what the broker requests for it (claims A2, A3, D4,
/// E2).
@Suite struct PolicyTests {
  static let typed: [Answer] = [.username("ada@contoso.com"), .password("analytical-engine"), .accept]
  /// The same answers in the app's own web session, before which iOS shows an alert.
  static let typedInApp = [.accept] + typed

  struct Refusal: CustomTestStringConvertible {
    var requirement: Policy.Requirement
    var aadsts: Int
    var testDescription: String { "\(requirement.rawValue) without the broker: AADSTS\(aadsts)" }
  }

  private func policy(_ requirement: Policy.Requirement) -> Policy {
    Policy(name: "Guard", requires: requirement)
  }

  /// Returns a lab with this policy.
  ///
  /// `app` changes the app of the scenario.
  private func lab(
    _ requirement: Policy.Requirement, broker: Bool = true, _ app: (inout InstalledApp) -> Void = { _ in }
  ) throws -> BrokerLab {
    try BrokerLab { world in
      world.policies = [policy(requirement)]
      world.registrations[0].isApprovedApp = true
      if !broker { world.device.brokerVersion = nil }
      app(&world.apps[0])
    }
  }

  @Test(arguments: [
    Refusal(requirement: .registeredDevice, aadsts: 50129),
    Refusal(requirement: .compliantDevice, aadsts: 53000),
    Refusal(requirement: .approvedApp, aadsts: 50127),
    Refusal(requirement: .appProtection, aadsts: 50127),
  ])
  func withoutTheBrokerTheAppIsSentToInstallIt(_ refusal: Refusal) throws {
    let world = try lab(refusal.requirement, broker: false)
    let (outcome, hops) = try world.signIn(answers: Self.typedInApp)
    #expect(outcome.verdict == .failed)
    #expect(outcome.summary.contains("waits for the broker"))
    #expect(outcome.failedCheck?.name.hasPrefix("policy “Guard”: ") == true)
    #expect(AADSTSCode(number: refusal.aadsts).map(AADSTSCode.ofPolicies.contains) == true)
    #expect(hops.contains { $0.to == .provider && $0.result.hasSuffix("AADSTS\(refusal.aadsts)") })
    #expect(try world.lab.read { try $0.tokens.rows() }.isEmpty)
  }

  /// No condition on the redirect URI or the broker setting precedes the link (docs/behaviour/broker.md §10(2)).
  @Test func anAppThatNeverAsksTheBrokerIsSentToInstallItToo() throws {
    let world = try lab(.compliantDevice) { $0.brokerUse = .none }
    let outcome = try world.signIn(answers: Self.typedInApp).0
    #expect(outcome.summary.contains("waits for the broker"))
    #expect(outcome.failedCheck?.found == "no device ID: only the broker sends one")
  }

  @Test(
    arguments: [
      ("ada@contoso.com", nil, Platform.iOS, -50001, "Workplace join is required"),
      ("", nil, .iOS, -42008, "App install link is missing. Incorrect URL returned from server"),
      (
        "ada@contoso.com", "https://apps.apple.com/app/x", .macOS, -42008,
        "Trying to install broker on macOS, where it's not currently supported"
      ),
    ] as [(String, String?, Platform, Int, String)])
  func aPageThatAsksForTheBrokerAndCannotHaveIt(
    _ username: String, _ link: String?, _ platform: Platform, _ code: Int, _ text: String
  ) throws {
    let world = try BrokerLab { $0.device.platform = platform }
    let now = try world.lab.read { $0.now }
    try world.lab.store.write(nil) { store in
      let intent = try IntentTransaction(store, realTime: now)
      let app = try intent.app(BrokerLab.app)
      let error = #expect(throws: SDKError.self) {
        try MSALInteraction(client: MSALClient(intent.runtime.context(of: app))).end(
          with: .joinWorkplace(username: username, appLink: link), [:], "correlation")
      }
      #expect(error?.preciseCode == code)
      #expect(error?.description == text)
      #expect(error?.userInfo == (code == -50001 ? [NameValue("MSALDisplayableUserIdKey", username)] : []))
    }
  }

  @Test func whoeverInstallsTheBrokerGetsTheAnswerToTheRequestThatWaits() throws {
    let world = try lab(.registeredDevice, broker: false)
    _ = try world.signIn(answers: Self.typedInApp)
    let install = InstallBroker(version: nil, managed: nil)
    let (outcome, hops) = try world.perform(install, BrokerLab.answers)
    #expect(outcome.verdict == .succeeded)
    #expect(
      outcome.summary
        == "The broker 6.8.30 is installed by the user, for the whole device. It answered the request that "
        + "My Test App 1 had left: token for ada@contoso.com.")
    #expect(hops.contains { $0.action == "read pasteboard WPJ" })
    #expect(try world.row().accounts == ["ada@contoso.com"])
    #expect(try world.lab.undo() == "install the broker")
    #expect(try world.row().accounts.isEmpty)
  }

  @Test(arguments: [Policy.Requirement.registeredDevice, .approvedApp])
  func throughTheBrokerItIsGranted(_ requirement: Policy.Requirement) throws {
    let world = try lab(requirement)
    let (outcome, hops) = try world.signIn()
    #expect(outcome.source == "broker")
    let checks = hops.flatMap(\.checks).filter { $0.name.hasPrefix("policy") }
    #expect(!checks.isEmpty && checks.allSatisfy { $0.verdict == .passed })
    let silent = AcquireSilently(app: BrokerLab.app, account: nil, scopes: [], forceRefresh: true)
    #expect(try world.perform(silent).0.source == "app refresh token")
  }

  /// The broker asks for the password, whatever app calls and without a policy, and registers the device again.
  @Test func thePrimaryRefreshTokenOfADeletedDeviceIsRefused() throws {
    let world = try BrokerLab()
    #expect(try world.signIn().0.source == "broker")
    let (deleted, _) = try world.perform(UnregisterDevice("iPhone"))
    #expect(deleted.summary == "Ada's iPhone is deleted from the directory of Contoso.")
    let again = try world.perform(UnregisterDevice("iPhone")).0.summary
    #expect(again == "Ada's iPhone is registered in no directory.")
    let call = SignIn(app: BrokerLab.app, account: "ada@contoso.com", scopes: [], prompt: .whenRequired)
    let (outcome, hops) = try world.perform(call, [.password("analytical-engine")])
    #expect(outcome.source == "broker")
    let check = hops.flatMap(\.checks).first { $0.name == "device of the primary refresh token" }
    #expect(check?.verdict == .failed)
    #expect(hops.contains { $0.result.hasSuffix("AADSTS700003") })
    #expect(try world.perform(UnregisterDevice("iPhone")).0.summary == deleted.summary)
  }

  @Test func complianceDecidesThenAndNow() throws {
    let world = try lab(.compliantDevice)
    let refused = try world.signIn().0
    #expect(refused.errorCode == -50002)
    #expect(refused.failedCheck?.found == "not managed")
    #expect(refused.errorText?.contains("MSALOAuthSubErrorKey=additional_action") == true)
    #expect(refused.next == nil)
    _ = try world.perform(SetCompliance(true))
    #expect(try world.signIn().0.verdict == .succeeded)
    _ = try world.perform(SetCompliance(false))
    let silent = AcquireSilently(app: BrokerLab.app, account: nil, scopes: [], forceRefresh: true)
    let late = try world.perform(silent).0
    #expect(late.errorCode == -50002)
    #expect(late.failedCheck?.found == "not compliant")
  }

  @Test func anAdministratorsInstallMakesTheDeviceCompliant() throws {
    let world = try lab(.compliantDevice)
    _ = try world.perform(InstallBroker(version: nil, managed: BrokerManagement()))
    #expect(try world.lab.read { try $0.status.conditionalAccess() }.isCompliant == true)
    #expect(try world.signIn().0.verdict == .succeeded)
  }

  @Test func anAppOffTheListStaysOutside() throws {
    let world = try BrokerLab { $0.policies = [policy(.approvedApp)] }
    let outcome = try world.signIn().0
    #expect(outcome.errorCode == -50002)
    #expect(outcome.errorText?.contains("AADSTS53002") == true)
    #expect(outcome.errorText?.contains("MSALOAuthSubErrorKey=message_only") == true)
  }

  @Test func appProtectionNeedsCapabilityThenEnrolment() throws {
    let incapable = try lab(.appProtection).signIn().0
    #expect(incapable.errorText?.contains("AADSTS53009") == true)
    let world = try lab(.appProtection) { $0.clientCapabilities = ["ProtApp"] }
    let refused = try world.signIn().0
    #expect(refused.errorCode == -50004)
    #expect(
      refused.errorText?.hasPrefix(
        "Error Domain=MSALErrorDomain Code=-50004 \"(null)\" UserInfo={MSALErrorDescriptionKey=AADSTS53005: "
          + "Application needs to enforce Intune protection policies.") == true)
    #expect(refused.errorText?.contains("MSALOAuthSubErrorKey=protection_policy_required") == true)
    _ = try world.perform(EnrollApp(app: BrokerLab.app, account: "ada@contoso.com"))
    #expect(try world.signIn().0.source == "broker")
  }

  @Test func aPolicyCoversTenantPersonAndApp() throws {
    let person = DirectoryUser(
      objectID: "o", homeTenantID: "t", username: "Ada@contoso.com", displayName: "Ada", password: "x")
    func covers(_ policy: Policy) -> Bool { policy.covers(person, tenantID: "T", clientID: "C") }
    #expect(covers(Policy(name: "", requires: .compliantDevice)))
    #expect(
      covers(
        Policy(
          name: "", requires: .compliantDevice, tenantID: "t", username: "ada@contoso.com", clientID: "c")))
    #expect(!covers(Policy(name: "", requires: .compliantDevice, tenantID: "u")))
    #expect(!covers(Policy(name: "", requires: .compliantDevice, username: "grace@contoso.com")))
    #expect(!covers(Policy(name: "", requires: .compliantDevice, clientID: "d")))
    #expect(covers(Policy(name: "", requires: .certificate, clientID: "d")))
  }

  @Test func theFirstSignInInTheBrokerRegistersTheDevice() throws {
    let world = try BrokerLab { $0.brokerAccounts = [] }
    #expect(try world.lab.read { try $0.status.conditionalAccess() }.registrations.isEmpty)
    let (outcome, hops) = try world.signIn(answers: Self.typed)
    #expect(outcome.source == "broker")
    #expect(hops.contains { $0.action.hasSuffix("/EnrollmentServer/device") && $0.result == "200" })
    let device = try #require(try world.lab.read { try $0.status.conditionalAccess() }.registrations.first)
    #expect(device.username == "ada@contoso.com")
    let items = try world.lab.read { try $0.keychain.rows(group: Platform.iOS.workplaceJoinGroup) }
    let strings = Dictionary(
      items.filter { $0.key.itemClass == .genericPassword }.map { ($0.key.account, $0.key.service) },
      uniquingKeysWith: { $1 })
    #expect(
      strings == [
        "com.microsoft.workplacejoin.tenantId": device.tenantID,
        "com.microsoft.workplacejoin.registeredUserPrincipalName": "ada@contoso.com",
        "com.microsoft.workplacejoin.thumbprint": device.thumbprint,
        "com.microsoft.workplacejoin.certificateCommonNameIdentifier": device.deviceID,
        "com.microsoft.workplacejoin.cloudEnvironment": "login.microsoftonline.com",
      ])
  }

  @Test func noAppReadsTheDevicesKeychainGroup() throws {
    let world = try BrokerLab()
    let row = try #require(
      try world.lab.read { try $0.keychain.groups() }.first {
        $0.accessGroup == Platform.iOS.workplaceJoinGroup
      })
    #expect(row.readers.isEmpty)
  }

  @Test func theCertificateIsShownByTheBrowserThatTheBrokerOpens() throws {
    let second = "msauth://code/msauth.com.contoso.mytestapp1%3A%2F%2Fauth"
    func world(_ redirects: [String], broker: Bool = true) throws -> BrokerLab {
      try BrokerLab { world in
        world.policies = [policy(.certificate)]
        world.certificates = ["ada@contoso.com"]
        world.brokerAccounts = []
        world.registrations[0].redirectURIs += redirects
        if !broker { world.device.brokerVersion = nil }
      }
    }
    let name: [Answer] = [.username("ada@contoso.com"), .accept]
    let granted = try world([second]).signIn(answers: name)
    #expect(granted.0.source == "broker")
    #expect(granted.1.contains { $0.action == "open the browser" && $0.sent["redirect_uri"] == second })
    let unregistered = try world([]).signIn(answers: [.username("ada@contoso.com"), .cancel])
    #expect(unregistered.0.failedCheck?.name == "redirect URI registered")
    #expect(unregistered.0.failedCheck?.found == second)
    let alone = try world([second], broker: false).signIn(
      answers: [.accept, .username("ada@contoso.com"), .cancel])
    #expect(alone.0.errorCode == -50005)
    #expect(alone.0.failedCheck?.name == "policy “Guard”: certificate")
  }

  @Test func thePredictionKnowsThePolicy() throws {
    let world = try BrokerLab { $0.device.brokerVersion = nil }
    _ = try world.signIn(answers: Self.typedInApp)
    _ = try world.perform(SetPolicy(policy(.compliantDevice)))
    let tokens = try world.lab.read { try $0.tokens.rows() }.filter { $0.type == "AccessToken" }
    _ = try world.perform(ChangeCredentials(.expire, tokens.map(\.id)))
    #expect(try world.row().next.kind == .prompt)
    let silent = AcquireSilently(app: BrokerLab.app, account: nil, scopes: [], forceRefresh: false)
    #expect(try world.perform(silent).0.errorCode == -50002)
    _ = try world.perform(RemovePolicy(name: "guard"))
    #expect(try world.row().next.kind == .appRefreshToken)
    #expect(try world.perform(silent).0.verdict == .succeeded)
  }

  @Test func aDeviceIDThatAClientNamesItselfSatisfiesNoPolicy() throws {
    let situation = AccessSituation(deviceID: nil, isBrokered: false)
    let person = DirectoryUser(
      objectID: "o", homeTenantID: "t", username: "ada@contoso.com", displayName: "Ada", password: "p")
    let question = PolicyEvaluation(
      policy: policy(.registeredDevice), person: person, client: .authenticationBroker,
      resourceID: ProtectedResource.graphAppID, situation: situation, now: Instant(0))
    #expect(question.result.check.verdict == .failed)
  }

  /// The broker signs the user in again, with the number, and its new primary refresh token records that.
  @Test(arguments: [false, true]) func aSecondFactorIsGivenToTheBroker(_ isOfTheApp: Bool) throws {
    let world = try BrokerLab()
    #expect(try world.signIn().0.verdict == .succeeded)
    let client = try world.row().clientID
    _ = try world.perform(
      SetPolicy(Policy(name: "Two", requires: .mfa, clientID: isOfTheApp ? client : nil)))
    let silent = AcquireSilently(app: BrokerLab.app, account: nil, scopes: [], forceRefresh: true)
    let refused = try world.perform(silent).0
    #expect(refused.errorCode == -50002 && refused.failedCheck?.name == "policy “Two”: second factor")
    let asking = SignIn(app: BrokerLab.app, account: nil, scopes: [], prompt: .whenRequired)
    let (outcome, asked) = try answeredAsAsked(asking, of: world)
    #expect(outcome.verdict == .succeeded && outcome.source == "broker")
    #expect(asked.contains("second factor"))
    #expect(try world.perform(silent).0.verdict == .succeeded)
  }

  /// A primary refresh token is as old as the sign-in that it came from, so the broker asks again.
  @Test func theBrokerSignsInAgainWhenASignInIsTooOld() throws {
    let world = try BrokerLab()
    #expect(try world.signIn().0.verdict == .succeeded)
    _ = try world.perform(SetPolicy(Policy(name: "Daily", requires: .signInFrequency, hours: 8)))
    let silent = AcquireSilently(app: BrokerLab.app, account: nil, scopes: [], forceRefresh: true)
    #expect(try world.perform(silent).0.verdict == .succeeded)
    _ = try world.perform(MoveClock(bySeconds: 9 * 3600))
    let refused = try world.perform(silent).0
    #expect(refused.errorCode == -50002 && refused.failedCheck?.name == "policy “Daily”: sign-in frequency")
    let asking = SignIn(app: BrokerLab.app, account: nil, scopes: [], prompt: .whenRequired)
    let (outcome, _) = try answeredAsAsked(asking, of: world)
    #expect(outcome.verdict == .succeeded && outcome.source == "broker")
    #expect(try world.perform(silent).0.verdict == .succeeded)
  }

  /// Performs an intent with Ada's answer to every prompt.
  private func answeredAsAsked(_ intent: any Intent, of world: BrokerLab) throws -> (Outcome, [String]) {
    var (answers, asked): ([Answer], [String]) = ([], [])
    while answers.count < 10 {
      switch try world.lab.perform(intent, answers: answers) {
      case .done(let outcome, _): return (outcome, asked)
      case .needs(.signIn(let page), _):
        guard case .verification(let number) = page.asks else {
          answers.append(page.asks == .password ? Self.typed[1] : Self.typed[0])
          continue
        }
        asked.append("second factor")
        answers.append(.verification(number))
      case .needs(.chooseAccount, _): answers.append(BrokerLab.answers[0])
      case .needs: answers.append(.accept)
      }
    }
    return (Outcome(.failed, "asked without end"), asked)
  }
}
