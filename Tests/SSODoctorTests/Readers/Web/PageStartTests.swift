import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// A page must start MSAL.js before it signs in, and give it objects that it can use.
@Suite struct PageStartTests {
  private static let auth = "auth: { clientId: '\(AndroidFixture.clientID)' }"

  private static func findings(
    _ files: [String: String], version: String = "^4.0.0", more: String = ""
  ) throws -> [DoctorCheck] {
    let package =
      "{ \"name\": \"lamp\", \"dependencies\": { \"@azure/msal-browser\": \"\(version)\"\(more) } }"
    return try withFolder(of: files.merging(["package.json": package]) { $1 }) { try Doctor.examine([$0]) }
      .findings
  }

  private static func page(_ code: String) -> [String: String] {
    [
      "src/main.ts":
        "import { PublicClientApplication } from '@azure/msal-browser';\n"
        + "const lamp = new PublicClientApplication({ \(auth) });\n\(code)"
    ]
  }

  // MARK: - Initialization

  @Test(arguments: [
    "export const light = () => lamp.loginPopup();",
    "// await lamp.initialize();\nawait lamp.handleRedirectPromise();",
    "lamp.initialize();\nawait lamp.handleRedirectPromise();",
    "lamp.initialize();\nconst answer = await lamp.handleRedirectPromise();",
  ])
  func aCallBeforeTheEndOfInitializationFails(_ code: String) throws {
    let findings = try Self.findings(Self.page(code))
    #expect(findings.map(\.rule) == [.pageStart], "\(findings)")
    #expect(findings.first?.refusal?.code == "uninitialized_public_client_application")
    #expect(findings.first?.severity == .fails)
    #expect(try Self.findings(Self.page(code), version: "^2.38.0") == [])
  }

  @Test(arguments: [
    "await lamp.initialize();\nawait lamp.handleRedirectPromise();",
    "lamp.initialize().then(() => { lamp.handleRedirectPromise(); });",
    "lamp.initialize();\nexport function light() { return lamp.loginPopup(); }",
    "import { start } from 'lamp-msal-starter';\nstart(lamp);\nexport const light = () => lamp.loginPopup();",
    "export { lamp };",
  ])
  func itIsInitializedOrMayBe(_ code: String) throws {
    #expect(try Self.findings(Self.page(code)) == [])
  }

  /// Only MSAL.js's own method counts.
  @Test func anotherObjectsMethodInitializesNothing() throws {
    let code = "import { app } from '@microsoft/teams-js';\napp.initialize();\nlamp.loginPopup();"
    #expect(try Self.findings(Self.page(code)).map(\.rule) == [.pageStart])
  }

  /// `MsalProvider` initializes MSAL.js when it is shown, which is too late for code of the module.
  @Test(arguments: [
    ("lamp.handleRedirectPromise().then(() => show());", 1),
    ("async function begin() { try { await lamp.handleRedirectPromise(); } catch {} }\nbegin();", 1),
    ("export const ready = (async () => {\n  await lamp.handleRedirectPromise();\n})();", 1),
    ("if (isOn) { lamp.ssoSilent({}); }", 1),
    ("export const light = () => lamp.loginPopup();", 0),
    ("async function light() { await lamp.loginPopup(); }\nbutton.onclick = () => light();", 0),
    ("useEffect(() => { lamp.handleRedirectPromise(); }, []);", 0),
    ("export const actions = { light: () => lamp.loginPopup() };", 0),
    ("class Lamp { light() { return lamp.loginPopup(); } }", 0),
  ])
  func theProviderIsLaterThanTheModule(_ code: String, _ count: Int) throws {
    let provider =
      "import { MsalProvider } from '@azure/msal-react';\nexport const App = () => <MsalProvider instance={lamp}><Board /></MsalProvider>;"
    let files = Self.page(code).merging(["src/App.tsx": provider]) { $1 }
    let findings = try Self.findings(files, more: ", \"@azure/msal-react\": \"3\"")
    #expect(findings.map(\.rule) == Array(repeating: .pageStart, count: count), "\(findings)")
  }

  // MARK: - The response of a redirect

  @Test func theResponseOfARedirectIsLost() throws {
    let code = "await lamp.initialize();\nbutton.onclick = () => lamp.loginRedirect();"
    let findings = try Self.findings(Self.page(code))
    #expect(findings.map(\.mistake) == ["No code takes the response of the redirect"], "\(findings)")
    #expect(findings.first?.place.line == 4)
    let taken = code + "\nlamp.handleRedirectPromise();"
    #expect(try Self.findings(Self.page(taken)) == [])
  }

  // MARK: - React and Angular

  @Test(arguments: [("<Board />", 1), ("<MsalProvider instance={lamp}><Board /></MsalProvider>", 0)])
  func hooksNeedTheirProvider(_ shown: String, _ count: Int) throws {
    let code =
      "import { useMsal } from '@azure/msal-react';\nimport { MsalProvider } from '@azure/msal-react';\n"
      + "export const Board = () => { const { instance } = useMsal(); return <p onClick={() => instance.loginPopup()} />; };\n"
      + "export const App = () => \(shown);"
    let files = Self.page("export { lamp };").merging(["src/App.tsx": code]) { $1 }
    let findings = try Self.findings(files, version: "^2.38.0", more: ", \"@azure/msal-react\": \"1\"")
    #expect(findings.map(\.rule) == Array(repeating: .pageStart, count: count), "\(findings)")
    // It initializes later versions, and takes the response of a redirect.
    let later = try Self.findings(
      files.mapValues { $0.replacing("loginPopup", with: "loginRedirect") },
      more: ", \"@azure/msal-react\": \"2\"")
    #expect(
      later.map(\.mistake) == Array(repeating: "No MsalProvider is around the components", count: count))
  }

  /// `MsalProvider` calls functions of the application when it is shown.
  @Test(arguments: [
    ("instance={lamp}", ""), ("{...properties}", ""),
    ("instance={settings}", "MsalProvider gets a configuration"),
    ("client={lamp}", "MsalProvider has no instance"),
  ])
  func theProviderGetsAnApplication(_ attribute: String, _ mistake: String) throws {
    let code =
      "import { MsalProvider } from '@azure/msal-react';\nimport { lamp, settings } from './main';\n"
      + "export const App = () => <MsalProvider \(attribute)><Board /></MsalProvider>;"
    let files = Self.page("export { lamp };\nexport const settings = { \(Self.auth) };").merging([
      "src/App.tsx": code
    ]) { $1 }
    let findings = try Self.findings(files, more: ", \"@azure/msal-react\": \"3\"")
    #expect(findings.map(\.mistake) == (mistake.isEmpty ? [] : [mistake]), "\(findings)")
    #expect(findings.allSatisfy { $0.place.path.hasSuffix("App.tsx") && $0.place.line == 3 })
  }

  /// MSAL.js reads the member `scopes` of a request, wherever the request is declared.
  @Test(arguments: [("scopes: ['User.Read']", 0), ("scope: ['User.Read']", 1)])
  func theScopesHaveTheirName(_ member: String, _ count: Int) throws {
    let code =
      "export const settings = { \(Self.auth) };\nexport const request = { \(member) };\n"
      + "import '@azure/msal-browser';"
    let call =
      "import { request } from './request';\nexport const light = (lamp) => lamp.acquireTokenSilent({ ...request, account });"
    let findings = try Self.findings(["src/request.ts": code, "src/light.ts": call]).filter {
      $0.rule == .requestScopes
    }
    #expect(findings.count == count, "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.place.line == 2 })
  }

  private static func angular(_ change: (String) -> String) throws -> [DoctorCheck] {
    let module = """
      import { PublicClientApplication, InteractionType } from '@azure/msal-browser';
      import { MsalGuard, MsalService, MSAL_INSTANCE, MSAL_GUARD_CONFIG } from '@azure/msal-angular';
      export const routes = [{ path: 'lamp', canActivate: [MsalGuard] }];
      export function guard(): MsalGuardConfiguration {
        const scopes = ['User.Read'];
        return { interactionType: InteractionType.Redirect, authRequest: { scopes } };
      }
      export const config = {
        providers: [
          { provide: MSAL_INSTANCE, useFactory: () => new PublicClientApplication({ \(auth) }) },
          { provide: MSAL_GUARD_CONFIG, useFactory: guard },
          MsalService,
          MsalGuard,
        ],
      };
      """
    return try findings(["src/app.config.ts": change(module)], more: ", \"@azure/msal-angular\": \"4\"")
  }

  @Test(arguments: [
    ("{ provide: MSAL_INSTANCE, useFactory", "{ provide: OTHER, useFactory", "MSAL_INSTANCE has no provider"),
    ("{ provide: MSAL_GUARD_CONFIG", "{ provide: OTHER", "MSAL_GUARD_CONFIG has no provider"),
    ("    MsalService,\n", "", "MsalService has no provider"),
    ("    MsalGuard,\n", "", "MsalGuard has no provider"),
    ("interactionType:", "interactiontype:", "The configuration lacks interactionType"),
    (
      "{ interactionType: InteractionType.Redirect, authRequest: { scopes } }", "{}",
      "The configuration lacks interactionType"
    ),
  ])
  func angularNeedsEachPart(_ old: String, _ new: String, _ mistake: String) throws {
    #expect(try Self.angular { $0 } == [])
    let findings = try Self.angular { $0.replacing(old, with: new) }
    #expect(findings.map(\.mistake) == [mistake], "\(findings)")
  }

  /// Angular's client calls classes of the providers only if it is told to.
  @Test(arguments: [
    ("provideHttpClient()", 1), ("provideHttpClient(withFetch())", 1),
    ("provideHttpClient(), provideMsal()", 1),
    ("provideHttpClient(withInterceptorsFromDi())", 0), ("provideHttpClient(withInterceptors([lamp]))", 0),
    ("importProvidersFrom(HttpClientModule)", 0),
  ])
  func angularsClientCallsTheInterceptor(_ client: String, _ count: Int) throws {
    let found = try Self.angular { module in
      module.replacing("MsalGuard, MsalService,", with: "MsalGuard, MsalInterceptor, MsalService,").replacing(
        "    MsalService,\n",
        with: """
              MsalService, \(client),
              { provide: HTTP_INTERCEPTORS, useClass: MsalInterceptor, multi: true },
              { provide: MSAL_INTERCEPTOR_CONFIG, useFactory: lamp },

          """)
    }
    #expect(found.map(\.mistake) == Array(repeating: "No request passes MsalInterceptor", count: count))
  }

  // MARK: - Objects that MSAL.js cannot use

  @Test(arguments: [
    "new PublicClientApplication({ clientId: '\(AndroidFixture.clientID)' })",
    "new PublicClientApplication({ auts: { clientId: '\(AndroidFixture.clientID)' }, cache: {} })",
    "new PublicClientApplication({ auth: { authority: 'https://login.microsoftonline.com/common' } })",
  ])
  func anApplicationNeedsItsClientID(_ creation: String) throws {
    let code =
      "import { PublicClientApplication } from '@azure/msal-browser';\nexport const lamp = \(creation);"
    let findings = try Self.findings(["src/main.ts": code])
    #expect(findings.map(\.rule) == [.clientID], "\(findings)")
    #expect(findings.first?.severity == .fails)
  }

  @Test(arguments: [
    ("scopes: ['User.Reed']", 1), ("scopes: ['https://graph.microsoft.com/Mail.Raed']", 1),
    ("scopes: ['UserRead']", 1), ("scopes: 'User.Read'", 1), ("scopes: ['user.read', 'openid']", 0),
    ("scopes: ['api://lamp/Light.Reed']", 0), ("scopes: ['access_as_user']", 0),
  ])
  func scopesAreKnown(_ scopes: String, _ count: Int) throws {
    let code = "await lamp.initialize();\nlamp.loginPopup({ \(scopes) });"
    let findings = try Self.findings(Self.page(code))
    #expect(findings.map(\.rule) == Array(repeating: .requestScopes, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.refusal?.code == "AADSTS650053" })
  }

  /// The bundler replaces a variable with `undefined`, which MSAL.js cannot trim.
  @Test func aScopeOfAnUnseenVariableFails() throws {
    let code =
      "await lamp.initialize();\nlamp.loginPopup({ scopes: [process.env.LAMP, process.env.REACT_APP_BULB] });"
    let findings = try Self.findings(Self.page(code), more: ", \"react-scripts\": \"5\"")
    #expect(findings.map(\.rule) == [.requestScopes], "\(findings)")
    #expect(findings.first?.fix == "process.env.REACT_APP_LAMP")
  }

  @Test(arguments: [
    ("localstorage", "^3.0.0", [DoctorCheck.Severity.fails]),
    ("localstorage", "^4.0.0", [.worksInSomeCases]), ("localStorage", "^3.0.0", []),
  ])
  func anUnknownCacheIsMemory(_ place: String, _ version: String, _ severities: [DoctorCheck.Severity]) throws
  {
    let code =
      "import { PublicClientApplication } from '@azure/msal-browser';\n"
      + "const lamp = new PublicClientApplication({ \(Self.auth), cache: { cacheLocation: '\(place)' } });\n"
      + "await lamp.initialize();\nawait lamp.handleRedirectPromise();\nlamp.loginRedirect();"
    let findings = try Self.findings(["src/main.ts": code], version: version)
    #expect(findings.map(\.severity) == severities, "\(findings)")
    #expect(findings.allSatisfy { $0.rule == .cacheLocation })
  }

  @Test func knownAuthoritiesAreAList() throws {
    let members =
      "authority: 'https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in', knownAuthorities: 'lamp.b2clogin.com'"
    let findings = try Self.findings([
      "src/auth.js":
        "export const config = { auth: { clientId: '\(AndroidFixture.clientID)', \(members) } };"
    ])
    #expect(findings.map(\.mistake) == ["knownAuthorities is not a list"], "\(findings)")
  }
}
