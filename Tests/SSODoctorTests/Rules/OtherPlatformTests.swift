import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// Android and the browser: one mistake in an otherwise correct project leads to one finding.
@Suite struct OtherPlatformTests {
  @Test func aCleanAndroidProjectHasNoFinding() throws {
    let diagnosis = try AndroidFixture().diagnosis()
    #expect(diagnosis.findings.map(\.rule) == [], "\(diagnosis.findings)")
    #expect(diagnosis.android.map(\.packageName?.value) == ["com.contoso.notes"])
    #expect(diagnosis.checks.count > 6)
  }

  /// The SDK compares it this way (docs/behaviour/real-apps.md §2(5)).
  @Test func theCaseOfARedirectURIOfAndroidDoesNotMatter() throws {
    var fixture = AndroidFixture()
    for file in [AndroidFixture.configuration, "registration.json"] {
      fixture.replace("msauth://", with: "MSAUTH://", in: file)
    }
    #expect(try fixture.diagnosis().findings.filter { $0.rule == .androidRedirect } == [])
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    var rule: DoctorRule
    var severity = DoctorCheck.Severity.fails
    var place: String
    var what: String
    var make: @Sendable (inout AndroidFixture) -> Void
    var testDescription: String { what }
  }

  static let mistakes: [Mistake] = [
    Mistake(
      rule: .androidRedirect, severity: .worksInSomeCases, place: "auth_config.json:3",
      what: "7: the redirect URI is another package's"
    ) {
      for file in [AndroidFixture.configuration, "registration.json"] {
        $0.replace("com.contoso.notes", with: "com.contoso.old", in: file)
      }
      $0.replace("${applicationId}", with: "com.contoso.old", in: AndroidFixture.manifest)
    },
    Mistake(rule: .androidRedirect, place: "auth_config.json:3", what: "7: the hash is not encoded") {
      for file in [AndroidFixture.configuration, "registration.json"] {
        $0.replace(AndroidFixture.encodedHash, with: AndroidFixture.hash, in: file)
      }
    },
    Mistake(rule: .androidConfiguration, place: "auth_config.json:1", what: "there is no client_id") {
      $0.replace(
        "  \"client_id\": \"\(AndroidFixture.clientID)\",\n", with: "", in: AndroidFixture.configuration)
    },
    Mistake(
      rule: .androidConfiguration, place: "auth_config.json:1", what: "code makes an object for one account"
    ) {
      $0.files["app/src/main/java/Sign.kt"] =
        "import com.microsoft.identity.client.*\nPublicClientApplication.createSingleAccountPublicClientApplication(c, R.raw.auth_config)"
    },
    Mistake(
      rule: .androidRedirect, severity: .worksInSomeCases, place: "build.gradle:2",
      what: "7: a build has another package name"
    ) {
      $0.replace(
        "defaultConfig {", with: "buildTypes { debug { applicationIdSuffix \".debug\" } }\n  defaultConfig {",
        in: "app/build.gradle")
      $0.replace("${applicationId}", with: "com.contoso.notes", in: AndroidFixture.manifest)
    },
    Mistake(rule: .registration, place: "registration.json:2", what: "the registration is another app's") {
      $0.replace("8a2c1d4e", with: "9a2c1d4e", in: "registration.json")
    },
    Mistake(
      rule: .browserTabActivity, place: "AndroidManifest.xml:11",
      what: "11: the hash is encoded in the manifest"
    ) {
      $0.replace(AndroidFixture.hash, with: AndroidFixture.encodedHash, in: AndroidFixture.manifest)
    },
    Mistake(rule: .browserTabActivity, place: "AndroidManifest.xml:11", what: "11: there is no leading slash")
    {
      $0.replace("\"/" + AndroidFixture.hash, with: "\"" + AndroidFixture.hash, in: AndroidFixture.manifest)
    },
    Mistake(rule: .browserTabActivity, place: "AndroidManifest.xml:5", what: "11: another activity") {
      $0.replace("identity.client.BrowserTabActivity", with: "OtherActivity", in: AndroidFixture.manifest)
    },
    Mistake(rule: .browserTabActivity, place: "AndroidManifest.xml:2", what: "11: the activity is missing") {
      $0.files[AndroidFixture.manifest] =
        "\n<manifest>\n  <application android:label=\"Notes\">\n  </application>\n</manifest>\n"
    },
    Mistake(rule: .browserTabActivity, place: "AndroidManifest.xml:4", what: "the activity is not exported") {
      $0.replace("exported=\"true\"", with: "exported=\"false\"", in: AndroidFixture.manifest)
    },
    Mistake(
      rule: .defaultAuthority, place: "auth_config.json:5", what: "15: two authorities, none the default"
    ) {
      $0.replace(
        "\"default\": true }",
        with:
          "\"default\": false },\n    { \"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMyOrg\" } }",
        in: AndroidFixture.configuration)
    },
    Mistake(
      rule: .brokerUnused, severity: .worksInSomeCases, place: "auth_config.json:4",
      what: "6: the broker is not used"
    ) {
      $0.replace("true,", with: "false,", in: AndroidFixture.configuration)
    },
    Mistake(
      rule: .androidConfiguration, place: "auth_config.json:3", what: "the redirect URI has no authority"
    ) {
      $0.replace(
        "msauth://com.contoso.notes/" + AndroidFixture.encodedHash, with: "msauth",
        in: AndroidFixture.configuration)
    },
    Mistake(
      rule: .placeholder, severity: .notFilledIn, place: "auth_config.json:2", what: "the sample's client ID"
    ) {
      $0.replace(
        AndroidFixture.clientID, with: "Enter_the_Application_Id_Here", in: AndroidFixture.configuration)
    },
    Mistake(rule: .clientType, place: "registration.json:6", what: "1: registered for Web") {
      $0.replace("InstalledClient", with: "Web", in: "registration.json")
    },
    Mistake(
      rule: .spaRedirect, place: "registration.json:6", what: "3: registered for a single-page application"
    ) {
      $0.replace("InstalledClient", with: "Spa", in: "registration.json")
    },
    Mistake(rule: .authority, place: "auth_config.json:5", what: "10: the type of audience is not known") {
      $0.replace("AzureADMultipleOrgs", with: "AzureADAllOrgs", in: AndroidFixture.configuration)
    },
  ]

  @Test(arguments: mistakes)
  func oneMistakeIsOneFinding(_ mistake: Mistake) throws {
    var fixture = AndroidFixture()
    mistake.make(&fixture)
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.rule) == [mistake.rule], "\(findings)")
    let finding = try #require(findings.first)
    #expect(finding.severity == mistake.severity)
    #expect(finding.place.description.hasSuffix("/" + mistake.place), "\(finding.place)")
  }

  // MARK: - The browser

  static let page = [
    "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0" } }"#,
    "src/auth.ts": """
    import { PublicClientApplication } from "@azure/msal-browser";
    const clientId = '\(AndroidFixture.clientID)';
    export const app = new PublicClientApplication({
      auth: { clientId, redirectUri: "https://board.contoso.example/", authority: "https://login.microsoftonline.com/common" },
    });
    """,
  ]

  @Test(arguments: [
    (#""spa": { "redirectUris": ["https://board.contoso.example/"] }"#, nil as DoctorRule?, nil as String?),
    (#""web": { "redirectUris": ["https://board.contoso.example/"] }"#, .spaRedirect, "AADSTS9002326"),
    (
      #""spa": { "redirectUris": [ "https://x.example/"] }, "web": { "redirectUris": ["https://x.example/"] }"#,
      .redirectRegistered, "AADSTS50011"
    ),
  ])
  func aPagesRedirectURIIsRegisteredAsOneOfAPage(_ platforms: String, _ rule: DoctorRule?, _ code: String?)
    throws
  {
    var files = Self.page
    files["src/auth.ts"] = files["src/auth.ts"]?.replacing("{ clientId,", with: "{ clientId: clientId,")
    files["registration.json"] = #"{ "appId": "\#(AndroidFixture.clientID)", \#(platforms) }"#
    let findings = try withFolder(of: files) { try Doctor.examine([$0, $0 + "/registration.json"]) }.findings
    #expect(findings.first?.rule == rule, "\(findings)")
    #expect(findings.first?.refusal?.code == code)
  }

  /// Three forms from Microsoft's samples: a named object, an object in a separate file, and values from an
  /// environment.
  @Test(arguments: [
    [
      "src/authConfig.js": """
      export const msalConfig = { auth: {
        clientId: "\(AndroidFixture.clientID)", authority: "https://login.microsoftonline.com/common",
        redirectUri: "https://board.contoso.example/" }, cache: { cacheLocation: "sessionStorage" } };
      """
    ],
    [
      "src/environment.ts":
        "export const environment = { clientId: '\(AndroidFixture.clientID)', redirectUri: 'https://board.contoso.example/' };",
      "src/app.ts":
        "import { environment } from './environment';\nnew PublicClientApplication({ auth: { clientId: environment.clientId, redirectUri: environment.redirectUri } })",
    ],
  ])
  func aConfigurationIsReadWhereverItStands(_ sources: [String: String]) throws {
    let registration =
      #"{ "appId": "\#(AndroidFixture.clientID)", "web": { "redirectUris": ["https://board.contoso.example/"] } }"#
    let files = ["package.json": Self.page["package.json"] ?? "", "registration.json": registration]
      .merging(sources) { $1 }
    let findings = try withFolder(of: files) { try Doctor.examine([$0, $0 + "/registration.json"]) }.findings
    #expect(findings.map(\.rule) == [.spaRedirect], "\(findings)")
  }

  @Test func theAuthorityOfAPageFitsTheRegistration() throws {
    var files = Self.page
    files["registration.json"] = """
      { "appId": "\(AndroidFixture.clientID)", "signInAudience": "AzureADMyOrg",
        "spa": { "redirectUris": ["https://board.contoso.example/"] } }
      """
    files["src/auth.ts"] = files["src/auth.ts"]?.replacing("{ clientId,", with: "{ clientId: clientId,")
    let findings = try withFolder(of: files) { try Doctor.examine([$0, $0 + "/registration.json"]) }.findings
    #expect(findings.map(\.refusal?.code) == ["AADSTS50194"], "\(findings)")
  }

  @Test(arguments: [("brk-multihub://board.contoso.example", true), ("https://board.contoso.example", false)])
  func aNestedAppNeedsItsRedirectURI(_ uri: String, _ isRight: Bool) throws {
    var files = Self.page
    files["src/auth.ts"] = """
      const app = await createNestablePublicClientApplication({ auth: { clientId: "\(AndroidFixture.clientID)" } });
      """
    files["registration.json"] =
      #"{ "appId": "\#(AndroidFixture.clientID)", "spa": { "redirectUris": ["\#(uri)"] } }"#
    let findings = try withFolder(of: files) { try Doctor.examine([$0, $0 + "/registration.json"]) }.findings
    #expect(findings.map(\.rule) == (isRight ? [] : [.nestedApp]))
  }
}
