import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// The guarantees of docs/security.md to an external client, and to the user who signs in to it.
@Suite struct ServedPromiseTests {
  private let program: ServedLab
  private var lab: Lab { program.lab }

  init() throws { program = try ServedLab() }

  /// The user consented in a simulated app, and a program with the same client ID received tokens because of that.
  @Test func undoOfASignInLeavesAProgramWhatItWasGiven() throws {
    let app = "com.contoso.mytestapp1"
    let answers: [Answer] = [.accept, .username(ServedLab.ada), .password("analytical-engine"), .accept]
    let intent = SignIn(app: app, account: nil, scopes: ["User.Read"], prompt: .whenRequired)
    guard case .done(let outcome, _) = try lab.perform(intent, answers: answers) else {
      Issue.record("an answer is missing")
      return
    }
    #expect(outcome.verdict == .succeeded)
    let clientID = try lab.read { try $0.app(app).clientID }
    func token(_ fields: KeyValuePairs<String, String>) throws -> SSOCore.HTTPResponse {
      try lab.serve(
        program.request(
          "POST", "oauth2/v2.0/token", [NameValue("client_id", clientID)] + fields.map { NameValue($0, $1) }),
        approval: .browser
      ).answer.http
    }
    let given = try TokenResponse(
      reading: token([
        "grant_type": "password", "username": ServedLab.ada, "password": "analytical-engine",
        "scope": "User.Read openid offline_access",
      ]))
    #expect(try lab.undo() != nil)
    let refreshed = try token([
      "grant_type": "refresh_token", "refresh_token": given.refreshToken ?? "", "scope": "User.Read",
    ])
    #expect(refreshed.status == 200, "\(OAuthError(reading: refreshed).message)")
    let key = try JSONWebToken(unverified: given.accessToken).header["kid"]?.string
    let keys = try lab.serve(
      HTTPRequest("GET", origin: program.origin, path: "/common/discovery/v2.0/keys"), approval: .browser)
    let published = JSONValue(bounded: keys.answer.http.body)?["keys"]?.array?.compactMap {
      $0["kid"]?.string
    }
    #expect(published == [key].compactMap(\.self), "the key that verifies its tokens is still published")
  }

  /// Each request has 256 random bits from the system, and not a seed.
  @Test func theRandomNumbersOfARequestComeFromAKeyOfItsOwn() throws {
    let keys = try (0..<2).map { _ in
      let random = lab.request(program.authorize, approval: .browser).random
      return JSONValue(bounded: try encodeJSON(random))?["key"]?.array ?? []
    }
    #expect(keys.map(\.count) == [32, 32] && keys[0] != keys[1])
  }

  /// `serve` was restarted with another --approve: the pages continue, and passwords are counted.
  @Test func aSignInThatBeganInTheBrowserGoesOnThere() throws {
    let first = try lab.serve(program.authorize, approval: .browser).answer
    guard case .signIn(let page) = first.page else {
      Issue.record("no page")
      return
    }
    func login(_ password: String) throws -> ServedAnswer {
      let fields = [("flow", page.flowID), ("username", ServedLab.ada), ("password", password)]
      return try lab.serve(
        program.request("POST", "login", fields.map { NameValue($0, $1) }), cookies: first.setCookies,
        approval: .terminal)
    }
    for number in 0..<10 { #expect(try !login("wrong\(number)").startsWaiting) }
    guard case .signIn(let locked) = try login("analytical-engine").answer.page else {
      Issue.record("no page")
      return
    }
    #expect(locked.failure?.hasPrefix("AADSTS50053:") == true)
  }
}
