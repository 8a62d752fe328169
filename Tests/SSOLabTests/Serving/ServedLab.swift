import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// The articles' suite with an external client, which sends its requests as MSAL Python does.
struct ServedLab {
  static let client = "33333333-cccc-4ccc-8ccc-333333333333"
  static let ada = "ada@contoso.com"
  let redirect = "http://localhost:54321"
  /// The origin at which the client finds the server.
  var origin = "https://localhost:8443"
  let lab: Lab

  init() throws {
    try self.init(try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite")))
  }

  init(_ lab: Lab) throws {
    self.lab = lab
    try lab.registerExternalClients()
  }

  func request(_ method: String, _ path: String, _ fields: [NameValue]) -> SSOCore.HTTPRequest {
    HTTPRequest(
      method, origin: origin, path: "/contoso.com/" + path,
      query: method == "GET" ? fields : [],
      headers: [NameValue("x-client-sku", "MSAL.Python"), NameValue("x-client-ver", "1.39.0")],
      form: method == "GET" ? [] : fields)
  }

  var authorize: SSOCore.HTTPRequest {
    request(
      "GET", "oauth2/v2.0/authorize",
      [
        NameValue("client_id", Self.client), NameValue("response_type", "code"),
        NameValue("redirect_uri", redirect), NameValue("state", "xyz"),
        NameValue("scope", "User.Read openid profile offline_access"),
        NameValue("code_challenge", ProviderLab.challenge), NameValue("code_challenge_method", "S256"),
      ])
  }

  func token(_ fields: [NameValue]) -> SSOCore.HTTPRequest {
    request(
      "POST", "oauth2/v2.0/token",
      [
        NameValue("client_id", Self.client), NameValue("client_info", "1"),
        NameValue("scope", "User.Read openid profile offline_access"),
      ] + fields)
  }

  /// Signs Ada in without a prompt, as a script does, and redeems the code.
  func signIn() throws -> TokenResponse {
    let answer = try lab.serve(authorize, approval: .automatic(username: Self.ada)).answer
    return try redeem(URLParts(answer.http.location ?? "")?.fields?["code"] ?? "none")
  }

  func redeem(_ code: String) throws -> TokenResponse {
    try TokenResponse(
      reading: lab.serve(
        token([
          NameValue("grant_type", "authorization_code"), NameValue("code", code),
          NameValue("redirect_uri", redirect), NameValue("code_verifier", ProviderLab.verifier),
        ]), approval: .browser
      ).answer.http)
  }

  func deviceCode(approval: Approval) throws -> (device: String, user: String) {
    let asked = request(
      "POST", "oauth2/v2.0/devicecode",
      [NameValue("client_id", Self.client), NameValue("scope", "User.Read openid profile offline_access")])
    let body = JSONValue(bounded: try lab.serve(asked, approval: approval).answer.http.body)
    return (body?["device_code"]?.string ?? "", body?["user_code"]?.string ?? "")
  }

  func poll(_ deviceCode: String) -> SSOCore.HTTPRequest {
    token([NameValue("grant_type", GrantType.deviceCode.rawValue), NameValue("device_code", deviceCode)])
  }

  func refresh(_ secret: String?) throws -> SSOCore.HTTPResponse {
    try lab.serve(
      token([NameValue("grant_type", "refresh_token"), NameValue("refresh_token", secret ?? "")]),
      approval: .browser
    ).answer.http
  }
}
