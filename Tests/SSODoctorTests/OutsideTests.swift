import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// The lessons of public projects: forms of correct apps that were once called wrong, and mistakes that were missed.
@Suite struct OutsideTests {
  static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  static func errors(_ files: [String: String]) throws -> [DoctorRule] {
    try findings(files).filter { $0.severity == .fails }.map(\.rule)
  }

  // MARK: - iOS and macOS

  /// Only Azure AD has a broker, so other authorities are not checked for it.
  @Test(arguments: ["MSALB2CAuthority", "MSALCIAMAuthority"])
  func anAppWithoutABrokerNeedsNoCallback(_ name: String) throws {
    var fixture = XcodeFixture()
    fixture.replace("try MSALAADAuthority", with: "try \(name)", in: "Mail/SignIn.swift")
    fixture.replace(
      "https://login.microsoftonline.com/common",
      with: name.contains("B2C")
        ? "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in"
        : "https://contoso.ciamlogin.com/contoso",
      in: "Mail/SignIn.swift")
    fixture.replace(
      "return try MSALPublic",
      with: "config.knownAuthorities = [authority]\n  return try MSALPublic", in: "Mail/SignIn.swift")
    fixture.replace(
      "msauth.\\(Bundle.main.bundleIdentifier!)://auth", with: "msal\(XcodeFixture.clientID)://auth",
      in: "Mail/SignIn.swift")
    fixture.replace(
      "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
      with: "<string>msal\(XcodeFixture.clientID)</string>", in: "Mail/Info.plist")
    fixture.files["Mail/SceneDelegate.swift"] =
      "import UIKit\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}"
    #expect(try Self.errors(fixture.files) == [])
  }

  @Test func nativeAuthenticationNeedsNoCallback() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = """
      import MSAL
      let client = try MSALNativeAuthPublicClientApplication(
        clientId: "\(XcodeFixture.clientID)", tenantSubdomain: "contoso", challengeTypes: [.OOB])
      """
    fixture.files["Mail/SceneDelegate.swift"] =
      "import UIKit\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}"
    #expect(try Self.errors(fixture.files) == [])
  }

  /// The delegate passes the URL on, and another file calls the SDK.
  @Test(arguments: [
    ("coordinator.open(contexts.first!.url)", [DoctorRule]()), ("log(\"opened\")", [.callback]),
  ])
  func aDelegateMayPassTheURLOn(_ body: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { \(body) }
      }
      """
    fixture.files["Mail/SignIn.swift"]? +=
      "\nfunc take(_ url: URL) { MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) }\n"
    let findings = try Self.findings(fixture.files)
    #expect(findings.map(\.rule) == rules, "\(findings)")
    // Another framework may call the method, so this is a question.
    #expect(findings.allSatisfy { $0.severity == .worksInSomeCases })
  }

  /// The exceptions of a folder say which target has a file.
  @Test func aFileOfASynchronizedFolderBelongsToItsTarget() throws {
    let project = XcodeFixture.project
      .replacing(
        "A03 = { isa = PBXSourcesBuildPhase; files = ( A06, A07, ); };",
        with: "A03 = { isa = PBXSourcesBuildPhase; files = ( ); };"
      )
      .replacing(
        "B03 = { isa = PBXSourcesBuildPhase; files = ( B06, B07, ); };",
        with: "B03 = { isa = PBXSourcesBuildPhase; files = ( ); };"
      )
      .replacing(
        "C01 = { isa = PBXGroup; children = ( A10, B10 )",
        with: """
          D01 = { isa = PBXFileSystemSynchronizedRootGroup; path = Mail; exceptions = ( D02, D03 ); sourceTree = "<group>"; };
          D02 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = A01; membershipExceptions = ( Shared.swift, ); };
          D03 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = B01; membershipExceptions = ( Shared.swift, ); };
          C01 = { isa = PBXGroup; children = ( D01 )
          """
      )
      .replacing(
        "isa = PBXNativeTarget;\n\tname = Mail;",
        with: "isa = PBXNativeTarget;\n\tfileSystemSynchronizedGroups = ( D01 );\n\tname = Mail;")
    var fixture = XcodeFixture()
    fixture.files["Suite.xcodeproj/project.pbxproj"] = project
    fixture.files["Mail/Shared.swift"] = "import MSAL\nlet other = 1"
    let apps = try fixture.diagnosis().apple
    #expect(apps.map(\.name) == ["Mail", "Calendar"])
    #expect(apps.map(\.source?.clientID.found?.value) == [XcodeFixture.clientID, nil])
  }

  /// `nil` and the bundle ID are the app's own group, which needs no entitlement.
  @Test(arguments: ["nil", "Bundle.main.bundleIdentifier!"])
  func theAppsOwnGroupNeedsNoEntitlement(_ group: String) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "return try MSALPublic",
      with: "config.cacheConfig.keychainSharingGroup = \(group)\n  return try MSALPublic",
      in: "Mail/SignIn.swift")
    fixture.replace("com.microsoft.adalcache", with: "com.contoso.other", in: "Mail/Mail.entitlements")
    #expect(try Self.errors(fixture.files) == [])
  }

  @Test func aSandboxedMacAppNeedsOutgoingConnections() throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace(
      "<key>keychain-access-groups</key>",
      with: "<key>com.apple.security.app-sandbox</key>\n<true/>\n<key>keychain-access-groups</key>",
      in: "Mail/Mail.entitlements")
    let finding = try #require(try Self.findings(fixture.files).first)
    #expect(finding.rule == .macNetwork && finding.severity == .fails)
    #expect(finding.place.description.hasSuffix("Mail/Mail.entitlements:5"))
    fixture.replace(
      "<key>keychain-access-groups</key>",
      with: "\(finding.fix ?? "")\n<key>keychain-access-groups</key>", in: "Mail/Mail.entitlements")
    #expect(try Self.findings(fixture.files) == [])
  }

  @Test func aFolderWithoutAProjectIsChecked() throws {
    let diagnosis = try withFolder(of: [
      "Sources/SignIn.swift": XcodeFixture.signIn,
      "Sources/Info.plist": XcodeFixture.info(""),
    ]) { try Doctor.examine([$0]) }
    #expect(diagnosis.notes.map(\.kind) == [.folder])
    // The bundle ID is in the project, and so are the redirect URI and everything that depends on it.
    #expect(diagnosis.findings.filter { $0.severity == .fails }.isEmpty, "\(diagnosis.findings)")
  }

  /// MSAL 0.1 had another redirect URI and another keychain group.
  @Test func anOutdatedMSALIsNotChecked() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"]? += "\nvar user: MSALUser?\n"
    fixture.replace("com.microsoft.adalcache", with: "com.microsoft.msalcache", in: "Mail/Mail.entitlements")
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.checks(of: diagnosis.subjects[0]) == [])
    #expect(diagnosis.subjects[0].notSeen?.contains("before 0.3") == true)
  }

  /// MSAL has checked the query schemes since version 1.0.6, and called the broker since version 0.3.
  @Test(arguments: [
    ("0.2.3", [DoctorRule]()), ("0.4.0", [.callback]), ("1.0.5", [.callback]),
    ("1.0.6", [.querySchemes, .callback]), ("1.7.0", [.querySchemes, .callback]),
  ])
  func theVersionOfMSALDecidesWhatItChecks(_ version: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (\(version)):\n    - MSAL/app-lib (= \(version))\n"
    fixture.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    fixture.replace(
      "MSALPublicClientApplication.handleMSALResponse", with: "log", in: "Mail/SceneDelegate.swift")
    #expect(try Self.errors(fixture.files) == rules)
  }

  /// Before version 2, MSAL opens the browser with a redirect URI for which there is no broker, whose answer no app needs.
  @Test(arguments: [
    ("1.9.0", [DoctorCheck.Severity.worksInSomeCases]), ("2.0.0", [.fails, .worksInSomeCases]),
  ])
  func theVersionOfMSALDecidesOfTheOldRedirectURI(_ version: String, _ severities: [DoctorCheck.Severity])
    throws
  {
    var fixture = XcodeFixture()
    fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (\(version)):\n    - MSAL/app-lib (= \(version))\n"
    fixture.useOldRedirect(authority: "common")
    fixture.replace(
      "MSALPublicClientApplication.handleMSALResponse", with: "log", in: "Mail/SceneDelegate.swift")
    let findings = try Self.findings(fixture.files).filter { $0.subject == "Mail" }
    #expect(findings.map(\.severity) == severities, "\(findings)")
    #expect(findings.first?.rule == .oldRedirect)
  }

  /// The client ID does not matter for the query schemes.
  @Test func theQuerySchemesOfATemplateAreChecked() throws {
    var fixture = XcodeFixture()
    fixture.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    fixture.replace(XcodeFixture.clientID, with: "Enter_the_Application_Id_Here", in: "Mail/SignIn.swift")
    let findings = try Self.findings(fixture.files)
    #expect(findings.map(\.rule) == [.placeholder, .querySchemes], "\(findings)")
  }

  /// The first versions of MSAL took a user where later versions take an account.
  @Test func aCallWithAUserIsOfAnOutdatedMSAL() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"]? +=
      "\nfunc renew() { application.acquireTokenSilent(forScopes: [\"User.Read\"], user: users.first) { _, _ in } }\n"
    fixture.replace("com.microsoft.adalcache", with: "com.microsoft.msalcache", in: "Mail/Mail.entitlements")
    #expect(try Self.errors(fixture.files) == [])
  }

  @Test func aTargetForAnotherDeviceIsNotChecked() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "com.microsoft.adalcache", with: "com.contoso.other", in: "Calendar/Calendar.entitlements")
    #expect(try Self.errors(fixture.files) == [.keychainGroup])
    let project = try #require(fixture.files[XcodeMistake.projectFile])
    let start = try #require(project.firstRange(of: "B04 = {"))
    fixture.files[XcodeMistake.projectFile] =
      String(project[..<start.lowerBound])
      + project[start.lowerBound...].replacing(
        "buildSettings = {", with: "buildSettings = { SDKROOT = appletvos;")
    #expect(try Self.errors(fixture.files) == [])
  }

  // MARK: - Wrappers

  private static let flutter = """
    dependencies:
      flutter:
        sdk: flutter
      msal_js: ^2.14.0
      msal_auth: ^3.3.0

    """

  /// The findings about an app of a wrapper's project, whose own code does not use MSAL.
  private static func wrapped(
    native: [String: String], _ project: [String: String]
  ) throws -> [DoctorCheck] {
    var fixture = XcodeFixture()
    let words = ["import MSAL", "MSALPublic", "handleMSAL"]
    for (path, text) in fixture.files where words.contains(where: text.contains) { fixture.files[path] = "" }
    fixture.files.merge(native) { $1 }
    let files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0.key, $0.value) })
    return try findings(files.merging(project) { $1 }).filter { $0.subject == "Mail" }
  }

  private static let emptyList = "<plist version=\"1.0\"><dict></dict></plist>"

  /// A wrapper creates folders for all platforms, so only a platform that is set up can have errors.
  @Test(arguments: [
    ("AppleConfig(authority: authority)", DoctorCheck.Severity.fails),
    ("AndroidConfig(redirectUri: uri)", .worksInSomeCases),
  ])
  func aPlatformThatAWrapperDoesNotSetUpIsAQuestion(_ dart: String, _ severity: DoctorCheck.Severity) throws {
    let findings = try Self.wrapped(
      native: ["Mail/Info.plist": Self.emptyList, "Mail/Mail.entitlements": Self.emptyList],
      [
        "pubspec.yaml": Self.flutter,
        "lib/auth.dart": "import 'package:msal_auth/msal_auth.dart';\n" + dart,
      ])
    #expect(findings.map(\.rule).contains(.urlScheme) && findings.map(\.rule).contains(.keychainGroup))
    #expect(findings.filter { $0.rule != .callback }.allSatisfy { $0.severity == severity }, "\(findings)")
  }

  /// A script calls the library on every platform.
  @Test(arguments: [
    ("import PCA from 'react-native-msal';", DoctorCheck.Severity.fails), ("", .worksInSomeCases),
  ])
  func aScriptSetsTheLibraryUp(_ script: String, _ severity: DoctorCheck.Severity) throws {
    let package = #"{ "dependencies": { "react-native": "0.72.0", "react-native-msal": "4.0.4" } }"#
    let findings = try Self.wrapped(
      native: ["Mail/Info.plist": Self.emptyList, "Mail/Mail.entitlements": Self.emptyList],
      ["package.json": package, "src/auth.ts": script])
    #expect(findings.filter { $0.rule == .urlScheme }.map(\.severity) == [severity], "\(findings)")
  }

  /// A library that no script imports is left over, even if its pods are installed.
  @Test(arguments: [
    ("import PCA from 'react-native-msal';", DoctorCheck.Severity.fails),
    ("// import PCA from 'react-native-msal';", .worksInSomeCases),
  ])
  func aLibraryThatNoScriptImportsIsAQuestion(_ script: String, _ severity: DoctorCheck.Severity) throws {
    let package = #"{ "dependencies": { "react-native": "0.74.3", "react-native-msal": "4.0.4" } }"#
    let findings = try Self.wrapped(
      native: [
        "Mail/Info.plist": Self.emptyList, "Mail/Mail.entitlements": Self.emptyList,
        "Podfile.lock": "PODS:\n  - MSAL (1.2.5):\n",
      ], ["package.json": package, "App.js": script])
    #expect(findings.filter { $0.rule == .keychainGroup }.map(\.severity) == [severity], "\(findings)")
  }

  /// The iOS folder from the template of React Native or Flutter shows no sign of being built: it has no team, only the
  /// template's bundle ID, and no pods.
  @Test(arguments: [
    ("com.contoso.mail", "", DoctorCheck.Severity.fails),
    ("org.reactjs.native.example.Mail", "", .worksInSomeCases), ("com.example.mail", "", .worksInSomeCases),
    ("org.reactjs.native.example.Mail", "PODS:\n  - MSAL (1.5.0):\n", .fails),
  ])
  func aFolderThatATemplateMadeIsAQuestion(
    _ bundleID: String, _ pods: String, _ severity: DoctorCheck.Severity
  ) throws {
    let package = #"{ "dependencies": { "react-native": "0.72.0", "react-native-msal": "4.0.4" } }"#
    let project = XcodeFixture.project.replacing("DEVELOPMENT_TEAM = A1B2C3D4E5;", with: "")
      .replacing("com.contoso.mail;", with: bundleID + ";")
    let findings = try Self.wrapped(
      native: [
        XcodeMistake.projectFile: project, "Mail/Info.plist": Self.emptyList,
        "Mail/Mail.entitlements": Self.emptyList, "Podfile.lock": pods,
      ], ["package.json": package, "src/auth.ts": "import PCA from 'react-native-msal';"])
    #expect(findings.filter { $0.rule == .keychainGroup }.map(\.severity) == [severity], "\(findings)")
  }

  private static func maui(_ builder: String, _ files: [String: String] = [:]) throws -> [DoctorCheck] {
    let info = XcodeFixture.info("").replacing("msauthv2", with: "other").replacing("msauthv3", with: "other")
    return try findings(
      [
        "Mail.csproj": """
        <Project><PropertyGroup><UseMaui>true</UseMaui><ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
        <ItemGroup><PackageReference Include="Microsoft.Identity.Client" Version="4.61.0" /></ItemGroup></Project>
        """,
        "Sign.cs":
          "using Microsoft.Identity.Client;\nvar app = PublicClientApplicationBuilder.Create(id)\(builder).Build();",
        "Platforms/iOS/Info.plist": info, "Platforms/MacCatalyst/Info.plist": info,
        "Platforms/MacCatalyst/Entitlements.plist": emptyList,
      ].merging(files) { $1 })
  }

  /// MSAL.NET calls the broker only on request, needs its keychain group, and does not support Mac Catalyst.
  @Test(arguments: [
    ("", "com.microsoft.adalcache", [DoctorRule]()),
    (".WithBroker()", "com.microsoft.adalcache", [.querySchemes]),
    (".WithBroker(false)", "com.contoso.other", [.keychainGroup]),
    (".WithIosKeychainSecurityGroup(\"com.contoso.mail.cache\")", "com.contoso.mail.cache", []),
    (
      ".WithIosKeychainSecurityGroup(\"com.contoso.mail.cache\")", "com.microsoft.adalcache", [.keychainGroup]
    ),
    (".WithIosKeychainSecurityGroup(group)", "com.contoso.other", []),
  ])
  func theCodeOfAMAUIAppIsRead(_ builder: String, _ group: String, _ rules: [DoctorRule]) throws {
    let entitlements = XcodeFixture.entitlements.replacing("com.microsoft.adalcache", with: group)
    let findings = try Self.maui(builder, ["Platforms/iOS/Entitlements.plist": entitlements])
    #expect(findings.filter { $0.severity == .fails }.map(\.rule) == rules, "\(findings)")
  }

  @Test func aMAUIAppForIOSWithoutEntitlementsLacksItsGroup() throws {
    let finding = try #require(try Self.maui("").first)
    #expect(finding.rule == .keychainGroup && finding.severity == .fails)
    #expect(finding.refusal?.code == "missing_entitlements", "the exception of MSAL.NET")
    #expect(
      finding.fix?.contains("Platforms/iOS/Entitlements.plist:\n<key>keychain-access-groups</key>") == true)
  }

  /// The wrapper is given the redirect URI of the scheme that the app registers.
  @Test func aWrapperMayHaveTheOldRedirectURI() throws {
    let info = XcodeFixture.info("").replacing(
      "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msal\(XcodeFixture.clientID)")
    let files = ["Mail/Info.plist": info, "Mail/SceneDelegate.swift": XcodeFixture.sceneDelegate]
    let project = ["pubspec.yaml": Self.flutter, "lib/auth.dart": "AppleConfig(authority: authority)"]
    #expect(try Self.wrapped(native: files, project) == [])
  }

  // MARK: - Values in code

  /// A statement gives the name another value before it is used.
  @Test(arguments: [
    (
      "var kAuthority = \"https://login.microsoftonline.com\"\nfunc fill() { kAuthority = \"\\(kAuthority)/\\(tenant)\" }",
      [DoctorRule]()
    ),
    (
      "var kAuthority = \"https://login.microsoftonline.com\"\nfunc fill() { print(kAuthority == \"\") }",
      [.authority]
    ),
  ])
  func aVariableIsNotAConstant(_ code: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.replace("Constants.authority)", with: "kAuthority)", in: "Mail/SignIn.swift")
    fixture.files["Mail/SignIn.swift"]? += "\n" + code
    #expect(try Self.errors(fixture.files) == rules)
  }

  /// Two types may have a member of the same name, so a value of the wrong form does not belong to the setting.
  @Test(arguments: [
    ("settings.clientID", "com.contoso.mail.client", nil),
    ("Keys.clientID", "com.contoso.mail.client", "com.contoso.mail.client"),
    ("settings.clientID", XcodeFixture.clientID, XcodeFixture.clientID),
    ("Keys.clientID", "app.config.clientId", nil),
  ])
  func aMemberOfAnotherTypeIsNotTheSetting(_ code: String, _ constant: String, _ value: String?) throws {
    var fixture = XcodeFixture()
    fixture.replace("Constants.clientID,", with: code + ",", in: "Mail/SignIn.swift")
    fixture.replace("\"\(XcodeFixture.clientID)\"", with: "\"\(constant)\"", in: "Mail/SignIn.swift")
    let app = try fixture.diagnosis().apple.first { $0.name == "Mail" }
    #expect(app?.source?.clientID.found?.value == value)
  }

  /// A concatenation of literals and names is their text, and with a call in it nothing is said about it.
  @Test(arguments: [
    ("\"msal\" + Constants.clientID + \"://auth\"", "msal\(XcodeFixture.clientID)://auth"),
    ("Constants.scheme + \"://auth\"", "msauth.x://auth"), ("scheme() + \"://auth\"", nil),
    ("Constants.scheme + suffix()", nil), ("Constants.missing + \"://auth\"", nil),
  ])
  func aConcatenationIsRead(_ code: String, _ value: String?) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: code, in: "Mail/SignIn.swift")
    fixture.replace(
      "static let authority", with: "static let scheme = \"msauth.x\"\n  static let authority",
      in: "Mail/SignIn.swift")
    let diagnosis = try fixture.inFolder { try Doctor.examine([$0]) }
    let app = diagnosis.apple.first { $0.name == "Mail" }
    #expect(app?.source?.redirectURI.found?.value == value)
    #expect(diagnosis.findings.isEmpty == (value == nil))
    #expect(diagnosis.subjects.first?.notSeen?.contains("redirect URI") ?? false == (value == nil))
  }

  // MARK: - Client IDs

  @Test(arguments: [
    ("", DoctorCheck.Severity.fails, DoctorRule.clientID), ("4f2e77f1-0b1d-4a52-9d26-7d0", .fails, .clientID),
    ("<client-id>", .notFilledIn, .placeholder),
  ])
  func aClientIDIsAGUID(_ id: String, _ severity: DoctorCheck.Severity, _ rule: DoctorRule) throws {
    var fixture = XcodeFixture()
    fixture.replace(XcodeFixture.clientID, with: id, in: "Mail/SignIn.swift")
    let finding = try #require(try Self.findings(fixture.files).first)
    #expect(finding.rule == rule && finding.severity == severity, "\(finding)")
  }

  /// A method of the class that takes what the delegate's method gets is not the delegate's.
  @Test(arguments: [("openURLContexts", [DoctorRule]()), ("openContexts", [.callback])])
  func aMethodThatTakesAContextIsNotTheDelegates(_ label: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import MSAL
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, \(label) contexts: Set<UIOpenURLContext>) { handleMSALResponse(contexts.first!) }
        private func handleMSALResponse(_ context: UIOpenURLContext) {
          MSALPublicClientApplication.handleMSALResponse(context.url, sourceApplication: nil)
        }
      }
      """
    #expect(try Self.findings(fixture.files).map(\.rule) == rules)
  }
}
