import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct ClientAuthenticationTests {
  static let server: ClientRegistration = {
    var server = ProviderLab.notes
    (server.clientID, server.secrets) = ("server", ["s3cret"])
    return server
  }()

  /// This is a tenant's first name at Entra, which most samples use.
  @Test func aTenantIsKnownByItsInitialDomain() throws {
    let lab = try ProviderLab.withServer()
    let form: KeyValuePairs = [
      "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
      "scope": "api://server/.default",
    ]
    #expect(try lab.token(form, tenant: "contoso.onmicrosoft.com").json?["access_token"] != nil)
    #expect(try lab.token(form, tenant: "nobody.onmicrosoft.com").json?["access_token"] == nil)
  }

  /// The token is for Azure AD Graph, as at Entra, because version 1 does not read `scope`.
  @Test(arguments: ["", "api://server/.default"])
  func versionOneWithoutAResourceIsForAzureADGraph(_ scope: String) throws {
    let lab = try ProviderLab.withServer()
    let answer = try lab.post(
      "/contoso.com/oauth2/token",
      ["grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret", "scope": scope]
    ).http
    #expect(answer.json?["resource"] == "00000002-0000-0000-c000-000000000000")
  }

  struct Attempt: CustomTestStringConvertible {
    var testDescription: String
    var clientID: String?
    var secret: String?
    var header: String?
    /// The AADSTS code, or `nil` if the client is accepted.
    var aadsts: Int?
    var asksForHeader = false
  }

  private static func basic(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }

  @Test(arguments: [
    Attempt(testDescription: "public, in the body", clientID: "notes"),
    Attempt(testDescription: "public, empty password, as oidc-agent", header: basic("notes:")),
    Attempt(testDescription: "public, named in both", clientID: "notes", header: basic("notes:")),
    Attempt(testDescription: "public with a secret", clientID: "notes", secret: "x", aadsts: 700_025),
    Attempt(testDescription: "confidential, in the body", clientID: "server", secret: "s3cret"),
    Attempt(testDescription: "confidential, header", header: basic("server:s3cret")),
    Attempt(testDescription: "confidential, header form-encoded", header: basic("server:s3%63ret")),
    Attempt(testDescription: "confidential without: its poll is refused", clientID: "server"),
    Attempt(testDescription: "wrong secret", clientID: "server", secret: "no", aadsts: 7_000_215),
    Attempt(
      testDescription: "wrong secret in the header", header: basic("server:no"), aadsts: 7_000_215,
      asksForHeader: true),
    Attempt(
      testDescription: "another client in the header", clientID: "notes", header: basic("server:s3cret"),
      aadsts: 7_000_110, asksForHeader: true),
    Attempt(
      testDescription: "no base64", header: "Basic ??", aadsts: 7_000_215, asksForHeader: true),
  ])
  func proof(_ attempt: Attempt) throws {
    let lab = try ProviderLab()
    try lab.documents.save(Self.server)
    var form = [NameValue("scope", "User.Read")]
    if let id = attempt.clientID { form.append(NameValue("client_id", id)) }
    if let secret = attempt.secret { form.append(NameValue("client_secret", secret)) }
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: "https://localhost:8443", path: "/common/oauth2/v2.0/devicecode",
        headers: attempt.header.map { [NameValue("authorization", $0)] } ?? [], form: form)
    ).http
    let error = answer.status == 200 ? nil : OAuthError(reading: answer)
    #expect(error?.aadsts == attempt.aadsts)
    #expect(answer.status == (attempt.aadsts == nil ? 200 : 401))
    #expect((answer.headers["WWW-Authenticate"] != nil) == attempt.asksForHeader)
    #expect(!String(describing: lab.trace.hops).contains("s3cret\""))
  }

  /// RFC 6749 §2.3: a client must not use more than one authentication method in each request.
  @Test(arguments: [
    ("header and secret", true, ["client_secret": "s3cret"]),
    (
      "header and assertion", true,
      ["client_assertion": "a.b.c", "client_assertion_type": ClientAssertion.type]
    ),
    (
      "secret and assertion", false,
      ["client_secret": "s3cret", "client_assertion": "a.b.c", "client_assertion_type": ClientAssertion.type]
    ),
  ])
  func twoProofsAreOneTooMany(_ how: String, _ byHeader: Bool, _ fields: [String: String]) throws {
    let lab = try ProviderLab.withServer()
    let form = fields.merging(["client_id": "server", "grant_type": "client_credentials"]) { $1 }
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/contoso.com/oauth2/v2.0/token",
        headers: byHeader ? [NameValue("Authorization", Self.basic("server:s3cret"))] : [],
        form: form.map { NameValue($0, $1) })
    ).http
    #expect(answer.status == 400)
    #expect(OAuthError(reading: answer).code == .invalidRequest)
  }

  @Test func aClientThatNamesNobodyIsToldWhatIsMissing() throws {
    let answer = try ProviderLab().token(["grant_type": "refresh_token", "refresh_token": "x"])
    let error = OAuthError(reading: answer)
    #expect(
      error
        == OAuthError(
          .invalidRequest, "The request body must contain the following parameter: 'client_id'.",
          aadsts: .bodyParameterMissing))
  }

  @Test func aParameterThatStandsTwiceIsRefused() throws {
    let answer = try ProviderLab().token([
      "grant_type": "refresh_token", "client_id": "word", "refresh_token": "x", "scope": "openid",
      "scope": "openid",
    ])
    #expect(OAuthError(reading: answer).aadsts == 9_000_411)
  }

  @Test func confidentialClientMayLeaveProofKeysOut() throws {
    let lab = try ProviderLab()
    try lab.documents.save(Self.server)
    let bare: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
    guard case .signIn = try lab.authorize(Self.server, bare).page else {
      Issue.record("no sign-in page")
      return
    }
  }
}
