import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// Vendors' libraries in apps of React Native, Expo, and Flutter, and in builds of an unusual layout.
@Suite struct WrapperVendorTests {
  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  private static func mistakes(_ files: [String: String]) throws -> [String] {
    try findings(files).map(\.mistake)
  }

  // MARK: Vendors' libraries in wrappers

  private static let script = "const { authorize } = useAuth0();\nauthorize();\n"

  private static func expo(_ plugins: String, _ version: String = "^4.0.0", _ more: [String: String] = [:])
    throws -> [String]
  {
    try mistakes(
      [
        "package.json":
          "{ \"dependencies\": {\n \"expo\": \"~52.0.0\",\n \"react-native-auth0\": \"\(version)\"\n} }",
        "app.json": "{ \"expo\": { \"slug\": \"lamp\", \"android\": { \"package\": \"com.lamp.bulb\" },\n"
          + "\"plugins\": [\(plugins)] } }",
        "App.tsx": "import { useAuth0, Auth0Provider } from 'react-native-auth0';\n" + script
          + "const app = <Auth0Provider domain={\"lamp.eu.auth0.com\"} clientId={id} />;",
      ].merging(more) { $1 })
  }

  /// Expo makes the filter from the plugin's settings.
  @Test(arguments: [
    ("[\"react-native-auth0\", { \"domain\": \"lamp.eu.auth0.com\" }]", [String]()),
    ("\"react-native-auth0\"", ["The plugin of Auth0 has no domain"]),
    ("\"expo-router\"", ["app.json lacks the plugin of Auth0"]),
    (
      "[\"react-native-auth0\", { \"domain\": \"https://lamp.eu.auth0.com\" }]",
      ["auth0Domain is not only a host"]
    ),
    (
      "[\"react-native-auth0\", { \"domain\": \"bulb.eu.auth0.com\" }]",
      ["auth0Domain is another domain than the code's"]
    ),
    (
      "[\"react-native-auth0\", { \"domain\": \"lamp.eu.auth0.com\", \"customScheme\": \"lamp\" }]",
      ["auth0Scheme is not the scheme of the callback"]
    ),
  ])
  func thePluginOfExpoIsSetUp(_ plugins: String, _ mistakes: [String]) throws {
    #expect(try Self.expo(plugins) == mistakes)
  }

  @Test func anotherConfigurationOfExpoIsNotRead() throws {
    #expect(try Self.expo("\"expo-router\"", "^4.0.0", ["App.tsx": ""]) == [])
    let plugin = "[\"react-native-auth0\", { \"domain\": \"lamp.eu.auth0.com\" }]"
    #expect(try Self.expo(plugin, "^2.15.0") == [])
    #expect(try Self.expo("\"expo-router\"", "^2.3.0") == [])
    #expect(try Self.expo("\"expo-router\"", "^4.0.0", ["app.config.js": "export default {};"]) == [])
  }

  /// The value to write is that of the wrapper's own version, and the code's domain.
  @Test(arguments: [("^2.13.3", "${applicationId}"), ("^4.0.0", "${applicationId}.auth0")])
  func theLinesHaveTheWrappersScheme(_ version: String, _ scheme: String) throws {
    let found = try Self.findings([
      "package.json": "{ \"dependencies\": {\n \"react-native-auth0\": \"\(version)\"\n} }",
      "auth0-configuration.js": "export default { domain: 'lamp.eu.auth0.com' };",
      "App.js": "import Auth0 from 'react-native-auth0';\nauth0.webAuth.authorize({});\n",
      "android/app/build.gradle": "android { defaultConfig { applicationId \"com.lamp.bulb\" } }",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(
      found.map(\.fix) == [
        "manifestPlaceholders = [auth0Domain: \"lamp.eu.auth0.com\", auth0Scheme: \"\(scheme)\"]"
      ])
  }

  /// Before the placeholders, an app declared the filter itself.
  @Test(arguments: [("auth0.webAuth.authorize({ scope: 'openid' });", 1), ("auth0.auth.userInfo();", 0)])
  func anOldWrapperNeedsAFilter(_ call: String, _ count: Int) throws {
    let found = try Self.mistakes([
      "package.json": "{ \"dependencies\": {\n \"react-native-auth0\": \"^1.4.0\"\n} }",
      "App.js": "import Auth0 from 'react-native-auth0';\n\(call)\n",
      "android/app/build.gradle": "android { defaultConfig { applicationId \"com.lamp.bulb\" } }",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(found == Array(repeating: "The manifest lacks Auth0's filter", count: count))
  }

  /// Code may give a client ID where the domain belongs, and the other way round.
  @Test func theAccountHasADomainAndAnID() throws {
    let found = try Self.findings(
      VendorTests.module(.auth0, "auth0Domain: \"lamp.eu.auth0.com\", auth0Scheme: \"lamp\"").merging([
        "app/src/main/java/Lamp.kt": """
        import com.auth0.android.Auth0
        val account = Auth0("lamp.eu.auth0.com", "k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3")
        """
      ]) { $1 })
    #expect(
      Set(found.map(\.mistake)).isSuperset(of: [
        "The domain is not a tenant's", "The client ID is not one of Auth0's",
      ]), "\(found)")
  }

  /// The resources are right, and code exchanges them.
  @Test(arguments: [("client", "host_domain", 0), ("host_domain", "client", 1)])
  func anExchangedResourceIsFoundAtTheCall(_ first: String, _ second: String, _ count: Int) throws {
    let found = try Self.findings(
      VendorTests.module(.auth0, "auth0Domain: \"lamp.eu.auth0.com\", auth0Scheme: \"lamp\"").merging([
        "app/src/main/res/values/strings.xml": """
        <resources><string name="host_domain">lamp.eu.auth0.com</string>
        <string name="client">k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3</string></resources>
        """,
        "app/src/main/java/Lamp.kt": """
        import com.auth0.android.Auth0
        val account = Auth0(getString(R.string.\(first)), getString(R.string.\(second)))
        """,
      ]) { $1 })
    #expect(found.contains { $0.mistake == "The domain is not a tenant's" } == (count > 0), "\(found)")
    #expect(found.allSatisfy { $0.place.path.hasSuffix("Lamp.kt") || $0.place.path.hasSuffix(".gradle") })
  }

  /// The constructor has names of its own.
  @Test(arguments: [("clientId", []), ("clientID", ["clientId is misspelt"])])
  func theConstructorNamesTheClientID(_ key: String, _ mistakes: [String]) throws {
    let found = try Self.mistakes([
      "package.json": "{ \"dependencies\": {\n \"react-native-auth0\": \"^4.0.0\"\n} }",
      "App.js": """
      import Auth0 from 'react-native-auth0';
      const auth0 = new Auth0({ domain: 'lamp.eu.auth0.com', \(key): 'k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3' });
      auth0.webAuth.authorize({});
      """,
      "android/app/build.gradle": """
      android { defaultConfig { applicationId "com.lamp.bulb"
        manifestPlaceholders = [auth0Domain: "lamp.eu.auth0.com", auth0Scheme: "com.lamp.bulb.auth0"] } }
      """,
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(found == mistakes)
  }

  /// A map that is assigned twice in a block has the later entries.
  @Test(arguments: [
    (
      "manifestPlaceholders = [auth0Domain: 'bulb.eu.auth0.com', auth0Scheme: 'lamp']",
      "auth0Domain is another domain than the code's"
    ),
    ("manifestPlaceholders = [other: 'lamp']", "The build lacks a manifest placeholder"),
    ("manifestPlaceholders += [other: 'lamp']", nil),
  ])
  func aLaterMapReplacesAnother(_ later: String, _ mistake: String?) throws {
    let found = try Self.mistakes([
      "app/build.gradle": """
      android { defaultConfig {
        applicationId "com.lamp"
        manifestPlaceholders = [auth0Domain: 'lamp.eu.auth0.com', auth0Scheme: 'lamp']
        \(later)
      } }
      dependencies { implementation "com.auth0.android:auth0:3.1.0" }
      """,
      "app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
      "app/src/main/java/Lamp.kt":
        "import com.auth0.android.Auth0\nval account = Auth0(\"k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3\", \"lamp.eu.auth0.com\")",
    ])
    #expect(found == [mistake].compactMap(\.self))
  }

  /// Code may open each of several configurations.
  @Test(arguments: [("R.raw.one, R.raw.two", 1), ("R.raw.one", 0)])
  func eachConfigurationThatCodeOpensCounts(_ names: String, _ count: Int) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"lamp\"")
    for (name, scheme) in [("one", "lamp"), ("two", "bulb")] {
      files["app/src/main/res/raw/\(name).json"] =
        #"{ "client_id": "lamp", "redirect_uri": "\#(scheme):/cb", "authorization_scope": "openid", "discovery_uri": "https://lamp.example" }"#
    }
    files["app/src/main/java/Lamp.java"] = "open(\(names));"
    #expect(
      try Self.mistakes(files) == Array(repeating: "The redirect URI has another scheme", count: count))
  }

  /// The filter that an app declares itself has the path of the callback on Android.
  @Test(arguments: [
    ("/android/${applicationId}/callback", [String]()), ("/android/com.lamp.bulb/callback", []),
    ("/ios/${applicationId}/callback", ["The filter has another path than the callback"]),
  ])
  func theOwnFilterHasThePathOfTheCallback(_ path: String, _ mistakes: [String]) throws {
    let found = try Self.mistakes([
      "package.json": "{ \"dependencies\": {\n \"react-native-auth0\": \"^2.5.0\"\n} }",
      "App.js": "import Auth0 from 'react-native-auth0';\nauth0.webAuth.authorize({});\n",
      "android/app/build.gradle": "android { defaultConfig { applicationId \"com.lamp.bulb\" } }",
      "android/app/src/main/AndroidManifest.xml": """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
        <activity android:name=".MainActivity"><intent-filter>
          <data android:host="lamp.eu.auth0.com" android:scheme="${applicationId}" android:pathPrefix="\(path)" />
        </intent-filter></activity>
      </application></manifest>
      """,
    ])
    #expect(found == mistakes)
  }

  /// A Flutter package without a part for macOS asks nothing of the folder that Flutter's template makes.
  @Test(arguments: ["msal_flutter: ^2.0.1", "msal_mobile: ^1.0.0"])
  func aPackageMayHaveNothingForMacOS(_ package: String) throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    var files: [String: String] = [:]
    for (path, text) in fixture.files {
      let isCode = [".swift", ".m", ".h"].contains(where: path.hasSuffix)
      files["macos/" + path] = isCode ? "import Cocoa\n" : text
    }
    files["pubspec.yaml"] = "dependencies:\n  flutter:\n    sdk: flutter\n  \(package)\n"
    #expect(try Self.findings(files) == [])
  }

  /// A place that two builds read cannot be changed for one of them.
  @Test func aChangeMakesNoMistakeInAnotherBuild() throws {
    var fixture = XcodeFixture()
    let project = try #require(fixture.files[XcodeMistake.projectFile])
    let debug = try #require(project.range(of: "com.contoso.mail;"))
    fixture.files[XcodeMistake.projectFile] = project.replacingCharacters(
      in: debug, with: "com.contoso.mail.debug;")
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "\"msauth.com.contoso.mail://auth\"",
      in: "Mail/SignIn.swift")
    try withFolder(of: fixture.files) { folder in
      let before = try Doctor.examine([folder])
      for finding in before.findings {
        guard let repair = Repair(finding), repair.path.hasSuffix(".swift") else { continue }
        try repair.after.write(toFile: repair.path, atomically: true, encoding: .utf8)
        let after = try Doctor.examine([folder]).findings
        #expect(after.contains { repair.isCause(of: $0, after: before) }, "\(after)")
        try repair.before.write(toFile: repair.path, atomically: true, encoding: .utf8)
      }
    }
  }

  /// A script that no build applies sets nothing, and Eclipse's layout has resources in the module's own folder.
  @Test(arguments: [
    ("lamp", "apply from: '../gradle/other.gradle'", "lamp:/cb", ["The build lacks a manifest placeholder"]),
    ("lamp", "apply from: \"../gradle/lamp.gradle\"", "lamp:/cb", []),
    ("lamp", "apply from: \"../gradle/lamp.gradle\"", "bulb:/cb", ["The redirect URI has another scheme"]),
  ])
  func aScriptCountsIfABuildAppliesIt(
    _ scheme: String, _ apply: String, _ redirect: String, _ mistakes: [String]
  ) throws {
    let found = try Self.mistakes([
      "app/build.gradle":
        "\(apply)\nandroid { defaultConfig { applicationId 'com.lamp' } }\ndependencies { implementation 'net.openid:appauth:0.11.1' }",
      "gradle/lamp.gradle":
        "android { defaultConfig { manifestPlaceholders = [appAuthRedirectScheme: '\(scheme)'] } }",
      "gradle/other.gradle": "android {}", "app/AndroidManifest.xml": "<manifest><application /></manifest>",
      "app/java/Lamp.java": "openRawResource(R.raw.auth_config);",
      "app/res/raw/auth_config.json":
        #"{ "client_id": "lamp", "redirect_uri": "\#(redirect)", "authorization_scope": "openid", "discovery_uri": "https://lamp.example" }"#,
    ])
    #expect(found == mistakes)
  }

  /// A wrapper's call names its scheme on every platform, unless code asks for the platform.
  @Test(arguments: [("", 1), ("if (Platform.isIOS) {}", 0)])
  func eachCallOfDartHasTheScheme(_ code: String, _ count: Int) throws {
    let found = try Self.mistakes([
      "pubspec.yaml": "dependencies:\n  auth0_flutter: ^1.2.0\n",
      "lib/lamp.dart": """
      import 'package:auth0_flutter/auth0_flutter.dart';
      \(code)
      final one = await auth0.webAuthentication(scheme: 'torch').login();
      final two = await auth0.webAuthentication(scheme: 'lamp').logout();
      """,
      "android/app/build.gradle": """
      android { defaultConfig {
        applicationId "com.lamp.bulb"
        manifestPlaceholders = [auth0Domain: "lamp.eu.auth0.com", auth0Scheme: "lamp"]
      } }
      """,
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(found == Array(repeating: "The redirect URI has another scheme", count: count))
  }

  // MARK: .NET

  /// An activity takes the callback of WebAuthenticator, by scheme and host, and Auth0's library gets a host.
  @Test(arguments: [
    ("\"lamp://callback\"", "DataScheme = Scheme", "lamp.eu.auth0.com", [String]()),
    (
      "\"lamp://callback\"", "DataScheme = \"bulb\"", "lamp.eu.auth0.com",
      ["The activity takes another redirect URI"]
    ),
    (
      "\"lamp://callback\"", "DataScheme = \"lamp\", DataHost = \"signin\"", "lamp.eu.auth0.com",
      ["The activity takes another redirect URI"]
    ),
    (
      "\"lamp://callback\"", "DataScheme = Scheme", "https://lamp.eu.auth0.com",
      ["The domain is not only a host"]
    ),
    ("Settings.Redirect", "DataScheme = Scheme", "lamp.eu.auth0.com", []),
  ])
  func anActivityTakesTheCallback(
    _ redirect: String, _ filter: String, _ domain: String, _ mistakes: [String]
  ) throws {
    let found = try Self.mistakes([
      "Lamp.csproj": """
      <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net8.0-android;net8.0-ios</TargetFrameworks>
      <OutputType>Exe</OutputType></PropertyGroup><ItemGroup><PackageReference Include="Auth0.OidcClient.MAUI" />
      </ItemGroup></Project>
      """,
      "MauiProgram.cs": """
      using Auth0.OidcClient;
      var client = new Auth0Client(new() { Domain = "\(domain)", ClientId = "k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3",
      #if WINDOWS
        RedirectUri = "http://localhost/callback"
      #else
        RedirectUri = \(redirect)
      #endif
      });
      """,
      "Platforms/Android/Callback.cs": """
      [Activity(Exported = true)]
      [IntentFilter(new[] { Intent.ActionView },
        Categories = new[] { Intent.CategoryDefault, Intent.CategoryBrowsable }, \(filter))]
      public class Callback : WebAuthenticatorCallbackActivity { const string Scheme = "lamp"; }
      """,
    ])
    #expect(found == mistakes)
  }

  // MARK: Google

  /// A script's client for iOS needs its scheme, and the server's client is of the type Web.
  @Test(arguments: [
    ("1234567-ios", "1234567-web.apps.googleusercontent.com", [String]()),
    (
      "1234567-bulb", "1234567-web.apps.googleusercontent.com",
      ["CFBundleURLTypes has another client's scheme"]
    ),
    ("1234567-ios", "1234567-app.apps.googleusercontent.com", ["The client ID is not one of a Web client"]),
    ("1234567-ios", "1234567-web", ["The client ID is not one of a Web client"]),
  ])
  func theClientsOfAScriptAreGoogles(_ ios: String, _ web: String, _ mistakes: [String]) throws {
    let found = try Self.mistakes([
      "package.json":
        "{ \"dependencies\": {\n \"@react-native-google-signin/google-signin\": \"^13.0.0\"\n} }",
      "App.js": """
      import { GoogleSignin } from '@react-native-google-signin/google-signin';
      GoogleSignin.configure({ webClientId: '\(web)', iosClientId: '\(ios).apps.googleusercontent.com' });
      """,
      "ios/Lamp/Info.plist": """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.lamp</string><key>CFBundleURLTypes</key><array>
      <dict><key>CFBundleURLSchemes</key><array><string>com.googleusercontent.apps.1234567-ios</string></array></dict>
      </array></dict></plist>
      """,
      "android/app/build.gradle":
        "apply plugin: 'com.google.gms.google-services'\nandroid { defaultConfig { applicationId 'com.lamp' } }",
      "android/app/google-services.json": """
      { "client": [{ "client_info": { "android_client_info": { "package_name": "com.lamp" } }, "oauth_client": [
      { "client_id": "1234567-app.apps.googleusercontent.com", "client_type": 1 },
      { "client_id": "1234567-web.apps.googleusercontent.com", "client_type": 3 } ] }] }
      """,
    ])
    #expect(found == mistakes)
  }

  // MARK: AppAuth

  /// A configuration in a script names its issuer and its redirect URI; one that only ends a session has no redirect URI.
  @Test(arguments: [
    ("issuer: 'https://lamp.okta.com/oauth2/default', redirectUrl: 'lamp:/cb'", [String]()),
    ("issuer: 'lamp.okta.com', redirectUrl: 'lamp:/cb'", ["The provider's address is not a URL"]),
    ("issuer: 'https://lamp-admin.okta.com', redirectUrl: 'lamp:/cb'", ["The issuer is mistyped"]),
    (
      "issuer: 'https://lamp.example/.well-known/openid-configuration', redirectUrl: 'lamp:/cb'",
      ["The issuer is the address of its metadata"]
    ),
    ("issuer: 'https://lamp.example', redirectUri: 'lamp:/cb'", ["redirectUrl is misspelt"]),
    ("issuer: 'https://lamp.example', redirectUrl: 'lamp'", ["The redirect URI has no scheme"]),
    ("issuer: 'https://lamp.example'", []),
    ("issuer: 'https://lamp.example', ...others, redirectUri: 'lamp:/cb'", []),
  ])
  func aScriptsConfigurationIsWhole(_ values: String, _ mistakes: [String]) throws {
    let found = try Self.mistakes([
      "package.json": "{ \"dependencies\": {\n \"react-native-app-auth\": \"^7.1.0\"\n} }",
      "App.js":
        "import { authorize } from 'react-native-app-auth';\nconst config = { clientId: 'k3J5', \(values) };",
      "android/app/build.gradle":
        "android { defaultConfig { applicationId 'com.lamp'\n manifestPlaceholders = [appAuthRedirectScheme: 'lamp'] } }",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(found == mistakes)
  }

  /// The browser comes back after signing out, too.
  @Test(arguments: [("lamp:/", 0), ("bulb:/", 1), ("https://lamp.example", 0)])
  func theEndOfASessionHasTheAppsScheme(_ redirect: String, _ count: Int) throws {
    let found = try Self.mistakes([
      "pubspec.yaml": "dependencies:\n  flutter_appauth: ^6.0.0\n",
      "lib/lamp.dart": """
      import 'package:flutter_appauth/flutter_appauth.dart';
      final one = AuthorizationTokenRequest('k3J5', 'lamp:/cb', issuer: 'https://lamp.example');
      final two = EndSessionRequest(idTokenHint: hint, postLogoutRedirectUrl: '\(redirect)');
      """,
      "android/app/build.gradle":
        "android { defaultConfig { applicationId 'com.lamp'\n manifestPlaceholders = [appAuthRedirectScheme: 'lamp'] } }",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(found == Array(repeating: "The redirect URI has another scheme", count: count))
  }

  /// A hook asks for what the provider has.
  @Test(arguments: [("<Auth0Provider domain={d} clientId={c}><Lamp /></Auth0Provider>", 0), ("<Lamp />", 1)])
  func theHookHasAProvider(_ app: String, _ count: Int) throws {
    let found = try Self.mistakes([
      "package.json": "{ \"dependencies\": {\n \"react-native-auth0\": \"^4.0.0\"\n} }",
      "App.js":
        "import { Auth0Provider, useAuth0 } from 'react-native-auth0';\nconst { authorize } = useAuth0();\nconst app = \(app);",
      "android/app/build.gradle": """
      android { defaultConfig { applicationId "com.lamp"
        manifestPlaceholders = [auth0Domain: "lamp.eu.auth0.com", auth0Scheme: "com.lamp.auth0"] } }
      """,
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>",
    ])
    #expect(found == Array(repeating: "useAuth0 is used without Auth0Provider", count: count))
  }
}
