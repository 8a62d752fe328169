import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// Mistakes in projects for iOS that public projects have, and that were once missed or fixed in the wrong place.
@Suite struct OutsideAppleTests {
  private static func findings(_ fixture: XcodeFixture) throws -> [DoctorCheck] {
    try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings
  }

  /// The redirect URI of the Android app, in the code of the iOS app.
  @Test func androidsRedirectURIIsMendedInTheCode() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "msauth.\\(Bundle.main.bundleIdentifier!)://auth",
      with: "msauth://com.contoso.mail/\(AndroidFixture.encodedHash)", in: "Mail/SignIn.swift")
    let findings = try Self.findings(fixture)
    #expect(findings.map(\.mistake) == ["The redirect URI is that of Android"], "\(findings)")
    #expect(findings.first?.fix == "msauth.com.contoso.mail://auth")
    #expect(findings.first?.place.path.hasSuffix("SignIn.swift") == true)
  }

  @Test func schemesAreAnArray() throws {
    var fixture = XcodeFixture()
    let text = try #require(fixture.files["Mail/Info.plist"])
    fixture.files["Mail/Info.plist"] = text.replacing(
      "<array>\n        <string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>\n      </array>",
      with: "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>")
    #expect(fixture.files["Mail/Info.plist"] != text)
    let findings = try Self.findings(fixture)
    #expect(findings.map(\.mistake) == ["CFBundleURLSchemes is not an array"], "\(findings)")
    #expect(findings.first?.place.line == 11)
  }

  @Test func aMissingEntitlementsFileIsAFindingOfItsSetting() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/Mail.entitlements"] = nil
    let diagnosis = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
    #expect(
      diagnosis.findings.map(\.mistake) == ["The entitlements file is missing"], "\(diagnosis.findings)")
    #expect(diagnosis.findings.first?.place.path.hasSuffix("project.pbxproj") == true)
    #expect(diagnosis.findings.first?.place.line != nil && diagnosis.unread == [])
  }

  @Test func anEmptyDictionaryIsMended() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/Mail.entitlements"] = "<plist version=\"1.0\">\n<dict/>\n</plist>\n"
    try withFolder(of: fixture.files) { folder in
      let finding = try #require(try Doctor.examine([folder]).findings.first)
      let repair = try #require(Repair(finding))
      try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
      #expect(try Doctor.examine([folder]).findings == [])
    }
  }
}
