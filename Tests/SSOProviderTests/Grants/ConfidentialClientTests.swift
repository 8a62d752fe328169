import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct ClientCredentialsTests {
  private func ask(
    _ lab: ProviderLab, scope: String = "api://server/.default", tenant: String = "contoso.com",
    client: String = "server", secret: String = "s3cret"
  ) throws -> HTTPResponse {
    try lab.token(
      [
        "grant_type": "client_credentials", "client_id": client, "client_secret": secret, "scope": scope,
        "client_info": "1",
      ], tenant: tenant)
  }

  @Test func appGetsATokenForItselfAndNothingElse() throws {
    let lab = try ProviderLab.withServer()
    let body = try #require(ask(lab).json)
    let compact = try #require(body["access_token"]?.string)
    #expect(
      body == [
        "access_token": .string(compact), "token_type": "Bearer", "expires_in": .integer(3600),
        "ext_expires_in": .integer(3600),
      ])
    let claims = try lab.claims(compact)
    let object = guid(of: "service principal server in \(ProviderLab.contoso.id)")
    #expect(
      claims == [
        "aud": "api://server",
        "iss": .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"),
        "iat": .integer(1_767_261_300), "nbf": .integer(1_767_261_300), "exp": .integer(1_767_265_200),
        "appid": "server", "appidacr": "1",
        "oid": .string(object), "sub": .string(object), "tid": .string(ProviderLab.contoso.id), "ver": "1.0",
        "uti": claims["uti"] ?? "", "rh": claims["rh"] ?? "",
        "idp": .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"),
      ])
  }

  /// MSAL Go, `accesstokens.AppendDefaultScopes`.
  @Test func scopesOfOpenIDConnectHaveNoEffect() throws {
    let lab = try ProviderLab.withServer()
    let body = try #require(ask(lab, scope: "api://server/.default openid offline_access profile").json)
    #expect(body["access_token"] != nil && body["id_token"] == nil && body["refresh_token"] == nil)
    let refused = OAuthError(reading: try ask(lab, scope: "openid offline_access profile"))
    #expect(refused.aadsts == 1_002_012)
  }

  /// ADAL specifies a resource and no scope.
  @Test func versionOneNamesAResource() throws {
    let lab = try ProviderLab.withServer()
    let answer = try lab.post(
      "/contoso.com/oauth2/token",
      [
        "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
        "resource": "https://graph.windows.net/",
      ]
    ).http
    let body = try #require(answer.json)
    let compact = try #require(body["access_token"]?.string)
    #expect(
      body == [
        "access_token": .string(compact), "token_type": "Bearer", "expires_in": "3600",
        "ext_expires_in": "3600", "expires_on": "1767265200", "not_before": "1767261300",
        "resource": "https://graph.windows.net/",
      ])
    let claims = try lab.claims(compact)
    #expect(claims["iss"] == .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"))
    #expect(claims["aud"] == "https://graph.windows.net/")
    #expect([claims["ver"], claims["appidacr"], claims["idtyp"]] == ["1.0", "1", "app"])
    #expect(claims["azp"] == nil && claims["azpacr"] == nil)
  }

  struct Refusal: CustomTestStringConvertible {
    var testDescription: String
    var scope = "api://server/.default"
    var tenant = "contoso.com"
    var client = "server"
    var secret = "s3cret"
    var code: OAuthErrorCode
    var aadsts: Int
    var status = 400
  }

  @Test(arguments: [
    Refusal(testDescription: "common", tenant: "common", code: .invalidRequest, aadsts: 50059),
    Refusal(
      testDescription: "one permission", scope: "api://server/x", code: .invalidScope, aadsts: 1_002_012),
    Refusal(
      testDescription: "two scopes", scope: "api://server/.default api://server/x", code: .invalidScope,
      aadsts: 1_002_012),
    Refusal(
      testDescription: "two resources", scope: "api://server/.default https://vault.azure.net/.default",
      code: .invalidScope, aadsts: 70011),
    Refusal(
      testDescription: "no URI", scope: "user.read/.default", code: .invalidScope, aadsts: 70011),
    Refusal(
      testDescription: "a permission in the URI", scope: "https://graph.microsoft.com/user.read/.default",
      code: .invalidResource, aadsts: 500_011),
    Refusal(testDescription: "no scope", scope: "", code: .invalidRequest, aadsts: 90014),
    Refusal(
      testDescription: "public client", client: "notes", secret: "", code: .invalidClient, aadsts: 7_000_216,
      status: 401),
    Refusal(
      testDescription: "wrong secret", secret: "S3cret", code: .invalidClient, aadsts: 7_000_215, status: 401),
  ])
  func refuses(_ refusal: Refusal) throws {
    let answer = try ask(
      .withServer(), scope: refusal.scope, tenant: refusal.tenant, client: refusal.client,
      secret: refusal.secret)
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts) == (refusal.code, refusal.aadsts))
    #expect(answer.status == refusal.status)
  }
}

@Suite struct ClientAssertionTests {
  static let key = Result { try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: 1))) }
  static let other = Result { try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: 2))) }

  private func lab() throws -> ProviderLab {
    let lab = try ProviderLab.withServer()
    var server = ProviderLab.server
    (server.secrets, server.publicKeys) = ([], [try Self.key.get().publicKey])
    try lab.documents.save(server)
    return lab
  }

  struct Attempt: CustomTestStringConvertible {
    var testDescription: String
    var changes: [String: JSONValue] = [:]
    var key = ClientAssertionTests.key
    var type = ClientAssertion.type
    /// The AADSTS code, or `nil` if the client is accepted.
    var aadsts: Int?
  }

  private static let endpoint = "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token"

  @Test(arguments: [
    Attempt(testDescription: "good"),
    Attempt(
      testDescription: "issuer as audience",
      changes: ["aud": .string("https://login.microsoftonline.com/\(ProviderLab.contoso.id)/v2.0")]),
    Attempt(
      testDescription: "several audiences", changes: ["aud": ["https://other.example", .string(endpoint)]],
      aadsts: 5_002_741),
    Attempt(testDescription: "a list of one audience", changes: ["aud": [.string(endpoint)]]),
    Attempt(testDescription: "another audience", changes: ["aud": "https://other.example"], aadsts: 700_023),
    Attempt(testDescription: "no audience", changes: ["aud": .null], aadsts: 90014),
    Attempt(testDescription: "no issuer", changes: ["iss": .null], aadsts: 90014),
    Attempt(testDescription: "another issuer", changes: ["iss": "notes"], aadsts: 700_021),
    Attempt(testDescription: "ended 299 s ago", changes: ["exp": .integer(1_767_261_600 - 299)]),
    Attempt(
      testDescription: "ended 300 s ago", changes: ["exp": .integer(1_767_261_600 - 300)], aadsts: 700_024),
    Attempt(testDescription: "begins in 300 s", changes: ["nbf": .integer(1_767_261_600 + 300)]),
    Attempt(
      testDescription: "begins in 301 s", changes: ["nbf": .integer(1_767_261_600 + 301)], aadsts: 700_024),
    Attempt(
      testDescription: "fractions of a second, as MSAL Python",
      changes: ["exp": .number(1_767_261_600.5 + 600), "nbf": .number(1_767_261_600.5)]),
    Attempt(
      testDescription: "ends beyond all measure", changes: ["exp": .number(1e300)], aadsts: 700_024),
    Attempt(testDescription: "never ends", changes: ["exp": .null], aadsts: 700_024),
    Attempt(testDescription: "signed by another key", key: ClientAssertionTests.other, aadsts: 700_027),
    Attempt(testDescription: "of another type", type: "saml", aadsts: 90023),
    Attempt(testDescription: "of no type", type: "", aadsts: 900_144),
  ])
  func proof(_ attempt: Attempt) throws {
    var claims: [String: JSONValue] = [
      "iss": "server", "sub": "server", "aud": .string(Self.endpoint), "jti": "1",
      "exp": .integer(1_767_261_600 + 600), "iat": .integer(1_767_261_600),
    ]
    claims.merge(attempt.changes) { $1 }
    let lab = try lab()
    let assertion = try JSONWebToken(header: ["x5t": "abc"], claims: claims).signed(by: attempt.key.get())
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_assertion": assertion,
      "client_assertion_type": attempt.type, "scope": "api://server/.default",
    ])
    #expect((answer.status == 200 ? nil : OAuthError(reading: answer).aadsts) == attempt.aadsts)
    if attempt.aadsts == nil {
      #expect(try lab.claims(TokenResponse(reading: answer).accessToken)["appidacr"] == "2")
    }
    #expect(!String(describing: lab.trace.hops).contains(assertion))
  }

  /// Returns the certificate of the key, valid for five years from the beginning of 2026.
  private static func registered() throws -> (key: TokenVerificationKey, certificate: KeyCertificate) {
    let start = Instant(1_767_225_600)
    let pem = String(decoding: try SigningCertificate(of: key.get(), at: start).pem, as: UTF8.self)
    let key = try #require(TokenVerificationKey(keyOrCertificate: pem))
    return (key, try #require(key.certificate))
  }

  struct Named: CustomTestStringConvertible {
    var testDescription: String
    var header: @Sendable (KeyCertificate) -> [String: JSONValue]
    var now = Instant(1_767_261_600)
    /// A part of the sentence, or `nil` if the client is accepted.
    var sentence: (@Sendable (KeyCertificate) -> String)?
  }

  /// Entra finds the certificate by its thumbprint, and does not accept it after its end.
  @Test(arguments: [
    Named(testDescription: "x5t", header: { ["x5t": .string($0.thumbprint)] }),
    Named(testDescription: "x5t#S256", header: { ["x5t#S256": .string($0.thumbprint256)] }),
    Named(testDescription: "only kid", header: { _ in ["kid": "any"] }),
    Named(
      testDescription: "x5t of another certificate", header: { _ in ["x5t": "AAAAAAAAAAAAAAAAAAAAAAAAAAA"] },
      sentence: { _ in
        "is not registered on application. [Reason - The key was not found., Thumbprint of key used by client: "
          + "'0000000000000000000000000000000000000000', Please visit the Azure Portal"
      }),
    Named(
      testDescription: "the hexadecimal thumbprint in base64url",
      header: { ["x5t": .string(Base64URL.encode($0.displayText.utf8))] },
      sentence: { _ in "[Reason - The key was not found., Please visit the Azure Portal" }),
    Named(
      testDescription: "x5t#S256 of another certificate", header: { ["x5t#S256": .string($0.thumbprint)] },
      sentence: { _ in "[Reason - The key was not found., " }),
    Named(
      testDescription: "the last second", header: { ["x5t": .string($0.thumbprint)] },
      now: Instant(1_767_225_600 + 5 * 365 * 86_400 - 1)),
    Named(
      testDescription: "expired", header: { ["x5t": .string($0.thumbprint)] },
      now: Instant(1_767_225_600 + 5 * 365 * 86_400),
      sentence: {
        "is expired on application. [Reason - The key used is expired., Thumbprint of key used by client: "
          + "'\($0.displayText)', Found key 'Start=01/01/2026 00:00:00, End=12/31/2030 00:00:00', Please visit"
      }),
    Named(
      testDescription: "not valid yet", header: { ["x5t": .string($0.thumbprint)] },
      now: Instant(1_767_225_599), sentence: { _ in "is expired on application." }),
  ])
  func theCertificateIsFoundByItsThumbprint(_ named: Named) throws {
    let (key, certificate) = try Self.registered()
    let lab = try ProviderLab.withServer()
    lab.now = named.now
    var server = ProviderLab.server
    (server.secrets, server.publicKeys) = ([], [key])
    try lab.documents.save(server)
    #expect(try decodeJSON(TokenVerificationKey.self, from: encodeJSON(key)) == key)
    let now = Int64(named.now.seconds)
    let assertion = try JSONWebToken(
      header: named.header(certificate),
      claims: [
        "iss": "server", "sub": "server", "aud": .string(Self.endpoint), "jti": "1",
        "exp": .integer(now + 600), "iat": .integer(now),
      ]
    ).signed(by: Self.key.get())
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_assertion": assertion,
      "client_assertion_type": ClientAssertion.type, "scope": "api://server/.default",
    ])
    guard let sentence = named.sentence else {
      #expect(answer.status == 200)
      return
    }
    let error = OAuthError(reading: answer)
    #expect(error.aadsts == 700_027 && error.code == .invalidClient && answer.status == 401)
    #expect(error.reason.contains(sentence(certificate)), "\(error.reason)")
  }

  /// The header of an assertion says how it was signed, and with which certificate.
  @Test(
    arguments: [
      (["alg": "HS256", "x5t": "abc"], 5_002_738), (["alg": "none", "x5t": "abc"], 5_002_738),
      (["alg": "ES256", "x5t": "abc"], 5_002_738), (["alg": "RS256"], 5_002_723),
      (["alg": "RS256", "x5t": "abc"], 700_027), (["alg": "RS512", "kid": "abc"], 700_027),
      (["alg": "PS256", "x5t#S256": "abc"], 700_027),
    ] as [([String: JSONValue], Int)])
  func theHeaderIsRead(_ header: [String: JSONValue], _ aadsts: Int) throws {
    let claims: JSONValue = [
      "iss": "server", "sub": "server", "aud": .string(Self.endpoint), "exp": .integer(1_767_261_600 + 600),
    ]
    let parts = [JSONValue.object(header), claims].map { Base64URL.encode($0.bytes(.wire)) }
    let answer = try lab().token([
      "grant_type": "client_credentials", "client_assertion": parts.joined(separator: ".") + ".YWFh",
      "client_assertion_type": ClientAssertion.type, "scope": "api://server/.default",
    ])
    #expect(OAuthError(reading: answer).aadsts == aadsts)
  }

  @Test(arguments: [("", "700026"), ("x.y", "50027")])
  func clientWithoutKeyOrTokenIsTold(_ compact: String, _ number: String) throws {
    let lab = compact.isEmpty ? try ProviderLab.withServer() : try lab()
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_id": "server", "scope": "api://server/.default",
      "client_assertion": compact.isEmpty ? "x" : compact, "client_assertion_type": ClientAssertion.type,
    ])
    #expect(OAuthError(reading: answer).aadsts == Int(number))
  }

  /// The token is signed by openssl with PS256, as MSAL Python does with a certificate.
  @Test func opensslSignatureVerifies() throws {
    let key = try #require(TokenVerificationKey(pem: SampleKey.publicPEM))
    let token = try JSONWebToken(verifying: Self.ps256, keys: [key], allowing: [.ps256])
    #expect(token.claims == ["sub": "server"])
    #expect(throws: JSONWebToken.Refusal.algorithm("PS256")) {
      try JSONWebToken(verifying: Self.ps256, keys: [key])
    }
    let signing = try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: 5)))
    let certificate = try SigningCertificate(of: signing, at: Instant(1_767_261_600)).pem
    let read = TokenVerificationKey(keyOrCertificate: String(decoding: certificate, as: UTF8.self))
    #expect(try read?.modulus == signing.publicKey.modulus)
    #expect(
      TokenVerificationKey(keyOrCertificate: SampleKey.publicPEM)
        == TokenVerificationKey(pem: SampleKey.publicPEM))
    #expect(TokenVerificationKey(pem: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----") == nil)
  }

  private static let ps256 =
    "eyJhbGciOiAiUFMyNTYiLCAidHlwIjogIkpXVCIsICJ4NXQjUzI1NiI6ICJhYmMifQ.eyJzdWIiOiJzZXJ2ZXIifQ."
    + "KfJs1v2_YaF9sbkq6BejKH_7cYBiXgD-R5tC7Ixpq6lP3llPIYIosFkm92kxTXC-JFIfVOTPj-d8qi-W6u7S7TcB_p"
    + "aIFnXegW5XBCAXuAHqz94t4_ZpxVj9EXbGhhgGkQUVV8NW8cuSIYeRqBFrg_kS4fYjWql69J-NOObg10io2P2hRcq0"
    + "ZJfEgOSLxdvWCuK6SXt7mZqxTZYgNKjCtXMEEH8nUdkJvcsSVsk8dOHBHql6e__x9T3G399JTVCK_I5M9vsXk_MN14"
    + "uSS0j8sMv0tR97_yTtUJwJIiwBtswZcdMNmqUIxMWJde0jo7i-O5xsCDkSMuN-F_KDxNK3Pw"
}

/// An API that requires an assignment gives an app a token for its roles.
@Suite struct AppAssignmentTests {
  @Test func anAppNeedsARoleOfTheAPI() throws {
    let lab = try ProviderLab.withServer()
    var api = ProviderLab.word
    (api.clientID, api.displayName, api.isAssignmentRequired) = ("orders", "Orders API", true)
    try lab.documents.save(api)
    func answer() throws -> HTTPResponse {
      try lab.token([
        "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
        "scope": "api://orders/.default",
      ])
    }
    let error = OAuthError(reading: try answer())
    #expect((error.code, error.aadsts) == (.invalidGrant, 501_051))
    #expect(
      error.reason
        == "Application 'server'(Notes) is not assigned to a role for the application 'orders'(Orders API).")
    #expect(lab.failedCheck == "app assigned to the API")
    api.assigned = ["server"]
    try lab.documents.save(api)
    #expect(try answer().status == 200)
    api.assigned = nil
    try lab.documents.save(api)
    try lab.documents.save(AppRole(name: "Read", clientID: "orders", members: ["server"]))
    #expect(try answer().status == 200)
  }
}

@Suite struct OnBehalfOfTests {
  private func assertion(_ lab: ProviderLab, scope: String = "api://server/access") throws -> String {
    try lab.signIn(ProviderLab.word, scope: scope + ProviderLab.openID).accessToken
  }

  private func ask(
    _ lab: ProviderLab, _ assertion: String, use: String = "on_behalf_of", tenant: String = "contoso.com"
  ) throws -> HTTPResponse {
    try lab.token(
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": "server",
        "client_secret": "s3cret", "assertion": assertion, "requested_token_use": use,
        "scope": "User.Read openid profile offline_access", "client_info": "1",
      ], tenant: tenant)
  }

  @Test func apiGetsATokenForTheSamePerson() throws {
    let lab = try ProviderLab.withServer()
    let first = try assertion(lab)
    let tokens = try TokenResponse(reading: ask(lab, first))
    let (before, after) = (try lab.claims(first), try lab.claims(tokens.accessToken))
    #expect(after["oid"] == before["oid"])
    #expect(after["appid"] == "server")
    #expect(after["aud"] == .string(ProtectedResource.graphAppID))
    #expect(ClientInfo(tokens.clientInfo ?? "")?.uid == ProviderLab.alice.objectID)
  }

  /// An API's own App ID URI is `aud` of its tokens of version 1.
  @Test func anAssertionMayNameTheAPIByItsURI() throws {
    let lab = try ProviderLab.withServer()
    var server = ProviderLab.server
    server.identifierURIs = ["https://api.contoso.com"]
    try lab.documents.save(server)
    #expect(try ask(lab, assertion(lab, scope: "https://api.contoso.com/access")).status == 200)
    let error = OAuthError(
      reading: try ask(lab, assertion(lab, scope: "https://vault.azure.net/user_impersonation")))
    #expect(
      error.reason
        == "Assertion audience does not match the Client app presenting the assertion. The audience in the assertion was "
        + "'https://vault.azure.net' and the expected audience is 'server' or one of the Application Uris of this "
        + "application with App ID 'server'(Notes). The downstream client must request a token for the expected audience "
        + "(the application that made the OBO request) and this application should use that token as the assertion."
    )
  }

  /// The policies of the next API apply to the factors of the sign-in (docs/behaviour/provider.md §13).
  @Test func aPolicyAsksForAFactorThatTheSignInLacks() throws {
    let lab = try ProviderLab.withServer()
    let first = try assertion(lab)
    try lab.documents.save(Policy(name: "Two", requires: .mfa))
    let error = OAuthError(reading: try ask(lab, first))
    #expect(error.aadsts == 50076 && error.suberror == "basic_action" && error.claims != nil)
  }

  @Test(arguments: [
    ("another audience", 500_131), ("broken signature", 50013), ("token for Graph", 50013),
    ("expired", 500_133),
    ("from the future", 500_133), ("app's own", 7_000_114), ("another tenant", 1_000_014),
    ("without use", 900_144), ("deleted account", 50034), ("disabled account", 50057),
  ])
  func refuses(_ how: String, _ aadsts: Int) throws {
    let lab = try ProviderLab.withServer()
    let scopes = [
      "another audience": "https://vault.azure.net/user_impersonation", "token for Graph": "User.Read",
    ]
    var compact = try assertion(lab, scope: scopes[how] ?? "api://server/access")
    if how == "broken signature" { compact = compact.dropLast(8) + "AAAAAAAA" }
    if how == "expired" { lab.now = lab.now.adding(seconds: 3600) }
    if how == "from the future" { lab.now = lab.now.adding(seconds: -601) }
    if how == "deleted account" {
      lab.documents.delete(.person, "alice@contoso.com")
    }
    if how == "disabled account" {
      var alice = ProviderLab.alice
      alice.isDisabled = true
      try lab.save(alice)
    }
    if how == "app's own" {
      compact = try TokenResponse(
        reading: lab.token([
          "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
          "scope": "api://server/.default",
        ])
      ).accessToken
    }
    let answer = try ask(
      lab, compact, use: how == "without use" ? "" : "on_behalf_of",
      tenant: how == "another tenant" ? "fabrikam.com" : "contoso.com")
    #expect(OAuthError(reading: answer).aadsts == aadsts)
  }
}

@Suite struct PasswordGrantTests {
  private func ask(
    _ lab: ProviderLab, _ username: String, _ password: String, client: String = "word"
  ) throws -> HTTPResponse {
    try lab.token([
      "grant_type": "password", "client_id": client, "username": username, "password": password,
      "scope": "User.Read openid profile offline_access",
    ])
  }

  @Test func passwordIsEnough() throws {
    let tokens = try TokenResponse(reading: ask(ProviderLab(), "Alice@contoso.com", "right"))
    #expect(tokens.refreshToken != nil)
    #expect(
      try JSONWebToken(unverified: tokens.idToken ?? "").claims["preferred_username"] == "alice@contoso.com")
  }

  @Test(arguments: [
    ("alice@contoso.com", "wrong", "word", 50126), ("zoe@contoso.com", "right", "word", 50034),
    ("dora@contoso.com", "right", "word", 50057), ("mia@contoso.com", "right", "word", 50076),
    ("alice@contoso.com", "right", "notes", 65001), ("", "right", "word", 900_144),
    ("alice@contoso.com", "", "word", 900_144),
  ])
  func refuses(_ username: String, _ password: String, _ client: String, _ aadsts: Int) throws {
    let lab = try ProviderLab()
    #expect(OAuthError(reading: try ask(lab, username, password, client: client)).aadsts == aadsts)
    #expect(!String(describing: lab.trace.hops).contains("\"right\""))
  }
}
