import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The trace of every rejected request contains the check that rejected it.
@Suite struct RefusalCheckTests {
  struct Refused: CustomTestStringConvertible {
    var method = "GET"
    var path: String
    var fields: [NameValue] = []
    var check: String
    var testDescription: String { "\(method) \(path): \(check)" }
  }

  private static let word = NameValue("client_id", "word")

  @Test(arguments: [
    Refused(path: "/common/nothing", check: "address"), Refused(path: "/", check: "address"),
    Refused(method: "PUT", path: "/common/oauth2/v2.0/token", check: "method"),
    Refused(method: "DELETE", path: "/v1.0/me", check: "method"),
    Refused(
      method: "POST", path: "/common/login", fields: [NameValue("flow", "x")], check: "request is valid"),
    Refused(
      method: "POST", path: "/common/oauth2/v2.0/token",
      fields: [
        word, NameValue("grant_type", "refresh_token"), NameValue("refresh_token", "x"),
        NameValue("claims", "{"),
      ],
      check: "request is valid"),
    Refused(path: "/v1.0/users", fields: [NameValue("$top", "0")], check: "requested resource"),
    Refused(path: "/v1.0/users/nobody", check: "requested resource"),
    Refused(path: "/v1.0/drives", check: "request is valid"),
    Refused(path: "/resource", fields: [NameValue("audience", "api://x")], check: "audience"),
  ])
  func hasACheck(_ refused: Refused) throws {
    let lab = try ProviderLab()
    let token = try lab.signIn(ProviderLab.word, scope: "User.Read.All openid").accessToken
    let isForm = refused.method == "POST"
    let answer = try lab.send(
      HTTPRequest(
        refused.method, origin: ProviderLab.origin, path: refused.path, query: isForm ? [] : refused.fields,
        headers: isForm ? [] : [NameValue("Authorization", "Bearer " + token)],
        form: isForm ? refused.fields : []))
    #expect(answer.http.status >= 400)
    #expect(lab.failedCheck == refused.check)
  }

  /// A user who closes the page violates no rule.
  @Test func aCancelledSignInHasNoFailedCheck() throws {
    let lab = try ProviderLab()
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("no sign-in page")
      return
    }
    let answer = try lab.post("/common/login", ["flow": page.flowID, "cancel": "1"])
    #expect(answer.http.location?.contains("error=access_denied") == true)
    #expect(lab.failedCheck == nil)
  }

  /// A claims parameter that is not an object is rejected at the redirect URI.
  @Test func aRefusalByRedirectHasACheckToo() throws {
    let lab = try ProviderLab()
    let answer = try lab.authorize(ProviderLab.word, ["claims": "{"])
    #expect(answer.http.location?.contains("error=") == true)
    #expect(lab.failedCheck != nil)
  }
}
