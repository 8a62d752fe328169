import Foundation
import SSOCore
import SSOReading
import Testing

struct TokenReadingTests {
  private static let now = Instant(1_700_000_000)
  private static let tenant = "11111111-aaaa-4aaa-8aaa-111111111111"

  private static func claims(_ changes: [String: JSONValue] = [:]) -> [String: JSONValue] {
    let usual: [String: JSONValue] = [
      "aud": "api://orders", "iss": .string("https://login.microsoftonline.com/\(tenant)/v2.0"), "ver": "2.0",
      "tid": .string(tenant), "scp": "Orders.Read", "azp": "client", "iat": .integer(1_699_999_000),
      "nbf": .integer(1_699_999_000), "exp": .integer(1_700_003_000),
    ]
    return usual.merging(changes) { $1 }.filter { $0.value != .null }
  }

  /// A change to a valid token, and the one check that then fails.
  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var changes: [String: JSONValue] = [:]
    var alter: @Sendable (String) -> String = { $0 }
  }

  @Test(arguments: [
    Fault(testDescription: "none"),
    Fault(testDescription: "expiry", changes: ["exp": .integer(1_700_000_000)]),
    Fault(testDescription: "not before", changes: ["nbf": .integer(1_700_000_301)]),
    Fault(testDescription: "issued", changes: ["iat": .integer(1_700_000_301)]),
    Fault(testDescription: "audience", changes: ["aud": "api://other"]),
    Fault(testDescription: "expiry", changes: ["exp": "1700003000"]),
    Fault(testDescription: "expiry", changes: ["exp": .integer(1_700_003_000_000)]),
    Fault(testDescription: "issued", changes: ["iat": .integer(1_699_999_000_000)]),
    Fault(testDescription: "issuer", changes: ["ver": "2.0", "iss": "https://sts.windows.net/other/"]),
    Fault(
      testDescription: "issuer", changes: ["tfp": "B2C_1_susi", "iss": "https://a.b2clogin.com/other/v2.0/"]),
    Fault(
      testDescription: "none",
      changes: [
        "tfp": "B2C_1_susi", "ver": "1.0", "iss": .string("https://a.b2clogin.com/\(tenant)/v2.0/"),
      ]),
    Fault(testDescription: "none", alter: { $0.replacing(".", with: ".\r\n") }),
    Fault(testDescription: "form", alter: { $0.split(separator: ".").prefix(2).joined(separator: ".") }),
    Fault(testDescription: "signature", alter: { String($0.dropLast(8)) + "AAAAAAAA" }),
    Fault(testDescription: "form", alter: { String($0.replacing(".", with: ".!", maxReplacements: 1)) }),
  ])
  func eachFaultIsNamedByTheOneCheckThatFails(_ fault: Fault) throws {
    let key = try TokenSigningKey(id: "k1", from: RandomSource(Randomness(seed: 7)))
    let token = fault.alter(try JSONWebToken(claims: Self.claims(fault.changes)).signed(by: key))
    var expected = TokenReading.Expectation(now: Self.now)
    expected.keys = [try key.publicKey]
    expected.audience = "api://orders"
    let reading = TokenReading("Bearer " + token + "\n", expected)
    let failed = reading.checks.filter { $0.verdict == .failed }.map(\.name)
    #expect(failed == (fault.testDescription == "none" ? [] : [fault.testDescription]))
    #expect((reading.form == .otherToken) == reading.claims.isEmpty)
  }

  @Test
  func anUnsignedTokenAndAnUnknownKeyAreRefused() throws {
    let key = try TokenSigningKey(id: "k1", from: RandomSource(Randomness(seed: 7)))
    var expected = TokenReading.Expectation(now: Self.now)
    expected.keys = []
    let signed = try JSONWebToken(claims: Self.claims()).signed(by: key)
    #expect(TokenReading(signed, expected).checks.first { $0.name == "signature" }?.found == "no key k1")
    let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + signed.split(separator: ".")[1] + "."
    #expect(TokenReading(none, expected).checks.first { $0.name == "algorithm" }?.verdict == .failed)
  }

  /// The keys of a store say nothing about other issuers, but they must verify a token of the store's own tenants.
  @Test(arguments: [("other", Check.Verdict.skipped), (tenant, .failed)])
  func aTokenOfAnotherIssuerIsNotCheckedByTheStoresKeys(_ ours: String, _ verdict: Check.Verdict) throws {
    let key = try TokenSigningKey(id: "k1", from: RandomSource(Randomness(seed: 7)))
    var expected = TokenReading.Expectation(now: Self.now)
    (expected.keys, expected.tenants) = ([], [ours])
    let reading = TokenReading(try JSONWebToken(claims: Self.claims()).signed(by: key), expected)
    let signature = try #require(reading.checks.first { $0.name == "signature" })
    #expect(signature.verdict == verdict)
    let address = "https://login.microsoftonline.com/\(Self.tenant)/discovery/v2.0/keys"
    #expect(signature.expected.contains(address) == (verdict == .skipped))
  }

  @Test func aSignedRequestIsNamedAndNotCalledExpired() throws {
    let key = try TokenSigningKey(id: "k1", from: RandomSource(Randomness(seed: 7)))
    let inner = try JSONWebToken(claims: Self.claims()).signed(by: key)
    let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k","typ":"pop"}"#.utf8))
    let claims = JSONValue.object(["at": .string(inner), "m": "GET", "ts": .integer(1_700_000_000)])
    let reading = TokenReading(
      [header, Base64URL.encode(claims.bytes(.wire)), "c2ln"].joined(separator: "."),
      TokenReading.Expectation(now: Self.now))
    #expect(reading.form == .signedRequest && !reading.hasFailed)
  }

  @Test(arguments: [
    ("0.AXkAopaque", TokenReading.Form.opaque), ("eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", .encrypted),
    ("", .opaque),
  ])
  func whatIsNoSignedTokenIsNamed(_ text: String, _ form: TokenReading.Form) {
    #expect(TokenReading(text, TokenReading.Expectation(now: Self.now)).form == form)
  }
}
