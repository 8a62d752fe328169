import DoctorTestSupport
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// One change of a correct app, after which the system, the build, or the SDK does not find what it needs, and changes that
/// resemble it and do no harm.
@Suite struct MutationTests {
  private static let project = "Suite.xcodeproj/project.pbxproj"
  private static let manifest = """
    <dict>
        <key>UISceneConfigurations</key>
        <dict>
          <key>UIWindowSceneSessionRoleApplication</key>
          <array><dict>
            <key>UISceneDelegateClassName</key>
            <string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
          </dict></array>
        </dict>
      </dict>
    """
  private static let settings = """
    <plist version="1.0"><dict><key>AppId</key><string>\(XcodeFixture.clientID)</string></dict></plist>
    """

  /// An app whose Info.plist names its scene delegate, and which has its client ID in a property list.
  private static var fixture: XcodeFixture {
    var fixture = XcodeFixture()
    fixture.replace("<dict/>", with: manifest, in: "Mail/Info.plist")
    fixture.replace(
      "static let clientID = \"\(XcodeFixture.clientID)\"",
      with:
        "static let list = NSDictionary(contentsOfFile: Bundle.main.path(forResource: \"Lamp\", ofType: \"plist\")!)!\n"
        + "  static let clientID = list[\"AppId\"] as! String", in: "Mail/SignIn.swift")
    fixture.files["Mail/Lamp.plist"] = settings
    return fixture
  }

  private static func mistakes(_ file: String, _ old: String, _ new: String) throws -> [String] {
    var fixture = fixture
    fixture.replace(old, with: new, in: file)
    let findings = try fixture.diagnosis().findings
    #expect(findings.allSatisfy { $0.severity == .fails }, "\(findings)")
    return Set(findings.map(\.mistake)).sorted()
  }

  @Test func theAppIsRight() throws {
    #expect(try Self.fixture.diagnosis().findings.map(\.mistake) == [])
  }

  @Test(arguments: [
    (
      "Mail/Mail.entitlements",
      "<array>\n    <string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>\n  </array>",
      "<string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>",
      "The entitlements lack the SDK's keychain group"
    ),
    (
      "Mail/Mail.entitlements", "$(AppIdentifierPrefix)", "$(AppIdentiferPrefix)",
      "The entitlements lack the SDK's keychain group"
    ),
    (
      project, "CODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements",
      "\"CODE_SIGN_ENTITLEMENTS[sdk=iphonesimulator*]\" = Mail/Mail.entitlements",
      "The entitlements file is not used"
    ),
    (project, "Mail/Info.plist", "Mail/Inof.plist", "The Info.plist is missing"),
    (
      "Mail/Info.plist", "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
      "<array><string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string></array>",
      "CFBundleURLTypes lacks the redirect scheme"
    ),
    (
      "Mail/Info.plist", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "msauth.$(PRODUCT_BUNDLE_IDENTFIER)",
      "CFBundleURLTypes lacks the redirect scheme"
    ),
    ("Mail/Info.plist", "UISceneConfigurations", "UISceneConfiguration", "UISceneConfigurations is misspelt"),
    (
      "Mail/Info.plist", "UIWindowSceneSessionRoleApplication", "UIWindowSceneSesionRoleApplication",
      "UIWindowSceneSessionRoleApplication is misspelt"
    ),
    (
      "Mail/Info.plist", "UISceneDelegateClassName", "UISceneDelegateClasName",
      "UISceneDelegateClassName is misspelt"
    ),
    (
      "Mail/Info.plist", ").SceneDelegate", ").ScenesDelegate",
      "Info.plist names no scene delegate of the app"
    ),
    ("Mail/SceneDelegate.swift", "openURLContexts", "openURLContext", "The delegate's method is misspelt"),
    ("Mail/SceneDelegate.swift", "func scene(", "func scenes(", "The delegate's method is misspelt"),
    (
      "Mail/Info.plist", "<key>UISceneDelegateClassName</key>", "<key>Lamp</key>",
      "Info.plist names no scene delegate of the app"
    ),
    ("Mail/Lamp.plist", "AppId", "AppID", "AppId is misspelt"),
    (
      "Mail/SignIn.swift", "let authority = try MSALAADAuthority(url: url)",
      """
      let other = try MSALB2CAuthority(url: URL(string: "https://lamp.b2clogin.co/tfp/lamp.onmicrosoft.com/b2c_1_in")!)
        let authority = try MSALAADAuthority(url: url)
      """, "The authority's host is mistyped"
    ),
    (
      "Mail/SignIn.swift", "let authority = try MSALAADAuthority(url: url)",
      """
      let other = MSALPublicClientApplicationConfig(clientId: "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6")
        let authority = try MSALAADAuthority(url: url)
      """, "The client ID is not a GUID"
    ),
  ])
  func aChangeIsFound(_ file: String, _ old: String, _ new: String, _ mistake: String) throws {
    #expect(try Self.mistakes(file, old, new) == [mistake])
  }

  @Test(arguments: [
    (
      project, "CODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements",
      "\"CODE_SIGN_ENTITLEMENTS[sdk=iphoneos*]\" = Mail/Mail.entitlements"
    ),
    (project, "Mail/Info.plist", "Mail/info.plist"),
    ("Mail/Mail.entitlements", "$(AppIdentifierPrefix)", "${AppIdentifierPrefix}"),
    ("Mail/Info.plist", "$(PRODUCT_MODULE_NAME).SceneDelegate", "LampKit.LampDelegate"),
    (
      "Mail/SceneDelegate.swift", "class SceneDelegate",
      "func setUp() { configuration.delegateClass = Self.self }\nclass SceneDelegates"
    ),
    (
      "Mail/SceneDelegate.swift", "    guard let context",
      "    show(scene, contexts)\n  }\n  func show(_ scene: UIScene, _ contexts: Set<UIOpenURLContext>) {\n    guard let context"
    ),
  ])
  func aFormThatWorksIsNone(_ file: String, _ old: String, _ new: String) throws {
    #expect(try Self.mistakes(file, old, new) == [])
  }

  /// The app's delegate is called by its name, too.
  @Test(arguments: [
    ("open url", [String]()), ("opened url", ["The delegate's method is misspelt"]),
    // The name in Objective-C.
    ("openURL url", ["The delegate's method is misspelt"]),
  ])
  func theAppDelegatesMethodHasItsName(_ label: String, _ mistakes: [String]) throws {
    var fixture = Self.fixture
    fixture.replace("<key>UIApplicationSceneManifest</key>", with: "<key>Lamps</key>", in: "Mail/Info.plist")
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      import MSAL
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(_ app: UIApplication, \(label): URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
          MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
        }
      }
      """
    #expect(try fixture.diagnosis().findings.map(\.mistake) == mistakes)
  }

  /// The scheme does not depend on the client ID, unless it is that of MSAL 0.x.
  @Test(arguments: [("<array/>", 2), ("<array><string>msalYOUR_CLIENT_ID</string></array>", 0)])
  func aSchemeIsMissingWithoutTheClientID(_ schemes: String, _ count: Int) throws {
    var fixture = XcodeFixture()
    fixture.replace("= \"\(XcodeFixture.clientID)\"", with: "= \"YOUR_CLIENT_ID\"", in: "Mail/SignIn.swift")
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "nil", in: "Mail/SignIn.swift")
    fixture.replace(
      "<array>\n        <string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>\n      </array>", with: schemes,
      in: "Mail/Info.plist")
    fixture.replace("msauthv2", with: "lamp", in: "Mail/Info.plist")
    let found = try fixture.diagnosis().findings.filter { $0.severity == .fails }
    #expect(found.count == count, "\(found)")
  }

  /// The keychain group of C# may be a property's.
  @Test(arguments: [("return group;", 1), ("return Lamp();", 0)])
  func theGroupOfAPropertyIsRead(_ value: String, _ count: Int) throws {
    let found = try Self.findings([
      "Lamp.iOS/Lamp.iOS.csproj": """
      <Project><Reference Include="Xamarin.iOS" /><OutputType>Exe</OutputType>
      <ItemGroup><PackageReference Include="Microsoft.Identity.Client" Version="4.39.0" /></ItemGroup></Project>
      """,
      "Lamp.iOS/Info.plist":
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.contoso.lamp</string></dict></plist>",
      "Lamp.iOS/Entitlements.plist": "<plist version=\"1.0\"><dict></dict></plist>",
      "Lamp.iOS/SignIn.cs": """
      using Microsoft.Identity.Client;
      class Lamp {
        static readonly string group = "com.contoso.bulb";
        static string Group { get { \(value) } }
        void Make() {
          var client = PublicClientApplicationBuilder.Create("\(XcodeFixture.clientID)")
            .WithIosKeychainSecurityGroup(Group).Build();
          client.AcquireTokenInteractive(scopes);
        }
      }
      """,
    ])
    #expect(found.count { $0.rule == .keychainGroup } == count, "\(found)")
  }

  // MARK: - Other vendors' property lists

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  private static let client = "b7K2m9Q4r1S8t3U6v5W0x7Y2z9A4c1D8"

  @Test(arguments: [
    (client, "lamp.eu.auth0.com", [String]()), (client, "https://lamp.eu.auth0.com/", []),
    ("lamp", "id.lamp.example", []),
    ("lamp.eu.auth0.com", client, ["ClientId is not a client ID of Auth0", "The domain is not a host"]),
    (client, "https://lamp.eu.auth0.com/oauth/token", ["The domain is not a host"]),
    (client, "http://lamp.eu.auth0.com", ["The domain is not a host"]),
    (client, "lamp.eu.auth0.com ", ["The domain is not a host"]),
    (client, "lamp.eu.auth0.co", ["The domain is mistyped"]),
    (client, "dev-lamp.autho.com", ["The domain is mistyped"]),
    (client, "login.auth.com", []),
    (String(client.dropLast()), "lamp.auth0.com", ["ClientId is not a client ID of Auth0"]),
  ])
  func aDomainIsAHostAndAnIDIsWhole(_ client: String, _ domain: String, _ mistakes: [String]) throws {
    let list =
      "<plist version=\"1.0\"><dict><key>ClientId</key><string>\(client)</string><key>Domain</key><string>\(domain)</string></dict></plist>"
    let found = try Self.findings(["Lamp/Auth0.plist": list])
    #expect(found.map(\.mistake).sorted() == mistakes, "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails })
    let code = "import Auth0\nlet session = Auth0.webAuth(clientId: \"\(client)\", domain: \"\(domain)\")"
    #expect(try Self.findings(["Lamp/SignIn.swift": code]).map(\.mistake).sorted() == mistakes)
  }

  @Test(arguments: [
    ("Auth0.webAuth()", "F1 /* Auth0.plist */", 1),
    ("Auth0.webAuth()", "F1 /* Auth0.plist in Resources */", 0),
    ("Auth0.webAuth(clientId: id, domain: host)", "F1 /* Auth0.plist */", 0),
  ])
  func aListIsAResource(_ call: String, _ entry: String, _ count: Int) throws {
    let found = try Self.findings([
      "Lamp.xcodeproj/project.pbxproj":
        "// !$*UTF8*$!\n{ objects = { A = ( F0 /* Bulb.png in Resources */, \(entry) ); }; rootObject = X; }",
      "Lamp/Auth0.plist":
        "<plist version=\"1.0\"><dict><key>ClientId</key><string>\(Self.client)</string><key>Domain</key><string>lamp.auth0.com</string></dict></plist>",
      "Lamp/SignIn.swift": "import Auth0\nlet session = \(call)",
    ])
    #expect(
      found.map(\.mistake) == Array(repeating: "Auth0.plist is not in the app", count: count), "\(found)")
  }

  @Test(arguments: [
    (["issuer": "https://lamp.okta.com/oauth2/default"], [String]()),
    (["issuer": "https://id.lamp.example/oauth2/aus1b2c3"], []),
    (["issuer_url": "https://lamp.okta.com"], []),
    (["issuer": "https://lamp.okta.co/oauth2/default"], ["The issuer is mistyped"]),
    (["issuer": "https://lamp-admin.okta.com/oauth2/default"], ["The issuer is mistyped"]),
    (["issuer": "https://lamp.okta.com/oauth2/defalt"], ["The issuer is mistyped"]),
    (["issuer": "https://lamp.okta.com", "redirectUri": "/callback"], ["The redirect URI has no scheme"]),
    (["issuer": "https://lamp.okta.com", "redirectUri": "-"], ["The list lacks redirectUri"]),
  ])
  func okatasListIsWhole(_ values: [String: String], _ mistakes: [String]) throws {
    var values = values.merging(["clientId": "0oa1", "scopes": "openid", "redirectUri": "com.lamp:/in"]) {
      $1 == "com.lamp:/in" ? $0 : $1
    }
    if values["redirectUri"] == "-" { values["redirectUri"] = nil }
    let entries = values.sorted { $0.key < $1.key }.map { "<key>\($0.key)</key><string>\($0.value)</string>" }
    let found = try Self.findings([
      "Lamp/Okta.plist": "<plist version=\"1.0\"><dict>\(entries.joined())</dict></plist>",
      "Lamp/SignIn.swift": "import BrowserSignin",
    ])
    #expect(found.map(\.mistake) == mistakes, "\(found)")
  }

  // MARK: - Google

  private static let google = "81234567890-k2j4h6g8f0d1s3a5.apps.googleusercontent.com"

  @Test(arguments: [
    ("GIDSignIn.sharedInstance.signIn(withPresenting: self)", "GIDClientID", [String]()),
    ("GIDSignIn.sharedInstance.signIn(withPresenting: self)", "GIDClientId", ["GIDClientID is misspelt"]),
    ("GIDSignIn.sharedInstance.signIn(withPresenting: self)", "Lamp", ["There is no GIDClientID"]),
    (
      "GIDSignIn.sharedInstance.configuration = made; GIDSignIn.sharedInstance.signIn(withPresenting: self)",
      "Lamp", []
    ),
    (
      "GIDSignIn.sharedInstance().clientID = \"\(google.dropLast(5))\"", "Lamp",
      ["The client ID is not a client ID"]
    ),
    ("let id = \"\(google)\"\nGIDSignIn.sharedInstance().clientID = id", "Lamp", []),
  ])
  func googlesClientIDIsThere(_ code: String, _ key: String, _ mistakes: [String]) throws {
    let found = try Self.findings([
      "Lamp/Info.plist": """
      <plist version="1.0"><dict><key>\(key)</key><string>\(Self.google)</string><key>CFBundleURLTypes</key><array><dict>
      <key>CFBundleURLSchemes</key><array><string>com.googleusercontent.apps.81234567890-k2j4h6g8f0d1s3a5</string></array>
      </dict></array></dict></plist>
      """,
      "Lamp/SignIn.swift": "import GoogleSignIn\n" + code,
    ])
    #expect(found.map(\.mistake) == mistakes, "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails })
  }

  @Test(arguments: [
    ("CLIENT_ID", google, ["CFBundleURLTypes lacks the reversed client ID"]),
    ("CLIENT_Id", google, ["CLIENT_ID is misspelt"]), ("LAMP", google, ["There is no CLIENT_ID"]),
  ])
  func theClientOfFirebaseIsTheCodes(_ key: String, _ id: String, _ mistakes: [String]) throws {
    let found = try Self.findings([
      "Lamp/Info.plist":
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.contoso.lamp</string></dict></plist>",
      "Lamp/GoogleService-Info.plist":
        "<plist version=\"1.0\"><dict><key>\(key)</key><string>\(id)</string><key>GOOGLE_APP_ID</key><string>1:8123:ios:9f</string></dict></plist>",
      "Lamp/SignIn.swift": """
      import GoogleSignIn
      guard let id = FirebaseApp.app()?.options.clientID else { return }
      GIDSignIn.sharedInstance.configuration = GIDConfiguration(clientID: id)
      """,
    ])
    #expect(found.map(\.mistake) == mistakes, "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails })
  }
}
