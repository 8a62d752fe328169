import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct TokenEndpointTests {
  struct Refusal: CustomTestStringConvertible {
    var check: String
    var aadsts: Int
    var code: OAuthErrorCode
    var changes: [String: String]
    var tenant = "common"
    var testDescription: String { check + " " + String(aadsts) }
  }

  @Test(arguments: [
    Refusal(check: "grant type", aadsts: 900144, code: .invalidRequest, changes: ["grant_type": ""]),
    Refusal(
      check: "grant type", aadsts: 70003, code: .unsupportedGrantType, changes: ["grant_type": "magic"]),
    Refusal(
      check: "tenant exists", aadsts: 90002, code: .invalidRequest, changes: [:], tenant: "nowhere.com"),
    Refusal(check: "tenant exists", aadsts: 900023, code: .invalidRequest, changes: [:], tenant: "nowhere"),
    Refusal(
      check: "client registered", aadsts: 700016, code: .unauthorizedClient, changes: ["client_id": "x"]),
    Refusal(check: "code known", aadsts: 9_002_313, code: .invalidGrant, changes: ["code": "x"]),
    Refusal(check: "code known", aadsts: 70000, code: .invalidGrant, changes: ["code": "0.Cx"]),
    Refusal(
      check: "code issued to client", aadsts: 7_000_110, code: .invalidGrant, changes: ["client_id": "word"]),
    Refusal(
      check: "redirect URI absolute", aadsts: 500116, code: .invalidClient, changes: ["redirect_uri": "x"]),
    Refusal(
      check: "redirect URI registered", aadsts: 50011, code: .invalidClient,
      changes: ["redirect_uri": "http://localhost/x"]),
    Refusal(
      check: "redirect URI as before", aadsts: 500112, code: .invalidClient,
      changes: ["redirect_uri": "http://localhost"]),
    Refusal(
      check: "redirect URI as before", aadsts: 700009, code: .invalidGrant, changes: ["redirect_uri": ""]),
    Refusal(check: "code verifier", aadsts: 501481, code: .invalidGrant, changes: ["code_verifier": "x"]),
  ])
  func refusesTheCodeGrant(_ refusal: Refusal) throws {
    let lab = try ProviderLab()
    var form = [
      "grant_type": "authorization_code", "client_id": "notes", "code": try lab.code(ProviderLab.notes),
      "redirect_uri": ProviderLab.notes.redirectURIs[0], "code_verifier": ProviderLab.verifier,
    ]
    form.merge(refusal.changes) { $1 }
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: "https://login.microsoftonline.com", path: "/\(refusal.tenant)/oauth2/v2.0/token",
        form: form.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value) }))
    let error = OAuthError(reading: answer.http)
    #expect(error.aadsts == refusal.aadsts)
    #expect(error.code == refusal.code)
    #expect(lab.failedCheck == refusal.check)
    #expect(lab.trace.hops.last?.result == "400 \(refusal.code.text) AADSTS\(refusal.aadsts)")
  }

  @Test func refusalIsEntrasWholeBody() throws {
    let lab = try ProviderLab()
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: "https://localhost:8443", path: "/common/oauth2/v2.0/token",
        headers: [NameValue("client-request-id", "0f8fad5b-d9cb-469f-a165-70867728950e")],
        form: [
          NameValue("grant_type", "refresh_token"), NameValue("client_id", "word"),
          NameValue("refresh_token", "0.Anone"), NameValue("scope", "User.Read"),
        ])
    ).http
    #expect(answer.status == 400)
    #expect(answer.headers["Cache-Control"] == "no-store, no-cache")
    let body = try #require(JSONValue(bounded: answer.body))
    let traceID = try #require(body["trace_id"]?.string)
    #expect(
      body == [
        "error": "invalid_grant", "suberror": "bad_token", "error_codes": [.integer(70000)],
        "error_description": .string(
          "AADSTS70000: Provided grant is invalid or malformed. Trace ID: \(traceID) Correlation ID: "
            + "0f8fad5b-d9cb-469f-a165-70867728950e Timestamp: 2026-01-01 10:00:00Z"),
        "error_uri": "https://login.microsoftonline.com/error?code=70000",
        "timestamp": "2026-01-01 10:00:00Z", "trace_id": .string(traceID),
        "correlation_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
      ])
  }

  @Test func familyRefreshTokenServesAnyAppOfTheFamily() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word)
    #expect(tokens.familyID == "1")
    let secret = try #require(tokens.refreshToken)
    let other = try TokenResponse(reading: lab.refresh(secret, ProviderLab.excel))
    #expect(try JSONWebToken(unverified: other.accessToken).claims["appid"] == "excel")
    let guest = try TokenResponse(reading: lab.refresh(secret, ProviderLab.word, tenant: "fabrikam.com"))
    #expect(
      try JSONWebToken(unverified: guest.accessToken).claims["tid"]?.string == ProviderLab.fabrikam.id)
  }

  @Test func appOutsideTheFamilyIsTold() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let answer = try lab.refresh(secret, ProviderLab.notes)
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts, error.suberror) == (.invalidGrant, 700_007, "client_mismatch"))
    #expect(JSONValue(bounded: answer.body)?["error_additional_info"] == ["client_mismatch"])
    #expect(lab.failedCheck == "refresh token serves client")
  }

  @Test(arguments: [
    ("authorization_code", "code"), ("refresh_token", "refresh_token"), ("password", "username"),
    ("urn:ietf:params:oauth:grant-type:device_code", "device_code"),
    ("urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion"),
  ])
  func aGrantWithoutWhatItRedeemsIsToldWhatIsMissing(_ grant: String, _ name: String) throws {
    let lab = try ProviderLab()
    let answer = try lab.token(["grant_type": grant, "client_id": "word"])
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts) == (.invalidRequest, 900_144))
    #expect(lab.failedCheck == "\(name) present")
  }

  @Test func revokedTokenIsBad() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    #expect(try lab.provider.revokeRefreshToken(secret: secret))
    let error = OAuthError(reading: try lab.refresh(secret, ProviderLab.word))
    #expect((error.code, error.aadsts, error.suberror) == (.invalidGrant, 50173, "bad_token"))
  }

  @Test(arguments: [(90 * 86_400 - 1, 200), (90 * 86_400, 400)])
  func refreshTokenLivesNinetyDays(_ age: Int, _ status: Int) throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    lab.now = lab.now.adding(seconds: age)
    #expect(try lab.refresh(secret, ProviderLab.word).status == status)
  }

  @Test(arguments: [(8192, 200), (8193, 400)])
  func scopesAreBounded(_ size: Int, _ status: Int) throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let resource = "https://vault.azure.net/"
    let scope = resource + String(repeating: "x", count: size - resource.utf8.count)
    let answer = try lab.refresh(secret, ProviderLab.word, scope: scope)
    #expect(answer.status == status)
  }

  /// Their app IDs are not published, so the identifier stands for them.
  @Test(arguments: ["https://api.botframework.com", "https://webpubsub.azure.com/"])
  func apisThatOnlyAzureSDKsNameAreKnown(_ identifier: String) throws {
    let api = try #require(ProtectedResource.firstParty(named: identifier))
    #expect((api.audience, api.tokenVersion) == (identifier, 1))
    #expect(ProtectedResource.firstParty(named: "https://example.azure.com") == nil)
  }

  @Test func refreshNeedsConsentForNewScopes() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.notes).refreshToken)
    let error = OAuthError(reading: try lab.refresh(secret, ProviderLab.notes, scope: "Mail.Read"))
    #expect((error.aadsts, error.suberror) == (65001, "consent_required"))
  }

  @Test func secretsAreNeverKeys() throws {
    let lab = try ProviderLab()
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    #expect(lab.documents.bodies[.refreshToken]?.keys.sorted() == [sha256Hex(secret)])
  }
}

@Suite struct PrimaryRefreshTokenTests {
  private func redeem(
    _ lab: ProviderLab, _ primary: String, caller: String, redirectURI: String,
    client: ClientRegistration = ProviderLab.word
  ) throws -> HTTPResponse {
    try lab.post(
      "/common/oauth2/v2.0/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "prt": primary,
        "client_id": client.clientID, "redirect_uri": redirectURI, "scope": "User.Read openid offline_access",
        "broker_bundle_id": "com.microsoft.azureauthenticator", "caller_bundle_id": caller,
      ]
    ).http
  }

  private func primary(_ lab: ProviderLab) throws -> String {
    let tokens = try lab.signIn(.authenticationBroker, scope: "openid profile offline_access")
    #expect(tokens.sessionKey.flatMap { Base64URL.decode($0) }?.count == 32)
    return try #require(tokens.primaryRefreshToken)
  }

  @Test func brokerGetsTheAppsTokens() throws {
    let lab = try ProviderLab()
    let answer = try redeem(
      lab, primary(lab), caller: "com.microsoft.word", redirectURI: "msauth.com.microsoft.word://auth")
    let tokens = try TokenResponse(reading: answer)
    #expect(try JSONWebToken(unverified: tokens.accessToken).claims["appid"] == "word")
    #expect(try lab.documents.refreshToken(secret: tokens.refreshToken ?? "")?.deviceID == "phone")
  }

  @Test(arguments: [
    ("com.evil", "msauth.com.microsoft.word://auth", "caller's bundle ID in redirect URI"),
    ("com.evil", "msauth.com.evil://auth", "redirect URI registered"),
    ("", "msauth.://auth", "caller's bundle ID in redirect URI"),
    ("com.microsoft.Word", "msauth.com.microsoft.word://auth", "caller's bundle ID in redirect URI"),
  ])
  func impostorGetsNone(_ caller: String, _ redirectURI: String, _ check: String) throws {
    let lab = try ProviderLab()
    let answer = try redeem(lab, primary(lab), caller: caller, redirectURI: redirectURI)
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts) == (.invalidClient, 50011))
    #expect(lab.failedCheck == check)
  }

  @Test(arguments: [(90 * 86_400 - 1, 200), (90 * 86_400, 400)])
  func livesNinetyDays(_ age: Int, _ status: Int) throws {
    let lab = try ProviderLab()
    let secret = try primary(lab)
    lab.now = lab.now.adding(seconds: age)
    let answer = try redeem(
      lab, secret, caller: "com.microsoft.word", redirectURI: "msauth.com.microsoft.word://auth")
    #expect(answer.status == status)
  }

  @Test func isNoOrdinaryRefreshToken() throws {
    let lab = try ProviderLab()
    let error = OAuthError(reading: try lab.refresh(primary(lab), .authenticationBroker))
    #expect(error.aadsts == 70000)
  }
}
