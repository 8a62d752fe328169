import DoctorTestSupport
import Foundation
import SSOCore
import SSOLab
import Testing

@testable import SSODoctor
@testable import SSOTermApp

/// Diagnosed apps are compared by the lab's own sharing rule.
@Suite struct DiagnosedSharingTests {
  @Test(arguments: [
    ("", true, nil as String?), ("team", false, "same team"), ("client", false, "same client ID"),
    ("group", false, "access group in the other app's entitlements"),
  ])
  func twoAppsShareIfTheRuleHolds(_ broken: String, _ share: Bool, _ condition: String?) throws {
    var fixture = XcodeFixture()
    switch broken {
    case "team":
      let project = try #require(fixture.files["Suite.xcodeproj/project.pbxproj"])
      let halves = project.components(separatedBy: "B02 = {")
      fixture.files["Suite.xcodeproj/project.pbxproj"] =
        halves[0] + "B02 = {" + halves[1].replacing("A1B2C3D4E5", with: "Z9Y8X7W6V5")
    case "client":
      fixture.replace(
        XcodeFixture.clientID, with: "11112222-3333-4444-5555-666677778888", in: "Calendar/SignIn.m")
    case "group":
      fixture.replace("com.microsoft.adalcache", with: "com.contoso.other", in: "Mail/Mail.entitlements")
    default: break
    }
    let sharing = try #require(try DiagnosedSharing(of: fixture.diagnosis(), clientID: nil))
    let mailThenCalendar = try #require(
      sharing.visibility.first { $0.signedIn == "com.contoso.mail" && $0.looking == "com.contoso.calendar" })
    #expect((mailThenCalendar.extent != .nothing) == share)
    #expect(mailThenCalendar.checks.first { $0.verdict == .failed }?.name == condition)
    #expect(sharing.pairs.count == 1)
  }

  /// If one of three apps has another client ID, that app is to be changed, at the place of its client ID.
  @Test(arguments: ["Calendar", "Mail"])
  func theValueToChangeIsTheOddOnes(_ odd: String) throws {
    var fixture = XcodeFixture()
    let file = odd == "Mail" ? "Mail/SignIn.swift" : "Calendar/SignIn.m"
    fixture.replace(XcodeFixture.clientID, with: "11112222-3333-4444-5555-666677778888", in: file)
    let diagnosis = try fixture.diagnosis()
    let failure = try #require(DiagnosedSharing(of: diagnosis, clientID: nil)?.keychainFailures.first ?? nil)
    let remedy = try #require(failure.remedy)
    #expect(failure.found.hasSuffix(" in Calendar") == (odd == "Calendar"))
    #expect(remedy == Remedy(.app, "com.contoso.\(odd.lowercased())", "clientID=\(XcodeFixture.clientID)"))
    let place = try #require(diagnosis.place(of: remedy))
    #expect(place.path.hasSuffix(file) && place.line != nil, "\(place)")
  }
}
