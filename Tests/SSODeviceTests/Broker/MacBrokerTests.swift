import SSOCore
import SSOProvider
import Testing

@testable import LabTestSupport
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// Today's broker of macOS, which MSAL calls by XPC (docs/behaviour/broker.md §13).
struct MacBrokerTests {
  private static let app = BrokerLab.app

  private func lab(_ change: (inout InstalledApp) -> Void = { _ in }) throws -> BrokerLab {
    try BrokerLab { world in
      world.device.platform = .macOS
      world.apps[0] = PlatformDefaults(.macOS).moving(world.apps[0])
      change(&world.apps[0])
    }
  }

  /// Only the broker that is called by a URL refuses app extensions.
  @Test func anAppExtensionMayAskTheBroker() throws {
    let world = try lab { app in
      app.xpcMode = .primary
      app.isExtension = true
    }
    let failed = try world.lab.read { reader in
      try reader.sdk(of: reader.app(Self.app)).brokerDecision().filter { $0.verdict == .failed }
    }
    #expect(failed.isEmpty, "\(failed)")
  }

  /// The refresh token in the app's cache is not used while the broker can be asked.
  @Test func aBrokerWithoutTheAccountIsTheReason() throws {
    let world = try lab()
    let person = "alan@contoso.com"
    _ = try world.perform(AddRecord(.person, record: person, [try FieldChange("password=enigma")]))
    let (signedIn, _) = try world.signIn(
      answers: [.username(person), .password("enigma"), .accept])
    #expect(signedIn.verdict == .succeeded, "\(signedIn)")
    _ = try world.perform(EditRecord(.app, record: Self.app, [try FieldChange("xpcMode=primary")]))
    let (outcome, _) = try world.perform(AcquireSilently(app: Self.app, forceRefresh: true))
    #expect(outcome.failedCheck?.name == "the broker has the account", "\(outcome)")
    let why = try world.lab.read { try $0.why.app(Self.app) }
    #expect(!why.answer.contains("cache may be used"), "\(why.answer)")
  }
}
