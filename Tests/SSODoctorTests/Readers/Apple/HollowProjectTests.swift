import DoctorTestSupport
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// Projects of which a part is missing or is never called.
@Suite struct HollowProjectTests {
  private static func diagnosis(_ files: [String: String]) throws -> Diagnosis {
    try withFolder(of: files) { try Doctor.examine([$0]) }
  }

  /// The sources, Info.plist, and entitlements are checked without the project's file.
  @Test func aBundleWithoutItsFileIsAFolder() throws {
    var fixture = XcodeFixture()
    fixture.files = fixture.files.filter { $0.key.hasPrefix("Mail/") }
    fixture.files["Suite.xcodeproj/xcshareddata/x"] = ""
    fixture.replace("<string>msauthv3</string>", with: "", in: "Mail/Info.plist")
    fixture.replace(
      "msauth.\\(Bundle.main.bundleIdentifier!)://auth", with: "msauth.com.contoso.mail://auth",
      in: "Mail/SignIn.swift")
    let diagnosis = try Self.diagnosis(fixture.files)
    #expect(diagnosis.unread.map { fileName($0.path) } == ["project.pbxproj"])
    #expect(diagnosis.apple.count == 1 && diagnosis.notes.map(\.kind) == [.folder])
    #expect(diagnosis.findings.map(\.rule) == [.querySchemes], "\(diagnosis.findings)")
  }

  /// The bundle given as the path is checked like its folder.
  @Test func aBundleWithoutItsFileIsItsFolder() throws {
    var fixture = XcodeFixture()
    fixture.files = fixture.files.filter { $0.key.hasPrefix("Mail/") }
    fixture.files["Suite.xcodeproj/xcshareddata/x"] = ""
    fixture.replace("<string>msauthv3</string>", with: "", in: "Mail/Info.plist")
    try withFolder(of: fixture.files) { folder in
      let (bundle, whole) = (try Doctor.examine([folder + "/Suite.xcodeproj"]), try Doctor.examine([folder]))
      #expect(bundle == whole && bundle.apple.count == 1)
    }
    #expect(throws: UnreadableProject.self) {
      try withFolder(of: ["Suite.xcodeproj/xcshareddata/x": ""]) {
        try Doctor.examine([$0 + "/Suite.xcodeproj"])
      }
    }
  }

  /// Only the sources show that such a project is for macOS, where MSAL needs no schemes in the Info.plist.
  @Test(arguments: [("import Cocoa", Platform.macOS), ("import Cocoa\nimport UIKit", .iOS)])
  func theSourcesShowThePlatform(_ line: String, _ platform: Platform) throws {
    let files = [
      "Lamp.xcodeproj/xcshareddata/x": "", "Lamp/Info.plist": "<plist><dict></dict></plist>",
      "Lamp/SignIn.swift": "import MSAL\n\(line)\nlet lamp = MSALPublicClientApplication.self\n",
    ]
    let diagnosis = try Self.diagnosis(files)
    #expect(diagnosis.apple.map(\.platform) == [platform])
    let rules = Set(diagnosis.findings.map(\.rule))
    #expect(platform == .iOS || rules.isDisjoint(with: [.urlScheme, .querySchemes]), "\(rules)")
  }

  /// XcodeGen makes the file.
  @Test func aBundleThatAToolMakesMissesNothing() throws {
    var fixture = XcodeFixture()
    fixture.files = fixture.files.filter { $0.key.hasPrefix("Mail/") }
    fixture.files["Suite.xcodeproj/xcshareddata/x"] = ""
    fixture.files["project.yml"] =
      "targets:\n  Mail:\n    settings:\n      PRODUCT_BUNDLE_IDENTIFIER: com.contoso.mail\n"
    let diagnosis = try Self.diagnosis(fixture.files)
    #expect(
      diagnosis.unread == [] && diagnosis.apple.count == 1 && diagnosis.notes.map(\.kind) == [.xcodeGen])
  }

  private static let appDelegate = """

    class AppDelegate: UIResponder, UIApplicationDelegate {
      func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
      ) -> Bool {
        MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
      }
    }
    """

  /// The system does not call the app delegate's method in an app with scenes.
  @Test(arguments: [
    ("router.open(contexts.first!.url)", [DoctorRule.callback]),
    ("_ = UIApplication.shared.delegate?.application?(UIApplication.shared, open: contexts.first!.url)", []),
  ])
  func aSceneDelegateThatKeepsTheURLIsTheFinding(_ body: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { \(body) }
      }
      """
    fixture.files["Mail/SignIn.swift"]? += Self.appDelegate
    let findings = try Self.diagnosis(fixture.files).findings
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(
      findings.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix("Mail/SceneDelegate.swift") })
    #expect(findings.allSatisfy { $0.place.line == 3 })
  }

  /// msal_flutter gives the SDK no redirect URI, and MSAL 1 takes the scheme of the client ID.
  @Test(arguments: [
    ("msauth.com.contoso.post", [DoctorRule.urlScheme]), ("msal\(clientID)", [.oldRedirect]),
    ("msal11111111-2222-4333-8444-555555555555", [.urlScheme]), ("msauth.com.contoso.mail", []),
  ])
  func theSchemeOfMSALFlutterIsADefault(_ scheme: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files = fixture.files.filter { !$0.key.hasSuffix(".m") && !$0.key.hasSuffix("SignIn.swift") }
    fixture.replace(
      "targets = ( A01, B01 )", with: "targets = ( A01 )", in: "Suite.xcodeproj/project.pbxproj")
    fixture.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: scheme, in: "Mail/Info.plist")
    var files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0.key, $0.value) })
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  msal_flutter: ^2.0.1\n"
    files["lib/ids.dart"] = "const String clientId = '\(Self.clientID)';\n"
    files["lib/main.dart"] = """
      import 'package:msal_flutter/msal_flutter.dart';
      final pca = PublicClientApplication.createPublicClientApplication(
        clientId, authority: 'https://login.microsoftonline.com/organizations');
      """
    let findings = try Self.diagnosis(files).findings
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.allSatisfy { ($0.severity == .fails) == ($0.rule == .urlScheme) })
  }

  /// msal_flutter switches off the validation, for which MSAL asks for knownAuthorities.
  @Test func msalFlutterNeedsNoKnownAuthority() throws {
    var files = Dictionary(
      uniqueKeysWithValues: XcodeFixture().files.filter { !$0.key.contains("SignIn") }
        .map { ("ios/" + $0.key, $0.value) })
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  msal_flutter: ^2.0.1\n"
    files["lib/main.dart"] = """
      import 'package:msal_flutter/msal_flutter.dart';
      final pca = PublicClientApplication.createPublicClientApplication(
        '\(Self.clientID)', authority: 'https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in');
      """
    let diagnosis = try Self.diagnosis(files)
    #expect(!diagnosis.apple.isEmpty && diagnosis.findings.allSatisfy { $0.rule != .authority })
  }

  /// Before version 2, an app may switch it off itself.
  @Test(arguments: [("true", [DoctorRule.authority]), ("false", [])])
  func anAppMaySwitchTheValidationOff(_ value: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "https://login.microsoftonline.com/common",
      with: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in", in: "Mail/SignIn.swift")
    fixture.replace("MSALAADAuthority", with: "MSALB2CAuthority", in: "Mail/SignIn.swift")
    fixture.files["Mail/SignIn.swift"]? +=
      "\nfunc finish(_ application: MSALPublicClientApplication) { application.validateAuthority = \(value) }\n"
    let findings = try Self.diagnosis(fixture.files).findings
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }

  /// The broker answers only at a redirect URI of its own form, so only then is the missing call an error.
  @Test(arguments: [
    ("redirectURL.absoluteString", "com.contoso.mail" as String?, DoctorCheck.Severity.fails),
    ("redirectURL.absoluteString", "com.contoso.post", .worksInSomeCases),
    ("settings.redirectURL.absoluteString", "com.contoso.post", .worksInSomeCases),
    ("load().absoluteString", nil, .worksInSomeCases),
  ])
  func theRedirectURIDecidesWhetherTheBrokerAnswers(
    _ code: String, _ bundleID: String?, _ severity: DoctorCheck.Severity
  ) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: code, in: "Mail/SignIn.swift")
    let uri = bundleID.map { "msauth.\($0)://auth" }
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        let redirectURL = URL(string: "\(uri ?? "")")!
      }
      """
    let diagnosis = try Self.diagnosis(fixture.files)
    #expect(diagnosis.apple.first?.source?.redirectURI.found?.value == uri)
    let findings = diagnosis.findings.filter { $0.rule == .callback }
    #expect(findings.map(\.severity) == [severity], "\(diagnosis.findings)")
  }

  private static let clientID = XcodeFixture.clientID

  /// The URI is the mistake, so another app's scheme is not added to Info.plist.
  @Test(arguments: [true, false])
  func anotherAppsRedirectURIIsCorrected(_ isListed: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "msauth.\\(Bundle.main.bundleIdentifier!)://auth", with: "msauth.com.contoso.post://auth",
      in: "Mail/SignIn.swift")
    fixture.replace("/common", with: "/consumers", in: "Mail/SignIn.swift")
    if !isListed { fixture.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "x", in: "Mail/Info.plist") }
    let findings = try Self.diagnosis(fixture.files).findings
    #expect(findings.map(\.rule) == (isListed ? [] : [.urlScheme]) + [.brokerUnused], "\(findings)")
    let finding = try #require(findings.last)
    #expect(finding.fix == "msauth.com.contoso.mail://auth" && finding.severity == .fails)
    #expect(finding.place.path.hasSuffix("Mail/SignIn.swift") && finding.refusal?.code == "-42001")
    #expect(findings.allSatisfy { $0.fix?.contains("com.contoso.post") != true })
  }
}
