import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Another browser, page, or program cannot continue a sign-in, or replace it with its own.
@Suite struct BrowserBindingTests {
  private let lab: ProviderLab

  init() throws { lab = try ProviderLab() }

  private func flow(_ answer: ProviderResponse) throws -> String {
    switch answer.page {
    case .signIn(let page): return page.flowID
    case .consent(let page): return page.flowID
    default: throw OAuthError(.serverError, "no page with a form")
    }
  }

  private func number(_ answer: ProviderResponse) -> String? {
    guard case .error(let page) = answer.page else { return nil }
    return page.number
  }

  private func send(
    _ path: String, _ form: KeyValuePairs<String, String>, _ headers: KeyValuePairs<String, String> = [:],
    method: String = "POST"
  ) throws -> ProviderResponse {
    let fields = form.map { NameValue($0, $1) }
    return try lab.send(
      HTTPRequest(
        method, origin: ProviderLab.origin, path: path, query: method == "GET" ? fields : [],
        headers: headers.map { NameValue($0, $1) }, form: method == "GET" ? [] : fields))
  }

  @Test(arguments: [[], [NameValue("__Host-esctx", "another")], [NameValue("__Host-esctx", "")]])
  func anotherBrowserCannotGoOnWithASignIn(_ cookies: [NameValue]) throws {
    let signIn = try flow(lab.authorize(ProviderLab.notes))
    let own = lab.cookies
    let password: KeyValuePairs = ["flow": signIn, "username": "alice@contoso.com", "password": "right"]
    lab.cookies = cookies
    #expect(try number(send("/common/login", password)) == "AADSTS165000")
    #expect(try number(send("/common/login", ["flow": signIn], method: "GET")) == "AADSTS165000")
    #expect(try number(send("/common/login", ["flow": signIn, "cancel": "1"])) == "AADSTS165000")
    lab.cookies = own
    let consent = try flow(send("/common/login", password))
    let signedIn = lab.cookies
    lab.cookies = cookies
    #expect(try number(send("/common/consent", ["flow": consent, "accept": "1"])) == "AADSTS165000")
    lab.cookies = signedIn
    #expect(try send("/common/consent", ["flow": consent, "accept": "1"]).http.status == 302)
  }

  /// An attacker's client cannot use its flow with the victim's session.
  @Test func aForeignFlowDoesNotUseTheSessionOfTheBrowserThatPostsIt() throws {
    let foreign = try flow(lab.authorize(ProviderLab.notes))
    lab.cookies = []
    _ = try lab.signIn(ProviderLab.word)
    #expect(
      try number(send("/common/login", ["flow": foreign, "username": "alice@contoso.com"])) == "AADSTS165000")
    #expect(lab.documents.bodies[.consentGrant] == nil)
  }

  @Test(
    arguments: [
      ("https://evil.example", nil, "AADSTS165000"), ("null", nil, "AADSTS165000"),
      ("http://localhost:5000", nil, "AADSTS165000"),
      (nil, "cross-site", "AADSTS165000"), (nil, "same-site", "AADSTS165000"),
      (ProviderLab.origin, "same-site", "AADSTS165000"),
      ("https://evil.example", "same-origin", "AADSTS165000"),
      (ProviderLab.origin, "same-origin", nil), (nil, nil, nil), (nil, "none", nil),
    ] as [(String?, String?, String?)])
  func aFormOfAnotherPageIsRefused(_ origin: String?, _ site: String?, _ refusal: String?) throws {
    let signIn = try flow(lab.authorize(ProviderLab.word))
    for (path, field) in [("login", "flow"), ("consent", "flow"), ("oauth2/deviceauth", "user_code")] {
      var request = HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/common/" + path, form: [NameValue(field, signIn)])
      request.headers = [("Origin", origin), ("Sec-Fetch-Site", site)].compactMap { name, value in
        value.map { NameValue(name, $0) }
      }
      #expect(try number(lab.send(request)) == refusal, "\(path)")
    }
  }

  @Test func twoSignInsOfOneBrowserGoOnSideBySide() throws {
    let flows = try [flow(lab.authorize(ProviderLab.word)), flow(lab.authorize(ProviderLab.excel))]
    #expect(lab.cookies.map(\.name) == ["__Host-esctx"])
    for flow in flows {
      let answer = try send(
        "/common/login", ["flow": flow, "username": "alice@contoso.com", "password": "right"])
      #expect(answer.http.status == 302)
    }
  }

  /// Session fixation: a cookie that another person knows must not become the session of the user who signs in.
  @Test func aPasswordRenewsTheSession() throws {
    _ = try lab.signIn(ProviderLab.word)
    let planted = try #require(lab.cookies[SSOSession.cookieName])
    let signIn = try flow(lab.authorize(ProviderLab.word, ["prompt": "login"]))
    _ = try send("/common/login", ["flow": signIn, "username": "bob@contoso.com", "password": "right"])
    let sessions = SSOSessions(documents: lab.documents, now: lab.now)
    #expect(
      try sessions.session(of: lab.cookies)?.usernames == ["bob@contoso.com", "alice@contoso.com"])
    #expect(try sessions.session(of: [NameValue(SSOSession.cookieName, planted)]) == nil)
  }

  @Test func anAccountThatIsPickedKeepsTheSession() throws {
    _ = try lab.signIn(ProviderLab.word)
    let before = lab.cookies
    let signIn = try flow(lab.authorize(ProviderLab.word, ["prompt": "select_account"]))
    let answer = try send("/common/login", ["flow": signIn, "username": "alice@contoso.com"])
    #expect(answer.http.status == 302)
    #expect(lab.cookies[SSOSession.cookieName] == before[SSOSession.cookieName])
  }

  @Test func theCookieIsForThisOriginAloneAndNoScript() throws {
    let answer = try lab.authorize(ProviderLab.word).http
    let set = answer.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
    let value = try #require(lab.cookies["__Host-esctx"])
    #expect(value.count == 43)
    #expect(set == ["__Host-esctx=\(value); Path=/; Secure; HttpOnly; SameSite=Lax"])
  }
}
