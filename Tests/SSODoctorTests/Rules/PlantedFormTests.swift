import DoctorTestSupport
import SSODevice
import Testing

@testable import SSODoctor

/// Mistakes of a form, whatever the project: what a developer can write wrong in each place.
extension OutsideTests {
  // MARK: Client IDs

  @Test func aClientIDWithWhiteSpaceIsAnotherID() throws {
    var fixture = XcodeFixture()
    fixture.replace(XcodeFixture.clientID, with: XcodeFixture.clientID + " ", in: "Mail/SignIn.swift")
    let files = fixture.files.merging(["registration.json": fixture.registration]) { $1 }
    let finding = try #require(try Self.findings(files).first { $0.rule == .clientID })
    #expect(finding.isQuestion && finding.title.hasSuffix("a GUID with white space"))
    #expect(finding.fix == "\"\(XcodeFixture.clientID)\"")
    #expect(try Self.errors(files).contains(.registration) == false)
  }

  // MARK: Scopes

  /// Each list, with the mistake and the number that Entra has for it.
  @Test(
    arguments: [
      (["User.Read", "api://orders/read"], "The scopes are of several APIs", "AADSTS28000"),
      (
        ["User.Read", "https://graph.microsoft.com/.default"], ".default is beside permissions", "AADSTS70011"
      ),
      (["User.Read,Mail.Read"], "Several scopes are in one string", nil),
      (["User.Read", "Mail.Read"], nil, nil), (["api://orders/read"], nil, nil),
      (["https://graph.microsoft.com/.default"], nil, nil), (["custom,scope"], nil, nil),
    ] as [([String], String?, String?)])
  func scopesHaveOneRuleOnAllPlatforms(_ scopes: [String], _ title: String?, _ code: String?) throws {
    let mistake = RequestScopesMistake(scopes)
    #expect(mistake?.title == title && mistake?.refusal?.code == code)
    var apple = XcodeFixture()
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
    apple.files["Mail/SignIn.swift"]?.append(
      "\nlet request = MSALInteractiveTokenParameters(scopes: [\(list)], webviewParameters: web)\n")
    #expect(
      try Self.findings(apple.files).filter { $0.rule == .requestScopes }.map(\.title)
        == (title.map { [$0] } ?? []))
    var android = AndroidFixture()
    android.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      class Sign {
        val scopes = arrayOf<String>(\(list))
        fun ask(c: Context) = AcquireTokenParameters.Builder().withScopes(listOf(\(list)))
      }
      """
    let found = try Self.findings(android.files).filter { $0.rule == .requestScopes }
    #expect(found.map(\.title) == (title.map { [$0] } ?? []))
    #expect(found.map(\.place.line) == (title == nil ? [] : [3]))
  }

  // MARK: Schemes

  /// The redirect URI is in a file that was not published.
  @Test(arguments: [
    ("msauth.com.contoso.mail", false), ("msauth.com.contoso.Mail", true), ("msauth.com.contoso.mail ", true),
    ("msauht.com.contoso.mail", true), ("msauth.com.contoso.mail://auth", true), ("mail", false),
    ("msauth.com.contoso.other", false),
  ])
  func aMisspeltSchemeIsSeenWithoutTheRedirectURI(_ scheme: String, _ isFound: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      #""msauth.\(Bundle.main.bundleIdentifier!)://auth""#, with: "Hidden.redirect", in: "Mail/SignIn.swift")
    fixture.replace(
      "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>", with: "<string>\(scheme)</string>",
      in: "Mail/Info.plist")
    let found = try Self.findings(fixture.files).filter { $0.rule == .urlScheme && $0.subject == "Mail" }
    #expect(found.map(\.isQuestion) == (isFound ? [true] : []), "\(found)")
  }

  @Test func aMisspeltKeyIsSeenWithoutTheRedirectURI() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      #""msauth.\(Bundle.main.bundleIdentifier!)://auth""#, with: "Hidden.redirect", in: "Mail/SignIn.swift")
    fixture.replace("<key>CFBundleURLSchemes<", with: "<key>CFBundleURLScheme<", in: "Mail/Info.plist")
    let found = try Self.findings(fixture.files).filter { $0.rule == .urlScheme && $0.subject == "Mail" }
    #expect(found.map(\.title) == ["CFBundleURLSchemes is misspelt"] && found.allSatisfy(\.isQuestion))
  }

  // MARK: Android

  @Test(
    arguments: [
      (
        "\"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMyOrg\", \"tenant_id\": \"YOUR_TENANT_ID\" }",
        DoctorRule.placeholder
      ),
      ("\"type\": \"AAD\", \"authority_url\": \"https://login.microsoftonline.com/<tenant>\"", .placeholder),
      (
        "\"type\": \"B2C\", \"authority_url\": \"https://wingtip.b2clogin.com/tfp/wingtip.onmicrosoft.com\"",
        .authority
      ),
      (
        "\"type\": \"B2C\", \"authority_url\": \"https://wingtip.b2clogin.com/tfp/wingtip.onmicrosoft.com/B2C_1_in/\"",
        nil
      ),
      (
        "\"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMyOrg\", \"tenant_id\": \"c0ffee00-1234-4abc-8def-001122334455\" }",
        nil
      ),
    ] as [(String, DoctorRule?)])
  func anAuthorityOfAndroidIsWhole(_ authority: String, _ rule: DoctorRule?) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }", with: authority,
      in: AndroidFixture.configuration)
    let files = fixture.files.filter { $0.key != "registration.json" }
    #expect(try Self.findings(files).map(\.rule) == (rule.map { [$0] } ?? []))
  }

  /// A wrapper has no configuration in the project that the filter could be compared with.
  @Test func aMisspeltActivityIsSeenWithoutAConfiguration() throws {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = nil
    fixture.files["registration.json"] = nil
    #expect(try Self.findings(fixture.files) == [])
    fixture.replace(".BrowserTabActivity", with: ".BrowserTabActivty", in: AndroidFixture.manifest)
    let finding = try #require(try Self.findings(fixture.files).first)
    #expect(
      finding.rule == .browserTabActivity && finding.title == "The name of BrowserTabActivity is misspelt")
  }

  /// Code names a resource that the project does not have, beside one that no code names.
  @Test(arguments: [("auth_config", 0), ("auth_config_old", 1)])
  func theResourceThatCodeNamesIsThere(_ resource: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{\n  \"client_id\"", with: "{\n  \"account_mode\": \"SINGLE\",\n  \"client_id\"",
      in: AndroidFixture.configuration)
    fixture.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      fun make(c: Context) = PublicClientApplication.createSingleAccountPublicClientApplication(c, R.raw.\(resource), listener)
      """
    let found = try Self.findings(fixture.files)
    #expect(
      found.count { $0.title == "res/raw lacks the configuration that code names" && $0.severity == .fails }
        == count)
  }

  // MARK: Flutter

  static func flutter(_ dart: String, assets: String = "    - assets/msal.json\n") -> [String: String] {
    var files: [String: String] = [:]
    for (path, text) in AndroidFixture().files where path != "registration.json" {
      files["android/" + path] = text
    }
    files["assets/msal.json"] = files.removeValue(forKey: "android/" + AndroidFixture.configuration)?
      .replacing("msauth://com.contoso.notes/\(AndroidFixture.encodedHash)", with: "msauth://none/none")
      .replacing("{\n  \"client_id\"", with: "{\n  \"account_mode\": \"SINGLE\",\n  \"client_id\"")
    files["pubspec.yaml"] =
      "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.3.0\nflutter:\n  assets:\n" + assets
    files["lib/auth.dart"] = "import 'package:msal_auth/msal_auth.dart';\n" + dart
    files["lib/ids.dart"] = "class Ids { static const String client = '\(XcodeFixture.clientID)'; }\n"
    return files
  }

  static func create(client: String = "Ids.client", uri: String) -> String {
    "final pca = SingleAccountPca.create(clientId: \(client), androidConfig: AndroidConfig("
      + "configFilePath: 'assets/msal.json', redirectUri: '\(uri)'));"
  }

  /// What Dart passes to the package replaces the values of the asset.
  @Test func theValuesOfDartAreTheConfigurations() throws {
    let uri = "msauth://com.contoso.notes/\(AndroidFixture.encodedHash)"
    func rules(_ dart: String, assets: String = "    - assets/msal.json\n") throws -> Set<DoctorRule> {
      Set(try Self.findings(Self.flutter(dart, assets: assets)).map(\.rule))
    }
    #expect(
      try rules(Self.create(uri: uri)).isDisjoint(with: [.androidRedirect, .browserTabActivity, .clientID]))
    let other = try rules(Self.create(uri: uri.replacing("notes", with: "other")))
    #expect(!other.isDisjoint(with: [.androidRedirect, .browserTabActivity, .brokerUnused]), "\(other)")
    #expect(try rules(Self.create(client: "'YOUR_CLIENT_ID'", uri: uri)).contains(.placeholder))
    #expect(
      try rules(Self.create(uri: uri), assets: "    - assets/\n").contains(.androidConfiguration) == false)
    #expect(try rules(Self.create(uri: uri), assets: "    - assets/icons/\n").contains(.androidConfiguration))
  }

  /// The package gives Apple's SDK no redirect URI, so the scheme is that of the default.
  @Test func theClientIDOfDartIsTheAppsOnIOS() throws {
    var files: [String: String] = [:]
    for (path, text) in XcodeFixture().files where !path.hasSuffix(".swift") && !path.hasSuffix(".m") {
      files["ios/" + path] = text
    }
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.3.0\n"
    func clientID(_ dart: String) throws -> String? {
      files["lib/auth.dart"] = "import 'package:msal_auth/msal_auth.dart';\n" + dart
      return try withFolder(of: files) { try Doctor.examine([$0]).apple.first?.clientID?.value }
    }
    #expect(
      try clientID("SingleAccountPca.create(clientId: '\(XcodeFixture.clientID)');") == XcodeFixture.clientID)
    #expect(try clientID("SingleAccountPca.create(clientId: settings.load());") == nil)
    #expect(try clientID("SingleAccountPca.create(clientId: '$id');") == nil)
  }
}
