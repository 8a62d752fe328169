import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// Pages with MSAL.js: where their values come from, and which values MSAL.js rejects.
@Suite struct WebTests {
  private static let id = AndroidFixture.clientID
  private static let package = #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#

  private static func diagnosis(_ files: [String: String]) throws -> Diagnosis {
    let all = files.merging(["package.json": package]) { first, _ in first }
    return try withFolder(of: all) { try Doctor.examine([$0]) }
  }

  private static func findings(_ members: String) throws -> [DoctorCheck] {
    try diagnosis(["src/auth.js": "export const config = { auth: { \(members) } };"]).findings
  }

  // MARK: - Values

  @Test(arguments: [
    // A member of another module's object.
    [
      "src/auth.ts":
        "import { settings as s } from './settings';\nnew App({ auth: { clientId: s.azure.appId } });",
      "src/settings.ts": "export const settings = { azure: { appId: 'ID' }, other: { appId: 'no' } };",
    ],
    [
      "src/auth.ts": "import env from '../config/env';\nconst c = { auth: { clientId: env.clientId } };",
      "config/env.js": "const id = 'ID';\nmodule.exports = { clientId: id };",
    ],
    // Variables of the build.
    [
      "src/auth.ts": "const c = { auth: { clientId: import.meta.env.VITE_ID } };",
      ".env": "VITE_ID=\"ID\" # ours",
    ],
    [
      "src/auth.ts": "const c = { auth: { clientId: process.env.REACT_APP_ID! } };",
      ".env.example": "REACT_APP_ID=ID",
    ],
    // A static member of a class.
    [
      "src/auth.ts":
        "import { Values } from './values';\nconst c = { auth: { clientId: Values.ClientID } };",
      "src/values.ts":
        "export class Values {\n  f() { return { ClientID: 'no' }; }\n  // public static ClientID = 'no';\n"
        + "  public static ClientID = 'ID';\n  public static readonly Other: string = 'no';\n}",
    ],
    // A JSON module, an index file, and an alias.
    [
      "src/auth.ts": "import json from './id.json';\nconst auth = { clientId: json.id };",
      "src/id.json": #"{ "id": "ID" }"#,
    ],
    [
      "src/a.ts": "import { ID } from '@/values';\nconst auth = { clientId: ID };",
      "src/values/index.ts": "export * from './all';", "src/values/all.ts": "export const ID: string = 'ID';",
    ],
  ])
  func aValueIsFollowedToItsModule(_ files: [String: String]) throws {
    let own = files.mapValues {
      $0.replacing("ID'", with: Self.id + "'").replacing("\"ID\"", with: "\"\(Self.id)\"").replacing(
        "APP_ID=ID", with: "APP_ID=" + Self.id)
    }
    let diagnosis = try Self.diagnosis(own)
    #expect(diagnosis.web.map(\.clientID?.value) == [Self.id], "\(diagnosis.web)")
    #expect(diagnosis.findings == [])
  }

  @Test func aTemplateIsFilledIn() throws {
    let page = try Self.diagnosis([
      "src/auth.js":
        "const tenant = 'contoso.com';\nconst auth = { clientId: '\(Self.id)', authority: `https://login.microsoftonline.com/${tenant}` };"
    ]).web.first
    #expect(page?.configuration?.authority.found?.value == "https://login.microsoftonline.com/contoso.com")
  }

  /// The build may set a variable, so a mistake in the fallback value is a question.
  @Test(arguments: [
    "import.meta.env.VITE_AUTHORITY || 'AUTHORITY'",
    "(process.env.REACT_APP_AUTHORITY ?? 'AUTHORITY') as string",
    "`${import.meta.env.VITE_HOST || 'AUTHORITY'}`",
  ])
  func aFallbackIsRead(_ code: String) throws {
    func findings(_ authority: String) throws -> [DoctorCheck] {
      try Self.diagnosis([
        "src/auth.ts":
          "const c = { auth: { clientId: '\(Self.id)', authority: \(code.replacing("AUTHORITY'", with: authority + "'")) } };"
      ]).findings
    }
    #expect(try findings("https://login.microsoftonline.com/common") == [])
    let mistake = try findings("https://login.microsoftonline.com/common/oauth2/authorize")
    #expect(
      mistake.map(\.rule) == [.authority] && mistake.map(\.severity) == [.worksInSomeCases], "\(mistake)")
  }

  /// A computed value is unknown, and nothing is said about it.
  @Test(arguments: [
    "clientId: pick('x')", "clientId: process.env.ID || ''", "clientId: window.ID", "clientId: a ? 'x' : 'y'",
    "clientId: other.clientId", "clientId: id, authority: base + '/x'",
  ])
  func aComputedValueIsNotChecked(_ members: String) throws {
    let diagnosis = try Self.diagnosis(["src/auth.js": "const config = { auth: { \(members) } };"])
    #expect(diagnosis.web.count == 1 && diagnosis.checks == [], "\(diagnosis.checks)")
  }

  /// An empty client ID is not filled in, but not that of a library, whose app replaces it.
  @Test(arguments: [
    ("defaults: { login: { to: '/' }, auth: { clientId: '' } }", 0), ("auth: { clientId: '' }", 1),
  ])
  func anEmptyDefaultIsNotAConfiguration(_ members: String, _ count: Int) throws {
    let diagnosis = try Self.diagnosis(["src/module.ts": "export default defineModule({ \(members) });"])
    #expect(diagnosis.findings.count == count, "\(diagnosis.findings)")
  }

  @Test func testsAreNotTheApp() throws {
    let diagnosis = try Self.diagnosis([
      "src/auth.test.ts": "const auth = { clientId: 'x1' };",
      "src/test-utils/a.ts": "const auth = { clientId: 'x2' };",
    ])
    #expect(diagnosis.web.first?.configurations == [])
  }

  @Test func aScriptTagIsAnApp() throws {
    let diagnosis = try withFolder(of: [
      "index.html": """
      <html><body><p>It's a page</p>
      <script src="https://alcdn.msauth.net/browser/2.38.0/js/msal-browser.min.js"></script>
      <script>
      const app = new msal.PublicClientApplication({ auth: { clientId: "\(Self.id)", redirectUri: "http://board.contoso.example/" } });
      </script></body></html>
      """
    ]) { try Doctor.examine([$0]) }
    #expect(diagnosis.web.map(\.clientID?.value) == [Self.id])
    #expect(diagnosis.findings.map(\.rule) == [.redirectURI])
    #expect(diagnosis.findings.first?.place.line == 4)
  }

  // MARK: - Rules

  @Test(arguments: [
    ("authority: 'login.microsoftonline.com/common'", "url_parse_error"),
    ("authority: 'http://login.microsoftonline.com/common'", "authority_uri_insecure"),
    (
      "authority: 'https://sts.windows.net/common/oauth2/v2.0/authorize'", "endpoints_resolution_error"
    ),
    ("authority: 'https://login.microsoftonline.com'", "AADSTS90002"),
    ("redirectUri: 'https://board.contoso.example/app/#/'", "AADSTS50011"),
    (
      "authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', knownAuthorities: ['contoso.b2clogin.com']",
      "endpoints_resolution_error"
    ),
    ("authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in'", "untrusted_authority"),
    (
      "authority: 'https://login.microsoftonline.com/7f1c2a9-3f6e-4a57-9c80-112233445566'",
      "endpoints_resolution_error"
    ),
    (
      "authority: 'https://login.contoso.com/contoso.onmicrosoft.com/B2C_1_in', knownAuthorities: []",
      "untrusted_authority"
    ),
    ("redirectUri: 'http://board.contoso.example'", "AADSTS50011"),
    ("redirectUri: 'msauth.com.contoso.board://auth'", "AADSTS50011"),
    ("clientSecret: 'Sv8~hidden'", "AADSTS700025"),
  ])
  func oneMistakeIsOneFinding(_ members: String, _ code: String) throws {
    let findings = try Self.findings("clientId: '\(Self.id)', \(members)")
    #expect(findings.map(\.refusal?.code) == [code], "\(findings)")
    #expect(
      findings.allSatisfy { $0.severity == .fails && $0.place.line == 1 && !"\($0)".contains("Sv8~hidden") })
  }

  @Test(arguments: ["7f1c2a94-3f6e-4a57-9c80", "board.contoso.example/1"])
  func aClientIDIsAGUID(_ id: String) throws {
    let authority = "authority: 'https://login.microsoftonline.com/common'"
    #expect(try Self.findings("clientId: '\(id)', \(authority)").map(\.rule) == [.clientID])
  }

  @Test(arguments: [
    "clientId: ''", "clientId: '', authority: '', redirectUri: ''", "clientId: 'CLIENT_ID'",
    "clientId: '', authority: ``, redirectUri: 'http://localhost:3000'",
    "clientId: '********', authority: import.meta.env.VITE_AUTHORITY",
  ])
  func aTemplateIsNotFilledInYet(_ members: String) throws {
    #expect(try Self.findings(members).map(\.severity) == [.notFilledIn])
  }

  @Test(arguments: [
    "authority: 'https://login.microsoftonline.com/common/v2.0'",
    "authority: 'https://contoso.ciamlogin.com/'",
    "authority: 'https://login.microsoftonline.com/contoso.com'",
    "authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in', knownAuthorities: ['contoso.b2clogin.com']",
    "authority: 'https://contoso.b2clogin.com/tfp/contoso.com/B2C_1_in', knownAuthorities: known",
    "authority: 'https://fs.contoso.com/adfs', knownAuthorities: ['fs.contoso.com']",
    "authority: 'https://login.contoso.com', protocolMode: 'OIDC'",
    "authority: 'https://login.microsoftonline.com/common', protocolMode: ProtocolMode.AAD",
    "redirectUri: '/'", "redirectUri: 'http://localhost:3000/redirect'",
    "redirectUri: window.location.origin",
  ])
  func aRightPageHasNoFinding(_ members: String) throws {
    #expect(try Self.findings("clientId: '\(Self.id)', \(members)") == [])
  }

  /// Not every `auth` is passed to MSAL; another object may take its values from it.
  @Test func anObjectFromWhichAnotherTakesItsValuesIsNoConfiguration() throws {
    let authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in"
    let findings = try Self.diagnosis([
      "src/auth.ts": """
      const environment = { auth: { clientId: '\(Self.id)', authority: '\(authority)', domain: 'contoso.b2clogin.com' } };
      const app = new PublicClientApplication({ auth: {
        clientId: environment.auth.clientId, authority: environment.auth.authority,
        knownAuthorities: [environment.auth.domain] } });
      """
    ]).findings
    #expect(findings == [])
  }

  /// Modules that nothing imports do not run: the old root module beside the standalone app, and its own imports.
  @Test(arguments: [
    ["src/app/app.module.ts": "const auth = { clientId: 'ID', authority: 'AUTHORITY' };"],
    [
      "src/app/app.module.ts": "import { msal } from './old-auth';",
      "src/app/old-auth.ts": "export const msal = { auth: { clientId: 'ID', authority: 'AUTHORITY' } };",
    ],
    [
      "src/app/auth.ts": "export const msal = { auth: { clientId: 'ID', authority: 'AUTHORITY' } };",
      "src/app/auth.spec.ts": "import { msal } from './auth';",
    ],
  ])
  func aFileThatNothingImportsIsNotChecked(_ files: [String: String]) throws {
    func checked(_ more: [String: String]) throws -> Diagnosis {
      try Self.diagnosis(
        files.merging(more) { $1 }.mapValues {
          $0.replacing("'ID'", with: "'\(Self.id)'").replacing("AUTHORITY", with: "login.contoso.com/common")
        })
    }
    let app = [
      "src/main.ts": "import { config } from './app/app.config';",
      "src/app/app.config.ts":
        "export const config = { auth: { clientId: 'ID', authority: 'https://login.microsoftonline.com/common' } };",
    ]
    let diagnosis = try checked(app)
    #expect(diagnosis.findings == [])
    #expect(diagnosis.web.first?.leftOver.count == 1)
    #expect(diagnosis.subjects.first?.notSeen?.contains("nothing imports this file") == true)
    // If it is alone, or imported by a module that runs, it is the app's own.
    #expect(try checked([:]).findings.map(\.rule) == [.authority])
    let name = files.keys.sorted { $0.count < $1.count }.first { files[$0]?.contains("auth") == true } ?? ""
    let both = app.merging(["src/b.ts": "import '../\(name.dropLast(3))';", "src/index.ts": "import './b';"])
    { $1 }
    #expect(try checked(both).findings.map(\.rule) == [.authority])
  }

  /// The values of tests and of examples are not the app's own.
  @Test(arguments: [
    [
      "src/environment.e2e.ts":
        "export const environment = { auth: { clientId: 'ID', authority: 'AUTHORITY' } };"
    ],
    [
      ".env.example": "VITE_AUTHORITY=AUTHORITY",
      "src/a.ts": "const auth = { clientId: 'ID', authority: import.meta.env.VITE_AUTHORITY };",
    ],
  ])
  func anExampleIsNotTheApp(_ files: [String: String]) throws {
    let own = files.mapValues {
      $0.replacing("'ID'", with: "'\(Self.id)'").replacing(
        "AUTHORITY", with: "https://login.contoso.com/common"
      )
      .replacing("VITE_https://login.contoso.com/common", with: "VITE_AUTHORITY")
    }
    #expect(try Self.diagnosis(own).findings.filter { $0.severity == .fails } == [])
  }

  @Test(arguments: [(#""msal": "^1.3.1""#, 0), (#""@azure/msal-browser": "^2.0.0""#, 1)])
  func theFirstMSALForPagesIsNotChecked(_ dependency: String, _ count: Int) throws {
    let diagnosis = try Self.diagnosis([
      "package.json": #"{ "dependencies": { "@azure/msal-angular": "^1.0.0", \#(dependency) } }"#,
      "src/a.ts":
        "import { MsalAngularConfiguration } from '@azure/msal-angular';\nconst auth = { clientId: '\(Self.id)', authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in', validateAuthority: false };",
    ])
    #expect(diagnosis.web.count == count && diagnosis.findings.count == count)
    #expect(diagnosis.uses.map(\.library) == (count == 0 ? ["MSAL.js 1"] : []))
  }

  @Test func aSecretIsNotPublished() throws {
    let diagnosis = try Self.diagnosis([
      "src/auth.js": "const auth = { clientId: '\(Self.id)' };",
      ".env":
        "VITE_AZURE_CLIENT_SECRET=Zx8Q~abcdef\nAZURE_CLIENT_SECRET=other\nVITE_OTHER_CLIENT_SECRET=<secret>",
    ])
    #expect(diagnosis.findings.map(\.rule) == [.pageSecret] && diagnosis.findings.first?.place.line == 1)
    #expect(!"\(diagnosis.findings)".contains("Zx8Q"))
  }

  /// A server in the same project may have a secret.
  @Test func aServerMayHaveASecret() throws {
    let server =
      "import { ConfidentialClientApplication } from '@azure/msal-node';\nconst c = { auth: { clientId: '', clientSecret: 'Sv8~hidden' } };"
    #expect(try Self.diagnosis(["api/index.js": server]).findings == [])
  }

  @Test(arguments: [
    ("PersonalMicrosoftAccount", "common", "AADSTS9002346" as String?),
    ("PersonalMicrosoftAccount", "consumers", nil),
    ("AzureADMultipleOrgs", "consumers", "AADSTS9002332"),
    ("AzureADandPersonalMicrosoftAccount", "consumers", nil),
  ])
  func theAuthorityFitsTheAccountsOfTheRegistration(_ audience: String, _ tenant: String, _ code: String?)
    throws
  {
    let files = [
      "package.json": Self.package,
      "src/a.js":
        "const auth = { clientId: '\(Self.id)', authority: 'https://login.microsoftonline.com/\(tenant)' };",
      "r.json":
        #"{ "appId": "\#(Self.id)", "signInAudience": "\#(audience)", "spa": { "redirectUris": [] } }"#,
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0, $0 + "/r.json"]) }.findings
    #expect(findings.map(\.refusal?.code) == (code.map { [$0] } ?? []), "\(findings)")
  }

  @Test func aRegistrationOfAPageHasNoPlainHTTP() throws {
    let text =
      #"{ "appId": "\#(Self.id)", "spa": { "redirectUris": ["http://board.contoso.example/", "http://localhost:3000"] } }"#
    let findings = try withFolder(of: ["r.json": text]) { try Doctor.examine([$0 + "/r.json"]) }.findings
    #expect(findings.map(\.rule) == [.redirectURI])
  }

  // MARK: - Scopes

  /// A token is for one API, so a request for two fails when the code is redeemed.
  ///
  /// OpenID Connect's scopes belong to each API.
  @Test(arguments: [
    ("['openid', 'profile', 'User.Read', 'api://board/read']", 1),
    ("['https://graph.microsoft.com/User.Read', 'https://management.azure.com/user_impersonation']", 1),
    ("[scope, 'Mail.Read']", 1),
    ("['User.Read', 'https://graph.microsoft.com/Mail.Read', 'offline_access']", 0),
    ("['api://board/read', 'api://board/write', 'openid']", 0),
    ("['User.Read', window.scope]", 0), ("['User.Read', 'api://<client ID>/read']", 0),
    ("['read', 'api://board/write']", 0),
  ])
  func aRequestIsForOneAPI(_ scopes: String, _ count: Int) throws {
    let code = """
      const scope = 'api://board/read';
      export const config = { auth: { clientId: '\(Self.id)' } };
      export const request = { scopes: \(scopes) };
      """
    let findings = try Self.diagnosis(["src/auth.js": code]).findings
    #expect(findings.map(\.rule) == Array(repeating: .requestScopes, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.refusal?.code == "AADSTS28000" && $0.severity == .fails })
    #expect(findings.allSatisfy { $0.place.description.hasSuffix("src/auth.js:3") })
    // A B2C policy, and a provider other than Entra, may have scopes of any form, and B2C's have none of Graph.
    for authority in [
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in", "https://id.contoso.com/",
    ] {
      let other = code.replacing(
        "'\(Self.id)'",
        with:
          "'\(Self.id)', authority: '\(authority)', knownAuthorities: ['contoso.b2clogin.com', 'id.contoso.com']"
      )
      let isOfGraph = authority.contains("b2c") && scopes.contains(".Read'") && !scopes.contains("window")
      #expect(
        try Self.diagnosis(["src/auth.js": other]).findings.map(\.mistake)
          == (isOfGraph || authority.contains("b2c") && scopes.contains("graph")
            ? ["B2C has no permissions of Graph"] : []))
    }
  }

  /// `.default` stands for all registered permissions of its API.
  @Test(arguments: [
    ("['https://graph.microsoft.com/.default', 'User.Read']", 1),
    ("['https://graph.microsoft.com/.default', 'openid']", 0),
  ])
  func defaultStandsAlone(_ scopes: String, _ count: Int) throws {
    let code =
      "const config = { auth: { clientId: '\(Self.id)' } };\nconst request = { scopes: \(scopes) };"
    let findings = try Self.diagnosis(["src/auth.js": code]).findings
    #expect(findings.map(\.refusal?.code) == Array(repeating: "AADSTS70011", count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.fix == "scopes: [\"https://graph.microsoft.com/.default\"]" })
  }

  @Test func aRedirectURIHasNoWildcard() throws {
    let findings = try Self.findings(
      "clientId: '\(Self.id)', redirectUri: 'https://*.board.contoso.example/'")
    #expect(findings.map(\.mistake) == ["The redirect URI has a wildcard"], "\(findings)")
  }

  /// A server's client and a script without MSAL.js may have lists with any scopes.
  @Test func onlyRequestsOfMSALAreChecked() throws {
    #expect(
      try Self.diagnosis([
        "src/auth.js": "const config = { auth: { clientId: '\(Self.id)' } };",
        "src/docs.js": "const swagger = { author: 'auth:', scopes: ['User.Read', 'api://board/read'] };",
      ]).findings == [])
  }

  // MARK: - Values that are not filled in

  /// A tenant contains no space, and a malformed value beside a placeholder is a placeholder too.
  @Test(arguments: [
    "clientId: 'clientID_Lamp1', authority: 'https://login.microsoftonline.com/<tenant>'",
    "clientId: 'clientID_Lamp1'", "clientId: 'ID', authority: 'https://login.microsoftonline.com/tenent id'",
    "clientId: 'client id', authority: 'https://login.microsoftonline.com/tenent'",
    "clientId: 'k3y9x7', authority: 'https://login.microsoftonline.com/{tenant}'",
  ])
  func aValueBesideAPlaceholderIsNotFilledInYet(_ members: String) throws {
    let findings = try Self.findings(members.replacing("'ID'", with: "'\(Self.id)'"))
    #expect(!findings.isEmpty && findings.allSatisfy { $0.severity == .notFilledIn }, "\(findings)")
  }

  @Test(arguments: [
    "clientId: 'k3y9x7'", "clientId: 'ID', authority: 'https://login.microsoftonline.com/tenent'",
  ])
  func aValueOfNoFormIsAMistake(_ members: String) throws {
    let findings = try Self.findings(members.replacing("'ID'", with: "'\(Self.id)'"))
    #expect(findings.map(\.severity) == [.fails], "\(findings)")
  }
}
