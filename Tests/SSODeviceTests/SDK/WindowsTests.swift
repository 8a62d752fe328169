import SSOCore
import SSOProvider
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// A PC, on which the lab simulates MSAL.NET's sign-in with the account picker and nothing else (docs/behaviour/broker.md §2(8)).
struct WindowsTests {
  private static let app = BrokerLab.app
  private static let user = "ada@contoso.com"

  /// Returns a lab with an app that has tokens of iOS, moved to a PC.
  private func lab(_ change: (inout LabWorld) -> Void = { _ in }) throws -> BrokerLab {
    let world = try BrokerLab { world in
      world.registrations[0].redirectURIs.append(
        RedirectOwner.webAccountManager(clientID: world.apps[0].clientID))
      change(&world)
    }
    #expect(try world.signIn().0.verdict == .succeeded)
    _ = try world.perform(EditRecord(.device, record: "device-1", [try FieldChange("platform=Windows")]))
    return world
  }

  @Test func noCallReadsTheKeychainOfIOS() throws {
    let world = try lab()
    let calls: [any Intent] = [
      GetCurrentAccount(app: Self.app), SignOut(app: Self.app), AcquireSilently(app: Self.app),
      TransferAccount(from: nil, to: Self.app), EnrollApp(app: Self.app, account: Self.user),
    ]
    for call in calls {
      let (outcome, hops) = try world.perform(call)
      #expect(outcome.verdict == .failed && outcome.summary.contains("not MSAL.NET"), "\(call)")
      #expect(!hops.contains { $0.to.isStorage }, "\(call)")
    }
    let (outcome, hops) = try world.perform(SignIn(app: Self.app, account: Self.user), BrokerLab.answers)
    #expect(outcome.verdict == .succeeded && !hops.contains { $0.to.isStorage }, "\(hops.map(\.action))")
  }

  @Test func noListHasTheTokensOfAnIPhone() throws {
    let world = try lab()
    #expect(try world.lab.read { try $0.tokens.rows().isEmpty })
    let accounts = try world.lab.read { try $0.accounts.rows() }
    #expect(accounts.allSatisfy { $0.places == ["broker"] && $0.apps.isEmpty })
    #expect(try world.lab.read { try $0.accounts.itemCount() } == 0)
    #expect(try world.lab.read { try $0.why.account(Self.user) }.answer.contains("not MSAL.NET"))
    let (forgotten, _) = try world.perform(ForgetAccount(account: Self.user))
    #expect((forgotten.effects ?? []).contains { "\($0)".contains("not MSAL.NET") })
    // The items are still there: a device of iOS lists them again.
    _ = try world.perform(EditRecord(.device, record: "device-1", [try FieldChange("platform=iOS")]))
    #expect(try world.lab.read { try !$0.tokens.rows().isEmpty })
  }

  @Test(arguments: [
    ("foo", "ArgumentException", "well-formed URI format"),
    ("http://login.microsoftonline.com/common", "ArgumentException", "must use HTTPS scheme"),
    ("https://login.microsoftonline.com", "ArgumentException", "at least one segment"),
    ("https://login.unknown.example/common", "MsalServiceException", "AADSTS50049"),
  ])
  func aWrongAuthorityIsRefusedAsByMSALNET(_ url: String, _ name: String, _ text: String) throws {
    let world = try lab()
    let call = SignIn(app: Self.app, account: Self.user, options: CallOptions(authority: url))
    let (outcome, _) = try world.perform(call, BrokerLab.answers)
    #expect(outcome.verdict == .failed && outcome.errorDomain == name, "\(outcome)")
    #expect(outcome.errorText?.contains(text) == true, "\(outcome)")
    #expect((outcome.error?.symbol == "invalid_instance") == (name == "MsalServiceException"))
    #expect(outcome.errorText?.hasPrefix(name.hasPrefix("Msal") ? "Microsoft." : "System.") == true)
  }

  @Test func noClientIDHasItsExceptionAndReservedScopesAreAccepted() throws {
    let world = try lab()
    let call = SignIn(app: Self.app, account: Self.user, scopes: ["openid"])
    #expect(try world.perform(call, BrokerLab.answers).0.verdict == .succeeded)
    _ = try world.perform(EditRecord(.app, record: Self.app, [try FieldChange("clientID=")]))
    let (outcome, _) = try world.perform(call, BrokerLab.answers)
    #expect(outcome.error?.symbol == "no_client_id")
    #expect(outcome.errorText?.contains("No ClientId was specified. ") == true)
  }

  @Test func theBrokerBelongsToTheSystem() throws {
    let world = try BrokerLab("contoso-suite") { $0.device.platform = .windows }
    #expect(try world.lab.read { $0.device.brokerVersion != nil })
    #expect(try world.lab.read { try $0.status.broker().isOfSystem })
    #expect(throws: LabError.self) { try world.perform(InstallBroker()) }
    _ = try world.perform(EditRecord(.device, record: "device-1", [try FieldChange("platform=iOS")]))
    #expect(try world.lab.read { $0.device.brokerVersion == nil })
  }

  @Test func anAppWithADALIsRefused() throws {
    let world = try lab()
    #expect(throws: LabError.self) {
      try world.perform(AddRecord(.app, record: "com.adal.win", [try FieldChange("sdk=ADAL")]))
    }
    #expect(throws: LabError.self) {
      try world.perform(EditRecord(.app, record: Self.app, [try FieldChange("sdk=ADAL")]))
    }
  }
}
