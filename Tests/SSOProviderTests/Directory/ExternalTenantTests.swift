import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// An external tenant (Entra External ID), whose endpoints are at `NAME.ciamlogin.com`.
@Suite struct ExternalTenantTests {
  private static let origin = "https://localhost:8443"
  private static let id = ProviderLab.contoso.id
  private static let issuer = "https://\(id).ciamlogin.com/\(id)/v2.0"

  private let lab: ProviderLab

  init() throws {
    lab = try ProviderLab()
    var contoso = ProviderLab.contoso
    contoso.cloudHost = "contoso.ciamlogin.com"
    try lab.documents.save(contoso)
    var notes = ProviderLab.notes
    (notes.adminOnlyScopes, notes.secrets, notes.isPreauthorized) = ([], ["s3cret"], true)
    notes.accessTokenVersion = 2
    try lab.documents.save(notes)
  }

  private func send(
    _ method: String, _ path: String, origin: String = Self.origin,
    _ fields: KeyValuePairs<String, String> = [:]
  ) throws -> ProviderResponse {
    let fields = fields.map { NameValue($0, $1) }
    return try lab.send(
      HTTPRequest(
        method, origin: origin, path: path, query: method == "GET" ? fields : [],
        form: method == "POST" ? fields : []))
  }

  private func configuration(at origin: String) throws -> JSONValue {
    let path = "/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration"
    return try #require(JSONValue(bounded: try send("GET", path, origin: origin).http.body))
  }

  /// Fields as they were recorded in public (api-evangelist/caa-insurance).
  @Test(arguments: [origin, "https://contoso.ciamlogin.com"])
  func theIssuerIsAtTheHostOfTheTenantID(_ origin: String) throws {
    let body = try configuration(at: origin)
    #expect(body["issuer"]?.string == Self.issuer)
    #expect(body["token_endpoint"]?.string == "\(origin)/\(Self.id)/oauth2/v2.0/token")
    #expect(body["authorization_endpoint"]?.string == "\(origin)/\(Self.id)/oauth2/v2.0/authorize")
    #expect(body["jwks_uri"]?.string == "\(origin)/\(Self.id)/discovery/v2.0/keys")
    #expect(body["cloud_instance_name"]?.string == "microsoftonline.com")
  }

  @Test func theTokenHasTheIssuerOfTheDocument() throws {
    let (uri, scope) = ("http://localhost", "openid api://notes/.default")
    let page = try send(
      "GET", "/contoso.com/oauth2/v2.0/authorize",
      [
        "client_id": "notes", "redirect_uri": uri, "response_type": "code", "scope": scope,
        "code_challenge": ProviderLab.challenge, "code_challenge_method": "S256",
      ]
    ).page
    guard case .signIn(let form) = page else {
      Issue.record("no sign-in page")
      return
    }
    let back = try send(
      "POST", "/contoso.com/login",
      ["flow": form.flowID, "username": "alice@contoso.com", "password": "right"])
    let code = try #require(back.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let answer = try send(
      "POST", "/contoso.com/oauth2/v2.0/token",
      [
        "grant_type": "authorization_code", "client_id": "notes", "client_secret": "s3cret", "code": code,
        "redirect_uri": uri, "code_verifier": ProviderLab.verifier, "scope": scope,
      ])
    let tokens = try #require(JSONValue(bounded: answer.http.body))
    for name in ["id_token", "access_token"] {
      let token = try JSONWebToken(unverified: try #require(tokens[name]?.string, "\(tokens)"))
      #expect(token.claims["iss"]?.string == Self.issuer, "\(name)")
    }
  }

  /// Microsoft Learn, "Supported features in workforce and external tenants".
  @Test func itTakesNoPasswords() throws {
    let answer = try send(
      "POST", "/contoso.com/oauth2/v2.0/token",
      [
        "grant_type": "password", "client_id": "notes", "client_secret": "s3cret",
        "username": "alice@contoso.com", "password": "right", "scope": "openid api://notes/.default",
      ])
    #expect(OAuthError(reading: answer.http).code == .unsupportedGrantType)
  }

  private func signIn(at tenant: String) throws -> Page? {
    let answer = try send(
      "GET", "/\(tenant)/oauth2/v2.0/authorize",
      [
        "client_id": "notes", "redirect_uri": ProviderLab.notes.redirectURIs[0], "response_type": "code",
        "scope": "User.Read", "code_challenge": ProviderLab.challenge, "code_challenge_method": "S256",
      ])
    guard case .signIn(let page) = answer.page else { return answer.page }
    return try send(
      "POST", "/\(tenant)/login",
      ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"]
    ).page
  }

  private var number: String? { lab.trace.hops.last?.refusal?.number }

  @Test(arguments: ["common", "organizations"])
  func itsPeopleSignInAtTheirTenantAlone(_ authority: String) throws {
    _ = try signIn(at: authority)
    #expect(number == "AADSTS500208")
    #expect(try signIn(at: "contoso.com") == nil, "signed in")
  }

  @Test func anAppOfSeveralTenantsIsRefusedOnAPage() throws {
    var notes = try #require(try Directory(documents: lab.documents).registration(clientID: "notes"))
    notes.accounts = .organizations
    try lab.documents.save(notes)
    guard case .error(let page) = try signIn(at: "contoso.com") else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS500207")
    #expect(lab.trace.hops.last?.checks.last { $0.verdict == .failed }?.remedy?.change == "accounts=")
  }

  /// Microsoft Learn, identity-platform/consent-types-developer: only an administrator consents.
  @Test func itsUsersCannotConsent() throws {
    var notes = try #require(try Directory(documents: lab.documents).registration(clientID: "notes"))
    notes.isPreauthorized = false
    try lab.documents.save(notes)
    guard case .error(let page) = try signIn(at: "contoso.com") else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS65001")
    #expect(
      lab.trace.hops.last?.checks.last { $0.verdict == .failed }?.remedy?.change == "isPreauthorized=yes")
    var alice = ProviderLab.alice
    alice.isAdministrator = true
    try lab.save(alice)
    lab.cookies = []
    guard case .consent(let consent) = try signIn(at: "contoso.com") else {
      Issue.record("an administrator is not asked")
      return
    }
    #expect(consent.question == nil)
  }

  /// The page on which an administrator consents for all users.
  @Test func anAdministratorConsentsForAllUsers() throws {
    var notes = try #require(try Directory(documents: lab.documents).registration(clientID: "notes"))
    notes.isPreauthorized = false
    try lab.documents.save(notes)
    try ConsentGrants(documents: lab.documents, isServed: false)
      .grant(RequestedScopes("User.Read"), ofOrganisation: Self.id, to: notes)
    #expect(try signIn(at: "contoso.com") == nil, "signed in")
  }
}
