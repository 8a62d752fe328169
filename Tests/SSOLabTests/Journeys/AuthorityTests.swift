import SSODevice
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOStore

/// Every kind of authority from the first request to the second app's token (docs/behaviour/msal-cache.md §7, §9, docs/behaviour/interactive-call.md §4).
struct AuthorityTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var authority: String
    var user = "ada@contoso.com"
    /// The contents of the cache afterwards.
    var environment: String
    var realm: String
    /// The home account ID, or `nil` for `sub`, which is different for every client.
    var homeAccountID: String?
    var username = "ada@contoso.com"
    /// The requests of the first sign-in to the provider.
    var asked: [String]
  }

  static let b2c = "https://contoso.b2clogin.com/contoso.com/B2C_1_signin"
  static let tenant = "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  static let adaObject = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21"
  static let withDiscovery = ["discovery 200", "configuration 200", "token 200"]
  static let without = ["configuration 200", "token 200"]

  static let kinds = [
    Kind(
      testDescription: "Azure AD, common", authority: "https://login.microsoftonline.com/common",
      environment: "login.windows.net", realm: tenant, homeAccountID: adaHome, asked: withDiscovery),
    Kind(
      testDescription: "Azure AD, a tenant by its domain",
      authority: "https://login.microsoftonline.com/contoso.com",
      environment: "login.windows.net", realm: tenant, homeAccountID: adaHome, asked: withDiscovery),
    Kind(
      testDescription: "Azure AD, organizations at an alias",
      authority: "https://login.windows.net/organizations",
      environment: "login.windows.net", realm: tenant, homeAccountID: adaHome, asked: withDiscovery),
    Kind(
      testDescription: "personal accounts", authority: "https://login.microsoftonline.com/consumers",
      user: "joe@outlook.com", environment: "login.windows.net", realm: Tenant.personalID,
      username: "joe@outlook.com",
      asked: withDiscovery),
    Kind(
      testDescription: "B2C, host of the tenant",
      authority: "https://contoso.b2clogin.com/contoso.com/B2C_1_signin",
      environment: "contoso.b2clogin.com", realm: "/contoso.com/B2C_1_signin",
      homeAccountID: "\(adaObject)-b2c_1_signin.\(tenant)", username: "Missing from the token response",
      asked: without),
    Kind(
      testDescription: "B2C without tfp: the whole path counts",
      authority: "https://contoso.b2clogin.com/contoso.com/nontfp_path/B2C_1_signup-signin",
      environment: "contoso.b2clogin.com", realm: "/contoso.com/nontfp_path/B2C_1_signup-signin",
      homeAccountID: "\(adaObject)-b2c_1_signup-signin.\(tenant)",
      username: "Missing from the token response",
      asked: without),
    Kind(
      testDescription: "B2C at a domain of its own",
      authority: "https://login.contoso.com/contoso.com/B2C_1_signin",
      environment: "login.contoso.com", realm: "/contoso.com/B2C_1_signin",
      homeAccountID: "\(adaObject)-b2c_1_signin.\(tenant)", username: "Missing from the token response",
      asked: without),
    Kind(
      testDescription: "B2C with tfp",
      authority: "https://login.microsoftonline.com/tfp/contoso.com/B2C_1A_edit",
      environment: "login.microsoftonline.com", realm: tenant,
      homeAccountID: "\(adaObject)-b2c_1a_edit.\(tenant)", username: "Missing from the token response",
      asked: without),
    Kind(
      testDescription: "CIAM", authority: "https://contoso.ciamlogin.com/contoso.com",
      environment: "contoso.ciamlogin.com", realm: tenant, homeAccountID: adaHome, asked: without),
  ]

  @Test(arguments: TestEngine.allCases, kinds)
  func signsInAndCallsSilently(_ engine: TestEngine, _ kind: Kind) throws {
    let app = SuiteApp.msal("app", extra: Self.settings(kind.authority) + "\nbrokerUse: auto")
    let mate = SuiteApp.msal("mate", extra: Self.settings(kind.authority))
    let lab = try Self.lab(engine, [app, mate])
    guard
      case .done(let outcome, let id) = try lab.perform(
        SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .whenRequired),
        answers: [.username(kind.user), .password(kind.user.hasPrefix("ada") ? "engine" : "password")])
    else {
      Issue.record("an answer is missing")
      return
    }
    #expect(outcome.verdict == .succeeded, "\(outcome.errorText ?? "")")
    #expect(
      try lab.read { try $0.traces.trace(id) }?.hops.asked.filter {
        !$0.hasPrefix("authorize") && !$0.hasPrefix("login")
      }
        == kind.asked)
    let account = try #require(try Self.accounts(lab).first)
    #expect(account.environment == kind.environment)
    #expect(account.realm == kind.realm)
    #expect(account.username == kind.username)
    #expect(outcome.username == kind.username)
    if let id = kind.homeAccountID { #expect(account.homeAccountID == id) }
    #expect(account.homeAccountID == outcome.homeAccountID)
    #expect(account.homeAccountID.hasPrefix("00000000-0000-0000-") == (kind.realm == Tenant.personalID))
    // Another app of the same client uses the cache and then the refresh token, both without user interaction.
    #expect(try lab.silent(mate).source == "cache")
    #expect(try lab.silent(mate, forceRefresh: true).source == "app refresh token")
    #expect(try lab.silent(mate).source == "cache")
    #expect(try Self.accounts(lab).count == 1)
    let broker = try lab.read { try $0.why.app(app.bundleID) }.sections.last?.checks.first {
      $0.name == "authority is Azure AD"
    }
    #expect(broker?.verdict == (kind.asked == Self.withDiscovery ? .passed : .skipped))
  }

  @Test(arguments: TestEngine.allCases)
  func b2cTakesTheClientIDAsAScopeAndMakesATokenForIt(_ engine: TestEngine) throws {
    let app = SuiteApp.msal(
      "app", extra: Self.settings(Self.b2c))
    let lab = try Self.lab(engine, [app])
    let outcome = try lab.signIn(app)
    #expect(outcome.grantedScopes.contains("c1"))
    let token = try #require(outcome.accessToken)
    let claims = try JSONWebToken(unverified: token).claims
    #expect(claims["aud"]?.string == "c1")
    #expect(claims["tfp"]?.string == "B2C_1_signin")
    #expect(claims["iss"]?.string == "https://contoso.b2clogin.com/\(Self.tenant)/v2.0/")
    #expect(claims["emails"] == .array(["ada@contoso.com"]))
    #expect(claims["preferred_username"] == nil)
  }

  /// `allAccounts` does not filter by environment, but a silent call does (docs/behaviour/msal-cache.md §10(5),
  /// docs/behaviour/silent-call.md §1(2)).
  @Test(arguments: TestEngine.allCases)
  func anotherAppListsTheAccountOfAnotherEnvironmentButCannotUseIt(_ engine: TestEngine) throws {
    let app = SuiteApp.msal(
      "app", extra: Self.settings(Self.b2c))
    let mate = SuiteApp.msal("mate")
    let lab = try Self.lab(engine, [app, mate])
    try lab.signIn(app)
    #expect(
      try lab.outcome(GetCurrentAccount(app: mate.bundleID)).username == "Missing from the token response")
    let outcome = try lab.silent(mate)
    #expect(outcome.errorCode == -50002)
    #expect(
      outcome.summary
        == "No token matching arguments found in the cache, user interaction is required")
  }

  @Test(
    arguments: TestEngine.allCases,
    [
      ("https://login.microsoftonline.com/contoso.com", "asked"),
      ("https://contoso.ciamlogin.com/contoso.com", "AADSTS65001"),
      ("https://contoso.b2clogin.com/contoso.com/B2C_1_signin", "done"),
    ])
  func whoIsAskedForConsent(_ engine: TestEngine, _ row: (String, String)) throws {
    let (authority, expected) = row
    let app = SuiteApp.msal("app", extra: Self.settings(authority))
    let lab = try Self.lab(engine, [app])
    _ = try lab.outcome(EditRecord(.registration, record: "c1", [try FieldChange("isPreauthorized=no")]))
    let answered = try lab.perform(
      SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .whenRequired),
      answers: [.username("ada@contoso.com"), .password("engine")])
    switch answered {
    case .needs(.consent, _): #expect(expected == "asked")
    case .needs(.errorPage(let page), _): #expect(page.number == expected)
    case .done: #expect(expected == "done")
    default: Issue.record("\(answered)")
    }
  }

  @Test(arguments: TestEngine.allCases)
  func adfsSendsTokensOfItsOwnKind(_ engine: TestEngine) throws {
    let app = SuiteApp.adal("app", "2.7.14", extra: "authority: https://fs.contoso.com/adfs")
    let lab = try Self.lab(engine, [app])
    let claims = try JSONWebToken(unverified: #require(try lab.signIn(app).accessToken)).claims
    #expect(claims["iss"]?.string == "http://fs.contoso.com/adfs/services/trust")
    #expect(claims["aud"]?.string == "https://graph.microsoft.com")
    #expect(claims["upn"]?.string == "ada@contoso.com")
    #expect(claims["tid"] == nil && claims["oid"] == nil)
  }

  /// ADAL stores the tokens of AD FS in one item, because the refresh token is for this resource only
  /// (docs/behaviour/adal.md §3, §8(3)).
  @Test(arguments: TestEngine.allCases, ["2.6.6", "2.7.14"])
  func adalAtAnADFS(_ engine: TestEngine, _ version: String) throws {
    let app = SuiteApp.adal("app", version, extra: "authority: https://fs.contoso.com/adfs")
    let lab = try Self.lab(engine, [app])
    #expect(try lab.signIn(app).verdict == .succeeded)
    #expect(try lab.kinds() == ["legacy single-resource token": 1])
    #expect(try lab.silent(app).source == "cache")
    _ = try lab.outcome(MoveClock(bySeconds: 3400))
    #expect(try lab.silent(app).source == "single-resource refresh token")
    #expect(try lab.kinds() == ["legacy single-resource token": 1])
  }

  /// The provider's responses for the paths that clients request (docs/behaviour/interactive-call.md §4).
  @Test(
    arguments: TestEngine.allCases,
    [
      (
        "https://contoso.b2clogin.com", "/contoso.com/B2C_1_signin/v2.0/.well-known/openid-configuration",
        "https://contoso.b2clogin.com/\(tenant)/v2.0/",
        "https://contoso.b2clogin.com/\(tenant)/B2C_1_signin/oauth2/v2.0/token"
      ),
      (
        "https://contoso.b2clogin.com", "/tfp/contoso.com/B2C_1_signin/v2.0/.well-known/openid-configuration",
        "https://contoso.b2clogin.com/\(tenant)/v2.0/",
        "https://contoso.b2clogin.com/\(tenant)/B2C_1_signin/oauth2/v2.0/token"
      ),
      (
        "https://contoso.ciamlogin.com", "/contoso.com/v2.0/.well-known/openid-configuration",
        "https://\(tenant).ciamlogin.com/\(tenant)/v2.0",
        "https://contoso.ciamlogin.com/\(tenant)/oauth2/v2.0/token"
      ),
      (
        "https://fs.contoso.com", "/adfs/.well-known/openid-configuration", "https://fs.contoso.com/adfs",
        "https://fs.contoso.com/adfs/oauth2/token/"
      ),
      (
        "https://login.microsoftonline.com", "/consumers/v2.0/.well-known/openid-configuration",
        "https://login.microsoftonline.com/\(Tenant.personalID)/v2.0",
        "https://login.microsoftonline.com/consumers/oauth2/v2.0/token"
      ),
    ])
  func theConfigurationNamesItsEndpoints(_ engine: TestEngine, _ row: (String, String, String, String))
    throws
  {
    let (origin, path, issuer, token) = row
    let lab = try Self.lab(engine, [SuiteApp.msal("app")])
    let now = try lab.read { $0.now }
    let body = try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: now)
      return JSONValue(
        bounded: try intent.provider(.sdk, actor: "").respond(
          to: HTTPRequest("GET", origin: origin, path: path)
        )
        .received.body)
    }
    #expect(body?["issuer"]?.string == issuer)
    #expect(body?["token_endpoint"]?.string == token)
  }

  @Test(arguments: [
    (["common", "oauth2", "token"], "common", ["oauth2", "token"]),
    (["contoso.com", "B2C_1_x", "oauth2", "token"], "contoso.com/B2C_1_x", ["oauth2", "token"]),
    (["tfp", "contoso.com", "any", "login"], "contoso.com/any", ["login"]),
    (["tfp", "login"], "tfp", ["login"]), (["ADFS", "oauth2", "token"], "ADFS", ["oauth2", "token"]),
    (["contoso.com", "b2c"], "contoso.com", ["b2c"]), ([], "common", []),
  ])
  func aPathIsSplit(_ segments: [String], _ authority: String, _ rest: [String]) {
    let path = AuthorityPath(segments)
    #expect(path.authority == authority)
    #expect(path.rest == rest)
  }

  /// Returns settings with the authority as a known authority for B2C, which cannot be validated, and the client's own
  /// scope, since B2C has none of Graph.
  static func settings(_ authority: String) -> String {
    let known = authority.contains("B2C") ? "\nknownAuthorities: [\(authority)]\nscopes: [c1]" : ""
    return "authority: \(authority)" + known
  }

  /// MSAL can validate a B2C authority only at a host of Azure AD, and skips the validation for CIAM
  /// (docs/behaviour/interactive-call.md §4(6)).
  @Test(
    arguments: TestEngine.allCases,
    [
      (b2c, -42008), ("https://login.contoso.com/contoso.com/B2C_1_signin", -42008),
      ("https://login.contoso.com/tfp/contoso.com/B2C_1_signin", -42008),
      ("https://login.microsoftonline.com/tfp/contoso.com/B2C_1_signin", nil),
      ("https://contoso.ciamlogin.com/contoso.com", nil),
    ])
  func b2cHasToBeDeclaredAsKnown(_ engine: TestEngine, _ row: (String, Int?)) throws {
    let (authority, code) = row
    let scopes = authority.contains("B2C") ? "\nscopes: [c1]" : ""
    let app = SuiteApp.msal(
      "app", extra: "authority: \(authority)\nknownAuthorities: [\(authority)]" + scopes)
    let lab = try Self.lab(engine, [app])
    #expect(try lab.signIn(app).verdict == .succeeded)
    _ = try lab.outcome(EditRecord(.app, record: app.bundleID, [try FieldChange("knownAuthorities=")]))
    for outcome in [try lab.silent(app)] + (code == nil ? [] : [try lab.signIn(app)]) {
      #expect(outcome.errorCode == code, "\(outcome.summary)")
      #expect((outcome.failedCheck?.name == "authority can be validated") == (code != nil))
    }
  }

  static func lab(_ engine: TestEngine, _ apps: [SuiteApp]) throws -> Lab {
    let lab = try suiteLab(on: engine, apps)
    _ = try lab.outcome(
      AddRecord(.tenant, record: Tenant.personalID, [try FieldChange("displayName=Personal")]))
    _ = try lab.outcome(AddRecord(.person, record: "joe@outlook.com", []))
    return lab
  }

  static func accounts(_ lab: Lab) throws -> [AccountItem] {
    try lab.store.write(nil) {
      try $0.credentials(device: "device-1").items(
        matching: KeychainQuery(accessGroups: [suiteGroup], type: AccountType.mssts.attributeType))
    }.compactMap { AccountItem(data: $0.data) }
  }
}
