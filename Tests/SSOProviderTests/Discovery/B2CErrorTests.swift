import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Azure AD B2C rejects requests with its own numbers, in its own form: a line for each part, no trace ID, no
/// `error_codes`.
@Suite struct B2CErrorTests {
  private static let policy = "contoso.com/B2C_1_signin"
  private let lab: ProviderLab

  init() throws { lab = try ProviderLab() }

  private func fields(_ answer: ProviderResponse) throws -> [NameValue] {
    try #require(answer.http.location.flatMap { URLParts($0)?.fields })
  }

  @Test func aCancelledSignInHasItsNumber() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes, tenant: Self.policy).page else {
      Issue.record("no sign-in page")
      return
    }
    let fields = try fields(lab.post("/common/login", ["flow": page.flowID, "cancel": "1"]))
    #expect(
      fields["error"] == "access_denied" && fields["error_subcode"] == nil && fields["error_uri"] == nil)
    let lines = fields["error_description"]?.components(separatedBy: "\r\n") ?? []
    #expect(lines.first == "AADB2C90091: The user has cancelled entering self-asserted information.")
    #expect(lines.map { $0.prefix { $0 != ":" } } == ["AADB2C90091", "Correlation ID", "Timestamp", ""])
    #expect(lab.trace.hops.last?.refusal?.number == "AADB2C90091")
    #expect(lab.failedCheck == nil, "no rule refused it")
  }

  @Test func aForgottenPasswordHasItsNumber() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes, tenant: Self.policy).page else {
      Issue.record("no sign-in page")
      return
    }
    #expect(page.offersPasswordReset == true)
    let fields = try fields(lab.post("/common/login", ["flow": page.flowID, "forgot": "1"]))
    #expect(fields["error"] == "access_denied" && fields["error_subcode"] == nil)
    #expect(
      fields["error_description"]?.hasPrefix(
        "AADB2C90118: The user has forgotten their password.\r\nCorrelation ID: ") == true)
    #expect(lab.failedCheck == nil, "no rule refused it")
  }

  /// Entra's own pages have no such response.
  @Test func onlyAUserFlowTakesAForgottenPassword() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes).page else {
      Issue.record("no sign-in page")
      return
    }
    let answer = try lab.post("/common/login", ["flow": page.flowID, "forgot": "1"])
    guard case .signIn(let again) = answer.page else {
      Issue.record("the sign-in ended")
      return
    }
    #expect(page.offersPasswordReset == nil && again.asks == .username)
  }

  @Test func nobodyIsSignedIn() throws {
    let answer = try lab.authorize(ProviderLab.notes, tenant: Self.policy, ["prompt": "none"])
    #expect(try fields(answer)["error"] == "interaction_required")
    #expect(try fields(answer)["error_description"]?.hasPrefix("AADB2C90077: ") == true)
  }

  /// A user flow compares the port of this machine, and has a number for a registration without a redirect URI.
  @Test func redirectURIsAreComparedAsTheyAre() throws {
    func number(_ uri: String, registered: [String]) throws -> String? {
      var app = ProviderLab.notes
      app.redirectURIs = registered
      try lab.documents.save(app)
      let answer = try lab.authorize(ProviderLab.notes, tenant: Self.policy, ["redirect_uri": uri])
      guard case .error(let page) = answer.page else { return nil }
      return page.number
    }
    #expect(try number("http://localhost/cb", registered: ["http://localhost/cb"]) == nil)
    #expect(try number("http://localhost:5000/cb", registered: ["http://localhost/cb"]) == "AADB2C90006")
    #expect(try number("http://localhost/cb", registered: []) == "AADB2C90007")
  }

  /// The access token of the authorization endpoint is for an API, and the app has its permission.
  @Test func scopesAreOfAnAPIOfTheApp() throws {
    var app = ProviderLab.notes
    (app.enableAccessTokenIssuance, app.enableIDTokenIssuance) = (true, true)
    (app.requiredAPIs, app.allowedScopes, app.adminOnlyScopes) = (
      ["https://contoso.onmicrosoft.com/a"], [], []
    )
    try lab.documents.save(app)
    func number(_ scope: String, _ type: String) throws -> Substring? {
      let answer = try lab.authorize(
        app, tenant: Self.policy, scope: scope, ["response_type": type, "response_mode": "fragment"])
      guard let fields = answer.http.location.flatMap({ URLParts($0)?.fields }) else { return nil }
      #expect(fields["error"] == "invalid_request")
      return fields["error_description"]?.prefix { $0 != ":" }
    }
    #expect(try number("openid profile", "token") == "AADB2C90055")
    #expect(try number("openid https://contoso.onmicrosoft.com/b/read", "code") == "AADB2C90205")
    #expect(try number("openid https://contoso.onmicrosoft.com/a/read", "code") == nil)
    #expect(try number("openid", "code") == nil)
  }

  /// A user flow has neither device codes (MicrosoftDocs/azure-docs#76424) nor on-behalf-of (Microsoft Q&A 1523594).
  @Test(arguments: [
    "urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:jwt-bearer",
  ])
  func aUserFlowHasNotEachGrant(_ grant: String) throws {
    let answer = try lab.post(
      "/\(Self.policy)/oauth2/v2.0/token",
      [
        "grant_type": grant, "client_id": "notes", "device_code": "x", "assertion": "x",
        "requested_token_use": "on_behalf_of",
      ]
    ).http
    #expect(OAuthError(reading: answer).reason == "The supplied grant_type [\(grant)] is not supported.")
    let page = try lab.post(
      "/\(Self.policy)/oauth2/v2.0/devicecode", ["client_id": "notes", "scope": "openid"])
    #expect(page.http.status == 404)
  }

  /// A switch that was never set allows public clients.
  @Test(arguments: [(nil, nil), (true, nil), (false, "AADB2C90058")] as [(Bool?, String?)])
  func aPublicClientNeedsTheSwitch(_ allows: Bool?, _ number: String?) throws {
    var word = ProviderLab.word
    word.allowsPublicClient = allows
    try lab.documents.save(word)
    let found = try lab.authorize(word, tenant: Self.policy).http.location.flatMap { URLParts($0)?.fields }
    #expect(found?["error"] == number.map { _ in "unauthorized_client" })
    #expect(found?["error_description"]?.prefix(11).description == number)
    word.secrets = ["secret"]
    try lab.documents.save(word)
    #expect(try lab.authorize(word, tenant: Self.policy).http.location == nil, "a confidential client")
  }

  /// Graph's scopes are for none of a user flow's requests, whatever form they have and whatever the registration lists.
  @Test(arguments: [
    "user.read", "https://graph.microsoft.com/User.Read", "\(ProtectedResource.graphAppID)/.default", "read",
  ])
  func aUserFlowHasNoGraph(_ scope: String) throws {
    let word = ProviderLab.word
    let answer = try lab.authorize(word, tenant: Self.policy, scope: "openid " + scope)
    #expect(
      try fields(answer)["error_description"]?.hasPrefix(
        "AADB2C90117: The scope '\(scope)' provided in the request is not supported.\r\n") == true)
    #expect(try fields(answer)["error"] == "invalid_request")
    let tokens = try lab.signIn(word, tenant: Self.policy)
    let refreshed = try lab.refresh(tokens.refreshToken ?? "", word, tenant: Self.policy, scope: scope)
    #expect(OAuthError(reading: refreshed).b2c == 90117)
  }

  /// Two scope parameters arrive with a comma between them.
  @Test(arguments: [["scope": "openid,offline_access"], ["scope": "openid", "Scope": "openid"]])
  func aScopeHasNoComma(_ changes: [String: String]) throws {
    let pairs = changes.sorted { $0.key < $1.key }.map { NameValue($0.key.lowercased(), $0.value) }
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/\(Self.policy)/oauth2/v2.0/authorize",
        query: [
          NameValue("client_id", "word"), NameValue("redirect_uri", ProviderLab.word.redirectURIs[0]),
          NameValue("response_type", "code"),
        ] + pairs))
    #expect(try fields(answer)["error_description"]?.hasPrefix("AADB2C99005: ") == true)
  }

  @Test(arguments: [("state", "<b>", true), ("login_hint", "&#65;", true), ("state", "1 < 2 & 3", false)])
  func aParameterHasNoMarkup(_ name: String, _ value: String, _ isRefused: Bool) throws {
    let answer = try lab.authorize(ProviderLab.word, tenant: Self.policy, [name: value])
    guard case .error(let page) = answer.page else {
      #expect(!isRefused)
      return
    }
    #expect(isRefused && page.message.hasPrefix("AADB2C90122: Input for '\(name)' received in the request"))
    guard case .error(let page) = try lab.authorize(ProviderLab.word, [name: value]).page else {
      Issue.record("Entra refuses markup too")
      return
    }
    #expect(page.message.hasPrefix("AADSTS90013: Invalid input"))
  }

  /// What another user flow or Entra's own endpoint issued is not redeemed.
  @Test(arguments: ["contoso.com/B2C_1_edit", "contoso.com"])
  func aUserFlowRedeemsItsOwnGrants(_ issuer: String) throws {
    let word = ProviderLab.word
    let tokens = try lab.signIn(word, tenant: issuer)
    let actual = issuer.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    for answer in [
      try lab.refresh(tokens.refreshToken ?? "", word, tenant: Self.policy),
      try lab.redeem(code: lab.code(word, tenant: issuer), word, tenant: Self.policy),
    ] {
      let error = OAuthError(reading: answer)
      #expect((error.code, error.b2c) == (.invalidGrant, 90088))
      #expect(error.reason.hasSuffix("Actual Value : \(actual) and Expected Value : B2C_1_signin"))
    }
    let own = try lab.signIn(word, tenant: Self.policy)
    #expect(try lab.refresh(own.refreshToken ?? "", word, tenant: Self.policy).status == 200)
  }

  @Test func anAppTokenIsAskedForWithDefault() throws {
    try lab.documents.save(ProviderLab.server)
    let answer = try lab.token(
      [
        "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
        "scope": "https://contoso.com/api/read",
      ], tenant: Self.policy)
    let error = OAuthError(reading: answer)
    #expect(
      error.message
        == "AADB2C99068: Scope parameter (https://contoso.com/api/read) must be formatted like "
        + "https://<application-uri>/.default")
  }

  @Test(arguments: [
    ("alice@contoso.com", "Your password is incorrect."), ("x", "We can't seem to find your account."),
  ])
  func thePageShowsNoNumber(_ name: String, _ text: String) throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word, tenant: Self.policy).page,
      case .signIn(let again) = try lab.post(
        "/common/login", ["flow": page.flowID, "username": name, "password": "wrong"]
      ).page
    else {
      Issue.record("no sign-in page")
      return
    }
    #expect(again.failure == text)
    #expect(lab.trace.hops.last?.refusal?.number == "AADB2C90225")
  }

  @Test func aWrongRedirectURIIsOnThePage() throws {
    let answer = try lab.authorize(
      ProviderLab.notes, tenant: Self.policy, ["redirect_uri": "https://evil.example/"])
    guard case .error(let page) = answer.page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADB2C90006" && page.message.hasPrefix("AADB2C90006: "))
  }

  @Test func aRefreshTokenExpires() throws {
    let tokens = try lab.signIn(ProviderLab.notes, tenant: Self.policy)
    lab.now = lab.now.adding(seconds: 91 * 86_400)
    let answer = try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes, tenant: Self.policy)
    #expect(answer.json?.object?.keys.sorted() == ["error", "error_description"])
    let error = OAuthError(reading: answer)
    #expect((error.code, error.b2c, error.aadsts) == (.invalidGrant, 90080, nil))
    #expect(
      error.message == "AADB2C90080: The provided grant has expired. Please re-authenticate and try again.")
    let entra = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes))
    #expect((entra.b2c, entra.aadsts) == (nil, 700082))
  }

  /// A wrong parameter of an authorization request, by azure-docs, "Error codes: Azure Active Directory B2C".
  @Test(
    arguments: [
      (90008, ["client_id": nil]), (90010, ["scope": nil]), (90013, ["response_type": "foo"]),
      (90014, ["response_mode": "foo"]), (90043, ["prompt": "foo"]),
      (90057, ["response_type": "id_token", "response_mode": "fragment", "scope": "openid"]),
      (90110, ["response_type": "id_token", "response_mode": "fragment", "scope": "notes"]),
      (90120, ["max_age": "-5"]), (90184, ["code_challenge_method": "S999"]),
      (90146, ["scope": "https://a.example/x https://b.example/y"]), (90018, ["client_id": "nobody"]),
      (90006, ["redirect_uri": "https://evil.example/"]),
    ] as [(Int, [String: String?])])
  func aWrongSignInHasItsNumber(_ number: Int, _ changes: [String: String?]) throws {
    let answer = try lab.authorize(ProviderLab.notes, tenant: Self.policy, changes)
    if case .error(let page) = answer.page {
      #expect(page.number == "AADB2C\(number)")
    } else {
      #expect(try fields(answer)["error_description"]?.hasPrefix("AADB2C\(number): ") == true)
    }
    #expect(lab.trace.hops.last?.refusal?.number == "AADB2C\(number)")
  }

  @Test func theRedirectURIHasAnErrorOfItsOwn() throws {
    let answer = try lab.authorize(
      ProviderLab.notes, tenant: Self.policy, ["redirect_uri": "https://evil.example/"])
    #expect(lab.trace.hops.last?.refusal?.error == "redirect_uri_mismatch")
    guard case .error(let page) = answer.page else {
      Issue.record("no error page")
      return
    }
    #expect(page.message.contains("'https://evil.example/' provided in the request is not registered"))
    #expect(page.message.contains("for the client id 'notes'"))
  }

  /// A wrong redemption, by the same page.
  @Test(
    arguments: [
      (90086, ["grant_type": "foo"]), (90083, ["code": ""]), (90008, ["client_id": ""]),
      (90084, ["client_secret": "x"]), (90182, ["code_verifier": ProviderLab.challenge]),
      (90090, ["code": "made-up"]), (90090, ["grant_type": "refresh_token", "refresh_token": "made-up"]),
      (
        90225,
        ["grant_type": "password", "username": "alice@contoso.com", "password": "no", "scope": "openid"]
      ),
      (
        90225,
        ["grant_type": "password", "username": "nobody@contoso.com", "password": "no", "scope": "openid"]
      ),
    ] as [(Int, [String: String])])
  func aWrongRedemptionHasItsNumber(_ number: Int, _ changes: [String: String]) throws {
    var form = [
      "grant_type": "authorization_code", "client_id": "notes",
      "code": try lab.code(ProviderLab.notes, tenant: Self.policy),
      "redirect_uri": ProviderLab.notes.redirectURIs[0], "code_verifier": ProviderLab.verifier,
    ]
    form.merge(changes) { $1 }
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/\(Self.policy)/oauth2/v2.0/token",
        form: form.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value) })
    ).http
    #expect(OAuthError(reading: answer).b2c == number)
    #expect((OAuthError(reading: answer).code == .accessDenied) == (number == 90225))
  }

  @Test func aDisabledAppHasItsNumber() throws {
    var notes = ProviderLab.notes
    notes.isDisabled = true
    try lab.documents.save(notes)
    guard case .error(let page) = try lab.authorize(notes, tenant: Self.policy).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADB2C90092" && page.message.contains("for the tenant 'contoso.com'"))
  }

  /// If no public source gives a number, Entra's is kept.
  @Test func otherErrorsKeepTheirNumber() throws {
    let answer = try lab.authorize(ProviderLab.notes, tenant: Self.policy, ["code_challenge": "short"])
    #expect(try fields(answer)["error_description"]?.hasPrefix("AADSTS501491: ") == true)
  }
}
