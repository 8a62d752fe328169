import Foundation
import Testing

@testable import DoctorTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSODoctor

/// Configuration profiles of the Enterprise SSO plug-in (docs/behaviour/broker.md §13).
struct SSOProfileTests {
  private func findings(_ text: String, besides files: [String: String] = [:]) throws -> [DoctorCheck] {
    try withFolder(of: files.merging(["sso.mobileconfig": text]) { $1 }) { folder in
      try Doctor.examine((files.keys.sorted() + ["sso.mobileconfig"]).map { folder + "/" + $0 }).findings
    }
  }

  /// The text and the screen list checks by subject, so each check belongs to one of them.
  @Test func aProfileIsASubject() throws {
    let text = ProfileFixture.text.replacing("AppPrefixAllowList", with: "AppPrefixAlowList")
    let diagnosis = try withFolder(of: ["sso.mobileconfig": text]) {
      try Doctor.examine([$0 + "/sso.mobileconfig"])
    }
    #expect(diagnosis.subjects.flatMap { diagnosis.checks(of: $0) } == diagnosis.checks)
    #expect(!diagnosis.findings.isEmpty)
  }

  @Test func aProfileAsDocumentedHasNoFinding() throws {
    #expect(try findings(ProfileFixture.text) == [])
    let onIOS = ProfileFixture.text.replacing(
      "com.microsoft.CompanyPortalMac", with: "com.microsoft.azureauthenticator"
    )
    .replacing("UBF8T346G9", with: "")
    #expect(try findings(onIOS) == [])
  }

  /// Apple's page of the payload lists PlatformSSO for macOS only.
  @Test(
    arguments: [
      "<key>PlatformSSO</key><dict><key>AuthenticationMethod</key><string>Password</string></dict>",
      "<key>AuthenticationMethod</key><string>Password</string>",
    ])
  func platformSSOIsForMacOSOnly(_ keys: String) throws {
    let onMacOS = ProfileFixture.text.replacing("<key>Type</key>", with: keys + "<key>Type</key>")
    #expect(try findings(onMacOS) == [])
    let found = try findings(
      onMacOS.replacing("com.microsoft.CompanyPortalMac", with: "com.microsoft.azureauthenticator"))
    #expect(found.map(\.rule) == [.ssoKeys] && found.first?.mistake == "Only macOS has Platform SSO")
  }

  @Test(
    arguments: [
      ("com.microsoft.CompanyPortalMac.ssoextension", "com.contoso.extension", .ssoExtension),
      ("UBF8T346G9", "SGGM6D27TK", .ssoExtension), (">Redirect<", ">Credential<", .ssoExtension),
      ("https://login.microsoftonline.com", "https://login.microsoft.com", .ssoURLs),
      ("https://sts.windows.net", "sts.windows.net", .ssoURLs),
      ("https://sts.windows.net", "https://sts.windows.net/?a=1", .ssoURLs),
      ("https://sts.windows.net", "https://sts.windws.net", .ssoURLs),
      ("AppPrefixAllowList", "AppPrefixAlowList", .ssoKeys),
      ("ExtensionData", "ExtensionDate", .ssoKeys),
      (
        "<string>com.apple.,com.microsoft.</string>", "<array><string>com.apple.</string></array>", .ssoLists
      ),
    ] as [(String, String, DoctorRule)])
  func aMistakeIsFoundAtItsLine(_ right: String, _ wrong: String, _ rule: DoctorRule) throws {
    let text = ProfileFixture.text.replacing(right, with: wrong)
    let found = try findings(text)
    #expect(found.map(\.rule) == [rule])
    let line = text.split(separator: "\n").firstIndex { $0.contains(wrong) }.map { $0 + 1 }
    let place = try #require(found.first?.place.line)
    #expect(abs(place - (line ?? 0)) <= 1)
  }

  @Test func anAppThatTheProfileDeniesIsNamed() throws {
    let text = ProfileFixture.text.replacing(
      "<key>Type</key>",
      with:
        "<key>DeniedBundleIdentifiers</key><array><string>com.contoso.notes</string></array><key>Type</key>")
    let info = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.contoso.notes</string>
        <key>LSMinimumSystemVersion</key><string>13.0</string>
      </dict></plist>
      """
    let found = try findings(text, besides: ["Info.plist": info]).filter { $0.subject == "SSO" }
    #expect(found.map(\.rule) == [.ssoDenied])
    #expect(found.map(\.check.name) == ["the profile does not deny com.contoso.notes"])
  }

  /// Custom hosts, and the keys that every payload has, are not checked.
  @Test func whatIsNotMicrosoftsIsNotChecked() throws {
    let text = ProfileFixture.text
      .replacing("https://sts.windows.net", with: "https://adfs.contoso.com")
      .replacing("<key>Type</key>", with: "<key>PayloadVersion</key><integer>1</integer><key>Type</key>")
    #expect(try findings(text) == [])
  }

  @Test func thePayloadIsReadForTheLab() throws {
    let payload = try SSOProfileFacts.payload(in: Data(ProfileFixture.text.utf8), path: "sso.mobileconfig")
    #expect(payload["PayloadType"] == nil && payload["TeamIdentifier"] == "UBF8T346G9")
    #expect(payload["ExtensionData"]?["AppPrefixAllowList"] == "com.apple.,com.microsoft.")
  }

  @Test func aSignedProfileIsRead() throws {
    try withFolder(of: [
      "sso.mobileconfig": Data([0x30, 0x82, 0x01]) + Data(ProfileFixture.text.utf8) + Data([0, 1])
    ]) {
      let findings = try Doctor.examine([$0 + "/sso.mobileconfig"]).findings
      #expect(findings == [])
    }
  }

  @Test(arguments: ["", "<plist version=\"1.0\"><dict/></plist>"])
  func anotherFileIsAnError(_ text: String) throws {
    _ = try withFolder(of: ["sso.mobileconfig": text]) { folder in
      #expect(throws: UnreadableProject.self) { _ = try Doctor.examine([folder + "/sso.mobileconfig"]) }
    }
  }
}
