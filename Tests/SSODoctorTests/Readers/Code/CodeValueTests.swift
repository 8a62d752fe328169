import DoctorTestSupport
import Foundation
import SSODevice
import Testing

@testable import SSODoctor

/// Values that code puts together, or reads from another file, are read like literals.
@Suite struct CodeValueTests {
  private static func facts(_ change: (inout XcodeFixture) -> Void) throws -> AppleFacts {
    var fixture = XcodeFixture()
    change(&fixture)
    return try #require(try fixture.diagnosis().apple.first { $0.name == "Mail" })
  }

  // MARK: Functions

  /// A property without a setter is the value that it returns.
  @Test(arguments: [
    "static var address: URL { URL(string: \"https://login.microsoftonline.com/\\(tenant)\")! }",
    "static var address: URL {\n    return URL(string: \"https://login.microsoftonline.com/\\(tenant)\")!\n  }",
    "static var address: String { \"https://login.microsoftonline.com/\" + tenant }",
  ])
  func aComputedPropertyIsItsValue(_ property: String) throws {
    let facts = try Self.facts { fixture in
      fixture.replace(
        "static let authority = \"https://login.microsoftonline.com/common\"",
        with: "static let tenant = \"wingtip.example\"\n  \(property)", in: "Mail/SignIn.swift")
      fixture.replace(
        "guard let url = URL(string: Constants.authority)", with: "guard let url = made(Constants.address)",
        in: "Mail/SignIn.swift")
      fixture.replace(
        "MSALAADAuthority(url: url)", with: "MSALAADAuthority(url: Constants.address)",
        in: "Mail/SignIn.swift")
    }
    #expect(facts.source?.authority.found?.value == "https://login.microsoftonline.com/wingtip.example")
  }

  /// The policy of an address may be a parameter of the function that makes the authority.
  @Test(arguments: [
    "String(format: Constants.endpoint, Constants.host, policy)",
    "\"https://\\(Constants.host)/tfp/wingtip.onmicrosoft.com/\\(policy)\"",
  ])
  func aParameterIsTheValueThatACallPasses(_ address: String) throws {
    let facts = try Self.facts { fixture in
      fixture.files["Mail/SignIn.swift"] = """
        import MSAL
        enum Constants {
          static let clientID = "\(XcodeFixture.clientID)"
          static let host = "wingtip.b2clogin.com"
          static let endpoint = "https://%@/tfp/wingtip.onmicrosoft.com/%@"
          static let signIn = "B2C_1_signin"
          static let edit = "B2C_1_edit"
        }
        func makeApplication() throws -> MSALPublicClientApplication {
          let first = try makeAuthority(for: Constants.signIn)
          let second = try makeAuthority(for: Constants.edit)
          let config = MSALPublicClientApplicationConfig(
            clientId: Constants.clientID, redirectUri: nil, authority: first)
          config.knownAuthorities = [first, second]
          return try MSALPublicClientApplication(configuration: config)
        }
        func makeAuthority(for policy: String) throws -> MSALB2CAuthority {
          guard let url = URL(string: \(address)) else { throw Problem.url }
          return try MSALB2CAuthority(url: url)
        }
        """
    }
    #expect(
      facts.source?.authority.found?.value
        == "https://wingtip.b2clogin.com/tfp/wingtip.onmicrosoft.com/B2C_1_signin")
  }

  // MARK: Tenants

  /// Entra knows a tenant by its ID or a domain; discovery answers with AADSTS90002 (docs/behaviour/provider.md).
  @Test(
    arguments: [
      ("contoso", "AADSTS90002"), ("contoso.onmicrosoft", "AADSTS90002"), ("contoso.com", nil),
      ("organizations", nil), ("c0ffee00-1234-4abc-8def-001122334455", nil),
    ] as [(String, String?)])
  func aTenantIsAnIDOrADomain(_ tenant: String, _ code: String?) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "microsoftonline.com/common", with: "microsoftonline.com/\(tenant)", in: "Mail/SignIn.swift")
    let apple = try fixture.diagnosis().findings.filter { $0.rule == .authority }
    #expect(apple.compactMap(\.refusal?.code) == [code].compactMap(\.self), "\(apple)")
    var android = AndroidFixture()
    android.replace(
      "\"AzureADMultipleOrgs\"", with: "\"AzureADMyOrg\", \"tenant_id\": \"\(tenant)\"",
      in: AndroidFixture.configuration)
    let found = try android.diagnosis().findings.filter { $0.rule == .authority }
    #expect(found.compactMap(\.refusal?.code) == [code].compactMap(\.self), "\(found)")
  }

  // MARK: Headers

  private static let header = "#import <MSAL/MSAL.h>\n@interface Account : NSObject\n@end\n"

  /// A list of sources has no headers, so that a header with the only import is found through the files that import it.
  @Test(arguments: [
    ("Account.h", "#import \"Account.h\"", true), ("Account.h", "#import \"Shared/Account.h\"", true),
    ("Account.h", "#import \"Other.h\"", false), ("Account.h", "// nothing", false),
  ])
  func anImportInAHeaderIsAnImport(_ name: String, _ line: String, _ isFound: Bool) throws {
    var fixture = XcodeFixture()
    let code = try #require(fixture.files["Calendar/SignIn.m"])
    fixture.files["Calendar/SignIn.m"] = code.replacing("#import <MSAL/MSAL.h>", with: line)
    fixture.files["Calendar/SceneDelegate.swift"] = "import UIKit\n"
    fixture.files["Calendar/Shared/" + name] = Self.header
    #expect(try fixture.diagnosis().apple.contains { $0.name == "Calendar" } == isFound)
  }

  @Test func aHeaderMayImportTheHeader() throws {
    var fixture = XcodeFixture()
    let code = try #require(fixture.files["Calendar/SignIn.m"])
    fixture.files["Calendar/SignIn.m"] = code.replacing("#import <MSAL/MSAL.h>", with: "#import \"All.h\"")
    fixture.files["Calendar/SceneDelegate.swift"] = "import UIKit\n"
    fixture.files["Calendar/All.h"] = "#import \"Account.h\"\n"
    fixture.files["Calendar/Account.h"] = Self.header
    let facts = try #require(try fixture.diagnosis().apple.first { $0.name == "Calendar" })
    #expect(facts.clientID?.value == XcodeFixture.clientID)
    #expect(facts.source?.sdk?.place.path.hasSuffix("Account.h") == true)
  }

  // MARK: Property lists

  private static let list = """
    <plist version="1.0">
    <dict>
      <key>Identity</key>
      <dict>
        <key>ClientID</key>
        <string>\(XcodeFixture.clientID)</string>
      </dict>
    </dict>
    </plist>
    """

  /// The ways in which code reads a list of the app.
  @Test(arguments: [
    ("let kClientID = settings[\"ClientID\"] as? String", true),
    ("let kClientID = settings?.object(forKey: \"ClientID\") as? String ?? \"\"", true),
    ("let kClientID = settings[\"Client\"] as? String", false),
    ("let kClientID = UserDefaults.standard.object(forKey: \"ClientID\")", false),
    ("let kClientID = ProcessInfo.processInfo.environment[\"ClientID\"]", false),
  ])
  func aValueOfAPropertyListIsRead(_ line: String, _ isRead: Bool) throws {
    let facts = try Self.facts { fixture in
      fixture.files["Mail/Settings.plist"] = Self.list
      let code = fixture.files["Mail/SignIn.swift"] ?? ""
      fixture.files["Mail/SignIn.swift"] =
        "let file = Bundle.main.path(forResource: \"Settings\", ofType: \"plist\")!\n"
        + "let settings = NSDictionary(contentsOfFile: file)!\n\(line)\n"
        + code.replacing("\"\(XcodeFixture.clientID)\"", with: "kClientID")
        .replacing("let kClientID = kClientID", with: "")
    }
    #expect(
      (facts.clientID?.place.path.hasSuffix("Settings.plist") == true) == isRead, "\(facts.clientID as Any)")
    #expect(!isRead || facts.clientID?.place.line == 6)
  }

  /// The raw value of a coding key is the key of a list, and not a client ID; Google's list has Google's.
  @Test(arguments: [("Settings", true), ("GoogleService-Info", false)])
  func aCodingKeyIsNotAClientID(_ name: String, _ isRead: Bool) throws {
    let facts = try Self.facts { fixture in
      fixture.files["Mail/\(name).plist"] = Self.list.replacing("<key>ClientID", with: "<key>CLIENT_ID")
      fixture.files["Mail/SignIn.swift"] = """
        import MSAL
        struct Settings: Decodable {
          let clientID: String
          enum CodingKeys: String, CodingKey { case clientID = "CLIENT_ID" }
        }
        let file = Bundle.main.url(forResource: "\(name)", withExtension: "plist")!
        let settings = try! PropertyListDecoder().decode(Settings.self, from: Data(contentsOf: file))
        let config = MSALPublicClientApplicationConfig(clientId: settings.clientID)
        let app = try! MSALPublicClientApplication(configuration: config)
        """
    }
    #expect(facts.clientID?.value == (isRead ? XcodeFixture.clientID : nil))
  }

  // MARK: Texts

  /// The address of an authority is a format, a concatenation, or an interpolation of names.
  @Test(arguments: [
    "String(format: \"https://%@/%@\", kHost, kTenant)", "String(format: kFormat, kHost, kTenant)",
    "\"https://\" + kHost + \"/\" + kTenant", "\"https://\\(kHost)/\\(Values.kTenant)\"",
    "Values.kAuthority.rawValue",
  ])
  func anAuthorityMayBePutTogether(_ expression: String) throws {
    let facts = try Self.facts { fixture in
      fixture.replace(
        "\"https://login.microsoftonline.com/common\"", with: expression, in: "Mail/SignIn.swift")
      fixture.files["Mail/SignIn.swift"]?.append(
        """

        let kHost = "login.microsoft0nline.com"
        let kTenant = "organizations"
        let kFormat = "https://%@/%@"
        enum Values: String { case kAuthority = "https://login.microsoft0nline.com/organizations" }
        """)
    }
    #expect(
      facts.source?.authority.found?.value == "https://login.microsoft0nline.com/organizations",
      "\(facts.source?.authority as Any)")
  }

  /// Without a project, the bundle ID in a redirect URI is not visible; it is not a value that was forgotten.
  @Test func aBundleIDThatIsNotVisibleIsNotAPlaceholder() throws {
    let code = """
      import MSAL
      let bundleID = Bundle.main.bundleIdentifier
      let config = MSALPublicClientApplicationConfig(
        clientId: "\(XcodeFixture.clientID)", redirectUri: "msauth." + bundleID! + "://auth", authority: nil)
      let app = try MSALPublicClientApplication(configuration: config)
      """
    let diagnosis = try withFolder(of: ["SignIn.swift": code]) { try Doctor.examine([$0]) }
    #expect(diagnosis.apple.first?.source?.redirectURI.found?.value.contains("://auth") == true)
    #expect(!diagnosis.findings.contains { $0.severity == .notFilledIn })
  }

  @Test(arguments: [
    "String(format: \"https://%@/%d\", kHost, 1)", "String(format: \"https://%@\", a(), b)", "\"a\" + b()",
  ])
  func aTextThatIsComputedIsUnknown(_ expression: String) throws {
    let facts = try Self.facts {
      $0.replace(
        "\"https://login.microsoftonline.com/common\"", with: expression, in: "Mail/SignIn.swift")
    }
    #expect(facts.source?.authority.found == nil && facts.source?.authority != .absent)
  }

  /// Texts that lead to each other many times end.
  @Test func textsOfEachOtherEnd() throws {
    let line = { (name: String, other: String) in
      "let \(name) = \"" + String(repeating: "\\(\(other))", count: 200) + "\"\n"
    }
    let facts = try Self.facts { fixture in
      fixture.replace(
        "\"https://login.microsoftonline.com/common\"", with: "\"\\(k0)\"", in: "Mail/SignIn.swift")
      fixture.files["Mail/SignIn.swift"]? += (0..<12).map { line("k\($0)", "k\($0 + 1)") }.joined()
    }
    #expect(facts.source?.authority.found == nil)
  }

  // MARK: Scripts

  private static func page(_ script: String, _ others: [String: String] = [:]) throws
    -> WebFacts.Configuration
  {
    let files = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0" } }"#,
      "src/auth.ts": "import { PublicClientApplication } from '@azure/msal-browser';\n" + script,
    ].merging(others) { $1 }
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    return try #require(diagnosis.web.first?.configuration)
  }

  private static let id = AndroidFixture.clientID

  /// The places in which scripts have the object `auth`, and the values of its members.
  @Test(arguments: [
    "const auth: Configuration['auth'] = { clientId: '\(id)' };",
    "const config: Readonly<Configuration> = { auth: { clientId: '\(id)' } };",
    "const config = { auth: { clientId: '\(id)' } } satisfies Configuration;",
    "const config: Configuration = {} as any; config.auth = { clientId: '\(id)' };",
    "class Service { private readonly id: string = '\(id)'; app = new PublicClientApplication({ auth: { clientId: this.id } }); }",
    "class Values { static readonly id: string = '\(id)'; }\nexport function factory(): IPublicClientApplication { return new PublicClientApplication({ auth: { clientId: Values.id } }); }",
    "const values: Record<string, string> = { id: '\(id)' };\nconst { id: own } = values;\nnew PublicClientApplication({ auth: { clientId: own } });",
    "const dev = { id: 'x' }, prod = { id: '\(id)' };\nnew PublicClientApplication({ auth: { clientId: import.meta.env.DEV ? dev.id : prod.id } });",
    "const id = !import.meta.env.PROD ? 'x' : '\(id)';\nnew PublicClientApplication({ auth: { clientId: id } });",
    "const id = process.env.NODE_ENV === 'production' ? '\(id)' : 'x';\nnew PublicClientApplication({ auth: { clientId: id } });",
  ])
  func aValueOfAScriptIsRead(_ script: String) throws {
    #expect(try Self.page(script).clientID.found?.value == Self.id)
  }

  /// A branch that is not that of a build stays unknown.
  @Test func anotherBranchIsUnknown() throws {
    let found = try Self.page(
      "new PublicClientApplication({ auth: { clientId: isInternal ? 'a' : '\(Self.id)' } });")
    #expect(found.clientID.found == nil && found.clientID != .absent)
  }

  @Test(arguments: [
    "const env = import.meta.env;\nnew PublicClientApplication({ auth: { clientId: env.VITE_ID } });",
    "const { VITE_ID } = import.meta.env;\nnew PublicClientApplication({ auth: { clientId: VITE_ID } });",
    "new PublicClientApplication({ auth: { clientId: (import.meta as any).env.VITE_ID } });",
    "import { env } from './env';\nnew PublicClientApplication({ auth: { clientId: env.VITE_ID } });",
  ])
  func aVariableMayBeAMemberOfAnObject(_ script: String) throws {
    let files = [".env": "VITE_ID=\(Self.id)\n", "src/env.ts": "export const env = import.meta.env;\n"]
    let found = try Self.page(script, files).clientID.found
    #expect(found?.value == Self.id && found?.place.path.hasSuffix(".env") == true)
  }

  /// A file may name the variable without the prefix, or misspell it; the environment of a build may have the other.
  @Test(arguments: [
    ("CLIENT_ID", true), ("VITE_CLIENTID", true), ("VITE_CLIEN_ID", true), ("VITE_TENANT_ID", false),
    ("VITE_CLIENT_ID", false),
  ])
  func aVariableOfAFileMayHaveAnotherName(_ name: String, _ isFound: Bool) throws {
    let files = [
      "package.json":
        #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0", "vite": "^5.0.0" } }"#,
      "src/auth.ts": """
      import { PublicClientApplication } from "@azure/msal-browser";
      export const app = new PublicClientApplication({ auth: { clientId: import.meta.env.VITE_CLIENT_ID } });
      """,
      ".env": "\(name)=\(Self.id)\n",
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == (isFound ? [.clientID] : []), "\(findings)")
    #expect(!isFound || findings.first?.place.path.hasSuffix(".env") == true)
    #expect(!isFound || findings.first?.isQuestion == true)
  }

  /// The list of a request may have a name, and the finding is at the list.
  @Test(arguments: ["scopes: graphScopes", "scopes"])
  func aListOfScopesMayHaveAName(_ member: String) throws {
    let name = member == "scopes" ? "scopes" : "graphScopes"
    let files = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0" } }"#,
      "src/auth.ts": """
      import { PublicClientApplication } from "@azure/msal-browser";
      import { \(name) } from "./scopes";
      export const app = new PublicClientApplication({ auth: { clientId: "\(Self.id)" } });
      await app.initialize();
      export const ask = () => app.acquireTokenSilent({ \(member) });
      export const again = () => app.acquireTokenPopup({ \(member) });
      """,
      "src/scopes.ts":
        "export const \(name): string[] = [\"User.Read\", \"https://graph.microsoft.com/.default\"];\n",
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == [.requestScopes], "\(findings)")
    #expect(findings.first?.place.path.hasSuffix("src/scopes.ts") == true)
  }

  /// With an unknown authority, Microsoft's own APIs show that the provider is Entra.
  @Test(arguments: [
    ("'https://graph.microsoft.com/User.Read', 'https://management.azure.com/.default'", 1),
    ("'api://orders/read', 'api://stock/read'", 0),
  ])
  func theAPIShowsTheProvider(_ scopes: String, _ count: Int) throws {
    let files = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0" } }"#,
      "src/auth.ts": """
      import { PublicClientApplication } from "@azure/msal-browser";
      export const app = new PublicClientApplication({ auth: { clientId: id(), authority: authority() } });
      await app.initialize();
      export const ask = () => app.acquireTokenSilent({ scopes: [\(scopes)] });
      """,
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == Array(repeating: .requestScopes, count: count), "\(findings)")
  }

  /// The metadata of Entra's own host do not make it another provider.
  @Test(arguments: [("https://board.ciamlogin.com/", 1), ("https://login.board.example/", 0)])
  func aClientIDBesideMetadataIsEntras(_ authority: String, _ count: Int) throws {
    let files = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0" } }"#,
      "src/auth.ts":
        "import '@azure/msal-browser';\nexport const config = { auth: { clientId: 'b44e2084-7a89', authority: '\(authority)', authorityMetadata: '{}' } };",
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == Array(repeating: .clientID, count: count), "\(findings)")
  }

  /// Vitest's environment is not a plugin that puts variables into the page.
  @Test(arguments: [("test: { environment: 'jsdom' }", 1), ("plugins: [EnvironmentPlugin('all')]", 0)])
  func theEnvironmentOfTestsIsNotThePages(_ setting: String, _ count: Int) throws {
    let files = [
      "package.json":
        #"{ "dependencies": { "@azure/msal-browser": "^3.0.0" }, "devDependencies": { "vite": "^5.0.0" } }"#,
      "vite.config.ts": "export default defineConfig({ \(setting) });\n",
      "src/auth.ts":
        "import '@azure/msal-browser';\nexport const config = { auth: { clientId: import.meta.env.CLIENT_ID } };",
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == Array(repeating: .clientID, count: count), "\(findings)")
  }

  // MARK: Wrappers

  /// A package of React Native that only a comment imports is not set up, so its folder for iOS has no errors.
  @Test(arguments: [
    ("import PublicClientApplication from 'react-native-msal';", true),
    ("// import PublicClientApplication from 'react-native-msal';", false),
    ("/* const msal = require('react-native-msal'); */", false),
  ])
  func aPackageInACommentIsNotUsed(_ line: String, _ isUsed: Bool) throws {
    var files: [String: String] = [:]
    for (path, text) in XcodeFixture().files {
      let isCode = [".swift", ".m"].contains(where: path.hasSuffix)
      let isList = path.hasSuffix(".plist") || path.hasSuffix(".entitlements")
      files["ios/" + path] =
        isCode ? "import UIKit\n" : isList ? "<plist version=\"1.0\"><dict></dict></plist>" : text
    }
    files["package.json"] = #"{ "dependencies": { "react-native": "0.74.0", "react-native-msal": "4.0.4" } }"#
    files["src/App.js"] = line + "\nexport default () => null;\n"
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.contains { $0.severity == .fails } == isUsed, "\(findings)")
  }
}
