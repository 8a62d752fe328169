import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// Other vendors' libraries: each mistake is found in a small app, and nothing is found in the fixed app.
@Suite struct VendorTests {
  private static let clientID = "81234567890-k2j4h6g8f0d1s3a5.apps.googleusercontent.com"
  private static let scheme = "com.googleusercontent.apps.81234567890-k2j4h6g8f0d1s3a5"

  private static func diagnosis(_ files: [String: String]) throws -> Diagnosis {
    try withFolder(of: files) { try Doctor.examine([$0]) }
  }

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try diagnosis(files).findings
  }

  /// An app module that depends on a library, with these placeholders.
  static func module(_ vendor: Vendor, _ placeholders: String, version: String = "3.1.0") -> [String: String]
  {
    [
      "app/build.gradle": """
      android {
        defaultConfig {
          applicationId "com.contoso.notes"
          \(placeholders.isEmpty ? "// placeholders" : "manifestPlaceholders = [\(placeholders)]")
        }
      }
      dependencies { implementation "\(vendor.artifacts[0]):\(version)" }
      """,
      "app/src/main/AndroidManifest.xml": "<manifest><application></application></manifest>",
    ]
  }

  /// An Info.plist with a client of Google.
  static func google(scheme: String, clientID: String = clientID) -> [String: String] {
    [
      "Notes/Info.plist": """
      <plist version="1.0">
      <dict>
        <key>CFBundleIdentifier</key>
        <string>com.contoso.notes</string>
        <key>GIDClientID</key>
        <string>\(clientID)</string>
        <key>CFBundleURLTypes</key>
        <array>
          <dict>
            <key>CFBundleURLSchemes</key>
            <array>
              <string>\(scheme)</string>
            </array>
          </dict>
        </array>
      </dict>
      </plist>
      """
    ]
  }

  // MARK: - Android

  @Test(arguments: [
    (Vendor.appAuth, "appAuthRedirectScheme: \"com.contoso.notes\"", DoctorRule.appAuthRedirect),
    (.okta, "appAuthRedirectScheme: \"com.contoso.notes\"", .oktaConfiguration),
    (.oktaWeb, "webAuthenticationRedirectScheme: \"com.contoso.notes\"", .oktaConfiguration),
    (.auth0, "auth0Domain: \"contoso.eu.auth0.com\", auth0Scheme: \"https\"", .auth0Callback),
  ])
  func theBuildSetsThePlaceholders(_ vendor: Vendor, _ right: String, _ rule: DoctorRule) throws {
    let findings = try Self.findings(Self.module(vendor, ""))
    #expect(findings.map(\.rule) == [rule] && findings.map(\.severity) == [.fails], "\(findings)")
    #expect(findings.first?.place.description.hasSuffix("/app/build.gradle:2") == true)
    #expect(try Self.findings(Self.module(vendor, right)) == [])
  }

  /// The build merges the manifests of libraries with the app's.
  @Test func aLibraryMayReplaceTheActivity() throws {
    var files = Self.module(.appAuth, "")
    files["login/build.gradle"] = "apply plugin: 'com.android.library'"
    files["login/src/main/AndroidManifest.xml"] = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"
        xmlns:tools="http://schemas.android.com/tools"><application>
        <activity android:name="net.openid.appauth.RedirectUriReceiverActivity" tools:node="replace" />
      </application></manifest>
      """
    #expect(try Self.findings(files) == [])
  }

  /// A placeholder may be a resource, of which builds have their own.
  @Test(arguments: [("contoso.eu.auth0.com", 0), ("https://contoso.eu.auth0.com", 1)])
  func aPlaceholderMayBeAResource(_ domain: String, _ count: Int) throws {
    var files = Self.module(.auth0, "auth0Domain: \"@string/domain\", auth0Scheme: \"https\"")
    files["app/src/main/res/values/strings.xml"] =
      "<resources>\n<string name=\"domain\">test.eu.auth0.com</string></resources>"
    files["app/src/stage/res/values/strings.xml"] =
      "<resources>\n<string name=\"domain\">\(domain)</string></resources>"
    let findings = try Self.findings(files)
    #expect(findings.map(\.mistake) == Array(repeating: "auth0Domain is not only a host", count: count))
    #expect(findings.allSatisfy { $0.place.description.hasSuffix("stage/res/values/strings.xml:2") })
  }

  @Test func eachPlaceholderIsNeeded() throws {
    let findings = try Self.findings(Self.module(.auth0, "auth0Domain: \"contoso.eu.auth0.com\""))
    #expect(findings.map(\.check.found) == ["auth0Domain"], "\(findings)")
    #expect(findings.first?.refusal?.text.contains("data@scheme") == true)
    // An earlier version leaves the filter to the app.
    #expect(try Self.findings(Self.module(.auth0, "", version: "1.30.0")) == [])
  }

  /// The other ways in which a build sets a placeholder, or needs none.
  @Test(arguments: [
    ("gradle.kts", "manifestPlaceholders[\"appAuthRedirectScheme\"] = \"com.contoso.notes\""),
    ("gradle.kts", "manifestPlaceholders += mapOf(\"appAuthRedirectScheme\" to applicationId)"),
    ("gradle", "manifestPlaceholders = placeholdersOf(project)"),
    ("gradle", "manifestPlaceholders.appAuthRedirectScheme = 'com.contoso.notes'"),
  ])
  func aPlaceholderMayBeSetInOtherWays(_ end: String, _ line: String) throws {
    var files = Self.module(.appAuth, "")
    let build = files.removeValue(forKey: "app/build.gradle") ?? ""
    files["app/build.\(end)"] = build.replacing("// placeholders", with: line)
      .replacing("applicationId \"", with: "applicationId = \"")
      .replacing(
        "implementation \"net.openid:appauth:3.1.0\"", with: "implementation(\"net.openid:appauth:3.1.0\")")
    #expect(try Self.findings(files) == [])
  }

  @Test func aPluginOfTheProjectMaySetIt() throws {
    var files = Self.module(.appAuth, "")
    files["buildSrc/src/main/kotlin/App.kt"] = "fun placeholders() = 1"
    #expect(try Self.findings(files) == [])
  }

  @Test func theAppMayReplaceTheActivity() throws {
    var files = Self.module(.appAuth, "")
    files["app/src/main/AndroidManifest.xml"] = """
      <manifest><application>
        <activity android:name="net.openid.appauth.RedirectUriReceiverActivity" tools:node="replace" />
      </application></manifest>
      """
    #expect(try Self.findings(files) == [])
  }

  @Test func aVersionCatalogIsRead() throws {
    var files = Self.module(.appAuth, "")
    files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
      "implementation \"net.openid:appauth:3.1.0\"", with: "implementation(libs.openid.appauth)")
    files["gradle/libs.versions.toml"] =
      "[libraries]\nopenid-appauth = { group = \"net.openid\", name = \"appauth\", version.ref = \"a\" }\n"
    #expect(try Self.findings(files).map(\.rule) == [.appAuthRedirect])
  }

  /// The manifest of the library has had its placeholder since 0.4.0.
  @Test(arguments: [("0.3.0", 0), ("0.4.0", 1), ("0.11.1", 1), ("+", 1)])
  func theFirstVersionsHaveNoPlaceholder(_ version: String, _ count: Int) throws {
    #expect(try Self.findings(Self.module(.appAuth, "", version: version)).count == count)
  }

  @Test(arguments: [
    ("pubspec.yaml", "dependencies:\n  flutter_appauth: ^8.0.0\n", [DoctorRule.appAuthRedirect]),
    ("package.json", "{ \"dependencies\": {\n \"react-native-auth0\": \"^4.1.0\" } }", [.auth0Callback]),
    ("package.json", "{ \"dependencies\": {\n \"react-native-auth0\": \"^2.13.3\" } }", [.auth0Callback]),
    ("package.json", "{ \"dependencies\": {\n \"react-native-auth0\": \"^2.8.3\" } }", []),
    ("package.json", "{ \"dependencies\": {\n \"react-native\": \"0.76.0\" } }", []),
  ])
  func aWrapperBringsTheLibrary(_ file: String, _ text: String, _ rules: [DoctorRule]) throws {
    let findings = try Self.findings([
      file: text,
      "android/app/build.gradle": "android {\n defaultConfig { applicationId \"com.contoso.notes\" }\n}",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application></application></manifest>",
    ])
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }

  @Test(arguments: [
    ("com.contoso.notes", "com.contoso.notes:/callback", 0),
    ("com.contoso.notes", "com.contoso.old:/callback", 1),
  ])
  func theRedirectURIHasTheSchemeOfTheBuild(_ scheme: String, _ uri: String, _ count: Int) throws {
    var files = Self.module(.okta, "appAuthRedirectScheme: \"\(scheme)\"")
    files["app/src/main/res/raw/okta.json"] = """
      {
        "client_id": "0oa1b2c3d4",
        "redirect_uri": "\(uri)",
        "end_session_redirect_uri": "\(scheme):/",
        "scopes": ["openid"],
        "discovery_uri": "https://contoso.okta.com"
      }
      """
    let question = try Self.findings(files)
    #expect(question.map(\.severity) == Array(repeating: .worksInSomeCases, count: count), "\(question)")
    files["app/src/main/java/App.java"] = "builder.withJsonFile(this, R.raw.okta);"
    let findings = try Self.findings(files)
    #expect(findings.map(\.severity) == Array(repeating: .fails, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.place.description.hasSuffix("okta.json:3") })
  }

  @Test(arguments: ["https://contoso.eu.auth0.com", "https://contoso.eu.auth0.com/oauth/token"])
  func auth0sDomainIsOnlyAHost(_ domain: String) throws {
    let findings = try Self.findings(
      Self.module(.auth0, "auth0Domain: \"\(domain)\", auth0Scheme: \"https\""))
    #expect(findings.map(\.mistake) == ["auth0Domain is not only a host"], "\(findings)")
    #expect(findings.first?.fix == "auth0Domain: \"contoso.eu.auth0.com\"")
  }

  /// A comment may have patterns of paths, which do not begin a comment; Kotlin comments nest.
  @Test(arguments: [
    ("/* inputExcludes: [\"android/**\", \"ios/**\"] */", 0), ("/* one /* two */ android { */", 0),
  ])
  func aCommentMayHaveAPattern(_ comment: String, _ count: Int) throws {
    var files = Self.module(.appAuth, "appAuthRedirectScheme: \"com.contoso.notes\"")
    files["app/build.gradle"] = comment + "\n" + (files["app/build.gradle"] ?? "") + "\n/* the end */"
    let findings = try Self.findings(files)
    #expect(findings.count == count, "\(findings)")
  }

  /// Okta's library had another name, and each build may have its own configuration.
  @Test(arguments: [
    ("release", "com.contoso.notes", "WebAuthBuilder"), ("release", "com.contoso.old", "WebAuthBuilder"),
    ("debug", "https", "WebAuthBuilder"), ("debug", "https", "AuthBuilder"),
  ])
  func eachConfigurationHasTheSchemeOfTheBuild(_ set: String, _ scheme: String, _ client: String) throws {
    var files = Self.module(.okta, "appAuthRedirectScheme: \"com.contoso.notes\"")
    files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
      "okta-oidc-android", with: "oidc-androidx")
    files["app/src/main/java/Sign.kt"] =
      "val config = OIDCConfig.Builder().withJsonFile(this, R.raw.okta).create()\nOkta.\(client)().withConfig(config)"
    for (own, value) in ["main": "com.contoso.notes", set: scheme] {
      files["app/src/\(own)/res/raw/okta.json"] =
        #"{ "client_id": "0oa1", "redirect_uri": "\#(value):/callback", "discovery_uri": "https://contoso.okta.com", "#
        + #""scopes": ["openid"], "end_session_redirect_uri": "\#(value):/" }"#
    }
    let findings = try Self.findings(files)
    let isRight = scheme == "com.contoso.notes" || client == "AuthBuilder"
    #expect(findings.map(\.severity) == (isRight ? [] : [.fails]), "\(findings)")
    #expect(findings.allSatisfy { $0.place.path.contains("/src/\(set)/") })
  }

  /// A configuration is checked for the library that reads it, if an app uses several.
  @Test(arguments: [Vendor.auth0, .appAuth], [("com.okta.contoso", 0), ("com.okta.other", 1)])
  func aConfigurationBelongsToALibrary(_ other: Vendor, _ redirect: (String, Int)) throws {
    let (scheme, count) = redirect
    var files = Self.module(
      other,
      "auth0Domain: \"contoso.eu.auth0.com\", auth0Scheme: \"notes\", appAuthRedirectScheme: \"com.okta.contoso\""
    )
    files["app/build.gradle"]? +=
      "\ndependencies { implementation 'com.okta.android:okta-oidc-android:1.3.2' }"
    files["app/src/main/res/raw/config.json"] = """
      { "client_id": "0oa1", "redirect_uri": "\(scheme):/callback", "scopes": ["openid"],
        "end_session_redirect_uri": "\(scheme):/", "discovery_uri": "https://contoso.okta.com" }
      """
    let findings = try Self.findings(files)
    #expect(
      findings.map(\.rule) == Array(repeating: .oktaConfiguration, count: count), "\(findings)")
  }

  /// A client without a browser receives no response, whatever else of a browser the code names.
  @Test func aClientWithoutABrowserNeedsNoScheme() throws {
    var files = Self.module(.okta, "appAuthRedirectScheme: \"com.contoso.notes\"")
    files["app/src/main/res/raw/okta.json"] =
      #"{ "client_id": "0oa1", "redirect_uri": "com.okta.old:/callback", "discovery_uri": "https://contoso.okta.com" }"#
    files["app/src/main/java/Sign.kt"] = """
      import com.okta.oidc.clients.web.WebAuthClient
      val client = Okta.AuthBuilder().withConfig(config).create()
      client.signIn(sessionToken, null, callback)
      """
    files["app/src/test/java/SignTest.kt"] = "val client = Okta.WebAuthBuilder().create()"
    #expect(try Self.findings(files) == [])
  }

  /// The https callback of Auth0's library belongs to an associated domain.
  @Test(arguments: [
    (".useHTTPS().start()", "webcredentials:contoso.eu.auth0.com", [String]()),
    (".useHTTPS().start()", "webcredentials:contoso.eu.auth0.com?mode=developer", []),
    (
      ".useHTTPS().start()", "webcredentials:contoso.us.auth0.com",
      ["The associated domains have another domain than Auth0's"]
    ),
    (".useHTTPS().start()", "applinks:contoso.eu.auth0.com", ["The entitlements lack Auth0's domain"]),
    (".start()", "applinks:contoso.eu.auth0.com", []), ("/* .useHTTPS() */.start()", "", []),
    (".useHTTPS().clearSession()", "", []),
  ])
  func anHTTPSCallbackNeedsItsDomain(_ call: String, _ domain: String, _ mistakes: [String]) throws {
    let domains =
      "<key>com.apple.developer.associated-domains</key><array><string>\(domain)</string></array>"
    let findings = try Self.findings([
      "Auth0.plist":
        "<plist version=\"1.0\"><dict><key>ClientId</key><string>\(Self.auth0ID)</string><key>Domain</key><string>contoso.eu.auth0.com</string></dict></plist>",
      "Notes/SignIn.swift": "import Auth0\nlet credentials = try await Auth0.webAuth()\(call)",
      "Notes/Notes.entitlements": "<plist version=\"1.0\"><dict>\(domains)</dict></plist>",
    ])
    #expect(findings.map(\.mistake) == mistakes, "\(findings)")
  }

  // MARK: - Property lists

  private static let auth0ID = "k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3"

  @Test(arguments: [
    ("Auth0.plist", ["ClientId": auth0ID, "Domain": "contoso.eu.auth0.com"], [String]()),
    ("Auth0.plist", ["ClientId": auth0ID, "domain": "contoso.eu.auth0.com"], ["The list lacks Domain"]),
    ("Okta.plist", ["clientId": "0oa1", "issuer": "https://contoso.okta.com", "scopes": "openid"], []),
    ("Okta.plist", ["clientId": "0oa1", "issuer": "https://contoso.okta.com"], ["The list lacks scopes"]),
    (
      "Okta.plist", ["clientId": "0oa1", "issuer": "contoso.okta.com", "scopes": "openid"],
      ["The issuer is not an https URL"]
    ),
    (
      "Auth0.plist", ["ClientId": "YOUR_CLIENT_ID", "Domain": "YOUR_DOMAIN"],
      [
        "The value of Auth0.plist is not filled in"
      ]
    ),
  ])
  func aListHasWhatTheLibraryNeeds(_ file: String, _ values: [String: String], _ mistakes: [String]) throws {
    let entries = values.sorted { $0.key < $1.key }.map {
      "<key>\($0.key)</key>\n<string>\($0.value)</string>"
    }
    let findings = try Self.findings([
      "Notes/\(file)":
        "<plist version=\"1.0\">\n<dict>\n\(entries.joined(separator: "\n"))\n</dict>\n</plist>"
    ])
    #expect(findings.map(\.mistake) == mistakes, "\(findings)")
  }

  // MARK: - Flutter

  /// The scheme in Dart has to be that of the manifest's placeholder.
  @Test(arguments: [
    ("AuthorizationTokenRequest('notes', 'com.contoso.notes:/back')", [Int]()),
    ("AuthorizationTokenRequest('notes', 'com.contoso.old:/back')", [2]),
    ("AuthorizationRequest(clientID, redirect, scopes: [])", [3]),
    ("AuthorizationTokenRequest(clientID, settings.redirect)", []),
    ("AuthorizationTokenRequest(clientID, '${scheme}:/back')", []),
  ])
  func theRedirectOfDartHasTheScheme(_ call: String, _ lines: [Int]) throws {
    let findings = try Self.findings([
      "pubspec.yaml": "dependencies:\n  flutter_appauth: ^8.0.0",
      "lib/main.dart": """
      import 'package:flutter_appauth/flutter_appauth.dart';
      final result = await appAuth.start(\(call));
      const redirect = 'com.contoso.older:/back';
      """,
      "android/app/build.gradle": """
      android { defaultConfig {
        applicationId "com.contoso.notes"
        manifestPlaceholders += [appAuthRedirectScheme: 'com.contoso.notes']
      } }
      """,
      "android/app/src/main/AndroidManifest.xml": "<manifest><application></application></manifest>",
    ])
    #expect(findings.map(\.place.line) == lines, "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.fix == "'com.contoso.notes:/back'" })
  }

  // MARK: - Google

  @Test(arguments: [
    (scheme, clientID, [String]()), ("COM.googleusercontent.apps.81234567890-k2j4h6g8f0d1s3a5", clientID, []),
    ("com.contoso.notes", clientID, ["CFBundleURLTypes lacks the reversed client ID"]),
    ("com.googleusercontent.apps.other", clientID, ["CFBundleURLTypes has another client's scheme"]),
    (clientID, clientID, ["CFBundleURLTypes has another client's scheme"]),
    (scheme, scheme, ["GIDClientID is not a client ID"]), ("$(REVERSED)", clientID, []),
    (scheme, "$(CLIENT)", []),
    (scheme, "YOUR_CLIENT_ID.apps.googleusercontent.com", ["The client ID is not filled in"]),
  ])
  func theReversedClientIDIsAScheme(_ scheme: String, _ clientID: String, _ mistakes: [String]) throws {
    let findings = try Self.findings(Self.google(scheme: scheme, clientID: clientID))
    #expect(findings.map(\.mistake) == mistakes, "\(findings)")
  }

  /// The client ID in another file may differ from the code's.
  @Test(arguments: [
    ("import GoogleSignIn", "Notes", 1), ("import FirebaseGoogleAuthUI", "Notes/App", 1),
    ("import UIKit", "Notes", 0),
  ])
  func theClientOfFirebaseIsAQuestion(_ code: String, _ folder: String, _ count: Int) throws {
    var files = Self.google(scheme: "com.contoso.notes")
    files["Notes/Info.plist"] = files["Notes/Info.plist"]?.replacing(
      "<key>GIDClientID</key>", with: "<key>Other</key>"
    ).replacing("<key>CFBundleIdentifier</key>", with: "<key>Another</key>")
    files["\(folder)/GoogleService-Info.plist"] =
      "<plist version=\"1.0\"><dict><key>CLIENT_ID</key><string>\(Self.clientID)</string></dict></plist>"
    files["Notes/SignIn.swift"] = code
    let findings = try Self.findings(files)
    #expect(findings.map(\.severity) == Array(repeating: .worksInSomeCases, count: count), "\(findings)")
  }

  /// A client ID that code passes as text is seen there.
  @Test(arguments: [
    "GIDSignIn.sharedInstance.configuration = GIDConfiguration(clientID: \"ID\")",
    "[[GIDConfiguration alloc] initWithClientID:@\"ID\"];",
  ])
  func theClientOfTheCodeIsSeen(_ code: String) throws {
    var files = Self.google(scheme: "com.contoso.notes")
    files["Notes/Info.plist"] = files["Notes/Info.plist"]?.replacing(
      "<key>GIDClientID</key>", with: "<key>Other</key>")
    files["Notes/SignIn.\(code.hasPrefix("[") ? "m" : "swift")"] = code.replacing(
      "ID\"", with: Self.clientID + "\"")
    let findings = try Self.findings(files)
    #expect(findings.map(\.severity) == [.fails], "\(findings)")
    #expect(findings.first?.mistake == "CFBundleURLTypes lacks the reversed client ID")
  }

  @Test(arguments: [
    ("com.contoso.notes", 3, [String]()),
    ("com.contoso.old", 3, ["google-services.json is of other packages"]),
    ("com.contoso.notes", 1, ["There is no default_web_client_id"]),
  ])
  func theServicesAreThoseOfTheApp(_ package: String, _ type: Int, _ mistakes: [String]) throws {
    let findings = try Self.findings([
      "app/build.gradle": """
      plugins { id "com.google.gms.google-services" }
      android { defaultConfig { applicationId "com.contoso.notes" } }
      dependencies { implementation "com.google.android.gms:play-services-auth:21.2.0" }
      """,
      "app/google-services.json": """
      { "client": [ {
        "client_info": { "android_client_info": { "package_name": "\(package)" } },
        "oauth_client": [ { "client_id": "\(Self.clientID)", "client_type": \(type) } ]
      } ] }
      """,
      "app/src/main/java/Sign.kt": "val id = getString(R.string.default_web_client_id)",
      "app/src/main/AndroidManifest.xml": "<manifest><application></application></manifest>",
    ])
    #expect(findings.map(\.mistake) == mistakes, "\(findings)")
  }

  // MARK: - Without MSAL

  /// Another vendor's app is not an MSAL app, even if it has a similar configuration.
  @Test func anAppOfAnotherVendorDoesNotUseMSAL() throws {
    var files = Self.module(.appAuth, "appAuthRedirectScheme: \"com.contoso.notes\"")
    files["app/src/main/res/raw/auth_config.json"] = """
      {
        "client_id": "notes",
        "redirect_uri": "com.contoso.notes:/oauth2redirect",
        "authorization_scope": "openid",
        "discovery_uri": "https://id.contoso.example/.well-known/openid-configuration"
      }
      """
    let diagnosis = try Self.diagnosis(files)
    #expect(diagnosis.isEmpty && diagnosis.android.isEmpty && diagnosis.findings == [])
    #expect(diagnosis.vendors.map(\.name) == ["com.contoso.notes: AppAuth"])
    #expect(diagnosis.verdict.meaning.hasPrefix("No app here uses MSAL or ADAL. No mistake is visible"))
  }
}
