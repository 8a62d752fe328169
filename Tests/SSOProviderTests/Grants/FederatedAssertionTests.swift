import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// A token of another issuer, used instead of a secret.
@Suite struct FederatedAssertionTests {
  private let lab: ProviderLab
  private static let issuer = "https://localhost:8443/federation"
  private static let subject = "system:serviceaccount:shop:web"

  init() throws {
    lab = try ProviderLab()
    var server = ProviderLab.notes
    server.clientID = "server"
    server.federatedCredentials = [
      FederatedCredential(issuer: "https://other.example", subject: Self.subject),
      FederatedCredential(issuer: Self.issuer, subject: Self.subject),
      FederatedCredential(issuer: Self.issuer, subject: "ci", audiences: ["for-ci", "for-more"]),
    ]
    try lab.documents.save(server)
  }

  private func token(
    _ issuer: String = issuer, subject: String = subject,
    audience: String = FederatedCredential.usualAudience, from start: Int = 0
  ) throws -> String {
    try ForeignIssuer(documents: lab.documents, random: lab.random).token(
      issuer: issuer, subject: subject, audience: audience, at: lab.now.adding(seconds: start), lifetime: 600)
  }

  private func redeem(_ assertion: String, client: String = "server") throws -> HTTPResponse {
    try lab.token([
      "grant_type": "client_credentials", "client_id": client, "scope": "api://server/.default",
      "client_assertion_type": ClientAssertion.type, "client_assertion": assertion,
    ])
  }

  @Test(arguments: [(subject, FederatedCredential.usualAudience), ("ci", "for-ci"), ("ci", "for-more")])
  func aTokenThatOneCredentialNamesProvesTheClient(_ subject: String, _ audience: String) throws {
    let answer = try redeem(token(subject: subject, audience: audience))
    let compact = try #require(answer.json?["access_token"]?.string)
    #expect(try lab.claims(compact)["appidacr"] == "2")
  }

  struct Refusal: CustomTestStringConvertible {
    var testDescription: String
    var issuer = FederatedAssertionTests.issuer
    var subject = FederatedAssertionTests.subject
    var audience = FederatedCredential.usualAudience
    var start = 0
    var isAltered = false
    var says: String
  }

  @Test(arguments: [
    Refusal(
      testDescription: "federated credential for the issuer", issuer: issuer + "/",
      says: "AADSTS700211: No matching federated identity record found for presented assertion issuer "
        + "'https://localhost:8443/federation/'."),
    Refusal(
      testDescription: "assertion signed by its issuer", isAltered: true,
      says: "AADSTS7000272: The certificate with identifier "),
    Refusal(
      testDescription: "assertion is valid now", start: -900,
      says: "AADSTS700024: Client assertion is not within its valid time range. Current time: "
        + "2026-01-01T10:00:00.0000000Z, assertion valid from 2026-01-01T09:45:00.0000000Z, expiry time of assertion "
    ),
    Refusal(testDescription: "assertion is valid now", start: 301, says: "AADSTS700024: "),
    Refusal(
      testDescription: "federated credential for the audience", audience: "api://other",
      says:
        "AADSTS700212: No matching federated identity record found for presented assertion audience 'api://other'."
    ),
    Refusal(
      testDescription: "federated credential for the subject", subject: "system:serviceaccount:shop:api",
      says: "AADSTS700213: No matching federated identity record found for presented assertion subject "
        + "'system:serviceaccount:shop:api'."),
    Refusal(
      testDescription: "federated credential for the subject", subject: "system:serviceaccount:shop:Web",
      says: "AADSTS7002138: No matching federated identity record found for presented assertion subject "
        + "'system:serviceaccount:shop:Web'. The subject matches with case-insensitive comparison"),
    Refusal(
      testDescription: "federated credential for the subject", audience: "for-ci", says: "AADSTS700213: "),
  ])
  func refuses(_ refusal: Refusal) throws {
    var assertion = try token(
      refusal.issuer, subject: refusal.subject, audience: refusal.audience, from: refusal.start)
    if refusal.isAltered { assertion = assertion.dropLast(8) + "AAAAAAAA" }
    let answer = try redeem(assertion)
    #expect(answer.json?["error"] == "invalid_client")
    #expect(answer.json?["error_description"]?.string?.hasPrefix(refusal.says) == true)
    #expect(lab.failedCheck == refusal.testDescription)
  }

  @Test func aTextThatIsNoTokenIsNamedSo() throws {
    #expect(try redeem(token() + "\n").json?["error_codes"] == [.integer(50_027)])
    #expect(lab.failedCheck == "client assertion is a token")
  }

  @Test func anAppWithoutFederatedCredentialsTakesNone() throws {
    let answer = try redeem(token(), client: "notes")
    #expect(answer.json?["error_codes"] == [.integer(70025)] && answer.json?["error_uri"] == nil)
    #expect(answer.status == 401 && answer.json?["error"] == "invalid_client")
  }

  @Test func anAppWithThemMustProveItself() throws {
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_id": "server", "scope": "api://server/.default",
    ])
    #expect(answer.json?["error_codes"] == [.integer(7_000_216)])
  }

  /// The lab's own issuer can be discovered, and its key verifies its tokens.
  @Test func theIssuerPublishesItsKey() throws {
    let compact = try token()
    let document = try #require(
      try lab.get("/federation/.well-known/openid-configuration", bearer: nil).json)
    #expect(
      document["issuer"]?.string == Self.issuer && document["jwks_uri"]?.string == Self.issuer + "/keys")
    let keys = try #require(try lab.get("/federation/keys", bearer: nil).json?["keys"]?.array)
    let verified = try JSONWebToken(verifying: compact, keys: keys.compactMap { TokenVerificationKey($0) })
    #expect(verified.claims["sub"]?.string == Self.subject)
    #expect(try lab.provider.resources.keys.published().map(\.id) != keys.map { $0["kid"]?.string ?? "" })
  }
}
