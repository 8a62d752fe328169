import DoctorTestSupport
import Foundation
import SSODevice
import Testing

@testable import SSODoctor

/// Shapes of public projects for iOS that were once not read, or reported as mistakes.
@Suite struct FreshAppleTests {
  private static let project = "Suite.xcodeproj/project.pbxproj"

  private static func diagnosis(_ change: (inout XcodeFixture) throws -> Void) throws -> Diagnosis {
    var fixture = XcodeFixture()
    try change(&fixture)
    return try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
  }

  private static func mail(_ change: (inout XcodeFixture) throws -> Void) throws -> AppleFacts {
    try #require(try diagnosis(change).apple.first { $0.name == "Mail" })
  }

  // MARK: Values

  /// In an xcconfig file two slashes begin a comment, so that addresses have an empty variable between them.
  @Test func anEmptyVariableIsNothing() throws {
    let facts = try Self.mail { fixture in
      fixture.files["Base.xcconfig"] = "AUTHORITY = https:/$()/login.microsoftonline.com/organizations\n"
      fixture.replace(
        "path = Mail; children = ( A08, A09 ); sourceTree = \"<group>\"; };",
        with: "path = Mail; children = ( A08, A09 ); sourceTree = \"<group>\"; };\n"
          + "A30 = { isa = PBXFileReference; path = Base.xcconfig; sourceTree = SOURCE_ROOT; };",
        in: Self.project)
      fixture.replace("children = ( A10, B10 )", with: "children = ( A10, B10, A30 )", in: Self.project)
      fixture.replace(
        "isa = XCBuildConfiguration; name = ",
        with: "isa = XCBuildConfiguration; baseConfigurationReference = A30; name = ", in: Self.project)
      fixture.replace(
        "<key>CFBundleURLTypes</key>",
        with: "<key>Authority</key>\n  <string>$(AUTHORITY)</string>\n  <key>CFBundleURLTypes</key>",
        in: "Mail/Info.plist")
      fixture.replace(
        "static let authority = \"https://login.microsoftonline.com/common\"",
        with: "static let authority = Bundle.main.object(forInfoDictionaryKey: \"Authority\") as! String",
        in: "Mail/SignIn.swift")
    }
    #expect(facts.source?.authority.found?.value == "https://login.microsoftonline.com/organizations")
  }

  /// A header with macros may not import MSAL itself.
  @Test func macrosOfAHeaderAreRead() throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.files["Calendar/Shared/Constants.h"] = """
        #define kClientID @"\(XcodeFixture.clientID)"
        #define kHost @"https://login.microsoftonline.com"
        #define kPath kHost @"/wingtip.example"
        """
      fixture.replace(
        "#define kClientID @\"\(XcodeFixture.clientID)\"", with: "#import \"Constants.h\"",
        in: "Calendar/SignIn.m")
      fixture.replace("URLWithString:kAuthority", with: "URLWithString:kPath", in: "Calendar/SignIn.m")
    }
    let source = diagnosis.apple.first { $0.name == "Calendar" }?.source
    #expect(source?.clientID.found?.value == XcodeFixture.clientID)
    #expect(source?.authority.found?.value == "https://login.microsoftonline.com/wingtip.example")
    #expect(diagnosis.findings == [])
  }

  /// A client ID that lost characters is found, also as a property of a value.
  @Test func aCutClientIDOfAPropertyIsFound() throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.replace(
        "func makeApplication()",
        with: "struct Settings { var clientID: String { \"8a2c1d4e-6f3b-4a57-9c80\" } }\n"
          + "let settings = Settings()\n\nfunc makeApplication()", in: "Mail/SignIn.swift")
      fixture.replace(
        "Constants.clientID, redirect", with: "settings.clientID, redirect", in: "Mail/SignIn.swift")
      fixture.replace("static let clientID", with: "static let other", in: "Mail/SignIn.swift")
    }
    #expect(diagnosis.findings.map(\.rule) == [.clientID], "\(diagnosis.findings)")
  }

  /// The path that begins with tfp has a tenant and a policy.
  @Test(arguments: [("B2C_1_in", 0), ("", 1)])
  func aB2CAuthorityHasAPolicy(_ policy: String, _ count: Int) throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.replace(
        "static let authority = \"https://login.microsoftonline.com/common\"",
        with: "static let authority = String(format: \"https://%@/tfp/%@/%@\", \"wingtip.b2clogin.com\", "
          + "\"wingtip.onmicrosoft.com\", \"\(policy)\")", in: "Mail/SignIn.swift")
      fixture.replace("MSALAADAuthority", with: "MSALB2CAuthority", in: "Mail/SignIn.swift")
      fixture.replace(
        "  return try MSALPublicClientApplication",
        with: "  config.knownAuthorities = [authority]\n  return try MSALPublicClientApplication",
        in: "Mail/SignIn.swift")
    }
    #expect(diagnosis.findings.count { $0.rule == .authority } == count, "\(diagnosis.findings)")
  }

  // MARK: Whose code

  private static func usePackage(_ fixture: inout XcodeFixture) throws {
    fixture.replace(
      "buildPhases = ( A03 );", with: "buildPhases = ( A03 ); packageProductDependencies = ( A20 );",
      in: project)
    fixture.replace(
      "A08 = {", with: "A20 = { isa = XCSwiftPackageProductDependency; productName = AuthKit; };\nA08 = {",
      in: project)
    let code = try #require(fixture.files["Mail/SignIn.swift"])
    fixture.files["Packages/AuthKit/Sources/AuthKit/Auth.swift"] =
      code
      + "\npublic func handle(_ url: URL) {\n"
      + "  MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)\n}\n"
    fixture.files["Mail/SignIn.swift"] = "import AuthKit\n"
    fixture.replace(
      "    MSALPublicClientApplication.handleMSALResponse(\n      context.url, sourceApplication: context.options.sourceApplication)",
      with: "    AuthKit.handle(context.url)", in: "Mail/SceneDelegate.swift")
    fixture.replace("import MSAL", with: "import AuthKit", in: "Mail/SceneDelegate.swift")
    fixture.files["Packages/AuthKit/Package.swift"] = """
      // swift-tools-version:5.7
      import PackageDescription
      let package = Package(
        name: "AuthKit", products: [.library(name: "AuthKit", targets: ["AuthKit"])],
        dependencies: [
          .package(url: "https://github.com/AzureAD/microsoft-authentication-library-for-objc", from: "1.2.0")
        ], targets: [.target(name: "AuthKit")])
      """
  }

  /// The code of a package in the project's folder belongs to the app that links it.
  @Test func theCodeOfALocalPackageIsRead() throws {
    let right = try Self.diagnosis(Self.usePackage)
    #expect(right.apple.map(\.name).contains("Mail") && right.findings == [], "\(right.findings)")
    #expect(right.apple.first { $0.name == "Mail" }?.clientID?.value == XcodeFixture.clientID)
    let wrong = try Self.diagnosis { fixture in
      try Self.usePackage(&fixture)
      fixture.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "mail", in: "Mail/Info.plist")
    }
    #expect(wrong.findings.map(\.rule) == [.urlScheme] && wrong.findings.first?.severity == .fails)
  }

  /// Code under a flag that no configuration of a target defines is not compiled.
  @Test(arguments: [(false, false), (true, true)])
  func aFlagDecides(_ isDefined: Bool, _ isFound: Bool) throws {
    let diagnosis = try Self.diagnosis { fixture in
      for file in ["Mail/SignIn.swift", "Mail/SceneDelegate.swift"] {
        fixture.replace("import MSAL", with: "#if WORK\nimport MSAL\n#endif", in: file)
      }
      guard isDefined else { return }
      fixture.replace(
        "INFOPLIST_FILE = Mail/Info.plist;",
        with: "INFOPLIST_FILE = Mail/Info.plist;\nSWIFT_ACTIVE_COMPILATION_CONDITIONS = \"DEBUG WORK\";",
        in: Self.project)
    }
    #expect(diagnosis.apple.contains { $0.name == "Mail" } == isFound)
  }

  /// An app that tests something else replaces MSAL's object.
  @Test func anAppWithAStandInIsAsked() throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.replace("msauthv3", with: "other", in: "Mail/Info.plist")
      fixture.replace(
        "func makeApplication()",
        with: "class FakeApplication: MSALPublicClientApplication {}\n\nfunc makeApplication()",
        in: "Mail/SignIn.swift")
    }
    #expect(diagnosis.findings.map(\.severity) == [.worksInSomeCases], "\(diagnosis.findings)")
  }

  // MARK: Versions

  /// No broker answers at another redirect URI than its own.
  @Test(arguments: ["1.1.17", "2.1.0"])
  func anUnknownRedirectMayNeedNoCallback(_ version: String) throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (\(version)):\n"
      fixture.replace(
        "redirectUri: \"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"",
        with: "redirectUri: Secrets.redirect",
        in: "Mail/SignIn.swift")
      fixture.replace(
        "    MSALPublicClientApplication.handleMSALResponse(\n      context.url, sourceApplication: context.options.sourceApplication)",
        with: "", in: "Mail/SceneDelegate.swift")
    }
    let findings = diagnosis.findings.filter { $0.rule == .callback && $0.subject == "Mail" }
    #expect(findings.map(\.severity) == [.worksInSomeCases], "\(diagnosis.findings)")
  }

  /// iOS opens no broker that the Info.plist does not name, and MSAL before 1.0.6 goes on without one.
  @Test(arguments: [("msauth", [DoctorCheck.Severity.fails]), ("lamp", [])])
  func whoMayNotLookForABrokerNeedsNoCallback(_ scheme: String, _ severities: [DoctorCheck.Severity]) throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (1.0.3):\n"
      fixture.replace("msauthv2", with: "\(scheme)v2", in: "Mail/Info.plist")
      fixture.replace("msauthv3", with: "\(scheme)v3", in: "Mail/Info.plist")
      fixture.replace(
        "    MSALPublicClientApplication.handleMSALResponse(\n      context.url, sourceApplication: context.options.sourceApplication)",
        with: "", in: "Mail/SceneDelegate.swift")
    }
    let findings = diagnosis.findings.filter { $0.rule == .callback && $0.subject == "Mail" }
    #expect(findings.map(\.severity) == severities, "\(diagnosis.findings)")
  }

  /// A commit of the library has no version, so the conditions of the newest do not decide.
  @Test(arguments: [
    ("\"55f061417670c0a5f843f3d4b0abc6970851be5f\"", DoctorCheck.Severity.worksInSomeCases),
    ("\"2.1.0\"", .fails),
  ])
  func aCommitIsNoVersion(_ version: String, _ severity: DoctorCheck.Severity) throws {
    let diagnosis = try Self.diagnosis { fixture in
      fixture.files["Cartfile.resolved"] =
        "github \"AzureAD/microsoft-authentication-library-for-objc\" \(version)\n"
      fixture.useOldRedirect(authority: "common")
    }
    #expect(diagnosis.findings.filter { $0.rule == .oldRedirect }.map(\.severity) == [severity])
  }

  /// Tuist's project file has the bundle ID.
  @Test func tuistHasTheBundleID() throws {
    let fixture = XcodeFixture()
    let files = [
      "Project.swift": "import ProjectDescription\nlet project = Project(name: \"Mail\", targets: [\n"
        + "  .target(name: \"Mail\", product: .app, bundleId: \"com.contoso.mail\")])\n",
      "Mail/Info.plist": fixture.files["Mail/Info.plist"] ?? "",
      "Mail/Mail.entitlements": fixture.files["Mail/Mail.entitlements"] ?? "",
      "Mail/SignIn.swift": fixture.files["Mail/SignIn.swift"] ?? "",
      "Mail/SceneDelegate.swift": fixture.files["Mail/SceneDelegate.swift"] ?? "",
    ]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.apple.map(\.bundleID?.value) == ["com.contoso.mail"] && diagnosis.findings == [])
  }
}
