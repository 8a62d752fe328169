import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// The values that the page gets, the files beside a checked app, and the forms of files that the SDKs read.
@Suite struct PageEnvironmentTests {
  private static let id = AndroidFixture.clientID
  private static let package = #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#

  private static func findings(_ files: [String: String], _ more: [String] = []) throws -> [DoctorCheck] {
    try withFolder(of: files) { folder in try Doctor.examine([folder] + more.map { folder + "/" + $0 }) }
      .findings
  }

  @Test func whatIsBesideACheckedAppIsNamed() throws {
    let files = [
      "page/package.json": Self.package, "page/src/a.js": "const auth = { clientId: '\(Self.id)' };",
      "api/requirements.txt": "msal==1.30\n",
      "page/server/package.json": #"{ "dependencies": { "@azure/msal-node": "3" } }"#,
    ]
    let uses = try withFolder(of: files) { try Doctor.examine([$0]) }.uses
    #expect(Set(uses.map(\.library)) == ["MSAL Python", "MSAL Node"])
  }

  @Test func aPolicyAtTheHostOfEntraIsSeen() throws {
    let findings = try Self.findings([
      "package.json": Self.package,
      "src/a.js":
        "const auth = { clientId: '\(Self.id)', authority: 'https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_in' };",
    ])
    #expect(
      findings.map(\.rule) == [.authority] && findings.first?.fix?.contains("contoso.b2clogin.com") == true)
  }

  /// A value that the bundler does not put into the page is not the page's.
  @Test(arguments: [
    ("react-scripts", "process.env.CLIENT_ID", false),
    ("react-scripts", "process.env.REACT_APP_CLIENT_ID", true),
    ("vite", "import.meta.env.CLIENT_ID", false), ("vite", "import.meta.env.VITE_CLIENT_ID", true),
    ("vite", "process.env.VITE_CLIENT_ID", false), ("webpack", "process.env.CLIENT_ID", true),
  ])
  func onlyWhatTheBundlerPublishesIsRead(_ bundler: String, _ variable: String, _ isRead: Bool) throws {
    let files = [
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "4", "\#(bundler)": "5" } }"#,
      "src/a.js": "const auth = { clientId: \(variable) };",
      ".env": "\(variable.split(separator: ".").last ?? "")=\(Self.id)\n",
    ]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect((diagnosis.web.first?.clientID != nil) == isRead)
  }

  @Test(arguments: [
    "redirectUri: 'localhost:3000'",
    "authority: 'https://contoso.ciamlogin.com/contoso.onmicrosoft.com/B2C_1_in'",
  ])
  func aPageWithOneMistakeHasOneFinding(_ members: String) throws {
    let findings = try Self.findings([
      "package.json": Self.package, "src/a.js": "const auth = { clientId: '\(Self.id)', \(members) };",
    ])
    #expect(findings.map(\.severity) == [.fails], "\(findings)")
  }

  /// MSAL for Android reads its configuration with comments.
  @Test func aConfigurationMayHaveComments() throws {
    var fixture = AndroidFixture()
    let text = try #require(fixture.files[AndroidFixture.configuration])
    fixture.files[AndroidFixture.configuration] =
      "\u{FEFF}// ours\n" + text.replacing("{", with: "{ /* \"x\" */\n")
    let diagnosis = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
    #expect(diagnosis.unread == [] && diagnosis.android.first?.configurations.count == 1)
  }

  @Test func twoTargetsOfOneNameAreTwoApps() throws {
    var files = XcodeFixture().files
    for (path, text) in files where path.hasPrefix("Suite") || path.hasPrefix("Mail") {
      files["mac/" + path] = text
    }
    let subjects = try withFolder(of: files) { try Doctor.examine([$0]) }.subjects.map(\.name)
    #expect(Set(subjects).count == subjects.count, "\(subjects)")
  }

  /// A published template leaves it to each developer.
  @Test func anEmptyClientIDIsNotFilledIn() throws {
    let findings = try Self.findings([
      "package.json": Self.package,
      "src/a.js":
        "const auth = { clientId: '', authority: 'https://login.microsoftonline.com/contoso.com', redirectUri: 'https://board.contoso.com' };",
    ])
    #expect(findings.map(\.severity) == [.notFilledIn], "\(findings)")
  }
}
