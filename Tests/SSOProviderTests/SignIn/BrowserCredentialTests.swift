import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider
@testable import SSOReference

/// A browser that presents the broker's credential is signed in as the broker's user
/// (docs/behaviour/linux-broker.md §6).
@Suite struct BrowserCredentialTests {
  private let lab: ProviderLab
  private let secret: String
  private let key: SessionKey
  private static let context = [UInt8](0..<24)

  init() throws {
    lab = try ProviderLab()
    let tokens = try lab.signIn(.authenticationBroker, scope: "openid profile offline_access")
    secret = try #require(tokens.primaryRefreshToken)
    key = try #require(tokens.sessionKey.flatMap(SessionKey.init(encoded:)))
    lab.cookies = []
  }

  private func nonce() throws -> String {
    let answer = try lab.post("/common/oauth2/token", ["grant_type": "srv_challenge"]).http
    #expect(answer.status == 200)
    return try #require(JSONValue(bounded: answer.body)?["Nonce"]?.string)
  }

  private func signed(
    nonce: String?, _ version: SessionKey.DerivationVersion = .two, by key: SessionKey? = nil
  ) -> String {
    PrimaryRefreshTokenCookie.signed(
      secret, nonce: nonce, at: lab.now, context: Self.context, by: key ?? self.key, version)
  }

  /// Returns the response to a browser without other cookies for a sign-in in Word.
  private func open(_ credential: String, asCookie: Bool = false) throws -> ProviderResponse {
    let name = PrimaryRefreshTokenCookie.name
    let request = HTTPRequest(
      "GET", origin: "https://login.microsoftonline.com", path: "/common/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", "word"), NameValue("redirect_uri", "msauth.com.microsoft.word://auth"),
        NameValue("response_type", "code"), NameValue("scope", "User.Read openid"),
        NameValue("code_challenge", ProviderLab.challenge), NameValue("code_challenge_method", "S256"),
      ], headers: asCookie ? [] : [NameValue(name, credential)])
    return try lab.provider.respond(
      to: request, cookies: asCookie ? [NameValue(name, credential)] : [])
  }

  @Test(arguments: SessionKey.DerivationVersion.allCases, [true, false])
  func aNonceSignsThePersonInWithoutAPage(_ version: SessionKey.DerivationVersion, _ asCookie: Bool) throws {
    let answer = try open(signed(nonce: try nonce(), version), asCookie: asCookie)
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let tokens = try TokenResponse(reading: lab.redeem(code: code, ProviderLab.word))
    let claims = try JSONWebToken(unverified: tokens.accessToken).claims
    #expect(claims["deviceid"] == "phone", "the device of the primary refresh token")
    #expect(claims["name"] == "Alice")
  }

  @Test(arguments: [(-300, true), (-301, false), (3600, true), (3601, false)])
  func withoutANonceItIsTakenForAnHour(_ age: Int, _ isTaken: Bool) throws {
    let credential = signed(nonce: nil)
    lab.now = lab.now.adding(seconds: age)
    let answer = try open(credential)
    #expect((answer.http.location?.contains("code=") == true) == isTaken)
    if !isTaken { #expect(lab.failedCheck == "browser's credential: iat") }
  }

  @Test(arguments: [(300, true), (301, false)])
  func aNonceServesOnceAndForFiveMinutes(_ age: Int, _ isTaken: Bool) throws {
    let credential = signed(nonce: try nonce())
    lab.now = lab.now.adding(seconds: age)
    #expect((try open(credential).http.location?.contains("code=") == true) == isTaken)
    #expect(try open(credential).http.location == nil, "a replay")
    #expect(lab.failedCheck == "browser's credential: nonce")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var check: String
    var aadsts: AADSTSCode
    var credential: @Sendable (BrowserCredentialTests) throws -> String
    var testDescription: String { check }
  }

  static let refusals = [
    Refusal(check: "form", aadsts: .clientAssertionMalformed) { _ in "no token" },
    Refusal(check: "kdf_ver", aadsts: .derivationVersionInvalid) { tests in
      try tests.changed(header: "kdf_ver", .integer(3))
    },
    Refusal(check: "primary refresh token", aadsts: .sessionArtifactExpired) { tests in
      PrimaryRefreshTokenCookie.signed(
        "0.Aunknown", nonce: nil, at: tests.lab.now, context: context, by: tests.key)
    },
    Refusal(check: "signature", aadsts: .clientAssertionMalformed) { tests in
      tests.signed(nonce: nil, by: SessionKey(bytes: Array(0..<32)))
    },
    // The context is one of the inputs from which the key is derived.
    Refusal(check: "signature", aadsts: .clientAssertionMalformed) { tests in
      try tests.changed(header: "ctx", "AAAA")
    },
    Refusal(check: "not revoked", aadsts: .sessionArtifactRevoked) { tests in
      try tests.lab.provider.revokeRefreshToken(secret: tests.secret)
      return tests.signed(nonce: nil)
    },
    Refusal(check: "not expired", aadsts: .sessionArtifactExpired) { tests in
      try tests.lab.provider.expireRefreshToken(secret: tests.secret)
      return tests.signed(nonce: nil)
    },
    Refusal(check: "nonce", aadsts: .clientAssertionMalformed) { $0.signed(nonce: "another") },
  ]

  @Test(arguments: refusals) func isRefused(_ refusal: Refusal) throws {
    let answer = try open(refusal.credential(self))
    #expect(lab.failedCheck == "browser's credential: " + refusal.check)
    guard case .error(let page) = answer.page else {
      Issue.record("an error page was expected")
      return
    }
    #expect(page.number == "AADSTS\(refusal.aadsts.number)")
    #expect(answer.http.location == nil)
  }

  /// Returns the credential with one member of the header set to another value, and the rest unchanged.
  private func changed(header name: String, _ value: JSONValue) throws -> String {
    let parts = signed(nonce: nil).split(separator: ".").map(String.init)
    var header = try #require(JSONValue(bounded: Base64URL.decode(parts[0]) ?? [])?.object)
    header[name] = value
    return ([Base64URL.encode(JSONValue.object(header).bytes(.wire))] + parts[1...]).joined(separator: ".")
  }
}
