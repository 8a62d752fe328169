import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// Values that code gives to an SDK in addition to those of the application object, in forms that were once not read.
@Suite struct OutsideCodeTests {
  static func nativeConfiguration(
    mode: String = "SINGLE", types: String = "\"oob\", \"password\"", authorities: String = ciam
  ) -> String {
    """
    {
      "client_id": "\(AndroidFixture.clientID)",
      "authorities": [
        \(authorities)
      ],
      "challenge_types": [\(types)],
      "account_mode": "\(mode)"
    }
    """
  }

  private static let ciam =
    #"{ "type": "CIAM", "authority_url": "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/" }"#

  private static func android(_ configuration: String) throws -> [DoctorCheck] {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = configuration
    fixture.files["registration.json"] = nil
    return try OutsideTests.findings(fixture.files)
  }

  @Test func aRightNativeConfigurationHasNoFinding() throws {
    #expect(try Self.android(Self.nativeConfiguration(types: "\"OOB\", \"redirect\"")) == [])
  }

  /// MSAL for Android rejects each of these when the application object is created.
  @Test(arguments: [
    (nativeConfiguration(mode: "MULTIPLE"), "native_auth_invalid_account_mode_config", DoctorRule.nativeAuth),
    (nativeConfiguration(types: "\"oob\", \"pasword\""), "native_auth_invalid_challenge_type", .nativeAuth),
    (nativeConfiguration(authorities: ciam + "," + ciam), "native_auth_use_with_multi_authority", .authority),
    (
      nativeConfiguration(authorities: ciam.replacing("CIAM", with: "AAD")),
      "native_auth_invalid_ciam_authority", .authority
    ),
    (nativeConfiguration(authorities: ""), "native_auth_use_with_no_authority", .authority),
  ])
  func nativeAuthenticationIsChecked(_ text: String, _ code: String, _ rule: DoctorRule) throws {
    let findings = try Self.android(text)
    #expect(findings.map(\.refusal?.code) == [code] && findings.map(\.rule) == [rule], "\(findings)")
    #expect(findings.map(\.severity) == [.fails])
  }

  @Test func challengeTypesAreMendedAsAList() throws {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = Self.nativeConfiguration(types: "\"oob\", \"pasword\"")
    fixture.files["registration.json"] = nil
    try withFolder(of: fixture.files) { folder in
      let repair = try #require(try Doctor.examine([folder]).findings.compactMap(Repair.init).first)
      #expect(repair.after == Self.nativeConfiguration())
    }
  }

  /// The type AAD keeps only the host and the last part of a user flow's address.
  @Test(arguments: [("AAD", 1), ("B2C", 0)])
  func aUserFlowHasItsType(_ type: String, _ count: Int) throws {
    let findings = try Self.android(
      """
      {
        "client_id": "\(AndroidFixture.clientID)",
        "redirect_uri": "msauth://com.contoso.notes/\(AndroidFixture.encodedHash)",
        "broker_redirect_uri_registered": true,
        "authorities": [
          { "type": "\(type)", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_in/" }
        ]
      }
      """)
    #expect(findings.map(\.rule) == Array(repeating: .authority, count: count), "\(findings)")
  }

  /// A type that begins like a known one is fixed where the file has it.
  @Test func anUnknownTypeOfAudienceIsMended() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace("AzureADMultipleOrgs", with: "AzureADMyOrganisation", in: AndroidFixture.configuration)
    try withFolder(of: fixture.files) { folder in
      let repair = try #require(try Doctor.examine([folder]).findings.compactMap(Repair.init).first)
      #expect(repair.after.contains(#"{ "type": "AzureADMyOrg" }"#))
    }
  }

  /// Decoding a path changes no value, so `--fix` offers it for a filter that only some builds may need.
  @Test func anEncodedPathIsDecoded() throws {
    var fixture = AndroidFixture()
    for file in ["registration.json", AndroidFixture.configuration, "app/src/main/java/Account.kt"] {
      fixture.files[file] = nil
    }
    fixture.replace(
      "/\(AndroidFixture.hash)", with: "/\(AndroidFixture.encodedHash)", in: AndroidFixture.manifest)
    try withFolder(of: fixture.files) { folder in
      let findings = try Doctor.examine([folder]).findings
      let repair = try #require(findings.compactMap(Repair.init).first, "\(findings)")
      #expect(repair.finding.isQuestion && repair.after.contains("android:path=\"/\(AndroidFixture.hash)\""))
    }
  }

  // MARK: iOS

  private static func native(_ arguments: String) throws -> [DoctorCheck] {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = """
      import MSAL
      let client = try MSALNativeAuthPublicClientApplication(
        clientId: "\(XcodeFixture.clientID)", \(arguments))
      """
    return try OutsideTests.findings(fixture.files)
  }

  @Test(arguments: [
    ("tenantSubdomain: \"contoso\", challengeTypes: [.OOB]", [DoctorRule](), DoctorCheck.Severity.fails),
    ("tenantSubdomain: \"https://contoso.ciamlogin.com\", challengeTypes: [.OOB]", [.authority], .fails),
    ("tenantSubdomain: \"contoso.onmicrosoft.com\", challengeTypes: [.OOB]", [.authority], .fails),
    ("tenantSubdomain: \"contoso\", challengeTypes: []", [.nativeAuth], .fails),
    (
      "tenantSubdomain: \"Enter_the_Tenant_Subdomain_Here\", challengeTypes: [.OOB]", [.placeholder],
      .notFilledIn
    ),
  ])
  func nativeAuthenticationOfIOSIsChecked(
    _ arguments: String, _ rules: [DoctorRule], _ severity: DoctorCheck.Severity
  ) throws {
    let findings = try Self.native(arguments)
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.allSatisfy { $0.severity == severity })
    if rules == [.authority] { #expect(findings.first?.fix == "tenantSubdomain: \"contoso\"") }
  }

  /// Native authentication has no redirect URI that would have to be registered, and its own tenant.
  @Test func theRegistrationOfNativeAuthenticationNeedsNoRedirectURI() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = """
      import MSAL
      let client = try MSALNativeAuthPublicClientApplication(
        clientId: "\(XcodeFixture.clientID)", tenantSubdomain: "contoso", challengeTypes: [.OOB])
      """
    fixture.files["registration.json"] =
      #"{ "appId": "\#(XcodeFixture.clientID)", "signInAudience": "AzureADMyOrg", "publicClient": { "redirectUris": [] } }"#
    let findings = try withFolder(of: fixture.files) {
      try Doctor.examine([$0, $0 + "/registration.json"])
    }.findings.filter { $0.subject == "Mail" }
    #expect(findings == [], "\(findings)")
  }

  /// MSAL for iOS and macOS rejects scopes that it adds itself, in a list or under a name that represents one.
  @Test(arguments: [
    ("MSALInteractiveTokenParameters(scopes: [\"openid\", \"User.Read\"], webviewParameters: web)", 1),
    ("MSALInteractiveTokenParameters(scopes: Scopes.all, webviewParameters: web)", 1),
    ("MSALSilentTokenParameters(scopes: Scopes.typed, account: account)", 1),
    ("MSALInteractiveTokenParameters(scopes: Scopes.own, webviewParameters: web)", 0),
    ("MSALInteractiveTokenParameters(scopes: read(), webviewParameters: web)", 0),
    ("MSALInteractiveTokenParameters(scopes: [\"api://board/.default\"], webviewParameters: web)", 0),
  ])
  func reservedScopesAreRefused(_ call: String, _ count: Int) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift", default: ""] += """

      enum Scopes {
        static let all = ["User.Read", "offline_access"]
        static let typed: [String] = ["profile"]
        static let own = ["User.Read"]
      }
      let parameters = \(call)
      """
    let findings = try OutsideTests.findings(fixture.files)
    #expect(findings.map(\.rule) == Array(repeating: .requestScopes, count: count), "\(findings)")
    #expect(
      findings.allSatisfy { $0.severity == .fails && $0.refusal?.text.contains("reserved scopes") == true })
  }

  @Test func defaultStandsAloneInARequest() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift", default: ""] +=
      "\nlet call = MSALSilentTokenParameters(scopes: [\"api://board/.default\", \"api://board/read\"], account: one)\n"
    let findings = try OutsideTests.findings(fixture.files)
    #expect(findings.map(\.refusal?.code) == ["AADSTS70011"], "\(findings)")
    #expect(findings.first?.fix == "[\"api://board/.default\"]")
  }

  // MARK: React Native

  private static func crew(_ auth: String, scheme: String) throws -> [DoctorCheck] {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = "import MSAL\n"
    fixture.replace(
      "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>", with: "<string>\(scheme)</string>",
      in: "Mail/Info.plist")
    fixture.files["package.json"] =
      #"{ "dependencies": { "react-native": "0.76.0", "react-native-msal": "4.0.4" } }"#
    fixture.files["src/auth.ts"] = """
      import PublicClientApplication from 'react-native-msal';
      export const client = new PublicClientApplication({ auth: { \(auth) } });
      """
    return try OutsideTests.findings(fixture.files)
  }

  /// react-native-msal passes the members of `auth` on to MSAL, whose default redirect URI has the bundle ID.
  @Test(arguments: [
    ("clientId: '\(XcodeFixture.clientID)'", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", [DoctorRule]()),
    ("clientId: '\(XcodeFixture.clientID)'", "msal.$(PRODUCT_BUNDLE_IDENTIFIER)", [.urlScheme]),
    ("clientId: '5f1b7f3e2b4a'", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", [.clientID]),
    ("clientId: 'YOUR_CLIENT_ID'", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", [.placeholder]),
    (
      "clientId: '\(XcodeFixture.clientID)', redirectUri: Platform.select(uris)",
      "msal.$(PRODUCT_BUNDLE_IDENTIFIER)", []
    ),
  ])
  func theScriptsConfigurationIsRead(_ auth: String, _ scheme: String, _ rules: [DoctorRule]) throws {
    let findings = try Self.crew(auth, scheme: scheme).filter { $0.rule != .callback }
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }

  /// The part of the object that is not read may have another redirect URI, whose scheme the app registers.
  @Test(arguments: [
    ("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", [DoctorCheck.Severity]()), ("contoso", [.worksInSomeCases]),
    ("", [.fails]),
  ])
  func theDefaultSchemeIsNeededBesideASpread(_ scheme: String, _ severities: [DoctorCheck.Severity]) throws {
    let auth = "authority: first(flows), knownAuthorities: flows.map(host), ...rest"
    let findings = try Self.crew(auth, scheme: scheme).filter { $0.rule == .urlScheme }
    #expect(findings.map(\.severity) == severities, "\(findings)")
  }

  // MARK: MSAL.js 1

  /// A secret in a page is a mistake in every version of the library; nothing else in version 1 is checked.
  @Test(arguments: [("clientSecret: 'a1B2~c3D4'", [DoctorRule.pageSecret]), ("cacheLocation: 'x'", [])])
  func aSecretBesideTheFirstVersionIsFound(_ member: String, _ rules: [DoctorRule]) throws {
    let diagnosis = try withFolder(of: [
      "page/index.html":
        "<script src=\"https://alcdn.msauth.net/lib/1.4.4/js/msal.js\"></script>\n<script src=\"./auth.js\"></script>",
      "page/auth.js": "const config = {\n auth: { clientId: 'x',\n \(member) } };",
    ]) { try Doctor.examine([$0]) }
    #expect(diagnosis.findings.map(\.rule) == rules, "\(diagnosis.findings)")
    #expect(diagnosis.web.count == rules.count)
  }

  /// A page that is too large to be read is not omitted.
  @Test func aPageOfManyBytesIsUnread() throws {
    let page =
      "<script src=\"msal-browser.min.js\"></script>" + String(repeating: "<p>text</p>\n", count: 60_000)
    let diagnosis = try withFolder(of: ["index.html": page]) { try Doctor.examine([$0]) }
    #expect(diagnosis.unread.map { fileName($0.path) } == ["index.html"])
  }

  // MARK: Placeholders

  @Test(arguments: [
    "tenantId", "TENANT_ID", "tenant-id", "tenent id", "https://login.contoso.example/tenantId/",
  ])
  func theNameOfAValueStandsForIt(_ text: String) { #expect(Placeholders.contain(text)) }

  @Test(arguments: ["contoso.com", "https://board.contoso.example/auth", "common", "api://board/read"])
  func aValueIsNoName(_ text: String) { #expect(!Placeholders.contain(text)) }
}
