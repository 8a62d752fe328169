import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// The lessons of public projects with other vendors' libraries.
@Suite struct OutsideVendorTests {
  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  private static let okta =
    "val config = OIDCConfig.Builder().clientId(\"0oa1\").redirectUri(\"com.okta.contoso:/callback\").create()"
  private static let appAuth = """
    import net.openid.appauth.AuthorizationRequest
    const val REDIRECT = "com.okta.contoso:/callback"
    val request = AuthorizationRequest.Builder(service, "id", ResponseTypeValues.CODE, Uri.parse(REDIRECT)).build()
    """

  /// Code may have the redirect URI that the placeholder of the build has to fit.
  @Test(arguments: [
    (Vendor.okta, okta, "com.okta.contoso", false), (.okta, okta, "com.okta.other", true),
    (.appAuth, appAuth, "com.okta.contoso", false), (.appAuth, appAuth, "com.okta.other", true),
  ])
  func aRedirectURIOfCodeIsCompared(
    _ vendor: Vendor, _ code: String, _ scheme: String, _ isWrong: Bool
  ) throws {
    var files = VendorTests.module(vendor, "appAuthRedirectScheme: \"\(scheme)\"")
    files["app/src/main/java/SignIn.kt"] = code
    let findings = try Self.findings(files)
    #expect(findings.map(\.rule) == (isWrong ? [vendor.rule] : []), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix("SignIn.kt") })
    #expect(findings.allSatisfy { $0.fix == "\"\(scheme):/callback\"" })
  }

  /// The build makes constants, each of which has one value or one for each build.
  @Test(arguments: [
    ("com.lamp", "", 0), ("com.bulb", "", 1),
    ("com.bulb", #"buildConfigField "String", "BACK", '"com.lamp:/"'"#, 0),
  ])
  func aRedirectURIMayBeAConstantOfTheBuild(_ scheme: String, _ other: String, _ count: Int) throws {
    var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"\(scheme)\"")
    files["app/build.gradle"]? += """
      android { buildTypes { debug { buildConfigField "String", "BACK", '"com.lamp:/callback"' } } }
      \(other)
      """
    files["app/src/main/java/SignIn.kt"] = """
      import net.openid.appauth.*
      val request = AuthorizationRequest.Builder(configuration, BuildConfig.ID, CODE, Uri.parse(BuildConfig.BACK))
      """
    let findings = try Self.findings(files)
    #expect(findings.map(\.mistake) == Array(repeating: "The redirect URI has another scheme", count: count))
    #expect(findings.allSatisfy { $0.place.path.hasSuffix("build.gradle") })
  }

  /// Okta's first library has a configuration with other keys, which is not an MSAL configuration.
  @Test(arguments: [
    ("com.okta.contoso", "contoso", 0), ("com.okta.other", "contoso", 1),
    ("com.okta.contoso", "contoso-admin", 1),
  ])
  func theFirstLibraryOfOktaIsChecked(_ scheme: String, _ host: String, _ count: Int) throws {
    var files = VendorTests.module(.oktaAppAuth, "\"appAuthRedirectScheme\": \"\(scheme)\"")
    files["app/src/main/res/raw/okta_app_auth_config.json"] = """
      { "client_id": "0oa1", "redirect_uri": "com.okta.contoso:/callback", "scopes": ["openid"],
        // The organization's own server.
        "issuer_uri": "https://\(host).okta.com/oauth2/default" }
      """
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.android == [] && diagnosis.vendors.map(\.vendor) == [.oktaAppAuth])
    #expect(diagnosis.findings.map(\.rule) == Array(repeating: .oktaConfiguration, count: count))
    #expect(diagnosis.findings.map(\.severity) == Array(repeating: .fails, count: count))
  }

  /// The property lists are in one folder, and the sources in another.
  @Test(arguments: [("APPL", 1), ("BNDL", 0)])
  func aPropertyListMayLieBesideTheSources(_ type: String, _ count: Int) throws {
    let list = { (lines: String) in "<plist version=\"1.0\">\n<dict>\n\(lines)\n</dict>\n</plist>\n" }
    let findings = try Self.findings([
      "Notes/Plists/Info.plist": list(
        """
        <key>CFBundleIdentifier</key>
        <string>com.contoso.notes</string>
        <key>CFBundlePackageType</key>
        <string>\(type)</string>
        <key>CFBundleURLTypes</key>
        <array><dict><key>CFBundleURLSchemes</key><array>
          <string>com.googleusercontent.apps.1-other</string>
        </array></dict></array>
        """),
      "Notes/Plists/GoogleService-Info.plist": list(
        "<key>CLIENT_ID</key>\n<string>1-own.apps.googleusercontent.com</string>"),
      "Notes/Classes/SignIn.swift": "import GoogleSignIn\n",
    ])
    #expect(findings.map(\.rule) == Array(repeating: .googleSignIn, count: count), "\(findings)")
  }

  /// The sandbox blocks every library, and a wrapper creates the macOS folder for an app that may never be built.
  @Test(arguments: [
    ("import AppAuth", nil, DoctorCheck.Severity.fails), ("@import GoogleSignIn;", nil, .fails),
    ("import Auth0", nil, .fails), ("import Contoso", "flutter_appauth: ^8.0.0", .worksInSomeCases),
    ("import Contoso", "http: ^1.0.0", nil), ("import Contoso", nil, nil),
    // As Flutter's template made it.
    ("import Contoso", "flutter_appauth: ^8.0.0 # template", nil),
    // Of two apps of a sample, one was taken over.
    ("import Auth0\n// com.vendor.samples.mail", nil, .worksInSomeCases),
  ])
  func aSandboxedMacAppNeedsOutgoingConnections(
    _ code: String, _ package: String?, _ severity: DoctorCheck.Severity?
  ) throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    let entitlements = """
      <plist version="1.0">
      <dict>
      <key>com.apple.security.app-sandbox</key>
      <true/>
      \(package?.hasSuffix("template") == true ? "" : "<key>com.apple.security.files.downloads.read-write</key>\n<true/>")
      </dict>
      </plist>
      """
    var files: [String: String] = [:]
    for (path, text) in fixture.files {
      let isCode = [".swift", ".m", ".h"].contains(where: path.hasSuffix)
      files["macos/" + path] = path.hasSuffix(".entitlements") ? entitlements : isCode ? code : text
    }
    if let bundleID = code.firstRange(of: "// ").map({ code[$0.upperBound...] }) {
      files["macos/" + XcodeMistake.projectFile]?.replace("com.contoso.mail;", with: bundleID + ";")
    }
    files["pubspec.yaml"] = package.map { "dependencies:\n  \($0)\n" }
    let findings = try Self.findings(files)
    #expect(Set(findings.map(\.rule)) == (severity == nil ? [] : [.macNetwork]), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == severity && $0.place.path.hasSuffix(".entitlements") })
    for path in files.keys where path.hasSuffix(".entitlements") {
      files[path] = entitlements.replacing(
        "<dict>", with: "<dict>\n<key>com.apple.security.network.client</key>\n<true/>")
    }
    #expect(try Self.findings(files) == [])
  }

  /// A template's list has the keys without values.
  @Test func anEmptyValueIsNotFilledInYet() throws {
    let list = """
      <plist version="1.0">
      <dict>
      <key>ClientId</key>
      <string></string>
      <key>Domain</key>
      <string></string>
      </dict>
      </plist>
      """
    let findings = try Self.findings(["Notes/Auth0.plist": list])
    #expect(findings.map(\.severity) == [.notFilledIn], "\(findings)")
    let lacking = list.replacing("<key>Domain</key>\n<string></string>\n", with: "")
      .replacing("<string></string>", with: "<string>a1B2</string>")
    #expect(try Self.findings(["Notes/Auth0.plist": lacking]).map(\.severity) == [.fails])
  }

  /// A React Native script has a redirect URI for each provider, and the build uses one of them.
  @Test(arguments: [("backplan:/cb", 0), ("bakplan:/cb", 1), ("bakplan:/cb', redirectUrl: 'backplan:/x", 0)])
  func aRedirectURIOfAScriptIsCompared(_ uri: String, _ count: Int) throws {
    let findings = try Self.findings([
      "package.json": "{ \"dependencies\": {\n \"react-native-app-auth\": \"^8.0.0\" } }",
      "src/auth.ts": "const config = { clientId: 'a', redirectUrl: '\(uri)', serviceConfiguration: {} };",
      "android/app/build.gradle":
        "android {\n defaultConfig {\n  applicationId \"com.contoso.notes\"\n  manifestPlaceholders = [appAuthRedirectScheme: 'backplan']\n }\n}",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application></application></manifest>",
    ])
    #expect(findings.map(\.rule) == Array(repeating: .appAuthRedirect, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.fix == "'backplan:/cb'" && $0.severity == .fails })
  }

  /// The comment in React Native's template has path patterns; Groovy's comments do not nest.
  @Test func aPathPatternInACommentOfGroovyOpensNoOther() throws {
    var files = VendorTests.module(.okta, "appAuthRedirectScheme: \"com.okta.contoso\"")
    let build = try #require(files["app/build.gradle"])
    files["app/build.gradle"] =
      "/**\n * inputExcludes: [\"android/**\", \"ios/**\"]\n */\n\(build)\n/* one */ /* two */ /* three */"
    #expect(try Self.findings(files) == [])
  }

  @Test func theAddressOfTheProviderIsAURL() throws {
    var files = VendorTests.module(.okta, "appAuthRedirectScheme: \"com.okta.contoso\"")
    let text =
      #"{ "client_id": "0oa1", "redirect_uri": "com.okta.contoso:/cb", "discovery_uri": "contoso.okta.com" }"#
    files["app/src/main/res/raw/okta_oidc_config.json"] = text
    let findings = try Self.findings(files)
    #expect(findings.map(\.mistake) == ["The provider's address is not a URL"], "\(findings)")
    #expect(findings.first?.fix == "\"https://contoso.okta.com\"")
    files["app/src/main/res/raw/okta_oidc_config.json"] = text.replacing(
      "contoso.okta", with: "https://contoso.okta")
    #expect(try Self.findings(files) == [])
  }

  /// A library that is not checked is named, and a list that cannot be read is not omitted.
  @Test(arguments: [
    (["Notes/SignIn.swift": "import Auth0\n"], "Auth0 for iOS and macOS"),
    (["Podfile": "pod 'AppAuth'\n"], "AppAuth for iOS and macOS"),
    (["pubspec.yaml": "dependencies:\n  google_sign_in: ^6.0.0\n"], "Google Sign-In for Flutter"),
    (["Podfile": "pod 'ADALiOS'\n"], "ADAL for iOS and macOS"),
  ])
  func anotherLibraryIsNamed(_ files: [String: String], _ library: String) throws {
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.uses.map(\.library) == [library])
  }

  @Test func aDamagedListIsNotLeftOut() throws {
    let files = [
      "Notes/Auth0.plist":
        "<plist version=\"1.0\">\n<dict>\n<key>ClientId</key>\n<string><your ID></string>\n"
    ]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.unread.map { $0.path.hasSuffix("Auth0.plist") } == [true])
  }

  /// A value that only the developer knows is not written.
  @Test func aPlaceholderIsNotWritten() throws {
    let list =
      "<plist version=\"1.0\">\n<dict>\n<key>ClientId</key>\n<string>a1B2</string>\n</dict>\n</plist>\n"
    try withFolder(of: ["Notes/Auth0.plist": list]) { folder in
      let findings = try Doctor.examine([folder]).findings
      #expect(findings.map(\.rule) == [.auth0Callback] && findings.compactMap(Repair.init) == [])
    }
  }
}
