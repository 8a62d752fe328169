import DoctorTestSupport
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// Forms in which public projects have their settings and their mistakes.
@Suite struct PublicFormTests {
  private static let project = "Suite.xcodeproj/project.pbxproj"

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  // MARK: Apple's platforms

  /// MSAL adds the team only to a group that lacks it.
  @Test(arguments: [
    ("A1B2C3D4E5.com.microsoft.adalcache", false), ("A1B2C3D4E5.com.contoso.shared", true),
    ("Z9Z9Z9Z9Z9.com.microsoft.adalcache", true),
  ])
  func aGroupMayBeginWithTheTeam(_ group: String, _ isError: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "return try MSAL",
      with: "config.cacheConfig.keychainSharingGroup = \"\(group)\"\n  return try MSAL",
      in: "Mail/SignIn.swift")
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == (isError ? [.keychainGroup] : []), "\(found)")
  }

  /// Xcode writes an empty team and the team of the Mac beside it.
  @Test(arguments: [("macosx*", true), ("iphoneos*", false)])
  func aSettingOfTheSDKAppliesFirst(_ sdk: String, _ hasTeam: Bool) throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace(
      "DEVELOPMENT_TEAM = A1B2C3D4E5;",
      with: "DEVELOPMENT_TEAM = \"\";\n\"DEVELOPMENT_TEAM[sdk=\(sdk)]\" = A1B2C3D4E5;", in: Self.project)
    let found = try Self.findings(fixture.files)
    #expect(found.contains { $0.rule == .macTeam } != hasTeam, "\(found)")
  }

  /// The system does not call the app delegate where the scene delegate gets the URL.
  @Test(arguments: [
    (
      "MSALPublicClientApplication.handleMSALResponse(context.url, sourceApplication: nil)",
      [DoctorCheck.Severity]()
    ),
    ("_ = UIApplication.shared.delegate?.application?(app, open: context.url, options: [:])", [.fails]),
  ])
  func onlyTheOwnDelegateNeedsTheSource(_ call: String, _ severities: [DoctorCheck.Severity]) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      import MSAL
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
          guard let sourceApplication = options[UIApplication.OpenURLOptionsKey.sourceApplication] as? String else {
            return false
          }
          return MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: sourceApplication)
        }
      }
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
          guard let context = contexts.first else { return }
          \(call)
        }
      }
      """
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.severity) == severities, "\(found)")
  }

  /// A function that calls the SDK does not help if the handler calls nothing.
  @Test(arguments: [
    ("{ url in print(url) }", true), ("{ url in Sign.handle(url) }", false),
    ("(perform: Sign.handle)", false), ("{ opened = $0 }", false),
  ])
  func aHandlerThatOnlyPrintsForwardsNothing(_ handler: String, _ isFound: Bool) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import SwiftUI
      import MSAL
      @main struct MailApp: App {
        var body: some Scene { WindowGroup { ContentView().onOpenURL \(handler) } }
      }
      enum Sign {
        static func handle(_ url: URL) { MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) }
      }
      """
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == (isFound ? [.callback] : []), "\(found)")
  }

  /// MSAL does not call the broker for an authority that the app declares as known.
  @Test(arguments: [
    ("", DoctorCheck.Severity.fails), ("config.knownAuthorities = [authority]", .worksInSomeCases),
  ])
  func aKnownAuthorityHasNoBroker(_ line: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = XcodeFixture()
    fixture.replace("return try MSAL", with: "\(line)\n  return try MSAL", in: "Mail/SignIn.swift")
    fixture.files["Mail/SceneDelegate.swift"] =
      "import UIKit\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == [.callback] && found.map(\.severity) == [severity], "\(found)")
  }

  /// The scheme in Info.plist shows the redirect URI of code that is not read.
  @Test(arguments: [("$(PRODUCT_BUNDLE_IDENTIFIER)", true), ("com.contoso.mail", true), ("contoso", false)])
  func theSchemeShowsTheRedirectURI(_ id: String, _ isFound: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      #""msauth.\(Bundle.main.bundleIdentifier!)://auth""#, with: "Hidden.redirect", in: "Mail/SignIn.swift")
    fixture.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth.\(id)", in: "Mail/Info.plist")
    fixture.replace("<string>msauthv3</string>", with: "", in: "Mail/Info.plist")
    let found = try Self.findings(fixture.files).filter { $0.rule == .querySchemes }
    #expect(found.map(\.severity) == (isFound ? [.worksInSomeCases] : []), "\(found)")
  }

  /// The targets of tests and extensions have bundle IDs of their own.
  @Test func theBundleIDIsThatOfTheApp() throws {
    let target = { (name: String, type: String, id: String) in
      """
        \(name):
          type: \(type)
          settings:
            base:
              PRODUCT_BUNDLE_IDENTIFIER: \(id)

      """
    }
    let found = try Self.findings([
      "project.yml": "name: Mail\ntargets:\n" + target("MailTests", "bundle.unit-test", "com.contoso.tests")
        + target("Mail", "application", "com.contoso.mail") + "schemes:\n  Mail:\n    build: all\n",
      "Mail/Info.plist": XcodeFixture.info("x").replacing(
        "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "other"),
      "Mail/Mail.entitlements": XcodeFixture.entitlements, "Mail/SignIn.swift": XcodeFixture.signIn,
      "Mail/SceneDelegate.swift": XcodeFixture.sceneDelegate,
    ])
    #expect(found.map(\.check.expected) == ["msauth.com.contoso.mail"], "\(found)")
  }

  // MARK: Pages and scripts

  /// Of several configurations, each scheme that resembles the app's is asked about.
  @Test(arguments: [("com.contoso.mailbox", 1), ("com.contoso.mai", 1), ("org.other", 0)])
  func eachConfigurationOfAScriptIsCompared(_ scheme: String, _ count: Int) throws {
    let found = try Self.findings([
      "package.json":
        "{ \"dependencies\": {\n\"react-native\": \"0.74\",\n\"react-native-app-auth\": \"^7.0.0\" } }",
      "src/auth.js": """
      import { authorize } from 'react-native-app-auth';
      const configs = { a: { issuer: 'https://idp.example', redirectUrl: 'com.contoso.mail:/cb' },
        b: { issuer: 'https://idp.example', redirectUrl: '\(scheme):/cb' } };
      """,
      "android/app/build.gradle": """
      plugins { id 'com.android.application' }
      android { defaultConfig { applicationId "com.contoso.mail"
        manifestPlaceholders = [appAuthRedirectScheme: 'com.contoso.mail'] } }
      """,
      "android/app/src/main/AndroidManifest.xml": "<manifest><application/></manifest>",
    ]).filter { $0.rule == .appAuthRedirect }
    #expect(found.map(\.severity) == Array(repeating: .worksInSomeCases, count: count), "\(found)")
  }

  // MARK: Android

  @Test(arguments: [
    ("ga0RGNYHvNM5d0SLGQfpQWAPGJ8%3D", 0), ("yEb/viWBYkE%2FZQrk0123456789A%3D", 1),
    ("ga0RGNYHvNM5d0SLGQfpQWAPGJ8=", 0),
  ])
  func aSignatureHashIsEncodedAsAWhole(_ hash: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace(AndroidFixture.encodedHash, with: hash, in: AndroidFixture.configuration)
    fixture.replace("_registered\": true", with: "_registered\": false", in: AndroidFixture.configuration)
    let found = try Self.findings(fixture.files).filter { $0.rule == .androidRedirect }
    #expect(found.map(\.severity) == Array(repeating: .worksInSomeCases, count: count), "\(found)")
  }

  @Test(arguments: [("app", [String]()), ("demo", ["\"app\""])])
  func auth0sSchemeIsThatOfTheBuild(_ scheme: String, _ fixes: [String]) throws {
    let found = try Self.findings([
      "app/build.gradle": """
      plugins { id 'com.android.application' }
      android { defaultConfig { applicationId "com.contoso.mail"
        manifestPlaceholders = [auth0Domain: 'contoso.eu.auth0.com', auth0Scheme: 'app'] } }
      dependencies { implementation 'com.auth0.android:auth0:2.10.2' }
      """,
      "app/src/main/AndroidManifest.xml": "<manifest><application/></manifest>",
      "app/src/main/java/Main.java":
        "import com.auth0.android.provider.WebAuthProvider;\nclass Main { void in() { WebAuthProvider.login(a).withScheme(\"\(scheme)\").start(this); } }",
    ])
    #expect(found.compactMap(\.fix) == fixes, "\(found)")
  }
}
