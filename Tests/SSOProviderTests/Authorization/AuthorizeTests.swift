import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct AuthorizeTests {
  struct Refusal: CustomTestStringConvertible {
    var check: String
    var aadsts: Int
    var tenant = "common"
    var changes: [String: String?] = [:]
    var testDescription: String { check + " " + String(aadsts) }
  }

  @Test(arguments: [
    Refusal(check: "tenant exists", aadsts: 90002, tenant: "nowhere.com"),
    Refusal(check: "request size", aadsts: 90015, changes: ["state": String(repeating: "s", count: 16_384)]),
    Refusal(check: "redirect URI absolute", aadsts: 90102, changes: ["redirect_uri": "localhost/callback"]),
    Refusal(
      check: "redirect URI absolute", aadsts: 90102, changes: ["redirect_uri": "/", "client_id": "nobody"]),
    Refusal(check: "client_id present", aadsts: 900144, changes: ["client_id": nil]),
    Refusal(check: "client registered", aadsts: 700016, changes: ["client_id": "nobody"]),
    Refusal(check: "app serves tenant", aadsts: 50194, changes: ["client_id": "lonely"]),
    Refusal(
      check: "app serves tenant", aadsts: 700016, tenant: "fabrikam.com", changes: ["client_id": "lonely"]),
    Refusal(check: "redirect URI registered", aadsts: 50011, changes: ["redirect_uri": "msauth.evil://auth"]),
    Refusal(
      check: "redirect URI registered", aadsts: 50011, changes: ["redirect_uri": "http://localhost.evil"]),
    Refusal(
      check: "redirect URI registered", aadsts: 50011,
      changes: ["redirect_uri": "http://localhost:80@evil.example"]),
    Refusal(
      check: "redirect URI registered", aadsts: 50011,
      changes: ["redirect_uri": "http://localhost:1:2@evil.example"]),
    Refusal(
      check: "redirect URI registered", aadsts: 50011, changes: ["redirect_uri": "http://localhost:51234/x"]),
    Refusal(
      check: "redirect URI registered", aadsts: 50011, changes: ["redirect_uri": "https://localhost:51234"]),
    Refusal(check: "response_type present", aadsts: 900144, changes: ["response_type": nil]),
    Refusal(check: "prompt", aadsts: 90023, changes: ["prompt": "maybe"]),
    Refusal(check: "scope present", aadsts: 900144, changes: ["scope": nil]),
  ])
  func neverRedirects(_ refusal: Refusal) throws {
    let lab = try ProviderLab()
    let answer = try lab.authorize(ProviderLab.notes, tenant: refusal.tenant, refusal.changes)
    guard case .error(let page) = answer.page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS\(refusal.aadsts)")
    #expect(answer.http.location == nil)
    #expect(lab.failedCheck == refusal.check)
  }

  @Test(arguments: [
    Refusal(check: "response type enabled", aadsts: 700051, changes: ["response_type": "token"]),
    Refusal(check: "scope present", aadsts: 900144, changes: ["scope": nil, "prompt": "none"]),
    Refusal(check: "response mode", aadsts: 70007, changes: ["response_mode": "smoke"]),
    Refusal(check: "code challenge method", aadsts: 50149, changes: ["code_challenge_method": "S512"]),
    Refusal(check: "code challenge of the method", aadsts: 501471, changes: ["code_challenge": nil]),
    Refusal(
      check: "sid without a login_hint", aadsts: 90138,
      changes: ["sid": "s", "login_hint": "alice@contoso.com"]),
    Refusal(
      check: "code challenge size", aadsts: 501491,
      changes: ["code_challenge": "short", "code_challenge_method": nil]),
    Refusal(check: "code challenge size", aadsts: 501491, changes: ["code_challenge": "short"]),
    Refusal(
      check: "resource registered", aadsts: 500_011, changes: ["scope": "api://mistyped/Files.Read"]),
    Refusal(check: "scopes exist", aadsts: 650_053, changes: ["scope": "User.Reed"]),
    Refusal(
      check: "scopes registered", aadsts: 70011, changes: ["scope": "Files.Read", "prompt": "none"]),
    Refusal(check: "browser session", aadsts: 50058, changes: ["prompt": "none"]),
  ])
  func goesBackToTheApp(_ refusal: Refusal) throws {
    let lab = try ProviderLab()
    let answer = try lab.authorize(ProviderLab.notes, refusal.changes)
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect(fields["error_description"]?.hasPrefix("AADSTS\(refusal.aadsts):") == true)
    #expect(fields["state"] == "s1")
    #expect(fields["code"] == nil)
    #expect(lab.failedCheck == refusal.check)
  }

  /// Registered or not: the address of another machine without TLS is not one that Entra sends a code to.
  @Test(
    arguments: [("http://app.example/cb", "AADSTS500117"), ("http://127.0.0.1/cb", nil)]
      as [(String, String?)])
  func aRegisteredAddressIsSecure(_ uri: String, _ number: String?) throws {
    let lab = try ProviderLab()
    var app = ProviderLab.word
    app.redirectURIs = [uri]
    try lab.documents.save(app)
    let page = try lab.authorize(app).page
    if case .error(let error) = page {
      #expect(error.number == number)
    } else {
      #expect(number == nil)
    }
  }

  @Test func aLongStateComesBackWhole() throws {
    let state = String(repeating: "s", count: 15_000)
    let answer = try ProviderLab().authorize(ProviderLab.notes, ["state": state, "prompt": "none"])
    #expect(answer.http.location.flatMap { URLParts($0)?.fields }?["state"] == state)
  }

  @Test(arguments: ["client_id", "redirect_uri", "state", "scope"])
  func aParameterThatStandsTwiceIsNamed(_ name: String) throws {
    var query: [NameValue] = [
      NameValue("client_id", "notes"), NameValue("redirect_uri", "http://localhost:1"),
      NameValue("response_type", "code"), NameValue("scope", "User.Read"), NameValue("state", "s1"),
      NameValue("code_challenge", ProviderLab.challenge), NameValue("code_challenge_method", "S256"),
    ]
    query.append(NameValue(name, "http://evil.example"))
    func answer(_ fields: [NameValue]) throws -> ProviderResponse {
      try ProviderLab().send(
        HTTPRequest(
          "GET", origin: ProviderLab.origin, path: "/contoso.com/oauth2/v2.0/authorize", query: fields))
    }
    let words = "The request is not properly formatted. The parameter '\(name)' is duplicated."
    guard case .error(let page) = try answer(query).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.message == "AADSTS9000411: " + words)
    // Without a page, the first address gets it.
    let location = try #require(try answer(query + [NameValue("prompt", "none")]).http.location)
    #expect(location.hasPrefix("http://localhost:1/?error=invalid_request&"))
    #expect(URLParts(location)?.fields?["error_description"]?.hasPrefix("AADSTS9000411: " + words) == true)
  }

  @Test(arguments: [("request", "request_not_supported"), ("request_uri", "request_uri_not_supported")])
  func aRequestObjectIsNotPassedOver(_ name: String, _ error: String) throws {
    let answer = try ProviderLab().authorize(ProviderLab.notes, [name: "eyJ"])
    #expect(answer.http.location.flatMap { URLParts($0)?.fields }?["error"] == error)
  }

  /// A store may contain such a URI from before they were rejected.
  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", " java\tscript:alert(1)", "data:text/html,x", "vbscript:x",
  ])
  func anAddressThatRunsAsScriptIsNotRegistered(_ uri: String) throws {
    #expect(!isRegistered(uri, in: [uri]))
    let lab = try ProviderLab()
    var client = ProviderLab.notes
    client.redirectURIs = [uri]
    try lab.documents.save(client)
    #expect(try lab.authorize(client, ["response_mode": "form_post"]).http.status == 400)
    let first = uri.hasPrefix(" ") ? "redirect URI absolute" : "redirect URI registered"
    #expect(lab.failedCheck == first)
  }

  /// A mail scanner looks at a link with HEAD, and must not get a code.
  @Test func headSignsNobodyIn() throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    let query = [
      NameValue("client_id", "excel"), NameValue("redirect_uri", ProviderLab.excel.redirectURIs[0]),
      NameValue("response_type", "code"), NameValue("scope", "User.Read"),
    ]
    let answers = try ["GET", "HEAD"].map {
      try lab.send(
        HTTPRequest(
          $0, origin: "https://login.microsoftonline.com", path: "/common/oauth2/v2.0/authorize", query: query
        )
      ).http
    }
    #expect(answers.map(\.status) == [302, 200])
    #expect(answers[1].location == nil)
  }

  @Test func aRegistrationWithoutARedirectURIIsNamed() throws {
    let lab = try ProviderLab()
    var client = ProviderLab.notes
    client.redirectURIs = []
    try lab.documents.save(client)
    guard case .error(let page) = try lab.authorize(ProviderLab.notes).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS500113")
  }

  /// Microsoft Learn, "OpenID Connect on the Microsoft identity platform": `redirect_uri`.
  @Test func aMissingRedirectURIIsTheRegisteredOne() throws {
    let answer = try ProviderLab().authorize(ProviderLab.notes, ["redirect_uri": nil, "prompt": "none"])
    #expect(
      answer.http.location?.hasPrefix(ProviderLab.notes.redirectURIs[0] + "?error=login_required") == true)
  }

  @Test func loopbackMayHaveAnyPort() throws {
    let answer = try ProviderLab().authorize(ProviderLab.notes, ["redirect_uri": "http://localhost:51234"])
    #expect(answer.http.status == 200)
  }

  /// Entra does not support it (Microsoft Learn, "Redirect URI (reply URL) best practices and limitations").
  @Test func theIPv6LoopbackAddressIsNotRegistered() throws {
    let lab = try ProviderLab()
    var client = ProviderLab.notes
    client.redirectURIs += ["http://[::1]/cb"]
    try lab.documents.save(client)
    for uri in ["http://[::1]/cb", "http://[::1]:99/cb"] {
      guard case .error(let page) = try lab.authorize(client, ["redirect_uri": uri]).page else {
        Issue.record("no error page")
        return
      }
      #expect(page.number == "AADSTS50011")
    }
  }

  /// Microsoft Learn, "Redirect URI (reply URL) best practices and limitations".
  @Test(arguments: [
    ("query", "http://localhost:7071/?"), ("fragment", "http://localhost:7071/#"), ("form_post", nil),
  ])
  func aRedirectURIWithoutAPathGetsASlash(_ mode: String, _ start: String?) throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    let changes = ["redirect_uri": "http://localhost:7071", "response_mode": mode, "prompt": "none"]
    let answer = try lab.authorize(ProviderLab.notes, changes).http
    if let start {
      #expect(answer.location?.hasPrefix(start) == true)
    } else {
      #expect(String(decoding: answer.body, as: UTF8.self).contains("action=\"http://localhost:7071\""))
    }
  }

  @Test func signedInBrowserIsNotAskedAgain() throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    #expect(try lab.authorize(ProviderLab.excel).http.status == 302)
    #expect(try lab.authorize(ProviderLab.excel, ["prompt": "none"]).http.status == 302)
    guard case .signIn(let page) = try lab.authorize(ProviderLab.excel, ["prompt": "select_account"]).page
    else {
      Issue.record("no picker")
      return
    }
    #expect(page.accountsInSession == ["alice@contoso.com"])
    let picked = try lab.post("/common/login", ["flow": page.flowID, "username": "alice@contoso.com"])
    #expect(picked.http.status == 302)
    guard case .signIn(let login) = try lab.authorize(ProviderLab.excel, ["prompt": "login"]).page else {
      Issue.record("no sign-in page")
      return
    }
    #expect(login.accountsInSession.isEmpty, "nobody goes on without a password")
    let asked = try lab.post("/common/login", ["flow": login.flowID, "username": "alice@contoso.com"])
    #expect(asked.http.status == 200)
  }
}
