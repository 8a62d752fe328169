import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// The lessons of public projects for the browser.
@Suite struct OutsidePageTests {
  private static let id = AndroidFixture.clientID

  private static func findings(
    _ members: String, version: String = "^4.0.0", _ more: [String: String] = [:]
  ) throws -> [DoctorCheck] {
    let files = [
      "package.json":
        #"{ "name": "board", "dependencies": { "@azure/msal-browser": "VERSION" } }"#.replacing(
          "VERSION", with: version),
      "src/auth.js": "export const config = { auth: { \(members) } };",
    ]
    return try withFolder(of: files.merging(more) { $1 }) { try Doctor.examine([$0]) }.findings
  }

  /// Declaring a mistyped host would make the page trust it.
  @Test(arguments: [
    ("login.microsoftonline.con", "login.microsoftonline.com"),
    ("login.microsoft.online.com", "login.microsoftonline.com"),
    ("login.microsoftonline.us.com", "login.microsoftonline.us"),
    ("login.mircosoftonline.com", "login.microsoftonline.com"),
    ("login.microsoftonline", "login.microsoftonline.com"),
    ("contoso.b2clogin.co", "contoso.b2clogin.com"), ("contoso.ciamlogn.com", "contoso.ciamlogin.com"),
  ])
  func aMistypedHostIsCorrected(_ host: String, _ meant: String) throws {
    let findings = try Self.findings("clientId: '\(Self.id)', authority: 'https://\(host)/contoso.com/p'")
    #expect(findings.map(\.mistake) == ["The authority's host is misspelt"], "\(findings)")
    #expect(findings.map(\.severity) == [.fails])
    #expect(findings.map(\.fix) == ["authority: \"https://\(meant)/contoso.com/p\""])
  }

  @Test(arguments: ["login.contoso.com", "sts.contoso.net", "login.example.org", "contoso.com"])
  func aHostOfOnesOwnIsNoMistypedOne(_ host: String) {
    #expect(EntraHost.meant(by: host) == nil)
  }

  /// A host that is declared may be right.
  @Test func aMistypedHostThatIsDeclaredIsAQuestion() throws {
    let host = "login.microsoftonline.con"
    let findings = try Self.findings(
      "clientId: '\(Self.id)', authority: 'https://\(host)/contoso.com', knownAuthorities: ['\(host)']")
    #expect(findings.map(\.severity) == [.worksInSomeCases], "\(findings)")
  }

  /// MSAL.js 3.7.1 and later have the endpoints of three hosts themselves.
  @Test(arguments: [
    ("^2.38.0", "login.microsoftonline.com/common", DoctorCheck.Severity.fails),
    ("^3.6.0", "login.microsoftonline.com/common", .worksInSomeCases),
    ("4.12.0", "login.microsoftonline.us/contoso.com", .worksInSomeCases),
    ("workspace:*", "login.microsoftonline.com/common", .worksInSomeCases),
    ("^4.0.0", "login.windows.net/common", .fails), ("^4.0.0", "login.microsoftonline.com", .fails),
  ])
  func anEndpointsAddressDependsOnTheVersion(
    _ version: String, _ authority: String, _ severity: DoctorCheck.Severity
  ) throws {
    let findings = try Self.findings(
      "clientId: '\(Self.id)', authority: 'https://\(authority)/oauth2/v2.0/token'", version: version)
    #expect(findings.map(\.mistake) == ["The authority is an endpoint's address"], "\(findings)")
    #expect(findings.map(\.severity) == [severity])
  }

  @Test(arguments: [("2.38.1", DoctorCheck.Severity.fails), ("3.10.0", .worksInSomeCases)])
  func theVersionOfAScriptIsInItsAddress(_ version: String, _ severity: DoctorCheck.Severity) throws {
    let page = """
      <script src="https://alcdn.msauth.net/browser/\(version)/js/msal-browser.min.js"></script>
      <script>const config = { auth: { clientId: '\(Self.id)',
        authority: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize' } };</script>
      """
    let findings = try withFolder(of: ["index.html": page]) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.severity) == [severity], "\(findings)")
  }

  /// A template that has neither a client ID nor a tenant.
  @Test func anAuthorityWithoutATenantOfATemplateIsNotFilledIn() throws {
    let findings = try Self.findings(
      "clientId: 'your-client-id', authority: 'https://login.microsoftonline.com/'")
    #expect(findings.allSatisfy { $0.severity == .notFilledIn }, "\(findings)")
  }

  @Test(arguments: ["------", "###", "-", "REDACTED", "<redacted>"])
  func aGapIsNotFilledIn(_ value: String) throws {
    let findings = try Self.findings(
      "clientId: '\(value)', authority: 'https://login.microsoftonline.com/\(value)'")
    #expect(findings.map(\.severity).allSatisfy { $0 == .notFilledIn } && !findings.isEmpty, "\(findings)")
    #expect(!Placeholders.contain("/") && !Placeholders.contain("https://contoso.example/#/"))
  }

  /// The entire environment object is in the page, whatever the configuration takes from it.
  @Test func aSecretOfTheEnvironmentIsInThePage() throws {
    let files = [
      "src/environment.ts":
        "export const environment = { auth: { clientId: '\(Self.id)', clientSecret: 'Sv8~hidden' } };",
      "src/auth.js":
        "import { environment as e } from './environment';\nconst c = { auth: { clientId: e.auth.clientId } };",
    ]
    let findings = try Self.findings("", files)
    #expect(findings.map(\.rule) == [.pageSecret], "\(findings)")
    #expect(findings.first?.place.path.hasSuffix("environment.ts") == true)
  }

  /// With the protocol mode of other providers, an Entra host is still checked.
  @Test(arguments: ["protocolMode: 'OIDC'", "protocolMode: ProtocolMode.OIDC"])
  func theProtocolModeLeavesTheRestToCheck(_ mode: String) throws {
    let findings = try Self.findings(
      "clientId: 'board', authority: 'https://login.microsoftonline.com/common', \(mode)")
    #expect(findings.map(\.rule) == [.clientID], "\(findings)")
  }

  /// Vite's own configuration shows that no other variable is put into the page.
  @Test(arguments: [
    ("export default { plugins: [] };", DoctorCheck.Severity.fails),
    ("export default mergeConfig(base, {});", nil),
  ])
  func aVariableWithoutVitesPrefixIsNotThere(_ configuration: String, _ severity: DoctorCheck.Severity?)
    throws
  {
    let files = [
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0", "vite": "6" } }"#,
      "vite.config.ts": configuration,
      "src/auth.js": "const config = { auth: { clientId: import.meta.env.CLIENT_ID } };",
    ]
    #expect(try Self.findings("", files).map(\.severity) == [severity].compactMap(\.self))
  }
}
