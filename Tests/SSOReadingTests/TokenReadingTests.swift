import Foundation
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

  /// A change of a good token, and the one check that then fails.
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
    Fault(testDescription: "issuer", changes: ["ver": "2.0", "iss": "https://sts.windows.net/other/"]),
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
    #expect(reading.form == (fault.testDescription == "form" ? .otherToken : .accessToken))
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

  @Test(arguments: [
    ("0.AXkAopaque", TokenReading.Form.opaque), ("eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", .encrypted),
    ("", .opaque),
  ])
  func whatIsNoSignedTokenIsNamed(_ text: String, _ form: TokenReading.Form) {
    #expect(TokenReading(text, TokenReading.Expectation(now: Self.now)).form == form)
  }
}
