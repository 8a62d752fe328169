import DoctorTestSupport
import SSODoctor
import Testing

@testable import SSOReproduce

/// The forms in which projects hold the values that a mistake is in: code, assets, and plug-ins beside them.
struct ProjectFormTests {
  private static func result(_ files: [String: String]) throws -> Reproduction {
    try withFolder(of: files) { folder in
      var reader = EvidenceReader()
      reader.take(try Doctor.examine([folder]))
      return Reproducer(reader.finish()).reproduce()
    }
  }

  // MARK: Redirect URIs in code

  /// Mail's redirect URI is `expression`, and `declarations` are in another file.
  private static func result(_ expression: String, _ declarations: String) throws -> Reproduction {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: expression, in: "Mail/SignIn.swift")
    fixture.files["Mail/SignIn.swift"]?.append("\n" + declarations)
    return try result(fixture.files)
  }

  @Test(arguments: [
    ("Settings.uri", "struct Settings { static var uri: String { get { return \"URI\" } } }"),
    ("Settings.uri", "struct Settings { static var uri: String { get { \"URI\" } } }"),
    (
      "settings.redirectURI",
      "struct Settings { let name: String; let redirectURI: String }\nlet settings = Settings(name: \"a\", redirectURI: \"URI\")"
    ),
    (
      "settings.redirectURI",
      "struct Settings {\n  let redirectURI: String\n  init(redirectURI: String = \"msauth.com.contoso.mail://auth\") {\n"
        + "    self.redirectURI = redirectURI\n  }\n}\nlet settings = Settings(redirectURI: \"URI\")"
    ),
  ])
  func aRedirectURIIsReadWhereItIsMade(_ expression: String, _ declarations: String) throws {
    let wrong = try Self.result(
      expression, declarations.replacing("URI\"", with: "msauth.com.contoso.other://auth\""))
    #expect(wrong.verdict == .reproduced && wrong.failure?.sdkCode == -42001, "\(wrong.difference ?? "")")
    let right = try Self.result(
      expression, declarations.replacing("URI\"", with: "msauth.com.contoso.mail://auth\""))
    #expect(right.failure == nil, "\(right.failure?.displayText ?? "")")
  }

  /// Of two calls of an initialiser, nobody knows which value is used.
  @Test func severalValuesOfAnInitialiserAreNotChecked() throws {
    let result = try Self.result(
      "settings.redirectURI",
      "struct Settings { let redirectURI: String }\nlet a = Settings(redirectURI: \"msauth.com.contoso.a://auth\")\n"
        + "let b = Settings(redirectURI: \"msauth.com.contoso.b://auth\")")
    #expect(result.verdict != .reproduced)
  }

  // MARK: React Native

  /// The code of such an app for Android is not read, so its mistake is only a question, but the app for iOS has none.
  @Test(arguments: [("com.contoso.notes", false), ("com.contoso.lamps", true)])
  func theAppWithAQuestionIsPlayed(_ host: String, _ isNear: Bool) throws {
    var files = Self.wrapped(in: "ios") { _ in }
    var android = AndroidFixture()
    android.files["app/src/main/java/Account.kt"] = "import lamp"
    android.replace("${applicationId}", with: host, in: AndroidFixture.manifest)
    for (path, text) in android.files where path != "registration.json" { files["android/" + path] = text }
    files["package.json"] =
      "{ \"dependencies\": {\n\"react-native\": \"0.74.0\",\n\"react-native-msal\": \"^4.0.0\" } }"
    let result = try Self.result(files)
    #expect(result.verdict == (isNear ? .nearest : .notReproduced), "\(result.difference ?? "")")
    #expect(result.failure?.symbol == (isNear ? "app_manifest_validation_error" : nil))
    #expect(result.facts.contains { $0.value.contains("may have a mistake") } == isNear)
  }

  // MARK: Flutter

  /// The files of an app without code of its own, below a folder.
  private static func wrapped(in folder: String, _ change: (inout XcodeFixture) -> Void) -> [String: String] {
    var fixture = XcodeFixture()
    fixture.replace(
      "targets = ( A01, B01 )", with: "targets = ( A01 )", in: "Suite.xcodeproj/project.pbxproj")
    change(&fixture)
    let files = fixture.files.map { path, text in
      (folder + "/" + path, path.hasSuffix("SignIn.swift") || path.hasSuffix(".m") ? "import UIKit\n" : text)
    }
    return Dictionary(uniqueKeysWithValues: files)
  }

  /// A delegate that does not hand the broker's answer on.
  private static let silentDelegate =
    "import UIKit\nimport MSAL\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"

  private static let pubspec = "name: mail\ndependencies:\n  flutter:\n    sdk: flutter\n"

  /// Flutter makes the folder for macOS in each project, but names no keychain group in it.
  @Test func aKeychainGroupForMacOSIsSomebodys() throws {
    var files = Self.wrapped(in: "macos") { fixture in
      fixture.buildForMac()
      fixture.replace(
        "com.microsoft.identity.universalstorage", with: "com.contoso.own", in: "Mail/Mail.entitlements")
    }
    files["macos/Mail/Info.plist"] = "<plist version=\"1.0\"><dict></dict></plist>"
    files["pubspec.yaml"] = Self.pubspec + "  msal_auth: ^3.1.0\n"
    files["lib/auth.dart"] =
      "import 'package:msal_auth/msal_auth.dart';\nfinal config = AppleConfig(authorityType: AuthorityType.aad);\n"
    let result = try Self.result(files)
    #expect(
      result.verdict == .reproduced && result.failure?.keychainStatus == -34018, "\(result.difference ?? "")")
  }

  /// The example of a plug-in uses MSAL through the package above it, whatever its name.
  @Test func theExampleOfAPlugInUsesIt() throws {
    var files = Self.wrapped(in: "example/ios") {
      $0.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    }
    files["example/pubspec.yaml"] = Self.pubspec + "  sign_in:\n    path: ../\n"
    files["pubspec.yaml"] = "name: sign_in\ndependencies:\n  flutter:\n    sdk: flutter\n"
    files["ios/sign_in.podspec"] = "Pod::Spec.new do |s|\n  s.dependency 'MSAL', '~> 2.0'\nend\n"
    files["example/lib/main.dart"] = "import 'package:sign_in/sign_in.dart';\n"
    let result = try Self.result(files)
    #expect(result.verdict == .reproduced && result.failure?.sdkCode == -42001, "\(result.difference ?? "")")
  }

  /// React Native's example uses the library above it, which its own package may not name.
  @Test(arguments: [#""sign-in": "file:.."#, #""react": "18.0.0"#])
  func theExampleOfALibraryUsesIt(_ dependency: String) throws {
    var files = Self.wrapped(in: "example/ios") {
      $0.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    }
    files["example/package.json"] =
      #"{ "name": "sign-in-example", "dependencies": { "react-native": "0.74.0", \#(dependency)" } }"#
    files["package.json"] = #"{ "name": "sign-in" }"#
    files["sign-in.podspec"] = "Pod::Spec.new do |s|\n  s.dependency \"MSAL\"\nend\n"
    let result = try Self.result(files)
    #expect(result.failure?.sdkCode == -42001, "\(result.difference ?? "")")
  }

  /// The asset of msal_mobile, and the argument of a fork of msal_flutter.
  @Test(arguments: ["msal_mobile", "msal_flutter_fork"])
  func aRedirectURIOfDartIsRead(_ package: String) throws {
    var files = Self.wrapped(in: "ios") { _ in }
    files["pubspec.yaml"] = Self.pubspec + "  \(package): ^1.0.0\n"
    let uri = "msauth.com.contoso.other://auth"
    files["assets/auth.json"] =
      #"{ "client_id": "\#(XcodeFixture.clientID)", "ios_redirect_uri": "\#(uri)", "authorities": [] }"#
    files["lib/auth.dart"] =
      "import 'package:\(package)/\(package).dart';\nfinal app = Application(clientId: '\(XcodeFixture.clientID)', iosRedirectUri: '\(uri)');\n"
    let result = try Self.result(files)
    #expect(result.verdict == .reproduced && result.failure?.sdkCode == -42001, "\(result.difference ?? "")")
    for path in ["assets/auth.json", "lib/auth.dart"] {
      files[path] = files[path]?.replacing(uri, with: "msauth.com.contoso.mail://auth")
    }
    #expect(try Self.result(files).failure == nil)
  }

  /// Dart chooses a value by the platform, and puts the address into an object.
  @Test(arguments: ["isIOS ? 'OWN' : 'other'", "isAndroid ? 'other' : 'OWN'", "isIOS ? null : 'other'"])
  func theBranchOfThePlatformIsRead(_ branch: String) throws {
    var files = Self.wrapped(in: "ios") { _ in }
    files["pubspec.yaml"] = Self.pubspec + "  azure_ad_authentication: ^1.0.0\n"
    func source(_ own: String) -> String {
      let uri = branch.replacing("OWN", with: own).replacing("other", with: "msauth.com.contoso.mac://auth")
      return """
        import 'package:azure_ad_authentication/azure_ad_authentication.dart';
        final uri = Platform.\(uri);
        final app = create(clientId: '\(XcodeFixture.clientID)', authority: Uri.parse('https://login.microsoftonline.com/common'),
          redirectUri: uri);
        """
    }
    files["lib/auth.dart"] = source("msauth.com.contoso.mail://auth")
    #expect(try Self.result(files).failure == nil)
    files["lib/auth.dart"] = source("msauth.com.contoso.wick://auth")
    let isDefault = branch.contains("null")
    #expect(try Self.result(files).failure?.sdkCode == (isDefault ? nil : -42001))
  }

  /// Dart that compares the type of the authority with B2C's may have another one, which a broker serves.
  @Test func aChoiceOfAuthoritiesMayHaveABroker() throws {
    var files = Self.wrapped(in: "ios") { _ in }
    files["ios/Mail/SceneDelegate.swift"] = Self.silentDelegate
    files["pubspec.yaml"] = Self.pubspec + "  msal_auth: ^3.1.0\n"
    files["lib/auth.dart"] = """
      import 'package:msal_auth/msal_auth.dart';
      var type = AuthorityType.aad;
      final app = create(clientId: '\(XcodeFixture.clientID)', appleConfig: AppleConfig(authority: find(type)));
      bool isFlow() => type == AuthorityType.b2c;
      """
    let result = try Self.result(files)
    #expect(result.verdict == .nearest && result.failure?.sdkCode == -42700, "\(result.difference ?? "")")
  }

  /// A library that leaves the broker's answer to the app's delegate needs it, unless no broker serves the authority
  /// (stashenergy/react-native-msal, `README.md`).
  @Test(arguments: [
    ("https://login.microsoftonline.com/common", "", true),
    (
      "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_lamp",
      "'https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_lamp'", false
    ),
  ])
  func theDelegateOfALibrarysAppHandsTheAnswerOn(
    _ authority: String, _ known: String, _ isNeeded: Bool
  ) throws {
    var files = Self.wrapped(in: "ios") { _ in }
    files["ios/Mail/SceneDelegate.swift"] = Self.silentDelegate
    files["package.json"] =
      #"{ "dependencies": { "react-native": "0.76.0", "react-native-msal": "4.0.4" } }"#
    files["src/auth.ts"] = """
      import PublicClientApplication from 'react-native-msal';
      export const client = new PublicClientApplication({ auth: { clientId: '\(XcodeFixture.clientID)', authority: '\(authority)',
        knownAuthorities: [\(known)] } });
      """
    let result = try Self.result(files)
    #expect((result.verdict == .reproduced) == isNeeded, "\(result.difference ?? "")")
    #expect(!isNeeded || result.failure?.sdkCode == -42700, "\(result.failure?.displayText ?? "")")
  }

  /// An app for iOS, its version for macOS, and their configurations may have one bundle ID, and one of them the mistake.
  @Test(arguments: ["Debug", "Release"])
  func theConfigurationWithTheMistakeIsTaken(_ wrong: String) throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    // Debug is the first configuration of the first target.
    let project = "Suite.xcodeproj/project.pbxproj"
    fixture.files[project] = fixture.files[project]?.replacing(
      "= Mail/Mail.entitlements", with: "= Mail/Other.entitlements", maxReplacements: 1)
    let right = fixture.files["Mail/Mail.entitlements"] ?? ""
    fixture.files["Mail/Other.entitlements"] = right
    let file = wrong == "Debug" ? "Mail/Other.entitlements" : "Mail/Mail.entitlements"
    fixture.files[file] = right.replacing("com.microsoft.identity.universalstorage", with: "com.contoso.own")
    let result = try Self.result(fixture.files)
    #expect(
      result.verdict == .reproduced && result.failure?.keychainStatus == -34018, "\(result.difference ?? "")")
  }
}
