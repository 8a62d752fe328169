import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// The files with which a domain names its apps.
@Suite struct DomainAssociationTests {
  private static let fingerprint = Array(repeating: "A1", count: 32).joined(separator: ":")

  private static func links(_ package: String, _ fingerprint: String) -> String {
    """
    [
      {
        "relation": ["delegate_permission/common.handle_all_urls"],
        "target": {
          "namespace": "android_app",
          "package_name": "\(package)",
          "sha256_cert_fingerprints": ["\(fingerprint)"]
        }
      }
    ]
    """
  }

  @Test(arguments: [
    ("com.contoso.notes", fingerprint, nil, nil),
    ("com.contoso.notes", "sha256-of-your-certificate", nil, nil),
    ("com.contoso.notes", String(fingerprint.prefix(59)), 7, DoctorCheck.Severity.fails),
    ("com.contoso.notes", fingerprint.replacing(":", with: ""), 7, .fails),
    ("com.contoso.other", fingerprint, 6, .worksInSomeCases),
  ])
  func ofAndroid(_ package: String, _ fingerprint: String, _ line: Int?, _ severity: DoctorCheck.Severity?)
    throws
  {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.files["web/.well-known/assetlinks.json"] = Self.links(package, fingerprint)
    let findings = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.place.line) == [line].compactMap(\.self), "\(findings)")
    #expect(findings.first?.severity == severity)
    #expect(findings.allSatisfy { $0.rule == .domainAssociation })
  }

  /// The app of another vendor's library counts too.
  @Test(arguments: [("com.contoso.notes", 0), ("com.contoso.note", 1)])
  func ofAnAppWithoutMSAL(_ package: String, _ count: Int) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"com.contoso.notes\"")
    files["web/.well-known/assetlinks.json"] = Self.links(package, Self.fingerprint)
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == Array(repeating: .domainAssociation, count: count), "\(findings)")
  }

  @Test(arguments: [
    ("A1B2C3D4E5.com.contoso.mail", nil), ("$(TEAM).com.contoso.mail", nil),
    ("TEAMID.com.contoso.mail", nil),
    ("com.contoso.mail", DoctorCheck.Severity.fails), ("A1B2C3D4E5.com.contoso.old", .worksInSomeCases),
  ])
  func ofApple(_ appID: String, _ severity: DoctorCheck.Severity?) throws {
    var fixture = XcodeFixture()
    fixture.files["web/apple-app-site-association"] =
      "{ \"webcredentials\": { \"apps\": [\"\(appID)\"] } }"
    let findings = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.severity) == [severity].compactMap(\.self), "\(findings)")
    #expect(findings.allSatisfy { $0.rule == .domainAssociation })
    #expect(findings.allSatisfy { $0.fix == "\"A1B2C3D4E5.com.contoso.mail\"" })
  }

  /// The system reads lists, and the relations that it knows.
  @Test(arguments: [
    ("[\"delegate_permission/common.handle_all_url\"]", "The relation is misspelt"),
    ("[\"delegate_permission/common.get_login_creds\"]", nil), ("[\"delegate_permission/lamp\"]", nil),
    ("\"delegate_permission/common.handle_all_urls\"", "relation is not a list"),
  ])
  func ofARelation(_ relation: String, _ mistake: String?) throws {
    let text = Self.links("com.contoso.notes", Self.fingerprint)
      .replacing("[\"delegate_permission/common.handle_all_urls\"]", with: relation)
    let findings = try withFolder(of: ["assetlinks.json": text]) {
      try Doctor.examine([$0 + "/assetlinks.json"])
    }.findings
    #expect(findings.map(\.mistake) == [mistake].compactMap(\.self))
  }

  @Test(arguments: [
    ("\"paths\": [\"/in/*\"]", nil), ("\"paths\": \"/in/*\"", "paths is not a list"),
    ("\"appIDs\": \"A1B2C3D4E5.com.contoso.mail\"", "appIDs is not a list"),
  ])
  func ofALink(_ member: String, _ mistake: String?) throws {
    var fixture = XcodeFixture()
    fixture.files["web/apple-app-site-association"] =
      "{ \"applinks\": { \"details\": [{ \"appID\": \"A1B2C3D4E5.com.contoso.mail\", \(member) }] } }"
    let findings = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.mistake) == [mistake].compactMap(\.self))
  }

  /// A file may be given alone; a file of another kind cannot be checked.
  @Test func aLooseFileIsRead() throws {
    let diagnosis = try withFolder(of: ["assetlinks.json": Self.links("com.contoso.notes", "A1:B2")]) {
      try Doctor.examine([$0 + "/assetlinks.json"])
    }
    #expect(diagnosis.findings.map(\.rule) == [.domainAssociation] && diagnosis.subjects.count == 1)
    #expect(throws: UnreadableProject.self) {
      try withFolder(of: ["assetlinks.json": "[]"]) { try Doctor.examine([$0 + "/assetlinks.json"]) }
    }
  }
}
