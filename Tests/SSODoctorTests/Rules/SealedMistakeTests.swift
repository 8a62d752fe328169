import DoctorTestSupport
import SSODevice
import Testing

@testable import SSODoctor

/// Forms of mistakes that were planted in projects before the doctor knew them.
extension OutsideTests {
  // MARK: iOS and macOS

  /// A method of the app's own may have the name of the SDK's.
  @Test(arguments: ["self?.handleMSALResponse(result)", "handleMSALResponse(result)"])
  func theAppsOwnMethodTakesNoURL(_ call: String) throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SceneDelegate.swift"] = """
      import UIKit

      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
          guard let context = contexts.first else { return }
          Router.shared.open(context.url)
        }
      }
      """
    fixture.files["Mail/SignIn.swift"]?.append(
      """

      final class Mailbox {
        func fetch() { application.acquireTokenSilent(with: parameters) { [weak self] result, _ in \(call) } }
        private func handleMSALResponse(_ result: MSALResult?) {}
      }
      final class Router {
        static let shared = Router()
        func open(_ url: URL) {}
      }
      """)
    let found = try Self.findings(fixture.files).filter { $0.rule == .callback && $0.subject == "Mail" }
    #expect(found.count == 1 && found.allSatisfy { !$0.isQuestion }, "\(found)")
  }

  /// Before version 2, MSAL opens the browser in place of the SSO extension.
  @Test(arguments: [("contoso.mail", 0), ("contoso.mails", 1)])
  func anOldMSALForMacAsksNoExtension(_ id: String, _ count: Int) throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace(
      #"msauth.\(Bundle.main.bundleIdentifier!)://auth"#, with: "msauth.com.\(id)://auth",
      in: "Mail/SignIn.swift")
    fixture.files["Podfile.lock"] = "PODS:\n  - MSAL (1.2.6):\n"
    let found = try Self.findings(fixture.files).filter { $0.rule == .brokerUnused && $0.subject == "Mail" }
    #expect(found.count == count && found.allSatisfy(\.isQuestion), "\(found)")
  }

  // MARK: Pages

  /// MSAL.js that has the provider's endpoints still wants https, and a host that it knows.
  @Test(arguments: [
    ("https://board.ciamlogin.com/board.onmicrosoft.com", "", [String]()),
    ("http://board.ciamlogin.com/board.onmicrosoft.com", "", ["The authority is not an https URL"]),
    (
      "https://board.b2clogin.com/board.onmicrosoft.com/B2C_1_in", "'board.ciamlogin.com'",
      ["The authority's host is not known"]
    ),
    ("https://board.b2clogin.com/board.onmicrosoft.com/B2C_1_in", "'board.b2clogin.com'", []),
    ("http://login.board.example/", "", []),
  ])
  func endpointsLeaveTheFormOfTheAuthority(_ authority: String, _ known: String, _ mistakes: [String]) throws
  {
    let files = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.ts": """
      import '@azure/msal-browser';
      export const config = {
        auth: {
          clientId: '\(AndroidFixture.clientID)', authority: '\(authority)', knownAuthorities: [\(known)],
          authorityMetadata: '{}',
        },
      };
      """,
    ]
    #expect(try Self.findings(files).map(\.title) == mistakes)
  }

  /// Angular's router has a `forRoot` too, which provides nothing of msal-angular.
  @Test(arguments: [("RouterModule.forRoot(routes)", 1), ("MsalModule.forRoot(lamp, guard, interceptor)", 0)])
  func theRoutersModuleProvidesNothing(_ module: String, _ count: Int) throws {
    let files = [
      "package.json":
        #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^2.0.0", "@azure/msal-angular": "^2.0.0" } }"#,
      "src/app/app.module.ts": """
      import { PublicClientApplication } from '@azure/msal-browser';
      import { MsalInterceptor, MsalService, MSAL_INSTANCE } from '@azure/msal-angular';
      @NgModule({
        imports: [\(module), HttpClientModule],
        providers: [
          { provide: HTTP_INTERCEPTORS, useClass: MsalInterceptor, multi: true },
          { provide: MSAL_INSTANCE, useFactory: lamp },
          MsalService,
        ],
      })
      export class AppModule {}
      """,
    ]
    let found = try Self.findings(files).filter { $0.rule == .pageStart }
    #expect(
      found.map(\.title) == Array(repeating: "MSAL_INTERCEPTOR_CONFIG has no provider", count: count))
  }

  /// The guard of msal-angular asks for a copy of a list in another module.
  @Test(arguments: [
    ("'https://board.example/read'", 0),
    ("'https://board.example/read', 'https://graph.microsoft.com/User.Read'", 1),
  ])
  func aCopiedListHasTheScopes(_ scopes: String, _ count: Int) throws {
    let files = [
      "package.json":
        #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^3.0.0", "@azure/msal-angular": "^3.0.0" } }"#,
      "src/settings.ts": "export const api = {\n  scopes: [\(scopes)],\n  uri: 'https://board.example' };\n",
      "src/guard.ts": """
      import { InteractionType } from '@azure/msal-browser';
      import { api } from './settings';
      export const config = { auth: { clientId: '\(AndroidFixture.clientID)' } };
      export const guard = {
        interactionType: InteractionType.Redirect, authRequest: { scopes: [...api.scopes] },
      };
      """,
    ]
    let found = try Self.findings(files).filter { $0.rule == .requestScopes }
    #expect(found.map(\.place.line) == Array(repeating: 2, count: count), "\(found)")
  }

  // MARK: Servers

  private static func python(_ code: String) throws -> [String] {
    try findings(["app.py": "import msal\n" + code]).map(\.title)
  }

  /// The values are arguments, or items of a dictionary.
  @Test(arguments: [
    ("https://login.microsoftonline.com/common", [String]()),
    ("https://login.microsoftonline.com", ["The authority has no tenant"]),
    ("https://login.micosoftonline.com/common", ["The authority's host is misspelt"]),
  ])
  func pythonsAuthorityIsRead(_ authority: String, _ mistakes: [String]) throws {
    for code in [
      "config = {\n  'authority': '\(authority)', # ours\n  'client_id': id(),\n}\n"
        + "app = msal.PublicClientApplication(config['client_id'], authority=config['authority'])\n",
      "app = msal.PublicClientApplication(os.environ['ID'], authority=\"\(authority)\")\n",
      "class Lamp:\n  def __init__(self):\n    self.where = '\(authority)'\n"
        + "    self.app = msal.ConfidentialClientApplication(self.id, authority=self.where)\n",
      "app = msal.PublicClientApplication(ID, authority='\(authority)' if LIVE else OTHER)\n"
        + "again = msal.PublicClientApplication(client_id=ID, authority='\(authority)')\n",
    ] {
      #expect(try Self.python(code) == mistakes, "\(code)")
    }
  }

  @Test(arguments: [
    ("initiate_device_flow(scopes=['User.Read'])", [String]()),
    ("initiate_device_flow(scopes=['User.Read', 'profile'])", ["A scope is reserved"]),
    ("acquire_token_interactive(['User.Read', 'openid'])", ["A scope is reserved"]),
    ("acquire_token_interactive('User.Read')", ["The scopes are not a list"]),
    ("acquire_token_interactive(scopes=[SCOPE])", []),
    ("acquire_token_interactive(scopes=lamp['scope'])", ["A scope is reserved"]),
    ("acquire_token_silent(['openid'], account=None)", []),
    ("acquire_token_for_client(scopes=['https://graph.microsoft.com/.default'])", []),
    ("acquire_token_for_client(scopes=['https://graph.microsoft.com/.Default'])", []),
    (
      "acquire_token_for_client(scopes=['https://graph.microsoft.com/User.Read.All'])",
      ["A request without a user names a permission"]
    ),
    ("acquire_token_for_client(['User.Read.All'])", ["A request without a user names a permission"]),
    ("acquire_token_for_client(scopes=[f'{API}/.default'])", []),
  ])
  func pythonsScopesAreRead(_ call: String, _ mistakes: [String]) throws {
    let code = """
      SCOPE = "User.Read"
      lamp = {"scope": ["User.Read", "offline_access"]}
      app = msal.ConfidentialClientApplication(ID)
      result = app.\(call)

      """
    #expect(try Self.python(code) == mistakes)
  }

  /// The library `identity` passes its arguments on to MSAL.
  @Test func identitysArgumentsAreMSALs() throws {
    let files = [
      "settings.py":
        "AUTHORITY = f\"https://login.microsoftonline.com/{tenant('common')}/oauth2/v2.0/token\"\n",
      "app.py": """
      import identity.web
      import settings
      app.config.from_object(settings)
      auth = identity.web.Auth(session=session, authority=app.config.get("AUTHORITY"), client_id=ID)
      page = auth.log_in(scopes=["User.Read", "openid"], redirect_uri=uri)
      """,
    ]
    #expect(
      Set(try Self.findings(files).map(\.title)) == [
        "A scope is reserved", "The authority is the address of an endpoint",
      ])
  }

  /// A module of its own has the configuration of MSAL Node.
  @Test(arguments: [("microsoftonline", 0), ("micosoftonline", 1)])
  func nodesConfigurationMayBeInItsOwnModule(_ host: String, _ count: Int) throws {
    let files = [
      "package.json": #"{ "name": "lamp", "dependencies": { "@azure/msal-node": "2" } }"#,
      "app/authConfig.js": """
      const { CLIENT_ID } = process.env
      const HOST = "https://login.\(host).com/";
      module.exports = { msalConfig: { auth: { clientId: CLIENT_ID, authority: `${HOST}common` } } };
      """,
      "app/AuthProvider.js": """
      const { PublicClientApplication } = require("@azure/msal-node");
      const { msalConfig } = require("./authConfig");
      const lamp = new PublicClientApplication(msalConfig);
      """,
    ]
    #expect(
      try Self.findings(files).map(\.title)
        == Array(repeating: "The authority's host is misspelt", count: count))
  }

  /// The environment has the tenant, whatever its fallback is.
  @Test(arguments: [("microsoftonline", 0), ("micosoftonline", 1)])
  func aFallbackOfTheTenantHidesNoHost(_ host: String, _ count: Int) throws {
    let files = [
      "package.json": #"{ "name": "lamp", "dependencies": { "@azure/msal-node": "2" } }"#,
      "lamp.js": """
      import { ConfidentialClientApplication } from '@azure/msal-node';
      export function lamp() {
        const clientId = process.env.LAMP_ID;
        const tenant = process.env.LAMP_TENANT || 'common';
        return new ConfidentialClientApplication({
          auth: { clientId, clientSecret: secret(), authority: `https://login.\(host).com/${tenant}` },
        });
      }
      """,
    ]
    #expect(
      try Self.findings(files).map(\.title)
        == Array(repeating: "The authority's host is misspelt", count: count))
  }
}
