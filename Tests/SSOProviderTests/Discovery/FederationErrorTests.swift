import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// AD FS refuses with numbers of its own, without IDs and a time (docs/behaviour/provider.md §19).
@Suite struct FederationErrorTests {
  private let lab: ProviderLab

  init() throws {
    lab = try ProviderLab.withServer()
  }

  private func token(_ changes: [String: String?]) throws -> HTTPResponse {
    var form: [String: String?] = [
      "grant_type": "authorization_code", "client_id": "word",
      "code": try lab.code(ProviderLab.word, tenant: "adfs", scope: "openid offline_access"),
      "redirect_uri": ProviderLab.word.redirectURIs[0], "code_verifier": ProviderLab.verifier,
    ]
    form.merge(changes) { $1 }
    return try send(form)
  }

  private func send(_ form: [String: String?]) throws -> HTTPResponse {
    try lab.send(
      HTTPRequest(
        "POST", origin: "https://fs.contoso.com", path: "/adfs/oauth2/token/",
        form: form.sorted { $0.key < $1.key }.compactMap { name, value in value.map { NameValue(name, $0) } })
    ).http
  }

  @Test(
    arguments: [
      ("invalid_client", "MSIS9607: The 'client_id' parameter", ["client_id": "nobody"]),
      ("invalid_request", "MSIS9609: The 'redirect_uri' parameter", ["redirect_uri": "http://localhost/x"]),
      ("unsupported_grant_type", "MSIS9611: ", ["grant_type": "magic"]),
      ("invalid_grant", "MSIS9612: The authorization code received in 'code' parameter", ["code": "made-up"]),
      (
        "invalid_grant", "MSIS9614: The refresh token received in 'refresh_token' parameter",
        ["grant_type": "refresh_token", "refresh_token": "made-up"]
      ),
      ("invalid_grant", "MSIS9720: ", ["code_verifier": ProviderLab.challenge]),
      (
        "invalid_client", "MSIS9622: Client authentication failed.",
        ["client_id": "server", "client_secret": "wrong"]
      ),
      ("invalid_client", "MSIS9622: Client authentication failed.", ["client_id": "server"]),
      (
        "invalid_grant", "MSIS9659: Invalid 'username' or 'password'.",
        ["grant_type": "password", "username": "alice@contoso.com", "password": "no", "scope": "openid"]
      ),
      // No public source shows AD FS's number.
      (
        "invalid_request", "The request body must contain the following parameter: 'grant_type'.",
        ["grant_type": nil]
      ),
    ] as [(String, String, [String: String?])])
  func aWrongRequestForATokenHasItsNumber(_ code: String, _ text: String, _ changes: [String: String?]) throws
  {
    let answer = try token(changes)
    #expect(answer.status == 400)
    #expect(answer.json?.object?.keys.sorted() == ["error", "error_description"])
    #expect(answer.json?["error"] == .string(code))
    #expect(answer.json?["error_description"]?.string?.hasPrefix(text) == true)
    let number = text.hasPrefix("MSIS") ? String(text.prefix(8)) : nil
    #expect(lab.trace.hops.last?.refusal?.number == number)
  }

  /// Other than Entra, AD FS uses a code up with a wrong verifier.
  @Test func aWrongVerifierSpendsTheCode() throws {
    let code = try lab.code(ProviderLab.word, tenant: "adfs", scope: "openid offline_access")
    #expect(try token(["code": code, "code_verifier": ProviderLab.challenge]).status == 400)
    #expect(
      try token(["code": code]).json?["error_description"]
        == "MSIS9612: The authorization code received in 'code' parameter is invalid. ")
  }

  @Test func aRefreshTokenExpires() throws {
    let tokens = try TokenResponse(reading: token([:]))
    lab.now = lab.now.adding(seconds: 91 * 86_400)
    let answer = try send([
      "grant_type": "refresh_token", "client_id": "word", "refresh_token": tokens.refreshToken,
    ])
    #expect(
      answer.json?["error_description"]
        == "MSIS9615: The refresh token received in refresh_token parameter has expired")
  }

  @Test(arguments: [
    (
      ["client_id": "nobody"],
      "MSIS9223: Received invalid OAuth authorization request. The received 'client_id' is"
    ),
    (
      ["redirect_uri": "https://evil.example/"],
      "MSIS9224: Received invalid OAuth authorization request. The received 'redirect_uri' parameter is not"
    ),
  ])
  func aWrongRequestForASignInIsOnThePage(_ changes: [String: String], _ text: String) throws {
    guard case .error(let page) = try lab.authorize(ProviderLab.word, tenant: "adfs", changes).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.message.hasPrefix(text) && page.number == String(text.prefix(8)))
    #expect(page.message.contains(changes["client_id"] ?? changes["redirect_uri"] ?? ""))
  }

  /// The registration lists the APIs for which AD FS has a permission of the client.
  @Test func aClientNeedsAPermissionForTheAPI() throws {
    var word = ProviderLab.word
    word.requiredAPIs = ["https://api.contoso.com"]
    try lab.documents.save(word)
    func fields(_ scope: String) throws -> [NameValue]? {
      try lab.authorize(word, tenant: "adfs", scope: scope).http.location.flatMap { URLParts($0)?.fields }
    }
    let refused = try #require(try fields("openid https://other.contoso.com/read"))
    #expect(refused["error"] == "access_denied" && refused["error_uri"] == nil)
    #expect(
      refused["error_description"]
        == "MSIS9605: The client is not allowed to access the requested resource.")
    #expect(refused["client-request-id"]?.utf8.count == 36)
    #expect(try fields("openid https://api.contoso.com/read") == nil, "a sign-in page")
    #expect(try fields("openid") == nil)
  }

  @Test func thePageShowsNoNumber() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word, tenant: "adfs", scope: "openid").page,
      case .signIn(let again) = try lab.post(
        "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "wrong"]
      ).page
    else {
      Issue.record("no sign-in page")
      return
    }
    #expect(
      again.failure == "Incorrect user ID or password. Type the correct user ID and password, and try again.")
  }
}
