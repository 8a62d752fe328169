import DoctorTestSupport
import Foundation
import SSOCore
import SSODoctor
import Testing

@testable import SSOReproduce

/// Projects whose authority is not on the public cloud, or whose values are set in code that is not read.
struct ProjectReproductionTests {
  private static func result(_ files: [String: String], keepsIDs: Bool = false) throws -> Reproduction {
    try withFolder(of: files) { folder in
      var reader = EvidenceReader()
      let registration = files["registration.json"].map { _ in [folder + "/registration.json"] } ?? []
      reader.take(try Doctor.examine([folder] + registration))
      return Reproducer(reader.finish(), keepsIDs: keepsIDs).reproduce()
    }
  }

  private static func files(_ fixture: XcodeFixture) -> [String: String] {
    fixture.files.merging(["registration.json": fixture.registration]) { $1 }
  }

  private static let authorities: [(className: String, url: String)] = [
    ("MSALAADAuthority", "https://login.microsoftonline.us/common"),
    ("MSALAADAuthority", "https://login.microsoftonline.us/c0ffee00-1234-4abc-8def-001122334455"),
    ("MSALAADAuthority", "https://login.partner.microsoftonline.cn/wingtip.partner.onmschina.cn"),
    ("MSALAADAuthority", "https://login.microsoftonline.com/wingtip.example"),
    ("MSALCIAMAuthority", "https://wingtip.ciamlogin.com/"),
    ("MSALCIAMAuthority", "https://wingtip.ciamlogin.com/wingtip.onmicrosoft.com"),
    ("MSALCIAMAuthority", "https://login.wingtip.example/c0ffee00-1234-4abc-8def-001122334455"),
  ]

  /// The tenant, the user, and the registration of the lab are in the cloud of the project's authority.
  @Test(arguments: authorities, [true, false])
  func aRightProjectOfAnyCloudSucceeds(_ authority: (className: String, url: String), _ keepsIDs: Bool) throws
  {
    var fixture = XcodeFixture()
    fixture.replace("https://login.microsoftonline.com/common", with: authority.url, in: "Mail/SignIn.swift")
    fixture.replace("MSALAADAuthority", with: authority.className, in: "Mail/SignIn.swift")
    let right = try Self.result(Self.files(fixture), keepsIDs: keepsIDs)
    #expect(right.failure == nil, "\(right.failure?.displayText ?? "")")
    fixture.replace("<string>msauthv3</string>", with: "", in: "Mail/Info.plist")
    let wrong = try Self.result(Self.files(fixture), keepsIDs: keepsIDs)
    #expect(wrong.verdict == .reproduced && wrong.failure?.sdkCode == -42001)
    #expect(keepsIDs || wrong.scenario?.contains("wingtip") == false)
  }

  @Test(arguments: [
    "\"type\": \"AAD\", \"authority_url\": \"https://login.microsoftonline.us/common\"",
    "\"type\": \"CIAM\", \"authority_url\": \"https://wingtip.ciamlogin.com/\"",
    "\"type\": \"CIAM\", \"authority_url\": \"https://login.wingtip.example/wingtip.onmicrosoft.com\"",
  ])
  func aRightAndroidProjectOfAnyCloudSucceeds(_ authority: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }", with: authority,
      in: AndroidFixture.configuration)
    #expect(try Self.result(fixture.files).failure == nil)
  }

  /// The authority of a user flow may be declared by a name that the reader does not follow.
  @Test func anAuthorityThatIsDeclaredByANameIsKnown() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "https://login.microsoftonline.com/common",
      with: "https://wingtip.b2clogin.com/wingtip.onmicrosoft.com/B2C_1_signin", in: "Mail/SignIn.swift")
    fixture.replace("MSALAADAuthority", with: "MSALB2CAuthority", in: "Mail/SignIn.swift")
    let missing = try Self.result(Self.files(fixture))
    #expect(missing.failure?.sdkCode == -42008 && missing.changes.isEmpty == false, "\(missing.changes)")
    fixture.files["Mail/SignIn.swift"]?.append(
      "\nfunc declare(_ config: MSALPublicClientApplicationConfig, _ flow: MSALAuthority) {"
        + " config.knownAuthorities = [flow] }\n")
    #expect(try Self.result(Self.files(fixture)).failure == nil)
  }

  /// A failure of the lab is not called the project's if doctor finds no mistake in the project.
  @Test func aFailureWithoutAMistakeInTheFilesIsOnlyNear() throws {
    try withFolder(of: Self.files(XcodeFixture())) { folder in
      var reader = EvidenceReader()
      reader.take(try Doctor.examine([folder, folder + "/registration.json"]))
      let reproducer = Reproducer(reader.finish())
      let setting = reproducer.setting(of: .app)
      let cause = try #require(Cause.all.first { $0.name == "url-scheme-missing" })
      let attempt = try #require(reproducer.attempt(for: cause, setting))
      let found = try #require(reproducer.candidate(nil, attempt, setting))
      let lab = Reproduction.Lab(
        caller: .app, attempt: found.attempt, failure: found.failure, trace: found.trace,
        comparison: .ofProject)
      let result = Reproduction(reproducer.evidence, setting, keepsIDs: false, lab)
      #expect(setting.isProject && result.verdict == .nearest)
      #expect(result.difference?.contains("doctor finds nothing") == true, "\(result.difference ?? "")")
    }
  }

  // MARK: Wrappers

  /// A Flutter project, whose Dart code is not read.
  private static func wrapper(_ change: (inout XcodeFixture) -> Void = { _ in }) -> [String: String] {
    var fixture = XcodeFixture()
    let delegate = fixture.files["Mail/SceneDelegate.swift"] ?? ""
    change(&fixture)
    fixture.files["Mail/SignIn.swift"] = "import UIKit\n"
    fixture.files["Calendar/SignIn.m"] = "#import <UIKit/UIKit.h>\n"
    fixture.files["Mail/SceneDelegate.swift"] = delegate
    var files = ["registration.json": fixture.registration]
    for (path, text) in fixture.files { files["ios/" + path] = text }
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.1.0\n"
    return files
  }

  /// The given registration has the client ID that is passed to the wrapper.
  @Test func theRegistrationOfAWrapperIsItsOwn() throws {
    let right = try Self.result(Self.wrapper())
    #expect(right.failure == nil, "\(right.failure?.displayText ?? "")")
    let web = try Self.result(
      Self.wrapper {
        $0.registration = $0.registration.replacing("\"msauth.com.contoso.mail://auth\",", with: "")
          .replacing("\"https://contoso.example/callback\"", with: "\"msauth.com.contoso.mail://auth\"")
          .replacing("\"isFallbackPublicClient\": true,", with: "")
      })
    #expect(web.failure?.aadsts == 7_000_218 && web.verdict == .reproduced, "\(web.difference ?? "")")
    #expect(web.assumptions.contains { $0.name == .clientID && $0.value == XcodeFixture.clientID })
  }

  /// The scheme may belong to the redirect URI that is passed to the wrapper; an entire URI is never a scheme.
  @Test func aFailureThatAnUnreadValueDecidesIsOnlyNear() throws {
    func scheme(_ scheme: String) throws -> Reproduction {
      try Self.result(
        Self.wrapper {
          $0.replace(
            "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>", with: "<string>\(scheme)</string>",
            in: "Mail/Info.plist")
        })
    }
    let other = try scheme("msal0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9")
    #expect(other.verdict == .nearest && other.failure?.sdkCode == -42001)
    #expect(other.difference?.contains("sets the redirect URI") == true, "\(other.difference ?? "")")
    let whole = try scheme("msauth.com.contoso.mail://auth")
    #expect(whole.verdict == .reproduced && whole.failure?.sdkCode == -42001)
  }

  /// The authority of a wrapper is not known either.
  @Test func anAuthorityOfAWrapperIsNotChecked() throws {
    let result = try Self.result(
      Self.wrapper {
        $0.registration = $0.registration.replacing("AzureADMultipleOrgs", with: "AzureADMyOrg")
      })
    #expect(result.failure?.aadsts == 50194 && result.verdict == .nearest)
    #expect(result.difference?.contains("sets the authority") == true, "\(result.difference ?? "")")
  }

  /// A configuration without a client ID, to which no Kotlin or Java adds one, is completed by the wrapper.
  @Test func anAndroidConfigurationOfAWrapperIsCompleted() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"client_id\": \"\(AndroidFixture.clientID)\",", with: "", in: AndroidFixture.configuration)
    let own = try Self.result(fixture.files)
    #expect(own.failure?.domain == "IllegalArgumentException")
    fixture.files["app/src/main/java/Account.kt"] = nil
    let result = try Self.result(fixture.files)
    #expect(result.failure == nil, "\(result.failure?.displayText ?? "")")
  }

  /// The registration belongs to the Android app; the iOS app has another, which was not given.
  @Test func theAppOfTheRegistrationIsTaken() throws {
    var files = Self.wrapper()
    for (path, text) in AndroidFixture().files { files["android/" + path] = text }
    files["registration.json"] = files.removeValue(forKey: "android/registration.json")
    let result = try Self.result(files)
    #expect(result.facts.contains { $0.name == .bundleID && $0.value == "com.contoso.notes" })
    #expect(result.failure == nil, "\(result.failure?.displayText ?? "")")
  }

  /// The Kotlin of a project for several systems also makes MSAL's object on iOS.
  @Test func aProjectOfKotlinMultiplatformHasAnAppForIOS() throws {
    var files = Self.wrapper {
      $0.replace(
        "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
        with: "<string>msauth.com.contoso.old</string>", in: "Mail/Info.plist")
    }
    files["pubspec.yaml"] = nil
    files["shared/build.gradle.kts"] = "kotlin {\n  cocoapods {\n    pod(\"MSAL\") { }\n  }\n}\n"
    let result = try Self.result(files)
    #expect(result.verdict == .nearest && result.failure?.sdkCode == -42001, "\(result.difference ?? "")")
    #expect(result.difference?.contains("shared/build.gradle.kts:3") == true)
  }

  // MARK: Other objects

  /// Neither native authentication nor an authority for customers has a broker, whose response a delegate forwards
  /// (microsoft-authentication-library-common-for-objc, `MSIDCIAMAuthority.m`: `supportsBrokeredAuthentication`).
  @Test(arguments: ["MSALCIAMAuthority", "MSALNativeAuthPublicClientApplication"])
  func anAppWithoutABrokerNeedsNoDelegate(_ name: String) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = "import UIKit\nclass SceneDelegate {}\n"
    #expect(try Self.result(Self.files(fixture)).failure?.sdkCode == -42700)
    if name == "MSALCIAMAuthority" {
      fixture.replace("MSALAADAuthority", with: name, in: "Mail/SignIn.swift")
      fixture.replace(
        "https://login.microsoftonline.com/common", with: "https://wingtip.ciamlogin.com/",
        in: "Mail/SignIn.swift")
    } else {
      fixture.files["Mail/SignIn.swift"] = """
        import MSAL
        let application = try MSALNativeAuthPublicClientApplication(
          clientId: "\(XcodeFixture.clientID)", tenantSubdomain: "wingtip", challengeTypes: [.OOB])
        """
    }
    let result = try Self.result(Self.files(fixture))
    #expect(result.failure == nil, "\(result.failure?.displayText ?? "")")
  }

  /// No registration has a client ID that is not a GUID.
  @Test func aClientIDThatIsCutOffIsNotRegistered() throws {
    let cut = String(XcodeFixture.clientID.dropLast(4))
    var fixture = XcodeFixture()
    fixture.replace(
      "clientID = \"\(XcodeFixture.clientID)\"", with: "clientID = \"\(cut)\"", in: "Mail/SignIn.swift")
    var android = AndroidFixture()
    android.replace(AndroidFixture.clientID, with: cut, in: AndroidFixture.configuration)
    for var files in [fixture.files, android.files] {
      files["registration.json"] = nil
      let result = try Self.result(files)
      #expect(result.verdict == .reproduced && result.failure?.aadsts == 700_016)
    }
  }

  /// A sample's client ID is sent as it is, unless a build replaces it; one in angle brackets looks like markup.
  @Test(
    arguments: [("YOUR_CLIENT_ID", 700_016), ("<client-id>", 90013), ("${CLIENT_ID}", nil)]
      as [(String, Int?)])
  func aClientIDThatWasNotFilledInIsNotRegistered(_ text: String, _ number: Int?) throws {
    var android = AndroidFixture()
    android.replace(AndroidFixture.clientID, with: text, in: AndroidFixture.configuration)
    android.files["registration.json"] = nil
    #expect(try Self.result(android.files).failure?.aadsts == number)
    var apple = XcodeFixture()
    apple.replace(
      "clientID = \"\(XcodeFixture.clientID)\"", with: "clientID = \"\(text)\"", in: "Mail/SignIn.swift")
    #expect(try Self.result(apple.files).failure?.aadsts == number)
  }

  // MARK: What only the doctor checks

  /// MSAL for Android refuses the configuration, as the doctor says, and takes it after the change.
  @Test(arguments: [
    (
      "\"type\": \"AAD\", \"audience\": { \"type\": \"AzureADEveryone\" }",
      "Unrecognized audience type for AzureActiveDirectoryAuthority"
    ),
    (
      "\"type\": \"Azure\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }",
      "Unrecognized authority type"
    ),
  ])
  func aConfigurationIsRefusedAsTheDoctorSays(_ authority: String, _ sentence: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }", with: authority,
      in: AndroidFixture.configuration)
    let result = try Self.result(fixture.files)
    #expect(result.verdict == .reproduced && result.failure?.symbol == nil)
    #expect(
      result.failure?.domain?.hasSuffix("IllegalArgumentException") == true,
      "\(result.failure?.displayText ?? "")")
    #expect(result.trace?.outcome?.errorText?.contains(sentence) == true)
    #expect(result.changes.first?.place?.contains("auth_config.json") == true)
  }

  /// An app of one organisation asks at its tenant, whatever its audience, so a registration for it serves the app.
  @Test(arguments: ["AzureADMyOrg", "AzureADMultipleOrgs"])
  func anAppOfOneOrganisationAsksAtItsTenant(_ audience: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"AzureADMultipleOrgs\"",
      with: "\"\(audience)\", \"tenant_id\": \"c0ffee00-1234-4abc-8def-001122334455\"",
      in: AndroidFixture.configuration)
    fixture.replace(
      "\"name\":", with: "\"signInAudience\": \"AzureADMyOrg\", \"name\":", in: "registration.json")
    let right = try Self.result(fixture.files)
    #expect(right.failure == nil, "\(right.failure?.displayText ?? "")")
    fixture.replace("\"url\": \"msauth://", with: "\"url\": \"msauth://other", in: "registration.json")
    #expect(try Self.result(fixture.files).failure?.aadsts == 50011)
  }

  /// The scopes of the code are those of the lab's call if they are the mistake.
  @Test(
    arguments: [
      (["openid", "profile"], "-42000"),
      (["User.Read", "https://graph.microsoft.com/.default"], "AADSTS70011"),
      (["User.Read", "api://orders/read"], "AADSTS28000"), (["User.Read", "Directory.Read.All"], nil),
      (["api://orders/read"], nil),
    ] as [([String], String?)])
  func theScopesOfTheCodeAreTheCalls(_ scopes: [String], _ code: String?) throws {
    var fixture = XcodeFixture()
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
    fixture.files["Mail/SignIn.swift"]?.append(
      "\nlet request = MSALInteractiveTokenParameters(scopes: [\(list)], webviewParameters: web)\n")
    let result = try Self.result(Self.files(fixture))
    let codes = [result.failure?.number, result.failure?.sdkCode.map(String.init)].compactMap(\.self)
    #expect(code.map(codes.contains) ?? codes.isEmpty, "\(codes)")
  }

  /// Microsoft Quick Authentication makes MSAL's object (AzureAD/quick-authentication-mobile, `MSQASignInClient.m`).
  @Test func quickAuthenticationIsMSAL() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = """
      import MicrosoftQuickAuth
      let client = MSQASignInClient(
        configuration: MSQAConfiguration(clientID: "\(XcodeFixture.clientID)"), error: nil)
      """
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
          client.handle(url, sourceApplication: options[.sourceApplication] as? String ?? "")
        }
      }
      """
    fixture.replace("UIApplicationSceneManifest", with: "Another", in: "Mail/Info.plist")
    let right = try Self.result(Self.files(fixture))
    #expect(right.failure == nil, "\(right.failure?.displayText ?? "")")
    #expect(right.facts.contains { $0.name == .clientID && $0.value == XcodeFixture.clientID })
    fixture.replace("<string>msauthv3</string>", with: "", in: "Mail/Info.plist")
    #expect(try Self.result(Self.files(fixture)).failure?.sdkCode == -42001)
  }
}
