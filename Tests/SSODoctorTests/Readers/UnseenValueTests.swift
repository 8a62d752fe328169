import DoctorTestSupport
import Testing

@testable import SSODoctor

/// Values that the files do not show: of a script of the build, a file that is not checked in, or an example.
@Suite struct UnseenValueTests {
  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  private static let project = "Suite.xcodeproj/project.pbxproj"

  // MARK: Apple's platforms

  /// A script of the build writes the schemes into the built Info.plist.
  @Test(arguments: [
    (#"${SRCROOT}/gradlew applyConfig"#, ["build.gradle": "plist['CFBundleURLTypes'] = types"], false),
    (#"python3 \"$SRCROOT/scripts/config.py\""#, ["scripts/config.py": "'CFBundleURLSchemes'"], false),
    (#"plutil -insert CFBundleURLTypes -json '[]' \"$INFO\""#, [:], false),
    (#"${PODS_ROOT}/SwiftLint/swiftlint"#, ["scripts/config.py": "'CFBundleURLSchemes'"], true),
    ("", ["fastlane/Fastfile": "update_url_schemes(path: 'Mail/Info.plist')"], false),
  ])
  func aScriptMayAddSchemes(_ script: String, _ files: [String: String], _ isError: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "contoso", in: "Mail/Info.plist")
    fixture.replace("buildPhases = ( A03 )", with: "buildPhases = ( A03, A20 )", in: Self.project)
    fixture.replace(
      "A08 = {", with: "A20 = { isa = PBXShellScriptBuildPhase; shellScript = \"\(script)\"; };\nA08 = {",
      in: Self.project)
    let found = try Self.findings(fixture.files.merging(files) { $1 }).filter { $0.rule == .urlScheme }
    #expect(found.map(\.severity) == [isError ? .fails : .worksInSomeCases], "\(found)")
  }

  /// The entitlements may be named in a configuration file that is not checked in.
  @Test(arguments: [
    ("Config/Secrets.xcconfig", false),
    ("Pods/Target Support Files/Pods-Mail/Pods-Mail.release.xcconfig", true),
  ])
  func aConfigurationFileMayBeMissing(_ file: String, _ isError: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace("\tCODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements;\n", with: "", in: Self.project)
    fixture.replace(
      "A10 = {",
      with: "A30 = { isa = PBXFileReference; path = \"\(file)\"; sourceTree = SOURCE_ROOT; };\nA10 = {",
      in: Self.project)
    fixture.replace("children = ( A10, B10 )", with: "children = ( A10, A30, B10 )", in: Self.project)
    for name in ["C03", "C04"] {
      fixture.replace(
        "\(name) = { isa = XCBuildConfiguration;",
        with: "\(name) = { isa = XCBuildConfiguration; baseConfigurationReference = A30;", in: Self.project)
    }
    fixture.files["Mail/Mail.entitlements"] = nil
    let found = try Self.findings(fixture.files).filter { $0.rule == .keychainGroup }
    #expect(found.contains { $0.severity == .fails } == isError, "\(found)")
  }

  /// A variable of the build, whose value no file has, may be the value that is missing.
  @Test(arguments: [
    ("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "$(SIGN_IN_SCHEME)", "Mail/Info.plist"),
    ("msauthv3", "$(BROKER_SCHEME)", "Mail/Info.plist"),
    ("com.microsoft.adalcache", "$(SHARED_GROUP)", "Mail/Mail.entitlements"),
  ])
  func aVariableOfTheBuildIsNotAnError(_ old: String, _ new: String, _ file: String) throws {
    var fixture = XcodeFixture()
    fixture.replace(old, with: new, in: file)
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.severity) == [.worksInSomeCases], "\(found)")
  }

  /// The delegate passes the URL to a module that is not part of the project, or to none that could know MSAL.
  @Test(arguments: [
    ("AuthKit.shared.handle(context.url)", DoctorCheck.Severity.worksInSomeCases),
    ("GIDSignIn.sharedInstance.handle(context.url)", .fails), ("print(context.url)", .fails),
    ("route(context.url)\n  }\n  func route(_ url: URL) {", .fails),
  ])
  func aDelegateMayPassTheURLOn(_ call: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
          guard let context = contexts.first else { return }
          \(call)
        }
      }
      """
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.severity) == [severity], "\(found)")
  }

  /// XcodeGen writes the lists of project.yml into the Info.plist.
  @Test func theProjectFileMayHaveTheLists() throws {
    let files = [
      "project.yml": """
      targets:
        Mail:
          info:
            path: Mail/Info.plist
            properties:
              CFBundleURLTypes: [{ CFBundleURLSchemes: [msauth.com.contoso.mail] }]
              LSApplicationQueriesSchemes: [msauthv2, msauthv3]
          entitlements:
            path: Mail/Mail.entitlements
            properties:
              keychain-access-groups: [$(AppIdentifierPrefix)com.microsoft.adalcache]
      """,
      "Mail/Info.plist":
        "<plist><dict><key>CFBundleIdentifier</key><string>com.contoso.mail</string></dict></plist>",
      "Mail/Mail.entitlements": "<plist><dict/></plist>",
      "Mail/SignIn.swift": XcodeFixture.signIn, "Mail/SceneDelegate.swift": XcodeFixture.sceneDelegate,
    ]
    let found = try Self.findings(files).filter { $0.rule != .callback }
    #expect(found.isEmpty, "\(found)")
  }

  /// The code of a package for Flutter declares the authority that Dart passes to it.
  @Test func aPackageDeclaresTheAuthorityItself() throws {
    var fixture = XcodeFixture()
    for file in ["Mail/SignIn.swift", "Calendar/SignIn.m"] { fixture.files[file] = "" }
    var files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0, $1) })
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.0.0\n"
    files["lib/main.dart"] = """
      import 'package:msal_auth/msal_auth.dart';
      final app = await SingleAccountPca.create(clientId: '\(XcodeFixture.clientID)', appleConfig: AppleConfig(
        authority: 'https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in/',
        authorityType: AuthorityType.b2c));
      """
    let found = try Self.findings(files)
    #expect(!found.contains { $0.severity == .fails }, "\(found)")
  }

  /// A package that does not forward the broker's answer leaves it to the app's delegate, unless Dart chooses a browser.
  @Test(arguments: [
    ("", [DoctorCheck.Severity.fails]), ("broker: Broker.msAuthenticator, ", [.fails]),
    ("broker: Broker.webView, ", []), ("authMiddleware: AuthMiddleware.authenticationSession, ", []),
  ])
  func anAnswerThatAPackageLeavesToTheAppIsForwarded(_ broker: String, _ severities: [DoctorCheck.Severity])
    throws
  {
    var fixture = XcodeFixture()
    for file in ["Mail/SignIn.swift", "Calendar/SignIn.m"] { fixture.files[file] = "" }
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { print(contexts) }
      }
      """
    var files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0, $1) })
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.0.0\n"
    files["lib/main.dart"] = """
      import 'package:msal_auth/msal_auth.dart';
      final app = await SingleAccountPca.create(clientId: '\(XcodeFixture.clientID)', appleConfig: AppleConfig(
        \(broker)authority: 'https://login.microsoftonline.com/common'));
      """
    let found = try Self.findings(files).filter {
      $0.rule == .callback && $0.subject == "Mail" && $0.hasFailed
    }
    #expect(found.map(\.severity) == severities, "\(found)")
  }

  /// The code of another package passes it on as it is, so MSAL must know its host.
  @Test(arguments: [("login.microsoftonline.com", true), ("login.contoso.com", false)])
  func aPackageMayPassTheAuthorityOn(_ host: String, _ isKnown: Bool) throws {
    var fixture = XcodeFixture()
    for file in ["Mail/SignIn.swift", "Calendar/SignIn.m"] { fixture.files[file] = "" }
    var files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0, $1) })
    files["pubspec.yaml"] =
      "dependencies:\n  flutter:\n    sdk: flutter\n  azure_ad_authentication: ^1.0.0\n"
    files["lib/main.dart"] = """
      import 'package:azure_ad_authentication/azure_ad_authentication.dart';
      const String authority = "https://\(host)/organizations";
      final app = await AzureAdAuthentication.createPublicClientApplication(
        clientId: '\(XcodeFixture.clientID)', authority: authority);
      """
    let found = try Self.findings(files).filter { $0.rule == .authority }
    #expect(found.isEmpty == isKnown, "\(found)")
  }

  /// The redirect URI of MSAL before 0.3 is another.
  @Test(arguments: [("0.2.3", true), ("0.3.0", false)])
  func thePodOfAnOldVersionIsNotJudged(_ version: String, _ isOld: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "nil", in: "Mail/SignIn.swift")
    fixture.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "contoso", in: "Mail/Info.plist")
    fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (\(version)):\n"
    #expect(try Self.findings(fixture.files).isEmpty == isOld)
  }

  /// MAUI's template has a folder for iOS, which the target frameworks leave out, or which nothing of the app fills.
  @Test(
    arguments: [
      ("net9.0-android", "com.contoso.mail", "", nil),
      ("net9.0-android;net9.0-ios", "com.contoso.mail", "", .fails),
      ("net9.0-android;net9.0-ios", "com.companyname.mail", "", .worksInSomeCases),
      ("net9.0-android;net9.0-ios", "com.companyname.mail", "using Mail.MSALClient;", .fails),
    ] as [(String, String, String, DoctorCheck.Severity?)])
  func aFolderOfATemplateMayNotBeBuilt(
    _ targets: String, _ id: String, _ code: String, _ severity: DoctorCheck.Severity?
  ) throws {
    let found = try Self.findings([
      "Mail.csproj": """
      <Project>
        <PropertyGroup>
          <TargetFrameworks>\(targets)</TargetFrameworks>
          <!-- <TargetFrameworks>$(TargetFrameworks);net9.0-ios</TargetFrameworks> -->
          <UseMaui>true</UseMaui><ApplicationId>\(id)</ApplicationId>
        </PropertyGroup>
        <PackageReference Include="Microsoft.Identity.Client" Version="4.60.0" />
      </Project>
      """,
      "SignIn.cs":
        "using Microsoft.Identity.Client;\nvar app = PublicClientApplicationBuilder.Create(id).Build();",
      "Platforms/iOS/Info.plist": "<plist><dict/></plist>", "Platforms/iOS/AppDelegate.cs": code,
    ])
    #expect(found.map(\.severity) == [severity].compactMap(\.self), "\(found)")
  }

  // MARK: Pages

  private static func page(_ files: [String: String]) throws -> [DoctorCheck] {
    let package = #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0", "vite": "5" } }"#
    return try findings(["package.json": package].merging(files) { $1 })
  }

  private static let configuration = """
    import { PublicClientApplication } from '@azure/msal-browser';
    export const app = new PublicClientApplication({ auth: {
      clientId: import.meta.env.VITE_CLIENT_ID,
      authority: `https://login.microsoftonline.com/${import.meta.env.VITE_TENANT_ID}`,
    } });
    """

  /// No build has the values of an example, so its gaps are not the app's.
  @Test(arguments: ["여기에_앱_ID", "meine-anwendung"])
  func anExampleIsNeverAnError(_ text: String) throws {
    let found = try Self.page([
      "src/app.ts": Self.configuration,
      ".env.example": "VITE_CLIENT_ID=\(text)\nVITE_TENANT_ID=\(text)_mandant\n",
    ])
    #expect(found == [], "\(found)")
  }

  /// A bundler puts only variables that a script reads into the page, and never those of an example.
  @Test(arguments: [
    (".env", "VITE_CLIENT_SECRET", "VITE_CLIENT_SECRET", DoctorCheck.Severity.fails),
    (".env", "VITE_CLIENT_SECRET", "VITE_OTHER", .worksInSomeCases),
    (".env.example", "VITE_CLIENT_SECRET", "VITE_CLIENT_SECRET", .worksInSomeCases),
    (".env", "VITE_GOOGLE_CLIENT_SECRET", "VITE_GOOGLE_CLIENT_SECRET", .fails),
  ])
  func aSecretIsInThePageIfAScriptReadsIt(
    _ file: String, _ name: String, _ read: String, _ severity: DoctorCheck.Severity
  ) throws {
    let found = try Self.page([
      "src/app.ts": Self.configuration + "\nconst other = import.meta.env.\(read);",
      file: "\(name)=Qx18Q~abcdefghijk\n",
    ]).filter { $0.rule == .pageSecret }
    #expect(found.map(\.severity) == [severity], "\(found)")
    // Only Entra's secret is refused by Entra.
    #expect((found.first?.refusal == nil) == name.contains("GOOGLE"))
  }

  /// No script of the app names the only configuration, so nothing shows that the app uses it.
  @Test(arguments: [
    ("", DoctorCheck.Severity.worksInSomeCases), ("import { app } from './config/msal';", .fails),
  ])
  func theOnlyConfigurationMayBeLeftOver(_ line: String, _ severity: DoctorCheck.Severity) throws {
    let found = try Self.page([
      "src/main.tsx": line + "\nrender();",
      "src/config/msal.ts": "export const app = { auth: { clientId: 'x' } };",
    ])
    #expect(found.map(\.severity) == [severity], "\(found)")
  }

  /// Values for tests, of apps with their own window, and requests that nothing makes.
  @Test(
    arguments: [
      (
        "redirectUri: 'msauth://com.contoso.app/x'", #""electron": "30""#,
        DoctorCheck.Severity.worksInSomeCases
      ),
      ("redirectUri: 'msauth://com.contoso.app/x'", #""react": "18""#, .fails),
      ("authority: 'https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in'", #""react": "18""#, .fails),
      ("authority: 'https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in'", #""later": "1""#, nil),
      ("}, request: { scopes: ['User.Read', 'api://contoso/read'] ", #""react": "18""#, .fails),
    ] as [(String, String, DoctorCheck.Severity?)])
  func aPageMayHaveMoreThanItsConfiguration(
    _ member: String, _ package: String, _ severity: DoctorCheck.Severity?
  ) throws {
    let later = package.contains("later") ? "config.auth.knownAuthorities = ['lamp.b2clogin.com'];" : ""
    let found = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0", "# + package
        + " } }",
      "src/app.ts":
        "const config = { auth: { clientId: '\(AndroidFixture.clientID)', \(member) } };\n\(later)",
      ".env.test": "VITE_CLIENT_SECRET=Qx18Q~abcdefghijk\n",
    ])
    #expect(found.map(\.severity) == [severity].compactMap(\.self), "\(found)")
  }

  @Test(arguments: [("", false), ("import { request } from './app';", true)])
  func scopesThatNothingUsesAreNoRequest(_ line: String, _ isUsed: Bool) throws {
    let found = try Self.page([
      "src/app.ts": """
      import { PublicClientApplication } from '@azure/msal-browser';
      new PublicClientApplication({ auth: { clientId: '\(AndroidFixture.clientID)' } });
      export const request: RedirectRequest = { scopes: ['User.Read', 'api://contoso/read'] };
      """, "src/page.ts": line,
    ])
    #expect(found.map(\.rule) == (isUsed ? [.requestScopes] : []), "\(found)")
  }

  @Test func theHostBeforeProductionIsMicrosofts() throws {
    let found = try Self.page([
      "src/app.ts":
        "const c = { auth: { clientId: '\(AndroidFixture.clientID)', authority: 'https://login.windows-ppe.net/common/' } };"
    ])
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: Android

  /// A plugin of the project may set the placeholder, wherever the project is.
  @Test(arguments: [
    (["mobile/build-logic/build.gradle": ""], true),
    (["mobile/settings.gradle": "includeBuild 'conventions'", "mobile/conventions/build.gradle": ""], true),
    (["mobile/settings.gradle": "includeBuild(\"$flutterSdkPath/packages/flutter_tools/gradle\")"], false),
  ])
  func aPluginOfTheProjectMaySetAPlaceholder(_ files: [String: String], _ isHidden: Bool) throws {
    let found = try Self.findings(
      [
        "mobile/app/build.gradle": """
        plugins { id 'com.android.application' }
        android { defaultConfig { applicationId "com.contoso.mail" } }
        dependencies { implementation 'net.openid:appauth:0.11.1' }
        """,
        "mobile/app/src/main/AndroidManifest.xml": "<manifest><application/></manifest>",
      ].merging(files) { $1 })
    #expect(found.isEmpty == isHidden, "\(found)")
  }

  /// Without a configuration, a filter of a wrapper shows its own misspelling.
  @Test func theSchemeOfAFilterMayBeMisspelt() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/auth_config.json"] = nil
    fixture.files["registration.json"] = nil
    fixture.files["app/src/main/AndroidManifest.xml"]?.replace("\"msauth\"", with: "\"msauths\"")
    let found = try Self.findings(fixture.files)
    #expect(found.map(\.mistake) == ["The filter's scheme is misspelt"], "\(found)")
  }

  /// The addresses of the provider are no redirect URIs, each build may have its own scheme, and a browser writes schemes
  /// in lowercase.
  @Test(arguments: [
    ("appAuthRedirectScheme: 'com.contoso'", "com.contoso:/cb", [DoctorCheck.Severity]()),
    ("appAuthRedirectScheme: 'com.contoso'", "com.Contoso:/cb", []),
    ("appAuthRedirectScheme: 'com.contoso'", "https://contoso.com/cb", [.worksInSomeCases]),
    ("appAuthRedirectScheme: 'com.other'", "com.contoso:/cb", [.fails]),
    (
      "appAuthRedirectScheme: 'dev']; manifestPlaceholders = [appAuthRedirectScheme: 'com.contoso'",
      "com.contoso:/cb", []
    ),
    (
      "appAuthRedirectScheme: 'dev']; manifestPlaceholders = [appAuthRedirectScheme: scheme",
      "com.contoso:/cb", []
    ),
  ])
  func aBuildMayHaveItsOwnScheme(
    _ placeholders: String, _ uri: String, _ severities: [DoctorCheck.Severity]
  ) throws {
    let found = try Self.findings([
      "app/build.gradle": """
      plugins { id 'com.android.application' }
      android { defaultConfig { applicationId "com.contoso.mail"; manifestPlaceholders = [\(placeholders)] } }
      dependencies { implementation 'net.openid:appauth:0.11.1' }
      """,
      "app/src/main/AndroidManifest.xml": "<manifest><application/></manifest>",
      "app/src/main/java/SignIn.kt": """
      import net.openid.appauth.AuthorizationRequest
      val service = AuthorizationServiceConfiguration(Uri.parse("https://idp/auth"), Uri.parse("https://idp/token"))
      val request = AuthorizationRequest.Builder(service, "mail", ResponseTypeValues.CODE, Uri.parse("\(uri)")).build()
      """,
    ])
    #expect(found.map(\.severity) == severities, "\(found)")
  }

  /// Without a value of the app's own, a scheme is not filled in.
  @Test func aSchemeOfGoogleMayNotBeFilledIn() throws {
    let found = try Self.findings([
      "App/Info.plist": """
      <plist><dict><key>GIDClientID</key><string>1-a.apps.googleusercontent.com</string><key>CFBundleURLTypes</key>
      <array><dict><key>CFBundleURLSchemes</key><array><string>com.googleusercontent.apps.YOUR-ID</string></array>
      </dict></array></dict></plist>
      """, "App/SignIn.swift": "import GoogleSignIn",
    ])
    #expect(found.map(\.severity) == [.notFilledIn], "\(found)")
  }
}
