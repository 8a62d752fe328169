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

  // MARK: App extensions

  /// In an app extension, MSAL takes each scheme for a registered one (`MSIDRedirectUriVerifier.m`).
  @Test(arguments: [true, false], [true, false])
  func anAppExtensionNeedsNoURLTypes(_ isTarget: Bool, _ hasRedirectURI: Bool) throws {
    var fixture = XcodeFixture()
    fixture.becomeExtension(isTarget: isTarget, hasRedirectURI: hasRedirectURI)
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.apple.first { $0.name == "Mail" }?.isExtension == true)
    #expect(diagnosis.findings == [], "\(diagnosis.findings)")
  }

  // MARK: Objective-C

  /// The protocol is in the header, and the method belongs in the implementation.
  @Test(arguments: ["SceneDelegate.m", "SceneDelegate.mm"], [true, false])
  func aDelegateOfObjectiveCIsMendedInItsImplementation(_ file: String, _ declares: Bool) throws {
    var fixture = XcodeFixture()
    fixture.useObjectiveCDelegate(file, declares: declares)
    let finding = try #require(try fixture.diagnosis().findings.first)
    #expect(finding.rule == .callback && finding.place.path.hasSuffix("Calendar/" + file), "\(finding)")
    #expect(finding.place.line == 3 && finding.fix?.hasPrefix("- (void)scene:") == true)
  }

  // MARK: Wrappers

  /// Only a broker's answer can lack a source application, and a wrapper may pass an authority without a broker.
  @Test(arguments: [true, false])
  func aWrapperMayRequireASourceApplication(_ isWrapper: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "guard let context = contexts.first else",
      with: "guard let context = contexts.first, let source = context.options.sourceApplication else",
      in: "Mail/SceneDelegate.swift")
    if isWrapper {
      fixture.files["Mail/SignIn.swift"] = "import UIKit\n"
      fixture.files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0.key, $0.value) })
      fixture.files["pubspec.yaml"] =
        "name: notes\ndependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.3.0\n"
      fixture.files["lib/auth.dart"] =
        "import 'package:msal_auth/msal_auth.dart';\nfinal c = AppleConfig(authority: authority);\n"
    }
    let own = try fixture.diagnosis().findings.filter { $0.subject == "Mail" && $0.rule == .callback }
    #expect(own.map(\.mistake) == (isWrapper ? [] : ["The code requires a source application"]), "\(own)")
  }

  // MARK: Versions

  /// Before version 2, the old redirect URI is not an error; the requirements of a Podfile are CocoaPods'.
  @Test(arguments: [
    ("'~> 1.1'", "1.9.0"), ("'1.2.5'", "1.2.5"), ("'= 1.2', :modular_headers => true", "1.2.0"),
    ("'~> 1.2.3'", "1.2.3"), ("'~> 1.0.3'", nil), ("'>= 1.0'", nil), ("'~> 1.1', '< 1.5'", "1.4.0"),
  ])
  func aPodfileNamesTheVersion(_ requirement: String, _ version: String?) throws {
    var fixture = XcodeFixture()
    fixture.files["Podfile"] =
      "target 'Mail' do\n  # pod 'MSAL', '0.8.0'\n  pod 'MSAL', \(requirement)\nend\n"
    #expect(try fixture.diagnosis().apple.first?.sdkVersion == version)
    fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (1.3.0):\n"
    #expect(try fixture.diagnosis().apple.first?.sdkVersion == "1.3.0")
  }
}
