import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// Mistakes of Android apps with other vendors' libraries that the build, the resources, and the code show together.
@Suite struct AndroidVendorTests {
  private static func mistakes(_ files: [String: String]) throws -> [String] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings.map(\.mistake)
  }

  private static let strings = """
    <resources>
      <string name="lamp_domain">lamp.eu.auth0.com</string>
      <string name="lamp_scheme">lamp</string>
      <string name="lamp_client">k3J5</string>
    </resources>
    """
  private static let right =
    #"auth0Domain: "@string/lamp_domain", auth0Scheme: "@string/lamp_scheme""#
  private static let code = """
    import com.auth0.android.Auth0
    import com.auth0.android.provider.WebAuthProvider
    class Lamp(private val context: Context) {
      val account = Auth0(context.getString(R.string.lamp_client), context.getString(R.string.lamp_domain))
      fun enter() { WebAuthProvider.login(account).withScheme("lamp").start(context, callback) }
      fun leave() { WebAuthProvider.logout(account).withScheme(context.getString(R.string.lamp_scheme)).start(context, end) }
    }
    """

  private static func auth0(
    _ placeholders: String = right, strings: String = strings, code: String = code
  ) -> [String: String] {
    VendorTests.module(.auth0, placeholders).merging([
      "app/src/main/res/values/auth0.xml": strings, "app/src/main/java/Lamp.kt": code,
    ]) { $1 }
  }

  @Test func aRightAppHasNoFindings() throws { #expect(try Self.mistakes(Self.auth0()) == []) }

  /// The build sets the scheme and the host of the filter, which Android compares as they are.
  @Test(arguments: [
    ("lamp</string>", "Lamp</string>", ["auth0Scheme has a capital letter"]),
    ("lamp</string>", "lamp://</string>", ["auth0Scheme is not only a scheme"]),
    ("lamp</string>", "a lamp</string>", ["auth0Scheme is not a scheme"]),
    ("lamp</string>", "my_lamp</string>", ["auth0Scheme is not a scheme"]),
    (">lamp.eu.auth0.com", ">lamp.eu.auth0.com/", ["auth0Domain is not only a host"]),
    (">k3J5", ">", ["The value of Auth0 is not filled in"]),
    ("\"lamp_client\"", "\"lamp_clients\"", ["The string lamp_client is not declared"]),
    (
      "<string name=\"lamp_client\">k3J5</string>", "<!-- <string name=\"lamp_client\">k3J5</string> -->",
      ["The string lamp_client is not declared"]
    ),
    ("\"lamp_scheme\"", "\"scheme\"", ["The string lamp_scheme is not declared"]),
  ])
  func theValuesOfResourcesAreChecked(_ old: String, _ new: String, _ mistakes: [String]) throws {
    #expect(try Self.mistakes(Self.auth0(strings: Self.strings.replacing(old, with: new))) == mistakes)
  }

  @Test(arguments: [
    (
      right.replacing("@string/lamp_domain", with: "lamp.us.auth0.com"),
      ["auth0Domain is another domain than the code's"]
    ),
    (right.replacing("@string/lamp_domain", with: "LAMP.eu.auth0.com"), []),
    (
      right.replacing("@string/lamp_scheme", with: "@String/lamp_scheme"),
      ["auth0Scheme is not a string resource"]
    ),
    (
      right.replacing("@string/lamp_scheme", with: "bulb"),
      ["The redirect URI has another scheme"]
    ),
  ])
  func theValuesOfTheBuildAreChecked(_ placeholders: String, _ mistakes: [String]) throws {
    #expect(try Self.mistakes(Self.auth0(placeholders)) == mistakes)
  }

  /// Each call has its own scheme, which is https unless it names another one.
  @Test(arguments: [
    ("login(account).withScheme(\"lamp\")", "login(account).withScheme(\"bulb\")", 1),
    ("login(account).withScheme(\"lamp\")", "login(account)", 1),
    ("login(account).withScheme(\"lamp\")", "login(account).withScheme(scheme)", 0),
    (
      "login(account).withScheme(\"lamp\").start(context, callback)",
      "builder(WebAuthProvider.login(account))", 0
    ),
  ])
  func theSchemeOfTheCodeIsTheBuilds(_ old: String, _ new: String, _ count: Int) throws {
    let mistakes = try Self.mistakes(Self.auth0(code: Self.code.replacing(old, with: new)))
    #expect(mistakes == Array(repeating: "The redirect URI has another scheme", count: count))
  }

  /// A resource may be elsewhere: the project does not publish it, or the build makes it.
  @Test func anUnpublishedResourceIsAQuestion() throws {
    var files = Self.auth0(strings: "<resources />")
    files[".gitignore"] = "app/src/main/res/values/auth0.xml"
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(!findings.isEmpty && findings.allSatisfy(\.isQuestion), "\(findings)")
    files["app/build.gradle"]? += #"""
      android { defaultConfig { resValue "string", "lamp_domain", host
        resValue "string", "lamp_scheme", "lamp"
        resValue "string", "lamp_client", id } }
      """#
    #expect(try Self.mistakes(files) == [])
  }

  private static func wrapped(
    _ version: String, _ scheme: String, _ script: String, package: String = "com.lamp.Bulb"
  ) -> [String: String] {
    [
      "package.json": "{ \"dependencies\": {\n  \"react-native-auth0\": \"\(version)\"\n} }",
      "android/app/build.gradle": """
      android { defaultConfig {
        applicationId "\(package)"
        manifestPlaceholders = [auth0Domain: "lamp.eu.auth0.com", auth0Scheme: "\(scheme)"]
      } }
      """,
      "android/app/src/main/AndroidManifest.xml": "<manifest><application /></manifest>", "App.tsx": script,
    ]
  }
  private static let script = """
    import { Auth0Provider, useAuth0 } from 'react-native-auth0';
    const App = () => <Auth0Provider domain={"lamp.eu.auth0.com"} clientId="k3J5"><Home /></Auth0Provider>;
    const Home = () => { const { authorize } = useAuth0(); return <Button onPress={() => authorize()} />; };
    """

  /// react-native-auth0 makes the scheme from the package name, without capital letters.
  @Test(arguments: [
    ("^3.2.0", "com.lamp.bulb.auth0", script, []),
    ("^2.13.0", "com.lamp.bulb", script, []),
    ("^3.2.0", "com.lamp.bulb", script, ["auth0Scheme is not the scheme of the callback"]),
    ("^3.2.0", "${applicationId}.auth0", script, ["auth0Scheme has a capital letter"]),
    ("^3.2.0", "lamp", script.replacing("authorize()", with: "authorize({}, { customScheme: 'lamp' })"), []),
    ("^3.2.0", "lamp", script.replacing("authorize()", with: "authorize({}, { customScheme })"), []),
    (
      "^3.2.0", "lamp",
      script.replacing("authorize()", with: "authorize({}, { useLegacyCallbackUrl: true })"), []
    ),
    (
      "^3.2.0", "lamp", script.replacing("authorize()", with: "authorize({}, { customScheme: 'bulb' })"),
      ["The redirect URI has another scheme"]
    ),
    (
      "^3.2.0", "com.lamp.bulb.auth0", script.replacing("lamp.eu", with: "lamp.us"),
      ["auth0Domain is another domain than the code's"]
    ),
  ])
  func aWrapperMakesTheScheme(
    _ version: String, _ scheme: String, _ script: String, _ mistakes: [String]
  ) throws {
    #expect(try Self.mistakes(Self.wrapped(version, scheme, script)) == mistakes)
  }

  /// Before 2.9, the app's own manifest had the filter.
  @Test(arguments: [("lamp.eu.auth0.com", 0), ("lamp.us.auth0.com", 1)])
  func anOldWrapperLeavesTheFilterToTheApp(_ host: String, _ count: Int) throws {
    var files = Self.wrapped("^2.3.0", "", Self.script, package: "com.lamp")
    files["android/app/build.gradle"] = "android { defaultConfig { applicationId \"com.lamp\" } }"
    files["android/app/src/main/AndroidManifest.xml"] = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
      <activity android:name=".MainActivity"><intent-filter>
      <data android:scheme="${applicationId}" android:host="\(host)"
        android:pathPrefix="/android/${applicationId}/callback" />
      </intent-filter></activity></application></manifest>
      """
    #expect(
      try Self.mistakes(files)
        == Array(repeating: "auth0Domain is another domain than the code's", count: count))
  }

  @Test(arguments: [
    ("webAuthentication(scheme: 'lamp')", []), ("webAuthentication(scheme: lampScheme)", []),
    ("webAuthentication()", ["The redirect URI has another scheme"]),
    ("webAuthentication(scheme: 'bulb')", ["The redirect URI has another scheme"]),
  ])
  func theSchemeOfDartIsTheBuilds(_ call: String, _ mistakes: [String]) throws {
    var files = Self.wrapped("", "lamp", "")
    files["package.json"] = nil
    files["pubspec.yaml"] = "dependencies:\n  auth0_flutter: ^1.14.0"
    files["lib/main.dart"] = """
      import 'package:auth0_flutter/auth0_flutter.dart';
      final auth0 = Auth0('lamp.eu.auth0.com', 'k3J5');
      Future<void> enter() async { await auth0.\(call).login(); }
      """
    #expect(try Self.mistakes(files) == mistakes)
  }

  /// Code that imports the library does not compile without it; another library of its group does not bring it in.
  @Test(arguments: [
    ("\"com.auth0.android:auth0:3.1.0\"", "\"com.auth0.android:auth:3.1.0\"", 1),
    ("implementation \"com.auth0.android:auth0", "\n// implementation \"com.auth0.android:auth0", 1),
    ("\"com.auth0.android:auth0:3.1.0\"", "libs.auth0", 0),
    ("\"com.auth0.android:auth0:3.1.0\"", "\"com.lamp:core:1.0\"", 0),
  ])
  func theBuildDependsOnTheLibrary(_ old: String, _ new: String, _ count: Int) throws {
    var files = Self.auth0()
    files["app/build.gradle"] = (files["app/build.gradle"] ?? "").replacing(" }", with: "\n}").replacing(
      old, with: new)
    files["app/build.gradle"]? += "\ndependencies { implementation \"com.auth0.android:jwtdecode:2.0.2\" }"
    let mistakes = try Self.mistakes(files)
    #expect(mistakes == Array(repeating: "The build does not depend on Auth0", count: count))
  }

  // MARK: Placeholders and configurations

  /// A placeholder of the app's own manifest needs a value too.
  @Test(arguments: [("", ["The build lacks a manifest placeholder"]), ("lampScheme: \"lamp\"", [])])
  func theManifestsOwnPlaceholdersAreSet(_ more: String, _ mistakes: [String]) throws {
    var files = VendorTests.module(
      .appAuth, ["appAuthRedirectScheme: \"com.lamp\"", more].filter { !$0.isEmpty }.joined(separator: ", "))
    files["app/src/main/AndroidManifest.xml"] = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
      <activity android:name=".Lamp"><intent-filter><data android:scheme="${lampScheme}" /></intent-filter></activity>
      </application></manifest>
      """
    #expect(try Self.mistakes(files) == mistakes)
    files["app/build.gradle"]? +=
      "\nplugins { id 'com.google.android.libraries.mapsplatform.secrets-gradle-plugin' }"
    #expect(try Self.mistakes(files) == [])
  }

  /// Each build type and each flavour of one dimension is a build of its own.
  @Test(arguments: [
    ("buildTypes { debug { PLACEHOLDERS } }", ["A build lacks a manifest placeholder"]),
    ("buildTypes { release { PLACEHOLDERS }\n debug { PLACEHOLDERS } }", []),
    ("buildTypes { all { PLACEHOLDERS } }", []),
    ("productFlavors { a { PLACEHOLDERS }\n b { } }", ["A build lacks a manifest placeholder"]),
    ("productFlavors { a { dimension \"x\"\n PLACEHOLDERS }\n b { dimension \"y\" } }", []),
  ])
  func eachBuildHasThePlaceholders(_ blocks: String, _ mistakes: [String]) throws {
    var files = VendorTests.module(.appAuth, "")
    let line = "manifestPlaceholders = [appAuthRedirectScheme: \"com.lamp\"]"
    files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
      "dependencies {", with: "android { \(blocks.replacing("PLACEHOLDERS", with: line)) }\ndependencies {")
    #expect(try Self.mistakes(files) == mistakes)
  }

  @Test func aStringOfTheManifestIsDeclared() throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"com.lamp\"")
    files["app/src/main/AndroidManifest.xml"] = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
      <activity android:name=".Lamp"><intent-filter><data android:scheme="@string/lamp" /></intent-filter></activity>
      </application></manifest>
      """
    files["app/src/main/res/values/strings.xml"] =
      "<resources><string name=\"lamps\">lamp</string></resources>"
    #expect(try Self.mistakes(files) == ["The string lamp is not declared"])
    files["app/src/main/res/values/strings.xml"] =
      "<resources><string name=\"lamp\">lamp</string></resources>"
    #expect(try Self.mistakes(files) == [])
  }

  @Test func theNameOfThePlaceholdersMayBeMisspelt() throws {
    var files = Self.auth0()
    files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
      "manifestPlaceholders", with: "manifestPlaceholder")
    #expect(try Self.mistakes(files) == ["manifestPlaceholders is misspelt"])
    files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
      "manifestPlaceholder =", with: "def manifestPlaceholder =")
    #expect(try Self.mistakes(files) == [])
  }

  /// The code of AppAuth's demo app, which many apps have, requires keys and asks Android about the scheme.
  @Test(arguments: [
    ("client_id", "clientid", ["client_id is misspelt"]),
    ("\"discovery_uri\"", "\"other\"", ["The configuration lacks discovery_uri"]),
    ("\"k3J5\"", "\"\"", ["The client_id is not filled in"]),
    ("com.lamp:/", "com.Lamp:/", ["The redirect URI has another scheme"]),
    ("com.lamp:/", "com.lamp:/", []),
  ])
  func theConfigurationHasWhatItsReaderRequires(_ old: String, _ new: String, _ mistakes: [String]) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"com.lamp\"")
    files["app/src/main/res/raw/lamp.json"] = """
      { "client_id": "k3J5", "redirect_uri": "com.lamp:/in", "authorization_scope": "openid",
        "discovery_uri": "https://lamp.example/.well-known/openid-configuration" }
      """.replacing(old, with: new)
    files["app/src/main/java/Settings.java"] = """
      class Settings {
        int file = R.raw.lamp;
        void read() {
          id = getRequiredConfigString("client_id"); scope = getRequiredConfigString("authorization_scope");
          uri = getRequiredConfigUri("redirect_uri"); manager.queryIntentActivities(intent, 0);
        }
      }
      """
    #expect(try Self.mistakes(files) == mistakes)
  }

  /// Another library may bring in AppAuth, and then the build sets its placeholder.
  @Test func aPlaceholderShowsAppAuth() throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"lamp://in\"")
    files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
      "net.openid:appauth", with: "com.lamp:sign-in")
    #expect(try Self.mistakes(files) == ["appAuthRedirectScheme is not only a scheme"])
  }

  /// Returns a manifest in which the app itself declares AppAuth's activity, with the data of a filter.
  private static func receiver(_ data: String) -> String {
    androidManifest(activity: "net.openid.appauth.RedirectUriReceiverActivity", data: data)
  }

  /// Filters add up, so one of the app's own takes the redirect that the placeholder's filter does not.
  @Test(arguments: ["app/src/main/AndroidManifest.xml", "app/AndroidManifest.xml"])
  func aFilterOfTheAppsOwnMayTakeTheRedirect(_ manifest: String) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"http://10.0.2.2:8090/in\"")
    files[manifest] = Self.receiver(
      #"<data android:scheme="http" android:host="10.0.2.2" android:port="8090" android:path="/in" />"#)
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.allSatisfy { $0.severity != .fails }, "\(findings)")
  }

  /// The filter of a page's address has its host.
  @Test(arguments: [("lamp.example", 0), ("lamps.example", 1)])
  func aFilterTakesThePageOfTheRedirect(_ host: String, _ count: Int) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"lamp.example\"")
    files["app/src/main/res/raw/lamp.json"] =
      #"{ "client_id": "k3J5", "redirect_uri": "https://\#(host)/in", "authorization_scope": "openid" }"#
    files["app/src/main/AndroidManifest.xml"] = Self.receiver(
      #"<data android:scheme="https" android:host="${appAuthRedirectScheme}" android:path="/in" />"#)
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(
      findings.map(\.mistake) == Array(repeating: "The filter takes another host", count: count),
      "\(findings)")
  }
}
