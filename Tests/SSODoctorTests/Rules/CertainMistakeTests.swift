import DoctorTestSupport
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// Errors that the SDK or the build always reports, and forms that resemble them and may work.
extension OutsideTests {
  private static func severities(
    _ files: [String: String], _ rule: DoctorRule
  ) throws -> [DoctorCheck.Severity] {
    try findings(files).filter { $0.rule == rule }.map(\.severity)
  }

  // MARK: Delegates

  private static let forwarding = """
      func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        guard let context = contexts.first else { return }
        MSALPublicClientApplication.handleMSALResponse(context.url, sourceApplication: nil)
      }
    """

  /// The system calls the method only in a scene delegate.
  @Test(arguments: [
    ("UIResponder, UIApplicationDelegate", true),
    ("UIResponder, UIApplicationDelegate, UIWindowSceneDelegate", false),
    ("SuiteAppDelegate", false),
  ])
  func aSceneDelegatesMethodIsInASceneDelegate(_ parents: String, _ isFound: Bool) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      import MSAL
      class AppDelegate: \(parents) {
      \(Self.forwarding)
      }
      class SceneDelegate: UIResponder, UIWindowSceneDelegate { var window: UIWindow? }
      """
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == (isFound ? [.callback] : []), "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails && $0.place.line == 4 })
  }

  @Test func aSceneDelegatesMethodIsInASceneDelegateOfObjectiveC() throws {
    var fixture = XcodeFixture()
    fixture.useObjectiveCDelegate("SceneDelegate.m", declares: false)
    fixture.files["Calendar/SceneDelegate.m"] = """
      #import "SceneDelegate.h"
      @interface AppDelegate : UIResponder <UIApplicationDelegate>
      @end
      @implementation AppDelegate
      - (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {
        [MSALPublicClientApplication handleMSALResponse:contexts.anyObject.URL sourceApplication:nil];
      }
      @end
      @implementation SceneDelegate
      @end
      """
    #expect(try Self.severities(fixture.files, .callback) == [.fails])
    fixture.replace("@end\n@implementation SceneDelegate\n", with: "", in: "Calendar/SceneDelegate.m")
    fixture.replace(
      "@implementation AppDelegate", with: "@implementation SceneDelegate", in: "Calendar/SceneDelegate.m")
    #expect(try Self.severities(fixture.files, .callback) == [])
  }

  /// A handler that does not mention the URL does not pass it on, whatever the functions that it calls do.
  @Test(arguments: [
    ("{ _ in adapter.logout() }", true), ("{ adapter.logout() }", true),
    ("{ url in adapter.logout() }", true),
    ("{ url in adapter.open(url) }", false), ("{ adapter.open($0) }", false),
    ("(perform: adapter.open)", false),
    ("{ (url: URL) in adapter.open(url) }", false), ("{ (url: URL) in adapter.logout() }", true),
  ])
  func aHandlerPassesItsURLOn(_ handler: String, _ isFound: Bool) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import SwiftUI
      import MSAL
      @main struct MailApp: App {
        let adapter = Adapter()
        var body: some Scene { WindowGroup { ContentView().onOpenURL \(handler) } }
      }
      final class Adapter {
        func open(_ url: URL) { MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) }
        func logout() { NotificationCenter.default.post(name: .init("logout"), object: nil) }
      }
      """
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == (isFound ? [.callback] : []), "\(found)")
  }

  /// ADAL before 1.1 keeps its tokens in the app's own group.
  @Test(arguments: [("1.0.2", true), ("1.2.1", false)])
  func anOldADALUsesTheOwnGroup(_ version: String, _ isOwn: Bool) throws {
    let found = try withFolder(of: ["Podfile.lock": "PODS:\n  - ADALiOS (\(version))\n"]) { folder in
      PackageVersions.read(beside: folder + "/Mail.xcodeproj")
    }
    #expect(found[.adal] == version)
    var facts = AppleFacts(name: "Mail", origin: FilePlace("Mail"))
    (facts.impliedSDK, facts.sdkVersion) = (.adal, found[.adal])
    #expect((facts.sharingGroup == nil) == isOwn)
  }

  // MARK: Pages

  private static func page(_ packages: String, clientID: String, others: [String: String] = [:]) throws
    -> [DoctorCheck]
  {
    try findings(
      [
        "package.json":
          "{\"scripts\": {\"build\": \"vite build\"}, \"dependencies\": {\"@azure/msal-browser\": \"3\", \(packages)}}",
        "src/auth.js": """
        import { PublicClientApplication } from "@azure/msal-browser";
        export const client = new PublicClientApplication({ auth: { clientId: \(clientID) } });
        """,
        "src/index.js": "import \"./auth\";",
      ].merging(others) { $1 })
  }

  /// webpack, with which react-scripts bundles, has no `import.meta.env`, and Vite no `process.env`.
  @Test(arguments: [
    ("\"react-scripts\": \"5\"", "import.meta.env.REACT_APP_ID", true),
    ("\"react-scripts\": \"5\"", "import.meta.env.VITE_ID", true),
    ("\"react-scripts\": \"5\"", "process.env.VITE_ID", true),
    ("\"react-scripts\": \"5\"", "process.env.REACT_APP_ID", false),
    ("\"vite\": \"6\"", "import.meta.env.REACT_APP_ID", true),
    ("\"vite\": \"6\"", "process.env.VITE_ID", true),
    ("\"vite\": \"6\"", "import.meta.env.VITE_ID", false),
  ])
  func aPageHasOnlyTheVariablesOfItsBundler(_ bundler: String, _ variable: String, _ isFound: Bool) throws {
    let found = try Self.page(bundler, clientID: variable)
    #expect(found.map(\.severity) == (isFound ? [.fails] : []), "\(found)")
  }

  /// The default of a library that takes another configuration is not known.
  @Test func aConfigurationThatAScriptNamesIsNotKnown() throws {
    let scripts =
      "{\"scripts\": {\"build\": \"vite build --config ../vite.js\"}, \"dependencies\": {\"@azure/msal-browser\": \"3\", \"vite\": \"6\"}}"
    let found = try Self.page("", clientID: "import.meta.env.REACT_APP_ID", others: ["package.json": scripts])
    #expect(found.map(\.isQuestion) == [true])
  }

  /// Code that sets a member at run time replaces the value of the object.
  @Test(arguments: [("client.auth.redirectUri = location.origin", 0), ("other.redirectUri == value", 1)])
  func codeMayReplaceAMember(_ line: String, _ count: Int) throws {
    let found = try Self.page(
      "\"vite\": \"6\"", clientID: "'\(AndroidFixture.clientID)', redirectUri: 'http://mail.contoso.com'",
      others: ["src/index.js": "import \"./auth\";\nimport \"@azure/msal-browser\";\n\(line);"])
    #expect(found.count { $0.rule == .redirectURI } == count, "\(found)")
  }

  @Test(arguments: ["https://mail.contoso.com/sign in", "https://mail.contoso.com/ "])
  func aRedirectURIHasNoBlank(_ uri: String) throws {
    let found = try Self.page(
      "\"vite\": \"6\"", clientID: "'\(AndroidFixture.clientID)', redirectUri: '\(uri)'")
    #expect(found.map(\.rule) == [.redirectURI] && found.allSatisfy { $0.severity == .fails }, "\(found)")
  }

  // MARK: Android

  private static let main = """
    <activity android:name=".MainActivity">
      <intent-filter>
        <action android:name="android.intent.action.MAIN" />
        <category android:name="android.intent.category.LAUNCHER" />
      </intent-filter>
    </activity>
    """

  /// The manifest of a library may say it for its own components.
  @Test(arguments: [
    (".MainActivity", 34, true), ("com.contoso.notes.MainActivity", 31, true), (".MainActivity", 30, false),
    ("com.fabrikam.push.Service", 34, false),
  ])
  func aComponentWithAFilterSaysWhetherItIsExported(_ name: String, _ target: Int, _ isFound: Bool) throws {
    var fixture = AndroidFixture()
    fixture.replace("targetSdkVersion 34", with: "targetSdkVersion \(target)", in: "app/build.gradle")
    fixture.replace(
      "</application>", with: Self.main.replacing(".MainActivity", with: name) + "\n</application>",
      in: AndroidFixture.manifest)
    try withFolder(of: fixture.files) { folder in
      let found = try Doctor.examine([folder]).findings
      #expect(found.map(\.severity) == (isFound ? [.fails] : []), "\(found)")
      guard isFound else { return }
      let repair = try #require(found.first.flatMap(Repair.init))
      #expect(repair.after.contains("<activity android:exported=\"true\" android:name=\"\(name)\">"))
    }
    // The manifest of a build type may say it.
    fixture.files["app/src/release/AndroidManifest.xml"] = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
      <activity android:name="\(name)" android:exported="true" /></application></manifest>
      """
    #expect(try Self.findings(fixture.files) == [])
  }

  @Test(arguments: [("Qx18Q~abcdefghijk", 1), ("YOUR_SECRET", 0), ("", 0)])
  func aConfigurationHasNoSecret(_ secret: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{\n  \"client_id\"", with: "{\n  \"client_secret\": \"\(secret)\",\n  \"client_id\"",
      in: AndroidFixture.configuration)
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.rule) == Array(repeating: .pageSecret, count: count), "\(found)")
    #expect(!"\(found)".contains("Qx18Q"))
  }

  /// A file that names the resource says that it is made or kept somewhere else.
  @Test(arguments: [
    ("README.md", "Save auth_config_old.json in res/raw.", true), (".gitignore", "*.json", true),
    ("app/build.gradle.kts", "copy { into(\"src/main/res/raw\") }", true), ("README.md", "Notes", false),
  ])
  func aResourceThatIsNotPublishedIsAQuestion(_ file: String, _ text: String, _ isQuestion: Bool) throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      fun make(c: Context) = PublicClientApplication.createMultipleAccountPublicClientApplication(c, R.raw.auth_config_old, listener)
      """
    fixture.files[file] = text
    let found = try Self.findings(fixture.files).filter { $0.title.hasPrefix("res/raw lacks") }
    #expect(found.map(\.isQuestion) == [isQuestion], "\(found)")
    // A file of any form is the resource.
    fixture.files["app/src/main/res/raw/auth_config_old.json"] = "{}"
    #expect(try Self.findings(fixture.files).contains { $0.title.hasPrefix("res/raw lacks") } == false)
  }

  /// Calls may never name an authority that is not the default.
  @Test(arguments: [(true, false), (false, true)])
  func onlyTheDefaultAuthorityIsCertain(_ isDefault: Bool, _ isQuestion: Bool) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{ \"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }, \"default\": true }",
      with: """
        { "type": "AAD", "audience": { "type": "AzureADMultipleOrgs" }, "default": \(!isDefault) },
        { "type": "AAD", "authority_url": "https://login.microsoftonline.com/contoso", "default": \(isDefault) }
        """, in: AndroidFixture.configuration)
    let found = try Self.findings(fixture.files).filter { $0.rule == .authority }
    #expect(found.map(\.isQuestion) == [isQuestion], "\(found)")
  }

  /// MSAL leaves the broker out of use without an error.
  @Test func anotherPackageInTheRedirectURIHasNoError() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "msauth://com.contoso.notes", with: "msauth://com.contoso.old", in: AndroidFixture.configuration)
    fixture.replace("${applicationId}", with: "com.contoso.old", in: AndroidFixture.manifest)
    let found = try Self.findings(fixture.files.filter { $0.key != "registration.json" })
    #expect(found.map(\.rule) == [.androidRedirect] && found.map(\.isQuestion) == [true], "\(found)")
    #expect(found.first?.refusal == nil)
  }

  @Test(arguments: ["{AUTHORITY_OF_LAMPS}", "https://login.microsoftonline.com/{tenant}"])
  func aNameInBracesIsNotFilledIn(_ text: String) {
    #expect(Placeholders.contain(text) && !Placeholders.contain("{\(AndroidFixture.clientID)}"))
  }
}
