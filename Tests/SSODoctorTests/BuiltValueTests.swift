import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// Values that a build, a variable, or another file decides.
@Suite struct BuiltValueTests {
  private static let project = "Suite.xcodeproj/project.pbxproj"

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  // MARK: Preprocessed property lists

  @Test(
    arguments: [
      ("#ifdef OWN\nA\n#else\nB\n#endif", "OWN", "\nA\n\n\n"),
      ("#if defined(OWN) && !OTHER\nA\n#elif 1\nB\n#endif", "OWN=1 OTHER=0", "\nA\n\n\n"),
      ("#if defined(OWN) && !OTHER\nA\n#elif 1\nB\n#endif", "OWN=1 OTHER=1", "\n\n\nB\n"),
      ("#define HOST x.y\n<string>HOST/HOSTS</string>", "", "\n<string>x.y/HOSTS</string>"),
      ("#if OWN == 2\nA\n#endif", "OWN=2", "\nA\n"),
      ("#if OWN > 2\nA\n#endif", "OWN=2", nil), ("#include \"a.h\"\nA", "", nil), ("#if 1\nA", "", nil),
      ("#define OWN\n#undef OWN\n#ifdef OWN\nA\n#endif", "", "\n\n\n\n"),
      (String(repeating: "OWN ", count: 1200), "OWN=" + String(repeating: "x", count: 1000), nil),
    ] as [(String, String, String?)])
  func aBuildPreprocessesItsPropertyList(_ text: String, _ definitions: String, _ result: String?) {
    #expect(PropertyListMacros(definitions: definitions).applied(to: text) == result)
  }

  /// A prefix header is preprocessed like the property list; what cannot be evaluated says nothing.
  @Test(
    arguments: [
      ("#ifndef GUARD\n#define GUARD\n#define HOST a.b\n#endif", "", "<a.b>"),
      ("#if OWN\n#define HOST a.b\n#else\n#define HOST c.d\n#endif", "OWN=0", "<c.d>"),
      ("#ifdef OWN\n#define HOST a.b\n#endif", "", "<HOST>"),
      ("#if OWN > 2\n#define HOST a.b\n#endif", "", nil), ("#import \"a.h\"", "", nil), (nil, "", nil),
    ] as [(String?, String, String?)])
  func aPrefixHeaderIsPreprocessed(_ header: String?, _ definitions: String, _ result: String?) {
    #expect(PropertyListMacros(definitions: definitions, header: header).applied(to: "<HOST>") == result)
  }

  @Test(arguments: [("RIGHT", []), ("OTHER", [DoctorRule.urlScheme])])
  func onlyTheBranchOfTheBuildIsChecked(_ definition: String, _ rules: [DoctorRule]) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "SDKROOT = iphoneos;",
      with:
        "SDKROOT = iphoneos; INFOPLIST_PREPROCESS = YES; INFOPLIST_PREPROCESSOR_DEFINITIONS = \(definition);",
      in: Self.project)
    fixture.replace(
      "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
      with: """
        \n#ifdef RIGHT
        <string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        #else
        <string>contoso</string>
        #endif
        """, in: "Mail/Info.plist")
    #expect(try Self.findings(fixture.files).map(\.rule) == rules)
  }

  // MARK: Authorities

  /// The tenant of an authority may be a build setting that Info.plist passes on.
  @Test(arguments: [
    "MSALAADAuthority(cloudInstance: .azurePublicCloudInstance, audienceType: .azureADMyOrgOnlyAudience, rawTenant: tenant)",
    "MSALAADAuthority(url: URL(string: \"https://login.microsoftonline.com/\\(tenant)\")!)",
  ])
  func aMisspeltTenantIsMendedAtItsSetting(_ call: String) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "SDKROOT = iphoneos;", with: "SDKROOT = iphoneos; TENANT = organisations;", in: Self.project)
    fixture.replace(
      "<key>CFBundleIdentifier</key>",
      with: "<key>Tenant</key>\n  <string>$(TENANT)</string>\n  <key>CFBundleIdentifier</key>",
      in: "Mail/Info.plist")
    fixture.replace(
      "try MSALAADAuthority(url: url)",
      with: "try \(call)\n  let tenant = Bundle.main.object(forInfoDictionaryKey: \"Tenant\") as! String",
      in: "Mail/SignIn.swift")
    let findings = try Self.findings(fixture.files)
    #expect(findings.map(\.mistake) == ["The tenant is neither an ID nor a domain"], "\(findings)")
    #expect(findings.first?.place.path.hasSuffix("project.pbxproj") == true, "\(findings)")
    fixture.replace("TENANT = organisations", with: "TENANT = organizations", in: Self.project)
    #expect(try Self.findings(fixture.files) == [])
  }

  /// An audience without a tenant is a word; a tenant beside another audience is refused, so nothing is checked.
  @Test(
    arguments: [
      (".azureADMultipleOrgsAudience, rawTenant: nil", "https://login.microsoftonline.com/organizations"),
      (".azureADMultipleOrgsAudience, rawTenant: \"contoso.com\"", nil),
      (
        ".azureADMyOrgOnlyAudience, rawTenant: \"contoso.com\"",
        "https://login.microsoftonline.com/contoso.com"
      ),
    ] as [(String, String?)])
  func anAudienceIsAnAuthority(_ arguments: String, _ authority: String?) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "MSALAADAuthority(url: url)",
      with: "MSALAADAuthority(cloudInstance: .azurePublicCloudInstance, audienceType: \(arguments))",
      in: "Mail/SignIn.swift")
    let diagnosis = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
    let mail = diagnosis.apple.first { $0.name == "Mail" }
    #expect(mail?.source?.authority.found?.value == authority)
  }

  /// A host of a user flow is one whatever the tenant's name.
  @Test(
    arguments: [
      (
        "MSALAADAuthority", "tfp/\\(tenant).onmicrosoft.com/B2C_1_in",
        "The authority is made with another kind's class"
      ),
      (
        "MSALB2CAuthority", "tfp/\\(tenant).onmicrosoft.com/B2C_1_in",
        "knownAuthorities lacks the B2C authority"
      ),
      ("MSALB2CAuthority", "\\(path)", nil),
    ] as [(String, String, String?)])
  func aHostWithAVariableIsCheckedByItsEnd(_ className: String, _ path: String, _ mistake: String?) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "MSALAADAuthority(url: url)",
      with: "\(className)(url: URL(string: \"https://\\(tenant).b2clogin.com/\(path)\")!)",
      in: "Mail/SignIn.swift")
    let findings = try Self.findings(fixture.files)
    #expect(findings.map(\.mistake) == [mistake].compactMap(\.self), "\(findings)")
  }

  // MARK: Pages

  @Test(arguments: [
    ("const config = useRuntimeConfig();", "config.public.clientId"),
    ("const { public: settings } = useRuntimeConfig();", "settings.clientId"),
  ])
  func nuxtsRuntimeConfigIsRead(_ statement: String, _ value: String) throws {
    let files = [
      "package.json":
        #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0", "nuxt": "^3.0.0" } }"#,
      "nuxt.config.ts":
        "export default defineNuxtConfig({ runtimeConfig: { public: { clientId: '\(AndroidFixture.clientID)' } } });",
      "plugins/msal.client.ts": "\(statement)\nconst c = { auth: { clientId: \(value) } };",
    ]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.web.map(\.clientID?.value) == [AndroidFixture.clientID])
  }

  // MARK: Registrations

  /// The object ID of a registration is a mistake in the app.
  @Test func anObjectIDIsMendedInTheApp() throws {
    let other = "11aa22bb-33cc-44dd-8ee5-66ff77008899"
    var fixture = XcodeFixture()
    fixture.replace("\"\(XcodeFixture.clientID)\"", with: "\"\(other)\"", in: "Mail/SignIn.swift")
    fixture.replace("@\"\(XcodeFixture.clientID)\"", with: "@\"\(other)\"", in: "Calendar/SignIn.m")
    fixture.registration = fixture.registration.replacing(
      "\"appId\"", with: "\"id\": \"\(other)\", \"appId\"")
    let finding = try fixture.diagnosis().findings.first { $0.rule == .registration }
    #expect(finding?.mistake == "The app uses the registration's object ID")
    #expect(
      finding?.place.path.hasSuffix("SignIn.swift") == true && finding?.place.line == 5, "\(finding as Any)")
    #expect(finding?.fix == XcodeFixture.clientID)
  }

  // MARK: Android

  private static let currentTask = "com.microsoft.identity.client.CurrentTaskBrowserTabActivity"

  /// With `authorization_in_current_task`, another activity of MSAL receives the answer, since version 2.1.
  @Test(
    arguments: [
      (true, true, "4.0.0", nil), (true, false, "4.0.0", "multiple_apps_listening_url_scheme"),
      (false, true, "2.2.3", "app_manifest_validation_error"),
      (true, true, "2.0.12", "app_manifest_validation_error"), (true, true, "", nil),
    ] as [(Bool, Bool, String, String?)])
  func theActivityIsThatOfTheTask(
    _ hasActivity: Bool, _ hasSetting: Bool, _ version: String, _ code: String?
  ) throws {
    var fixture = AndroidFixture()
    if hasActivity {
      fixture.replace(
        "com.microsoft.identity.client.BrowserTabActivity", with: Self.currentTask,
        in: AndroidFixture.manifest)
    }
    if hasSetting {
      fixture.replace(
        "\"client_id\"", with: "\"authorization_in_current_task\": true, \"client_id\"",
        in: AndroidFixture.configuration)
    }
    if !version.isEmpty {
      fixture.replace(
        "implementation libs.msal", with: "implementation 'com.microsoft.identity.client:msal:\(version)'",
        in: "app/build.gradle")
    }
    let findings = try fixture.diagnosis().findings
    #expect(findings.map { $0.refusal?.code } == (code == nil ? [] : [code]), "\(findings)")
    guard code != nil, version != "2.0.12" else { return }
    try withFolder(of: fixture.files) { folder in
      let finding = try #require(try Doctor.examine([folder]).findings.first)
      let repair = try #require(Repair(finding))
      try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
      #expect(try Doctor.examine([folder]).findings == [])
    }
  }

  /// Before version 3.0.1, MSAL says of another activity that the filter is missing, also beside its own filter.
  @Test(arguments: [
    ("2.2.3", "app_manifest_validation_error"), ("4.0.0", "multiple_apps_listening_url_scheme"),
  ])
  func anotherActivityIsRefusedByEachVersion(_ version: String, _ code: String) throws {
    var fixture = AndroidFixture()
    let manifest = try #require(fixture.files[AndroidFixture.manifest])
    let start = try #require(manifest.firstRange(of: "<activity")?.lowerBound)
    let end = try #require(manifest.firstRange(of: "</activity>")?.upperBound)
    let other = manifest[start..<end].replacing(
      "com.microsoft.identity.client.BrowserTabActivity", with: ".SignInActivity")
    fixture.replace("</application>", with: other + "\n</application>", in: AndroidFixture.manifest)
    fixture.replace(
      "implementation libs.msal", with: "implementation 'com.microsoft.identity.client:msal:\(version)'",
      in: "app/build.gradle")
    let findings = try fixture.diagnosis().findings
    #expect(findings.map { $0.refusal?.code } == [code], "\(findings)")
  }

  /// The build of a flavour has only its own package name.
  @Test func aFlavoursRedirectURIHasItsOwnPackageName() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "defaultConfig {",
      with: "productFlavors {\n    prod { }\n    dev { applicationIdSuffix '.dev' }\n  }\n  defaultConfig {",
      in: "app/build.gradle")
    let dev = "app/src/dev/res/raw/auth_config.json"
    fixture.files[dev] = fixture.files[AndroidFixture.configuration]
    fixture.files["app/src/prod/res/raw/auth_config.json"] = fixture.files[AndroidFixture.configuration]
    fixture.files[AndroidFixture.configuration] = nil
    let error = try #require(try Self.findings(fixture.files).first { $0.severity == .fails })
    #expect(error.place.path.hasSuffix(dev), "\(error)")
    #expect(error.fix?.contains("msauth://com.contoso.notes.dev/") == true, "\(error)")
    fixture.replace("msauth://com.contoso.notes/", with: "msauth://com.contoso.notes.dev/", in: dev)
    #expect(try Self.findings(fixture.files).filter { $0.severity == .fails } == [])
  }

  private static let request = """
    import net.openid.appauth.AuthorizationRequest
    class SignIn {
      private val redirectUri = Uri.parse(Settings.REDIRECT_URI)
      fun request() = AuthorizationRequest.Builder(service, "id", ResponseTypeValues.CODE, redirectUri).build()
    }
    """

  /// AppAuth's redirect URI may be a constant of another file.
  @Test(arguments: [
    (
      "Settings.kt",
      "object Settings {\n  const val REDIRECT_URI: String = \"com.contoso.app:/callback\"\n}\n"
    ),
    (
      "Settings.java",
      "class Settings { public static final String REDIRECT_URI = \"com.contoso.app:/callback\"; }"
    ),
  ])
  func aConstantOfAnotherFileIsRead(_ name: String, _ text: String) throws {
    for (scheme, count) in [("com.contoso.app", 0), ("com.contoso.other", 1)] {
      var files = VendorTests.module(.appAuth, "appAuthRedirectScheme: \"\(scheme)\"")
      files["app/src/main/java/SignIn.kt"] = Self.request
      files["app/src/main/java/\(name)"] = text
      let findings = try Self.findings(files)
      #expect(findings.count == count && findings.allSatisfy { $0.place.path.hasSuffix(name) }, "\(findings)")
    }
  }
}
