import DoctorTestSupport
import Testing

@testable import SSODoctor

/// The settings of programs on a server: ASP.NET, Python, and Node.
@Suite struct ServerTests {
  private static let clientID = AndroidFixture.clientID

  private static func mistakes(_ files: [String: String]) throws -> [String] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings.filter { $0.severity == .fails }
      .map(\.mistake)
  }

  // MARK: - ASP.NET

  private static func web(_ old: String = "", _ new: String = "") -> [String: String] {
    let settings = """
      {
        "AzureAd": {
          "Instance": "https://login.microsoftonline.com/",
          "TenantId": "72f988bf-86f1-41af-91ab-2d7cd011db47",
          "ClientId": "\(clientID)",
          "CallbackPath": "/signin-oidc" // the path of the middleware
        },
        "Lamp": { "ClientId": "bulb" }
      }
      """
    return [
      "Lamp/Lamp.csproj":
        #"<Project><PackageReference Include="Microsoft.Identity.Web" Version="3.0.0" /></Project>"#,
      "Lamp/appsettings.json": settings.replacing(old, with: new),
    ]
  }

  @Test(arguments: [
    ("", "", [String]()),
    ("microsoftonline.com", "microsoftonlin.com", ["The authority's host is misspelt"]),
    ("https://login", "http://login", ["The authority is not an https URL"]),
    (".com/\"", ".com/common/v2.0\"", ["Instance has more than the host"]),
    ("72f988bf-86f1-41af-91ab-2d7cd011db47", "https://lamp.example", ["TenantId is not a tenant"]),
    ("72f988bf-86f1-41af-91ab-2d7cd011db47", "lamp.onmicrosoft.com", []),
    (clientID, "1a2b3c4d-0000", ["The client ID is not a GUID"]),
    ("\"/signin", "\"signin", ["CallbackPath does not begin with a slash"]),
    ("\"/signin", "\"https://lamp.example/signin", ["CallbackPath does not begin with a slash"]),
    ("\"ClientId\": \"\(clientID)\"", "\"ClentId\": \"\(clientID)\"", ["ClientId is misspelt"]),
    ("\"ClientId\": \"\(clientID)\"", "\"clientID\": \"\(clientID)\"", []),
    ("https://login.microsoftonline.com/", "https://lamp.b2clogin.com", ["The settings lack B2C's policy"]),
  ])
  func theSettingsFit(_ old: String, _ new: String, _ mistakes: [String]) throws {
    #expect(try Self.mistakes(Self.web(old, new)) == mistakes)
  }

  /// Sections have the same keys, and each has its own place.
  @Test func aSectionHasItsOwnLines() throws {
    var files = Self.web()
    files["Lamp/appsettings.json"] = """
      {
        "AzureAd": {
          "Instance": "https://login.microsoftonline.com/",
          "ClientId": "\(Self.clientID)"
        },
        "Other": {
          "Instance": "https://login.microsoftonlin.com/",
          "ClientId": "1a2b3c4d-0000"
        }
      }
      """
    let found = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(Set(found.map(\.place.line)) == [7, 8], "\(found)")
  }

  /// The settings of a program without the library are its own.
  @Test func otherSettingsAreNotRead() throws {
    var files = Self.web("microsoftonline.com", "microsoftonlin.com")
    files["Lamp/Lamp.csproj"] = "<Project></Project>"
    #expect(try Self.mistakes(files) == [])
  }

  // MARK: - Python

  private static func python(_ old: String = "", _ new: String = "") -> [String: String] {
    let settings = """
      # AUTHORITY = "http://lamp.example"
      AUTHORITY = "https://login.microsoftonline.com/lamp.onmicrosoft.com"  # the tenant
      CLIENT_ID = "\(clientID)"
      SCOPE = ["User.Read"]
      """
    return [
      "config.py": settings.replacing(old, with: new),
      "app.py": """
      import msal
      import config
      app = msal.ConfidentialClientApplication(config.CLIENT_ID, authority=config.AUTHORITY)
      flow = app.initiate_auth_code_flow(config.SCOPE, redirect_uri=uri)
      """,
    ]
  }

  @Test(arguments: [
    ("", "", [String]()),
    ("/lamp.onmicrosoft.com", "", ["The authority has no tenant"]),
    ("lamp.onmicrosoft.com", "common/oauth2/v2.0/token", ["The authority is the address of an endpoint"]),
    ("= \"https://", "= \"http://", ["The authority is not an https URL"]),
    (
      "= \"https://login.microsoftonline.com/lamp.onmicrosoft.com\"",
      "= f\"https://login.microsoftonline.com/{TENANT}\"", []
    ),
    (
      "= \"https://login.microsoftonline.com/lamp.onmicrosoft.com\"",
      "= f\"https://login.microsoftonlne.com/{TENANT}\"", ["The authority's host is misspelt"]
    ),
    ("= \"https://login.microsoftonline.com/lamp.onmicrosoft.com\"", "= os.environ[\"AUTHORITY\"]", []),
    (clientID, "1a2b3c4d-0000", ["The client ID is not a GUID"]),
    ("[\"User.Read\"]", "[\"User.Read\", \"offline_access\"]", ["A scope is reserved"]),
    ("[\"User.Read\"]", "\"User.Read\"", ["The scopes are not a list"]),
  ])
  func theConstantsFit(_ old: String, _ new: String, _ mistakes: [String]) throws {
    #expect(try Self.mistakes(Self.python(old, new)) == mistakes)
  }

  /// MSAL Python's samples load their values from a JSON document.
  @Test(arguments: [
    ("", "", [String]()),
    ("https://login.microsoftonline.com", "login.microsoftonline.com", ["The authority is not an https URL"]),
    (clientID, "1a2b3c4d-0000", ["The client ID is not a GUID"]),
    (".default", "User.Read.All", ["A request without a user names a permission"]),
  ])
  func aJSONDocumentHasPythonsValues(_ old: String, _ new: String, _ mistakes: [String]) throws {
    let parameters = """
      {
        "authority": "https://login.microsoftonline.com/contoso.com",
        "client_id": "\(Self.clientID)",
        "scope": ["https://graph.microsoft.com/.default"]
      }
      """
    let files = [
      "parameters.json": parameters.replacing(old, with: new),
      "lamp.py": """
      import json, sys, msal
      config = json.load(open(sys.argv[1]))
      lamp = msal.ConfidentialClientApplication(config["client_id"], authority=config["authority"])
      result = lamp.acquire_token_for_client(scopes=config["scope"])
      """,
    ]
    #expect(try Self.mistakes(files) == mistakes)
  }

  // MARK: - Node

  @Test(arguments: [
    ("", "", [String]()),
    ("microsoftonline.com", "microsoft0nline.com", ["The authority's host is misspelt"]),
    ("clientSecret:", "client_secret:", ["clientSecret is misspelt"]),
    ("clientId:", "clientID:", ["clientId is misspelt"]),
  ])
  func theObjectsOfNodeFit(_ old: String, _ new: String, _ mistakes: [String]) throws {
    let code = """
      import { ConfidentialClientApplication } from '@azure/msal-node';
      export const lamp = new ConfidentialClientApplication({
        auth: {
          clientId: process.env.LAMP_ID,
          authority: `https://login.microsoftonline.com/${process.env.LAMP_TENANT}`,
          clientSecret: process.env.LAMP_SECRET,
        },
      });
      """
    let files = [
      "package.json": #"{ "name": "lamp", "dependencies": { "@azure/msal-node": "2" } }"#,
      "src/lamp.ts": code.replacing(old, with: new),
    ]
    #expect(try Self.mistakes(files) == mistakes)
  }

  @Test(arguments: [
    ("", "", [String]()),
    ("clientId:", "clientID:", ["clientId is misspelt"]),
    (
      "72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0", "72f988bf-86f1-41af-91ab-2d7cd011db47",
      ["The issuer is not the tenant's"]
    ),
  ])
  func nextAuthsProviderFits(_ old: String, _ new: String, _ mistakes: [String]) throws {
    let code = """
      import NextAuth from 'next-auth';
      import MicrosoftEntraID from 'next-auth/providers/microsoft-entra-id';
      export const { handlers } = NextAuth({
        providers: [
          MicrosoftEntraID({
            clientId: process.env.LAMP_ID,
            clientSecret: process.env.LAMP_SECRET,
            issuer: 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
          }),
        ],
      });
      """
    let files = [
      "package.json": #"{ "name": "lamp", "dependencies": { "next-auth": "5" } }"#,
      "src/auth.ts": code.replacing(old, with: new),
    ]
    #expect(try Self.mistakes(files) == mistakes)
  }
}
