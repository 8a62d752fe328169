import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// One mistake in an otherwise correct project leads to exactly one finding, at its line and with its code.
@Suite struct XcodeMistakeTests {
  @Test func aCleanPairOfAppsHasNoFinding() throws {
    let diagnosis = try XcodeFixture().diagnosis()
    #expect(diagnosis.findings.map(\.rule) == [])
    #expect(diagnosis.unread == [])
    #expect(diagnosis.apple.map(\.name) == ["Mail", "Calendar"])
    #expect(diagnosis.apple.map(\.clientID?.value) == [XcodeFixture.clientID, XcodeFixture.clientID])
    #expect(
      diagnosis.apple.map(\.source?.redirectURI.found?.value) == ["msauth.com.contoso.mail://auth", nil])
    #expect(
      diagnosis.apple.map(\.source?.authority.found?.value) == [
        "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/organizations",
      ])
  }

  @Test(arguments: XcodeMistake.all)
  func oneMistakeIsOneFinding(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.rule) == [mistake.rule], "\(findings)")
    let finding = try #require(findings.first)
    #expect(finding.severity == mistake.severity)
    #expect(finding.refusal?.code == mistake.code)
    #expect(finding.place.description.hasSuffix("/" + mistake.place), "\(finding.place)")
    #expect(mistake.code == nil || !finding.explanations.isEmpty)
    #expect(mistake.severity == .notFilledIn || finding.fix?.isEmpty == false)
  }

  /// Each rule has its row in the document, with the same number of reports.
  @Test func theDocumentListsEveryRule() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/behaviour/real-apps.md").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    var reports: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells: [String] = line.split(separator: "|").map { String($0).trimmed }
      guard cells.count >= 4 else { continue }
      reports[cells[0].replacing("`", with: "")] = cells[3]
    }
    #expect(Set(reports.keys).isSuperset(of: DoctorRule.all.map(\.name)))
    for rule in DoctorRule.all {
      let count = rule.reports.map { "\($0)" } ?? ""
      #expect(reports[rule.name] == count, "\(rule.name)")
    }
  }

  /// macOS checks neither the scheme nor the query schemes, and has its own rule.
  @Test func aMacAppWithoutTeamNeedsTheRedirectURIOfUnsignedApps() throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace("msauthv3", with: "other", in: "Mail/Info.plist")
    #expect(try fixture.diagnosis().findings.map(\.rule) == [])
    fixture.replace("\tDEVELOPMENT_TEAM = A1B2C3D4E5;\n", with: "", in: XcodeMistake.projectFile)
    #expect(try fixture.diagnosis().findings.map(\.rule) == [.macTeam, .macTeam])
  }

  @Test func aProjectWithoutMSALIsPassedOver() throws {
    var fixture = XcodeFixture()
    for file in [
      "Mail/SignIn.swift", "Mail/SceneDelegate.swift", "Calendar/SignIn.m", "Calendar/SceneDelegate.swift",
    ] {
      fixture.files[file] = "import UIKit\n"
    }
    // This applies only to a library that the app does not link.
    fixture.files["Mail/SignIn.swift"] = "#if canImport(MSAL)\nimport MSAL\n#endif\n"
    let diagnosis = try fixture.inFolder { try Doctor.examine([$0]) }
    #expect(diagnosis.isEmpty && diagnosis.checks.isEmpty)
  }

  @Test func anotherConfigurationIsCheckedOnlyWhereItDiffers() throws {
    var fixture = XcodeFixture()
    let project = try #require(fixture.files[XcodeMistake.projectFile])
    let debug = try #require(project.range(of: "com.contoso.mail;"))
    fixture.files[XcodeMistake.projectFile] = project.replacingCharacters(
      in: debug, with: "com.contoso.mail.debug;")
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.apple.map(\.subject) == ["Mail", "Mail (Debug)", "Calendar"])
    #expect(diagnosis.findings.map(\.rule) == [.redirectRegistered])
    #expect(diagnosis.findings.map(\.subject) == ["Mail (Debug)"])
  }

  @Test func aFileThatIsNamedAndMissingIsToldAndNotGuessed() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/Info.plist"] = nil
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.findings.map(\.mistake) == ["The Info.plist is missing"])
    #expect(diagnosis.unread.map(\.path.lastName) == ["Info.plist"])
  }
}

extension String {
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
