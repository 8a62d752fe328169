import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// The forms in which scripts keep the values of MSAL.js away from its configuration.
@Suite struct PageShapeTests {
  private static let id = AndroidFixture.clientID
  private static let cut = String(AndroidFixture.clientID.dropLast(2))

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    let package = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#
    ]
    return try withFolder(of: package.merging(files) { $1 }) { try Doctor.examine([$0]) }.findings
  }

  /// A project may keep both versions; a module that configures the first one is not checked by the rules of the second.
  @Test(arguments: [("import * as msal from 'msal';", 0), ("import { x } from '@azure/msal-browser';", 1)])
  func aModuleOfTheFirstVersionIsNotChecked(_ line: String, _ count: Int) throws {
    let findings = try Self.findings([
      "src/auth.ts": """
      \(line)
      const config = { auth: { clientId: '\(Self.id)', validateAuthority: false,
        authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in' } };
      const app = new msal.UserAgentApplication(config);
      """
    ])
    #expect(findings.count == count, "\(findings)")
  }

  /// Each form with `ID` in it: a right value is not a finding, and a cut one is found at its place.
  @Test(arguments: [
    [
      "src/auth.ts":
        "enum Ids { Client = 'ID', Tenant = 'x' }\nexport const c = { auth: { clientId: Ids.Client } };"
    ],
    [
      "src/auth.ts": "import { Ids } from './ids';\nexport const c = { auth: { clientId: Ids.Client } };",
      "src/ids.ts": "export enum Ids {\n  Other = 1,\n  Client = 'ID',\n}",
    ],
    [
      "src/auth.ts":
        "const common = { clientId: 'ID' };\nexport const c = { auth: { redirectUri: '/', ...common } };"
    ],
    [
      "src/auth.ts":
        "const ids = Object.freeze({ client: 'ID' });\nexport const c = { auth: { clientId: ids.client } };"
    ],
    [
      "src/auth.ts":
        "function values() { return { clientId: 'ID' }; }\nexport const c = { auth: values() };"
    ],
    [
      "src/auth.ts":
        "import { clientId } from './ids';\nexport const c = { auth: { clientId: clientId() } };",
      "src/ids.ts": "export const clientId = (): string => 'ID';",
    ],
    [
      "src/auth.ts": "import { env } from '@env/values';\nexport const c = { auth: { clientId: env.id } };",
      "src/settings/values.ts": "export const env = { id: 'ID' };",
      "src/other/values.ts": "export const env = { id: '' };",
      "tsconfig.json": """
      {
        // Names of folders
        "compilerOptions": { "baseUrl": "./src", "paths": { "@env/*": ["settings/*"] } }
      }
      """,
    ],
  ])
  func aValueIsFollowed(_ files: [String: String]) throws {
    func filled(_ id: String) -> [String: String] { files.mapValues { $0.replacing("ID'", with: id + "'") } }
    let owner = files.first { $0.value.contains("ID'") }?.key ?? ""
    #expect(try Self.findings(filled(Self.id)) == [])
    let findings = try Self.findings(filled(Self.cut))
    #expect(findings.map(\.rule) == [.clientID] && findings.map(\.severity) == [.fails], "\(findings)")
    #expect(findings.allSatisfy { $0.place.path.hasSuffix(owner) })
  }

  /// What a function decides, or gets as an argument, is not known, and neither is a condition in an object.
  @Test(arguments: [
    "function values(kind) { return { clientId: 'ID' }; }\nexport const c = { auth: values('a') };",
    "function values() { if (test) return { clientId: 'ID' }; return other; }\nexport const c = { auth: values() };",
    "const common = { clientId: 'ID' };\nexport const c = { auth: { authority: a, knownAuthorities: k, ...(test ? common : {}) } };",
  ])
  func aDecisionIsNotFollowed(_ text: String) throws {
    #expect(try Self.findings(["src/auth.ts": text.replacing("ID'", with: Self.cut + "'")]) == [])
  }

  /// Tools for builds replace what is between their signs.
  @Test(arguments: ["__domain__", "#{Domain}#", "@@domain@@", "%DOMAIN%", "https://__host__/__tenant__"])
  func aTokenOfABuildIsNotFilledIn(_ authority: String) throws {
    let text = "export const c = { auth: { clientId: '\(Self.id)', authority: '\(authority)' } };"
    #expect(try Self.findings(["src/auth.ts": text]).map(\.severity) == [.notFilledIn])
  }

  /// What precedes the tenant is known.
  @Test func aSchemeIsMissingBeforeAnUnknownTenant() throws {
    let text = """
      const tenant = read('tenant');
      export const c = { auth: { clientId: '\(Self.id)', authority: `login.microsoftonline.com/${tenant}` } };
      """
    let findings = try Self.findings(["src/auth.ts": text])
    #expect(findings.map(\.mistake) == ["The authority is not an https URL"], "\(findings)")
  }

  /// A server beside the pages may have a secret.
  @Test(arguments: [
    ("const { config } = require('../src/auth');", 0), ("import { config } from '../src/auth';", 0),
    ("import { other } from '../src/auth2';", 1),
  ])
  func theConfigurationOfAServerIsNotThePages(_ line: String, _ count: Int) throws {
    let findings = try Self.findings([
      "api/server.js": "\(line)\nimport { ConfidentialClientApplication } from '@azure/msal-node';",
      "src/auth.ts": "export const config = { auth: { clientId: '\(Self.id)', clientSecret: 'k8Q~x' } };",
    ])
    #expect(findings.map(\.rule) == Array(repeating: .pageSecret, count: count), "\(findings)")
  }
}
