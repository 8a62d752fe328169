import DoctorTestSupport
import SSODevice
import Testing

@testable import SSODoctor

/// Values and responses that code passes through its own functions, types, and files.
extension OutsideTests {
  // MARK: The way of a response

  /// A delegate passes the URL through a type of the app to the one that calls the SDK, or does not.
  @Test(arguments: [
    ("proxy.open(url: url)", false), ("proxy?.open(url: url)", false), ("pending = url", false),
    ("NotificationCenter.default.post(name: .opened, object: url)", false), ("other(url)", false),
    ("print(url)", true), ("GIDSignIn.sharedInstance.handle(url)", true), ("lamp.open(url: url)", true),
    ("log(url)", true),
  ])
  func aResponseIsFollowedThroughTheTypesOfAnApp(_ line: String, _ isLost: Bool) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import SwiftUI
      import MSAL
      @main struct MailApp: App {
        let adapter: Adapting = Adapter()
        var body: some Scene { WindowGroup { ContentView().onOpenURL { link in adapter.open(url: link) } } }
      }
      protocol Adapting { func open(url: URL) }
      class Adapter: Adapting {
        let proxy: Proxy = Proxy()
        let lamp = Lamp()
        func open(url: URL) { \(line) }
        func log(_ url: URL) { print(url) }
      }
      struct Lamp { func open(url: URL) { print(url) } }
      class Proxy {
        func open(url: URL) { MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) }
      }
      """
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == (isLost ? [.callback] : []), "\(found)")
  }

  // MARK: Info.plist

  /// A function of the app, or a dictionary, reads a value of the build settings from Info.plist.
  @Test(arguments: [
    "Bundle.main.text(\"MSAL_CLIENT\")", "Bundle.main.text(for: \"MSAL_CLIENT\")",
    "values[\"MSAL_CLIENT\"] as! String",
  ])
  func aBuildSettingIsReadThroughInfo(_ expression: String) throws {
    let cut = String(XcodeFixture.clientID.dropLast(2))
    func rules(_ id: String) throws -> [DoctorRule] {
      var fixture = XcodeFixture()
      fixture.replace(
        "static let clientID = \"\(XcodeFixture.clientID)\"",
        with: "static let values = Bundle.main.infoDictionary!\n  static let clientID = \(expression)",
        in: "Mail/SignIn.swift")
      fixture.replace(
        "</dict>\n</plist>", with: "<key>MSAL_CLIENT</key><string>$(CLIENT)</string></dict>\n</plist>",
        in: "Mail/Info.plist")
      fixture.replace(
        "DEVELOPMENT_TEAM", with: "CLIENT = \"\(id)\";\n\tDEVELOPMENT_TEAM",
        in: "Suite.xcodeproj/project.pbxproj")
      fixture.replace(
        "import UIKit",
        with: """
          import UIKit
          extension Bundle {
            func text(_ key: String) -> String { object(forInfoDictionaryKey: key) as! String }
            func text(for key: String) -> String { object(forInfoDictionaryKey: key) as! String }
          }
          """, in: "Mail/SceneDelegate.swift")
      return try Self.errors(fixture.files)
    }
    #expect(try rules(XcodeFixture.clientID) == [])
    #expect(try rules(cut) == [.clientID])
  }

  // MARK: Dart

  /// The forms in which Dart has the redirect URI that replaces the asset's.
  @Test(arguments: [
    "static const uri = 'msauth://$id/HASH';",
    "static String get uri => 'msauth://${Settings.id}/' + 'HASH';",
    "static String get uri { return 'msauth://' 'PACKAGE/HASH'; }",
    "static const raw = 'RAW';\n  static final uri = 'msauth://$id/${Uri.encodeComponent(raw)}';",
    "static const uri = kReleaseMode ? 'msauth://$id/HASH' : 'other';",
  ])
  func aRedirectURIOfDartMayBePutTogether(_ declaration: String) throws {
    func lacksFilter(_ id: String) throws -> Bool {
      var files = Self.flutter(Self.create(uri: "URI").replacing("'URI'", with: "Settings.uri"))
      let filled = declaration.replacing("HASH", with: AndroidFixture.encodedHash)
        .replacing("RAW", with: AndroidFixture.hash).replacing("PACKAGE", with: id)
      files["lib/settings.dart"] =
        "class Settings {\n  static const id = '\(id)';\n  \(filled)\n}\n"
        + "class Others { static const id = 'com.contoso.lamp'; }\n"
      let found = try Self.findings(files)
      let rules: Set<DoctorRule> = [.androidRedirect, .browserTabActivity, .brokerUnused]
      return found.contains { rules.contains($0.rule) }
    }
    #expect(try lacksFilter("com.contoso.notes") == false)
    #expect(try lacksFilter("com.contoso.other"))
  }

  /// A value of Dart that is not known replaces that of the asset, which then says nothing.
  @Test func anUnknownValueOfDartReplacesTheAssets() throws {
    let found = try Self.findings(Self.flutter(Self.create(client: "load()", uri: "$loaded")))
    let rules: Set<DoctorRule> = [.androidRedirect, .browserTabActivity, .brokerUnused, .clientID]
    #expect(!found.contains { rules.contains($0.rule) && $0.severity == .fails }, "\(found)")
  }

  // MARK: Other files

  /// A request names another policy of a nested object, whose address lacks it.
  @Test(arguments: [("/B2C_1_edit", 0), ("", 1)])
  func theAuthorityOfARequestHasItsPolicy(_ policy: String, _ count: Int) throws {
    let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
    let found = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/config.ts": """
      export const policies = { authorities: {
        signIn: { authority: '\(base)/B2C_1_in' },
        edit: { authority: '\(base)\(policy)' } } };
      export const config = { auth: { clientId: '\(AndroidFixture.clientID)',
        authority: policies.authorities.signIn.authority, knownAuthorities: ['contoso.b2clogin.com'] } };
      """,
      "src/edit.ts": """
      import { PublicClientApplication } from '@azure/msal-browser';
      import { config, policies } from './config';
      const board = new PublicClientApplication(config);
      await board.initialize();
      await board.handleRedirectPromise();
      board.loginRedirect({ scopes: ['openid'], authority: policies.authorities.edit.authority });
      """,
    ])
    #expect(found.map(\.rule) == Array(repeating: .authority, count: count), "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails && $0.place.line == 3 })
  }

  /// The module of a library has the redirect URI of the app's code.
  @Test(arguments: [("com.contoso.lamp", 0), ("com.contoso.bulb", 1)])
  func theRedirectURIMayBeInAModule(_ scheme: String, _ count: Int) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"com.contoso.lamp\"")
    files["core/build.gradle"] = "apply plugin: 'com.android.library'\n"
    files["core/src/main/java/Ids.kt"] = "object Ids { const val REDIRECT = \"\(scheme):/callback\" }\n"
    files["app/src/main/java/SignIn.kt"] = """
      import net.openid.appauth.AuthorizationRequest
      val request = AuthorizationRequest.Builder(service, "id", ResponseTypeValues.CODE, Uri.parse(Ids.REDIRECT)).build()
      """
    let found = try Self.findings(files)
    #expect(found.map(\.rule) == Array(repeating: .appAuthRedirect, count: count), "\(found)")
  }

  /// A plug-in in the project's own folder brings in MSAL by Swift's package manager or by Gradle.
  @Test(arguments: [
    ("Package.swift", "url: \"https://github.com/AzureAD/microsoft-authentication-library-for-objc\"", true),
    ("android/build.gradle", "implementation 'com.microsoft.identity.client:msal:5.1.0'", true),
    ("android/build.gradle", "implementation 'com.contoso:lamp:5.1.0'", false),
  ])
  func aPlugInOfTheProjectBringsInMSAL(_ file: String, _ text: String, _ isFound: Bool) throws {
    let files = [
      "package.json":
        #"{ "name": "b", "dependencies": { "@capacitor/core": "7", "sign-in": "file:./plugins/sign-in" } }"#,
      "plugins/sign-in/package.json": #"{ "name": "sign-in" }"#, "plugins/sign-in/" + file: text,
    ]
    let notes = try withFolder(of: files) { ProjectNote.find(ProjectFiles($0)) }
    #expect(notes.first?.library?.value == (isFound ? "sign-in" : nil))
  }
}
