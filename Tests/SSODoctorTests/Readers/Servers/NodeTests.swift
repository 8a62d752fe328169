import DoctorTestSupport
import Testing

@testable import SSODoctor

/// The values and the calls of MSAL Node.
@Suite struct NodeTests {
  private static let clientID = AndroidFixture.clientID

  /// Returns a web server whose configuration is a JSON document.
  private static func server(_ old: String = "", _ new: String = "") -> [String: String] {
    [
      "package.json": #"{ "name": "lamp", "dependencies": { "@azure/msal-node": "2" } }"#,
      "config/lamp.json": """
      {
        "app": {
          "clientId": "\(clientID)",
          "authority": "https://login.microsoftonline.com/contoso.onmicrosoft.com/"
        },
        "request": {
          "redirectUri": "http://localhost:3000/back",
          "scopes": ["User.Read", "Mail.Read"]
        }
      }
      """.replacing(old, with: new),
      "routes/in.js": """
      const msal = require("@azure/msal-node");
      const lamp = require("../config/lamp.json");
      const config = {
        auth: { clientId: lamp.app.clientId, authority: lamp.app.authority, clientSecret: process.env.SECRET }
      };
      const app = new msal.ConfidentialClientApplication(config);
      router.get("/in", (req, res) => {
        const request = { scopes: lamp.request.scopes, redirectUri: lamp.request.redirectUri };
        app.getAuthCodeUrl(request).then((url) => res.redirect(url));
      });
      """,
    ]
  }

  @Test(arguments: [
    ("", "", nil, nil),
    ("https://login", "http://login", 4, "The authority is not an https URL"),
    (clientID, "8a2c1d4e-6f3b", 3, "The client ID is not a GUID"),
    ("http://localhost:3000", "http://lamp.contoso.com", 7, "The redirect URI is not https"),
    ("Mail.Read", "api://lamp/read", 8, "The scopes are of several APIs"),
  ])
  func aJSONDocumentHasTheValues(_ old: String, _ new: String, _ line: Int?, _ mistake: String?) throws {
    let findings = try withFolder(of: Self.server(old, new)) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.mistake) == [mistake].compactMap(\.self), "\(findings)")
    #expect(findings.map(\.place.line) == [line].compactMap(\.self))
    #expect(findings.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix("config/lamp.json") })
  }

  /// Only the registration says of which kind a redirect URI is.
  @Test(arguments: [
    ("web", "back", [DoctorRule]()), ("spa", "back", [.spaRedirect]), ("web", "in", [.redirectRegistered]),
  ])
  func theRegistrationIsThatOfAServer(_ kind: String, _ path: String, _ rules: [DoctorRule]) throws {
    var files = Self.server()
    files["registration.json"] = """
      { "appId": "\(Self.clientID)", "\(kind)": { "redirectUris": ["http://localhost:3000/\(path)"] } }
      """
    let findings = try withFolder(of: files) { try Doctor.examine([$0, $0 + "/registration.json"]) }.findings
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }

  private static func daemon(_ authority: String, _ scope: String) -> [String: String] {
    [
      "package.json": #"{ "name": "lamp", "dependencies": { "@azure/msal-node": "2" } }"#,
      "lamp.js": """
      const { ConfidentialClientApplication } = require("@azure/msal-node");
      const lamp = new ConfidentialClientApplication({
        auth: { clientId: process.env.ID, authority: \(authority), clientSecret: process.env.SECRET },
      });
      const request = { scopes: ["\(scope)"] };
      lamp.acquireTokenByClientCredential(request).then(run);
      """,
    ]
  }

  @Test(arguments: [
    ("'https://login.microsoftonline.com/contoso.com'", "https://graph.microsoft.com/.default", nil),
    ("process.env.AUTHORITY", "api://lamp/.Default", nil),
    (
      "process.env.AUTHORITY", "https://graph.microsoft.com/User.Read.All",
      "A request without a user names a permission"
    ),
    (
      "'https://login.microsoftonline.com/common'", "https://graph.microsoft.com/.default",
      "A request without a user names no tenant"
    ),
    (
      "'https://login.microsoftonlin.com/<tenant>'", "api://lamp/.default", "The authority's host is misspelt"
    ),
    ("'https://login.microsoftonline.com/<tenant>'", "api://lamp/.default", nil),
  ])
  func aProgramWithoutAUserNamesItsTenant(_ authority: String, _ scope: String, _ mistake: String?) throws {
    let findings = try withFolder(of: Self.daemon(authority, scope)) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.mistake) == [mistake].compactMap(\.self), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails })
  }

  /// A program for users may have the authority, and another one the request.
  @Test func anAuthorityOfAnotherModuleMayBeAnotherPrograms() throws {
    var files = Self.daemon("process.env.AUTHORITY", "api://lamp/.default")
    files["users.js"] = """
      const { PublicClientApplication } = require("@azure/msal-node");
      const lamp = new PublicClientApplication({
        auth: { clientId: process.env.ID, authority: "https://login.microsoftonline.com/common" },
      });
      """
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.severity) == [.worksInSomeCases], "\(findings)")
  }

  /// A function of another module makes the call, and gets the scopes as its argument.
  @Test(arguments: [("", 1), ("lamp.acquireTokenByCode(code);", 0)])
  func aConstantMayHaveTheScopes(_ other: String, _ count: Int) throws {
    var files = Self.daemon("process.env.AUTHORITY", "api://lamp/read")
    files["lamp.js"] = files["lamp.js"]?.replacing(
      "lamp.acquireTokenByClientCredential(request).then(run);", with: "run(lamp, request.scopes);\n\(other)")
    files["run.js"] =
      "module.exports = (lamp, scopes) => lamp.acquireTokenByClientCredential({ scopes: scopes });"
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(
      findings.map(\.mistake)
        == Array(repeating: "A request without a user names a permission", count: count), "\(findings)")
  }

  /// The host and the tenant come from the environment file, and nothing is between them.
  @Test(arguments: [("https://login.microsoftonline.com", 1), ("https://login.microsoftonline.com/", 0)])
  func theEnvironmentFileHasTheParts(_ host: String, _ count: Int) throws {
    var files = Self.daemon("process.env.CLOUD + process.env.TENANT", "api://lamp/.default")
    files[".env"] = "CLOUD=\(host)\nTENANT=contoso.onmicrosoft.com\n"
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(
      findings.map(\.mistake) == Array(repeating: "No slash is before the authority's tenant", count: count))
    #expect(
      findings.allSatisfy { $0.fix == "\"https://login.microsoftonline.com/contoso.onmicrosoft.com\"" })
  }

  /// A server may have no package of its own beside one that has.
  @Test(arguments: [("microsoftonline", 0), ("microsoftonlin", 1)])
  func aFolderWithoutAPackageIsRead(_ host: String, _ count: Int) throws {
    let own = Self.daemon("'https://login.\(host).com/contoso.com'", "api://lamp/.default")
    let files = [
      "page/package.json": #"{ "name": "page", "dependencies": { "@azure/msal-node": "2" } }"#,
      "lamp/routes/lamp.js": own["lamp.js"] ?? "",
    ]
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == Array(repeating: .authority, count: count), "\(findings)")
  }

  // MARK: - Azure Identity

  @Test(arguments: [
    ("ClientSecretCredential", "https://graph.microsoft.com/.default", 0),
    ("ClientSecretCredential", "https://graph.microsoft.com/User.Read", 1),
    ("InteractiveBrowserCredential", "https://graph.microsoft.com/User.Read", 0),
  ])
  func aCredentialOfAProgramAsksForDefault(_ credential: String, _ scope: String, _ count: Int) throws {
    for use in [
      "new TokenCredentialAuthenticationProvider(lamp, { scopes: ['\(scope)'] });",
      "lamp.getToken('\(scope)');",
      "lamp.getToken(['\(scope)']);",
    ] {
      let findings = try withFolder(of: [
        "package.json": #"{ "name": "lamp", "dependencies": { "@azure/identity": "4" } }"#,
        "lamp.ts": """
        import { \(credential) } from '@azure/identity';
        const lamp = new \(credential)(process.env.TENANT!, process.env.ID!, process.env.SECRET!);
        \(use)
        """,
      ]) { try Doctor.examine([$0]) }.findings
      #expect(
        findings.map(\.title)
          == Array(repeating: "A request without a user names a permission", count: count), "\(findings)")
    }
  }
}
