import DoctorTestSupport
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOStore
import Testing

@testable import SSODoctor
@testable import SSOTermApp

/// The doctor's findings match the app's call: the project is imported into a lab, and the call is made.
@Suite struct DoctorAgainstCallsTests {
  private static let codes: Set = ["-42001", "-42011", "-34018"]

  /// The mistakes in the app Mail that affect a call before any prompt.
  static let mistakes = XcodeMistake.all.filter {
    $0.code.map(codes.contains) == true && $0.rule != .intuneRedirect && !$0.place.hasPrefix("Calendar")
  }

  @Test(arguments: mistakes) func theCallPrintsWhatTheDoctorSays(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    let diagnosis = try fixture.diagnosis()
    let refusal = try #require(diagnosis.findings.first?.refusal)
    let lab = Lab(store: try WorldStore.open(.memory, create: true))
    try lab.create(
      named: "empty", seed: 1,
      LabWorld(
        device: Device(id: "phone", name: "phone", platform: .iOS), tenants: [], people: [],
        registrations: [],
        apps: [], brokerAccounts: []))
    let records = try diagnosis.records(named: "Suite", target: nil, clientID: nil)
    _ = try lab.perform(ImportProject(records))
    let performed = try lab.perform(
      AcquireSilently(app: "com.contoso.mail", account: nil, scopes: [], forceRefresh: false))
    guard case .done(let outcome, _) = performed else {
      Issue.record("the call asks somebody")
      return
    }
    // The call appends its correlation ID.
    #expect(
      outcome.errorText?.hasPrefix(refusal.text.dropLast()) == true,
      "\(outcome.errorText ?? outcome.summary), expected \(refusal.text)")
  }

  @Test func thereAreMistakesToTry() { #expect(Self.mistakes.count >= 5) }
}
