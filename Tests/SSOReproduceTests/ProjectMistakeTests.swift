import DoctorTestSupport
import SSODoctor
import Testing

@testable import SSOReproduce

/// Mistakes in a project's files whose change is the change that the platform needs.
struct ProjectMistakeTests {
  private static func result(_ files: [String: String], registers: Bool = true) throws -> Reproduction {
    try withFolder(of: files) { folder in
      var reader = EvidenceReader()
      let registration =
        registers && files["registration.json"] != nil ? [folder + "/registration.json"] : []
      reader.take(try Doctor.examine([folder] + registration))
      return Reproducer(reader.finish()).reproduce()
    }
  }

  private static func result(_ fixture: XcodeFixture) throws -> Reproduction {
    try result(fixture.files.merging(["registration.json": fixture.registration]) { $1 })
  }

  // MARK: Scenes

  private static let appDelegate = """
    import MSAL
    import UIKit
    class AppDelegate: UIResponder, UIApplicationDelegate {
      func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
      ) -> Bool {
        MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: options[.sourceApplication] as? String)
      }
    }
    """

  /// With scenes, iOS calls only the scene delegate, so a call in the app delegate changes nothing (claim D6).
  @Test(arguments: [true, false])
  func withScenesOnlyTheSceneDelegateGetsTheAnswer(_ hasAppDelegate: Bool) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] =
      "import UIKit\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"
      + (hasAppDelegate ? Self.appDelegate : "")
    let result = try Self.result(fixture)
    #expect(result.verdict == .reproduced && result.failure?.sdkCode == -42700)
    #expect(result.changes.first?.text.contains("scene(_:openURLContexts:)") == true, "\(result.changes)")
    #expect(result.scenario?.contains("usesScenes: true") == true, "\(result.scenario ?? "")")
  }

  @Test func aSceneDelegateOfObjectiveCIsChangedInItsImplementation() throws {
    var fixture = XcodeFixture()
    fixture.useObjectiveCDelegate("SceneDelegate.m", declares: true)
    let change = try #require(try Self.result(fixture).changes.first)
    #expect(change.place?.hasSuffix("SceneDelegate.m:3") == true, "\(change)")
  }

  /// In an app extension, each scheme counts as registered (`MSIDRedirectUriVerifier.m`).
  @Test(arguments: [true, false])
  func anAppExtensionWithoutURLTypesIsRight(_ hasRedirectURI: Bool) throws {
    var fixture = XcodeFixture()
    fixture.becomeExtension(isTarget: true, hasRedirectURI: hasRedirectURI)
    let result = try Self.result(fixture)
    #expect(result.verdict != .reproduced && result.changes.isEmpty, "\(result.changes)")
  }

  // MARK: Authorities

  /// `MSALAADAuthority` refuses a user flow with `tfp`; without it, instance discovery does not know the host
  /// (`MSIDAADAuthority.m`, `isAuthorityFormatValid:`).
  @Test(arguments: [
    ("https://wingtip.b2clogin.com/tfp/wingtip.onmicrosoft.com/B2C_1_signin", -42000),
    ("https://wingtip.b2clogin.com/wingtip.onmicrosoft.com/B2C_1_signin", -42010),
    ("https://wingtip.ciamlogin.com/", -42000),
  ])
  func theClassOfAzureADTakesNoOtherAuthority(_ url: String, _ code: Int) throws {
    var fixture = XcodeFixture()
    fixture.replace("https://login.microsoftonline.com/common", with: url, in: "Mail/SignIn.swift")
    let result = try Self.result(fixture)
    #expect(
      result.verdict == .reproduced && result.failure?.sdkCode == code,
      "\(String(describing: result.failure))")
    let change = try #require(result.changes.first)
    #expect(
      change.text.contains(url.contains("ciam") ? "MSALCIAMAuthority" : "MSALB2CAuthority"), "\(change.text)")
    #expect(change.place?.contains("SignIn.swift") == true)
  }

  /// An authority must use https, whatever its kind (`MSIDAuthority.m`, `isAuthorityFormatValid:`).
  @Test(arguments: [
    ("MSALAADAuthority", "login.microsoftonline.com/common"),
    ("MSALAADAuthority", "login.microsoftonline.com/wingtip.example"),
  ])
  func anAuthorityWithoutHTTPSIsRefused(_ className: String, _ address: String) throws {
    let result = try Self.result(Self.fixture(className, authority: "http://\(address)"))
    #expect(
      result.verdict == .reproduced && result.failure?.sdkCode == -42008,
      "\(String(describing: result.failure))")
    #expect(result.changes.first?.text.contains("https://") == true, "\(result.changes)")
  }

  /// The path of a user flow ends with the policy (`MSIDB2CAuthority.m`, `isAuthorityFormatValid:`).
  @Test func anAuthorityOfB2CHasAPolicy() throws {
    let result = try Self.result(
      Self.fixture(
        "MSALB2CAuthority", authority: "https://wingtip.b2clogin.com/tfp/wingtip.onmicrosoft.com"))
    #expect(
      result.verdict == .reproduced && result.failure?.sdkCode == -42008,
      "\(String(describing: result.failure))")
    #expect(result.changes.first?.text.contains("name of the user flow") == true, "\(result.changes)")
  }

  /// Returns a project whose code creates another authority, and declares one that is not visible as known.
  private static func fixture(_ className: String, authority: String) -> XcodeFixture {
    var fixture = XcodeFixture()
    fixture.replace("https://login.microsoftonline.com/common", with: authority, in: "Mail/SignIn.swift")
    fixture.replace("MSALAADAuthority", with: className, in: "Mail/SignIn.swift")
    fixture.files["Mail/SignIn.swift"]?.append(
      "\nfunc declare(_ config: MSALPublicClientApplicationConfig, _ flow: MSALAuthority) {"
        + " config.knownAuthorities = [flow] }\n")
    return fixture
  }

  // MARK: Values of the call

  /// The change of scopes is the change of the request that has them.
  @Test(arguments: [
    ["User.Read", "api://orders/read"], ["User.Read", "https://graph.microsoft.com/.default"],
    ["openid", "User.Read"],
  ])
  func scopesThatAreAMistakeHaveAChange(_ scopes: [String]) throws {
    var fixture = XcodeFixture()
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
    fixture.files["Mail/SignIn.swift"]?.append(
      "\nlet request = MSALInteractiveTokenParameters(scopes: [\(list)], webviewParameters: web)\n")
    let change = try #require(try Self.result(fixture).changes.first)
    #expect(change.text.contains("User.Read") || change.text.contains(".default"), "\(change.text)")
    #expect(change.place?.contains("SignIn.swift") == true)
  }

  /// A client ID that no registration can have is replaced by a registration's.
  @Test(arguments: ["8a2c1d4e-6f3b-4a57", ""])
  func aClientIDThatNoRegistrationHasIsChanged(_ text: String) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "clientID = \"\(XcodeFixture.clientID)\"", with: "clientID = \"\(text)\"", in: "Mail/SignIn.swift")
    let apple = try #require(try Self.result(fixture.files, registers: false).changes.first)
    #expect(apple.place?.contains("SignIn.swift") == true && apple.kindName == "code", "\(apple.text)")
    var android = AndroidFixture()
    android.replace(AndroidFixture.clientID, with: text, in: AndroidFixture.configuration)
    let change = try #require(try Self.result(android.files, registers: false).changes.first)
    #expect(change.text.hasPrefix("auth_config.json: set client_id"), "\(change.text)")
    #expect(change.place?.contains("auth_config.json") == true)
  }

  // MARK: Android's manifest

  /// MSAL finds the activity, because it is the app's own, and the browser cannot open it (Android: `android:exported`).
  @Test func anActivityThatIsNotExportedGetsNoAnswer() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "android:exported=\"true\"", with: "android:exported=\"false\"", in: AndroidFixture.manifest)
    let result = try Self.result(fixture.files)
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    #expect(result.failure?.symbol == "MsalUserCancelException", "\(String(describing: result.failure))")
    let change = try #require(result.changes.first)
    #expect(change.text.contains("android:exported=\"true\"") && change.kindName == "manifest")
    #expect(change.place?.contains("AndroidManifest.xml") == true)
  }

  /// With another package in the redirect URI, MSAL goes on without the broker (`isBrokerRedirectUri`).
  @Test func anotherPackagesRedirectURIDoesWithoutTheBroker() throws {
    var fixture = AndroidFixture()
    fixture.replace("\"com.contoso.notes\"", with: "\"com.contoso.memos\"", in: "app/build.gradle")
    fixture.replace("${applicationId}", with: "com.contoso.notes", in: AndroidFixture.manifest)
    let result = try Self.result(fixture.files)
    #expect(result.verdict == .notReproduced)
    #expect(
      result.difference?.contains("without the broker: doctor finds at") == true, "\(result.difference ?? "")"
    )
  }

  // MARK: macOS

  /// Without a team, MSAL finds no group for its cache; a project that names none may still be built with one.
  @Test(arguments: [nil, "-"])
  func aMacAppWithoutATeamIsRefused(_ identity: String?) throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace(
      "\tDEVELOPMENT_TEAM = A1B2C3D4E5;\n",
      with: identity.map { "\tCODE_SIGN_IDENTITY = \"\($0)\";\n" } ?? "",
      in: "Suite.xcodeproj/project.pbxproj")
    let result = try Self.result(fixture)
    #expect(result.failure?.sdkCode == -42008, "\(String(describing: result.failure))")
    #expect(result.verdict == (identity == nil ? .nearest : .reproduced), "\(result.difference ?? "")")
    #expect(result.changes.first?.text.contains("DEVELOPMENT_TEAM") == true)
  }
}
