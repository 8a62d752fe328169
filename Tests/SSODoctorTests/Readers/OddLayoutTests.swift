import DoctorTestSupport
import Foundation
import SSODevice
import Testing

@testable import SSODoctor

/// The lessons of two more sets of public projects of November 28: layouts that hide the values that a sign-in needs.
@Suite struct OddLayoutTests {
  private static func diagnosis(_ files: [String: String]) throws -> Diagnosis {
    try withFolder(of: files) { try Doctor.examine([$0]) }
  }

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try diagnosis(files).findings
  }

  /// The name of a project's folder may end like a built app's.
  @Test func aFolderOfAProjectIsNoBuiltApp() throws {
    let files = [
      "board.app/package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "board.app/src/auth.js": "const config = { auth: { clientId: '\(XcodeFixture.clientID)' } };",
      "empty.app/Board": "",
    ]
    let web = try withFolder(of: files) { try Doctor.examine([$0 + "/board.app"]).web }
    #expect(web.count == 1)
    #expect(throws: UnreadableProject.self) {
      try withFolder(of: files) { try Doctor.examine([$0 + "/empty.app"]) }
    }
  }

  // MARK: Apple

  private static let desk = """
    import MSAL
    func makeApplication() throws -> MSALPublicClientApplication {
      let authority = try MSALAADAuthority(url: URL(string: "https://login.microsoftonline.com/common")!)
      return try MSALPublicClientApplication(
        configuration: MSALPublicClientApplicationConfig(
          clientId: "\(XcodeFixture.clientID)", redirectUri: "msauth.com.contoso.desk://auth",
          authority: authority))
    }
    """

  /// A Swift package for macOS does not build an iOS app, and only its code has the bundle ID.
  @Test func aPackageMayBeForMacOSOnly() throws {
    let diagnosis = try Self.diagnosis([
      "Package.swift": "let package = Package(name: \"Desk\", platforms: [.macOS(.v15)])",
      "Sources/DeskApp.swift":
        "import SwiftUI\n@main struct DeskApp: App { var body: some Scene { Window().onOpenURL { other($0) } } }",
      "Sources/Graph.swift": Self.desk,
    ])
    #expect(diagnosis.apple.map(\.platform) == [.macOS])
    #expect(diagnosis.apple.first?.bundleID?.value == "com.contoso.desk")
    #expect(!diagnosis.fails, "\(diagnosis.findings)")
  }

  /// Without a project file, the bundle ID of Info.plist is a variable, which the code's redirect URI reveals.
  @Test(arguments: [("com.contoso.desk", []), ("com.contoso.other", [DoctorRule.brokerUnused])])
  func codeRevealsTheBundleID(_ scheme: String, _ rules: [DoctorRule]) throws {
    let scheme = rules.isEmpty ? "$(PRODUCT_BUNDLE_IDENTIFIER)" : scheme
    let findings = try Self.findings([
      "App/Info.plist": XcodeFixture.info("").replacing(
        "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth." + scheme),
      "App/App.entitlements": XcodeFixture.entitlements,
      "App/Graph.swift": Self.desk,
    ])
    #expect(findings.filter { $0.severity == .fails }.map(\.rule) == rules, "\(findings)")
  }

  /// The sources of MSAL itself may be in the project, with their own names and values.
  @Test func aCopyOfMSALIsNotTheApps() throws {
    let files = [
      "App/Info.plist": XcodeFixture.info("com.contoso.desk"),
      "App/App.entitlements": XcodeFixture.entitlements,
      "App/Graph.swift": Self.desk,
      "Libraries/MSAL/src/MSALPublicClientApplication.m":
        "#import <MSAL/MSAL.h>\nconfig.redirectUri = @\"msauth.com.contoso.other://auth\";",
    ]
    let found = try Self.diagnosis(files).apple.map { $0.source?.redirectURI.found?.value }
    #expect(found == ["msauth.com.contoso.desk://auth"])
  }

  /// The Intune SDK makes the object of MSAL, which needs the query schemes like an object that code creates.
  @Test func intuneNeedsTheQuerySchemes() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = "import MSAL\n"
    fixture.replace("    <string>msauthv2</string>\n", with: "", in: "Mail/Info.plist")
    #expect(try Self.findings(fixture.files).allSatisfy { $0.rule != .querySchemes })
    fixture.replace(
      "<key>LSApplicationQueriesSchemes</key>",
      with: """
        <key>IntuneMAMSettings</key>
        <dict>
          <key>ADALClientId</key>
          <string>\(XcodeFixture.clientID)</string>
          <key>ADALRedirectUri</key>
          <string>msauth.com.contoso.mail://auth</string>
        </dict>
        <key>LSApplicationQueriesSchemes</key>
        """, in: "Mail/Info.plist")
    let findings = try Self.findings(fixture.files).filter { $0.subject == "Mail" }
    #expect(findings.map(\.rule) == [.querySchemes], "\(findings)")
  }

  /// The app of a wrapper may be registered for another bundle ID's scheme.
  @Test(arguments: [
    ("$(PRODUCT_BUNDLE_IDENTIFIER)", []), ("com.contoso.other", [DoctorRule.urlScheme]),
    ("com.microsoft.intunemam", []),
  ])
  func aWrappersSchemeIsTheBundleIDs(_ scheme: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files["package.json"] =
      #"{ "dependencies": { "@capacitor/core": "^6.0.0", "capacitor-plugin-msauth": "^3.0.0" } }"#
    fixture.files["src/sync.ts"] = "import { MsAuthPlugin } from 'capacitor-plugin-msauth';"
    for name in ["SignIn.swift", "SceneDelegate.swift"] { fixture.files["Mail/" + name] = "import UIKit\n" }
    fixture.replace(
      "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth." + scheme, in: "Mail/Info.plist")
    let findings = try Self.findings(fixture.files).filter { $0.subject == "Mail" && $0.rule == .urlScheme }
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .worksInSomeCases })
  }

  /// `checkAppOpen` of a Capacitor plugin calls MSAL.
  @Test(arguments: [
    ("MsAuthPlugin.checkAppOpen(url: url, options: options)", []), ("open(url)", [DoctorRule.callback]),
  ])
  func aPluginTakesTheCallback(_ call: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(_ app: UIApplication, open url: URL, options: [OptionsKey: Any] = [:]) -> Bool {
          \(call)
        }
      }
      """
    fixture.replace("<key>UIApplicationSceneManifest</key>\n  <dict/>\n", with: "", in: "Mail/Info.plist")
    let findings = try Self.findings(fixture.files).filter { $0.subject == "Mail" }
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }

  /// The app of a solution refers to the project that uses MSAL.NET.
  @Test(arguments: [
    (".WithIosKeychainSecurityGroup(NSBundle.MainBundle.BundleIdentifier)", []),
    ("", [DoctorRule.keychainGroup]),
  ])
  func anotherProjectOfASolutionUsesMSAL(_ call: String, _ rules: [DoctorRule]) throws {
    let findings = try Self.findings([
      "Mail.App/Mail.App.csproj": """
      <Project>
        <PropertyGroup><UseMaui>true</UseMaui><ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
        <ProjectReference Include="..\\Mail.SignIn\\Mail.SignIn.csproj" />
      </Project>
      """,
      "Mail.App/Platforms/iOS/Info.plist": "<plist version=\"1.0\"><dict></dict></plist>",
      "Mail.SignIn/Mail.SignIn.csproj": """
      <Project><PackageReference Include="Microsoft.Identity.Client" Version="4.66.0" /></Project>
      """,
      "Mail.SignIn/SignIn.cs":
        "using Microsoft.Identity.Client;\nPublicClientApplicationBuilder.Create(id)\(call).Build();",
    ])
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }

  // MARK: Android

  /// The activity is needed, whatever replaces the placeholders.
  @Test func placeholdersNeedTheActivityToo() throws {
    var fixture = AndroidFixture()
    fixture.replace(AndroidFixture.encodedHash, with: "YOUR_SIGNATURE_HASH", in: AndroidFixture.configuration)
    #expect(try fixture.diagnosis().findings.map(\.rule) == [.placeholder])
    fixture.replace("BrowserTabActivity", with: "OtherActivity", in: AndroidFixture.manifest)
    #expect(try fixture.diagnosis().findings.map(\.rule) == [.placeholder, .browserTabActivity])
  }

  /// Each build has a configuration of the same name.
  @Test func everyBuildsAccountModeIsTheCodes() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Account.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      PublicClientApplication.createMultipleAccountPublicClientApplication(context, R.raw.auth_config)
      """
    let debug = "app/src/debug/res/raw/auth_config.json"
    fixture.files[debug] = fixture.files[AndroidFixture.configuration]
    #expect(try fixture.diagnosis().findings.isEmpty)
    fixture.replace("\"broker_", with: "\"account_mode\": \"SINGLE\", \"broker_", in: debug)
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.rule) == [.androidConfiguration])
    #expect(findings.first?.place.path.hasSuffix(debug) == true)
    fixture.replace("SINGLE", with: "", in: debug)
    #expect(try fixture.diagnosis().findings.isEmpty, "a template's mode is empty")
  }

  /// A path in the manifest may be a resource, with a different value in each build.
  @Test(arguments: [("/", true), ("", false)])
  func aFiltersPathMayBeAResource(_ start: String, _ isRight: Bool) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"/\(AndroidFixture.hash)\"", with: "\"@string/sign_in_path\"", in: AndroidFixture.manifest)
    fixture.files["app/src/debug/res/values/keys.xml"] = """
      <resources><string name="sign_in_path" translatable="false">\(start)\(AndroidFixture.hash)</string></resources>
      """
    let rules: [DoctorRule] = isRight ? [] : [.browserTabActivity]
    #expect(try fixture.diagnosis().findings.map(\.rule) == rules)
    // The path is known although the package name is not.
    fixture.replace("\"com.contoso.notes\"", with: "libs.versions.id.get()", in: "app/build.gradle")
    #expect(try fixture.diagnosis().findings.map(\.rule) == rules)
  }

  /// A module for several platforms has its manifest in `androidMain`.
  @Test func aModuleForSeveralPlatformsIsRead() throws {
    var fixture = AndroidFixture()
    for (path, text) in fixture.files where path.hasPrefix("app/src/main") {
      fixture.files[path] = nil
      fixture.files[path.replacing("src/main", with: "src/androidMain")] = text
    }
    #expect(try fixture.diagnosis().android.map(\.packageName?.value) == ["com.contoso.notes"])
    fixture.replace(
      "android:scheme=\"msauth\"", with: "android:scheme=\"msal\"",
      in: "app/src/androidMain/AndroidManifest.xml")
    #expect(try fixture.diagnosis().findings.map(\.rule) == [.browserTabActivity])
  }

  /// A wrapper makes the redirect URI from the package name and the hash, so the filter has both.
  @Test(arguments: [
    ("${applicationId}", "/\(AndroidFixture.hash)", []),
    ("com.contoso.other", "/\(AndroidFixture.hash)", ["The filter's host is another package's"]),
    ("com.contoso.notes", AndroidFixture.hash, ["The filter's path has no slash before the hash"]),
    ("com.contoso.notes", "/\(AndroidFixture.encodedHash)", ["The filter's path is encoded"]),
    ("com.contoso.notes", "${path}", []),
    ("com.contoso.other", "${path}", ["The filter's host is another package's"]),
  ])
  func aFilterWithoutAConfigurationIsChecked(_ host: String, _ path: String, _ mistakes: [String]) throws {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = nil
    fixture.files["app/src/main/java/Account.kt"] = nil
    fixture.replace("${applicationId}", with: host, in: AndroidFixture.manifest)
    fixture.replace("/\(AndroidFixture.hash)", with: path, in: AndroidFixture.manifest)
    fixture.files["signing.gradle"] = "ext.path = signature()"
    let findings = try Self.findings(fixture.files.filter { $0.key != "registration.json" })
    #expect(findings.map(\.mistake) == mistakes)
    #expect(findings.allSatisfy { $0.severity == .worksInSomeCases })
    // The printed attribute fixes the manifest; the developer writes it, because a question does not replace a value.
    for fix in findings.compactMap(\.fix) {
      let name = fix.prefix { $0 != "=" }
      let lines = fixture.files[AndroidFixture.manifest]?.split(separator: "\n").map { line in
        line.contains(name) ? fix + (line.hasSuffix("/>") ? " />" : "") : String(line)
      }
      fixture.files[AndroidFixture.manifest] = lines?.joined(separator: "\n")
    }
    #expect(try Self.findings(fixture.files.filter { $0.key != "registration.json" }) == [])
  }

  /// Dart passes an asset to MSAL, and creates the object for one account or for several.
  @Test(arguments: [("Single", "SINGLE", true), ("Multiple", "SINGLE", false)])
  func dartDecidesTheAccountMode(_ call: String, _ mode: String, _ isRight: Bool) throws {
    let fixture = AndroidFixture()
    let manifest = try #require(fixture.files[AndroidFixture.manifest])
    let findings = try Self.findings([
      "pubspec.yaml": "name: notes\ndependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.0.0\n",
      "lib/sign_in.dart": "final pca = await \(call)AccountPca.create(clientId: id, androidConfig: config);",
      "assets/msal_config.json": """
      { "account_mode": "\(mode)", "authorities": [{ "type": "AAD", "audience": { "type": "AzureADMultipleOrgs" } }] }
      """,
      "android/app/build.gradle": "android { defaultConfig { applicationId \"com.contoso.notes\" } }",
      "android/app/src/main/AndroidManifest.xml": manifest,
      // It has the same name, and no code uses it.
      "android/app/src/main/res/raw/msal_config.json":
        "{ \"account_mode\": \"MULTIPLE\", \"authorities\": [] }",
    ]).filter { $0.severity == .fails }
    #expect(findings.map(\.rule) == (isRight ? [] : [.androidConfiguration]), "\(findings)")
  }

  // MARK: Browser

  private static func page(_ auth: String, _ more: [String: String] = [:]) -> [String: String] {
    more.merging([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/msal.ts": "\(auth)",
    ]) { first, _ in first }
  }

  /// A build does not have an example's variables, so the fallback beside them is checked.
  @Test func theFallbackBesideAnExampleIsChecked() throws {
    let findings = try Self.findings(
      Self.page(
        """
        const AUTHORITY = import.meta.env['VITE_AUTHORITY'] as string ?? 'http://login.microsoftonline.com/common';
        const config = { auth: { clientId: '\(XcodeFixture.clientID)', authority: AUTHORITY } };
        """, [".env.example": "VITE_AUTHORITY=https://login.microsoftonline.com/common"]))
    #expect(findings.map(\.rule) == [.authority])
    #expect(findings.map(\.severity) == [.worksInSomeCases])
  }

  /// Angular replaces `environment.ts` with another file for each build.
  @Test(arguments: [
    ("clientId: '\(XcodeFixture.clientID)'", []), ("clientId: 'abc-1'", [DoctorRule.clientID]),
    ("clientId: ''", []),
    ("redirect: 'http://board.contoso.com', clientId: '\(XcodeFixture.clientID)'", [.redirectURI]),
  ])
  func everyBuildsEnvironmentIsChecked(_ production: String, _ rules: [DoctorRule]) throws {
    let findings = try Self.findings(
      Self.page(
        """
        import { environment } from './environments/environment';
        const config = { auth: { clientId: environment.clientId, redirectUri: environment.redirect } };
        """,
        [
          "src/environments/environment.ts":
            "export const environment = { clientId: '\(XcodeFixture.clientID)', redirect: 'http://localhost:4200' };",
          "src/environments/environment.prod.ts": "export const environment = { \(production) };",
        ]))
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.allSatisfy { $0.place.path.hasSuffix("environment.prod.ts") })
  }

  /// A build fills in the tenant, so the rest of the authority is checked.
  @Test(arguments: [
    ("https://login.microsoftonline.com/${tenant}", []),
    ("http://login.microsoftonline.com/${tenant}", ["The authority is not an https URL"]),
    ("https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token", []),
    (
      "https://login.windows.net/${tenant}/oauth2/v2.0/token", ["The authority is an endpoint's address"]
    ),
    ("https://login.microsoft0nline.com/${tenant}", ["The authority's host is misspelt"]),
    ("https://${host}/${tenant}", []),
    ("https://contoso.b2clogin.com/${path}", ["The authority's host is not known"]),
    ("${base}/${tenant}", []),
  ])
  func aPartlyKnownAuthorityIsChecked(_ authority: String, _ mistakes: [String]) throws {
    for tenant in ["process.env.NEXT_PUBLIC_TENANT", "'00000000-0000-0000-0000-000000000000'"] {
      let text = """
        const tenant = \(tenant);
        const config = { auth: { clientId: '\(XcodeFixture.clientID)', authority: `\(authority)` } };
        """
      let findings = try Self.findings(Self.page(text)).filter { $0.severity == .fails }
      #expect(findings.map(\.mistake) == mistakes, "\(tenant): \(findings)")
    }
  }

  // MARK: Google

  /// A scheme of the bundle ID beside the reversed client ID says nothing about it.
  @Test(arguments: [("1-abc", []), ("1-other", [DoctorRule.googleSignIn])])
  func theBundleIDsSchemeIsNotGoogles(_ id: String, _ rules: [DoctorRule]) throws {
    let info = XcodeFixture.info("").replacing(
      "<key>CFBundleURLTypes</key>",
      with:
        "<key>GIDClientID</key>\n<string>1-abc.apps.googleusercontent.com</string>\n<key>CFBundleURLTypes</key>"
    ).replacing(
      "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
      with:
        "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>\n<string>com.googleusercontent.apps.\(id)</string>"
    )
    let findings = try Self.findings(["App/Info.plist": info]).filter { $0.rule == .googleSignIn }
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }
}
