import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// Errors that `LabPropertyTests` found to be thrown: each is now an outcome with a code.
@Suite struct RefusalTests {
  @Test(arguments: ["contoso-suite", "F1-adal-2.7-reads-msal"])
  func aLockedDeviceRefusesToSignAnybodyOut(_ scenario: String) throws {
    let lab = try BrokerLab(scenario) { $0.device.isLocked = true }
    let app = try #require(try lab.lab.read { try $0.apps.rows() }.first)
    let (outcome, hops) = try lab.perform(SignOut(app: app.bundleID, account: nil))
    #expect(outcome.verdict == .failed)
    #expect(outcome.errorCode == KeychainError.interactionNotAllowed.number)
    #expect(hops.last?.action == "error")
  }

  @Test func theBrokerRefusesAnAnswerThatBreaksOff() throws {
    let lab = try BrokerLab { $0.registrations[0].isPreauthorized = true }
    _ = try lab.perform(AddFault(Fault(.token, .truncated(bytes: 20))))
    let (outcome, _) = try lab.signIn()
    #expect(outcome.verdict == .failed)
    #expect(outcome.errorCode == -42600)
    #expect(outcome.summary == "The answer does not contain an access_token.")
  }

  @Test func aRequestThatIsToWaitForTheBrokerNeedsItsKey() throws {
    let lab = try BrokerLab("A4-broker-from-the-store") { $0.apps[0].keychainAccessGroups = [] }
    let (outcome, _) = try lab.signIn(
      "com.contoso.mytestapp1",
      answers: [.accept, .username("ada@contoso.com"), .password("analytical-engine")])
    #expect(outcome.verdict == .failed)
    #expect(outcome.errorCode == -42708)
    #expect(outcome.summary == "Could not write broker key -34018")
  }
}
