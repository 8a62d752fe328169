import Foundation
import Testing

@testable import SSOCore

/// The cookie of a primary refresh token, against an independent implementation.
@Suite struct PrimaryRefreshTokenCookieTests {
  /// Created with Python's `cryptography`, the session key 00…1f, and the context 64…7b.
  ///
  /// The key derivation is KBKDFHMAC in counter mode with SHA-256, a counter and a length of four bytes, and the
  /// counter before the rest.
  struct Vector: CustomTestStringConvertible {
    var version: SessionKey.DerivationVersion
    var key: String
    var cookie: String
    var nonce: String?
    var testDescription: String { "kdf_ver \(version.rawValue), \(nonce == nil ? "iat" : "nonce")" }
  }

  static let sessionKey = SessionKey(bytes: Array(0..<32))
  static let context = [UInt8](100..<124)
  static let vectors = [
    Vector(
      version: .one, key: "fd86b1821bd2effa68009dee12e23d90b6889712dc9ec3a625075817ca47f47a",
      cookie:
        "eyJhbGciOiAiSFMyNTYiLCAidHlwIjogIkpXVCIsICJjdHgiOiAiWkdWbVoyaHBhbXRzYlc1dmNIRnljM1IxZG5kNGVYcDciLCAia2RmX3ZlciI6IDF9.eyJyZWZyZXNoX3Rva2VuIjogIjAuQXByaW1hcnlSZWZyZXNoVG9rZW4iLCAiaXNfcHJpbWFyeSI6ICJ0cnVlIiwgInJlcXVlc3Rfbm9uY2UiOiAibi0xIn0.L3aoV_uqJfQYXhCOKngFV1phIIfbgMi_myjhIhv7ep0",
      nonce: "n-1"),
    // This one lacks kdf_ver and typ.
    Vector(
      version: .one, key: "fd86b1821bd2effa68009dee12e23d90b6889712dc9ec3a625075817ca47f47a",
      cookie:
        "eyJhbGciOiAiSFMyNTYiLCAiY3R4IjogIlpHVm1aMmhwYW10c2JXNXZjSEZ5YzNSMWRuZDRlWHA3In0.eyJyZWZyZXNoX3Rva2VuIjogIjAuQXByaW1hcnlSZWZyZXNoVG9rZW4iLCAiaXNfcHJpbWFyeSI6ICJ0cnVlIiwgImlhdCI6ICIxNzY3MjYxNjAwIiwgIndpbl92ZXIiOiAiMTAuMC4xOTA0MS44NjgifQ.YHY1AEecxb6pCSkGftlk9tXyBioEWpKOBmcr1OSWHks"
    ),
    Vector(
      version: .two, key: "59ab31f9b372a1dfbf88286c5593fe4fa2fccf2680475b90fb96c3eee5009410",
      cookie:
        "eyJhbGciOiAiSFMyNTYiLCAidHlwIjogIkpXVCIsICJjdHgiOiAiWkdWbVoyaHBhbXRzYlc1dmNIRnljM1IxZG5kNGVYcDciLCAia2RmX3ZlciI6IDJ9.eyJyZWZyZXNoX3Rva2VuIjogIjAuQXByaW1hcnlSZWZyZXNoVG9rZW4iLCAiaXNfcHJpbWFyeSI6ICJ0cnVlIiwgInJlcXVlc3Rfbm9uY2UiOiAibi0xIn0.3mBjrn3UpVxoHRYuBZHwUK1k6Rce9BtrsZcs-x8kbx8",
      nonce: "n-1"),
    Vector(
      version: .two, key: "ac1ec76ab4391631dcf8447a550be3092a4ab95831c7143bb74ed3ce58f27c64",
      cookie:
        "eyJhbGciOiAiSFMyNTYiLCAidHlwIjogIkpXVCIsICJjdHgiOiAiWkdWbVoyaHBhbXRzYlc1dmNIRnljM1IxZG5kNGVYcDciLCAia2RmX3ZlciI6IDJ9.eyJyZWZyZXNoX3Rva2VuIjogIjAuQXByaW1hcnlSZWZyZXNoVG9rZW4iLCAiaXNfcHJpbWFyeSI6ICJ0cnVlIiwgImlhdCI6ICIxNzY3MjYxNjAwIiwgIndpbl92ZXIiOiAiMTAuMC4xOTA0MS44NjgifQ.YM8gdUGAU25NL6ZjHE0P-_0tF7sJ5Zhu2kcDMHT_SJw"
    ),
  ]

  @Test(arguments: vectors) func anIndependentImplementationDerivesAndSignsTheSame(_ vector: Vector) throws {
    let payload = try #require(
      Base64URL.decode(vector.cookie.split(separator: ".").map(String.init)[1]))
    let key = Self.sessionKey.derivedKey(context: Self.context, payload: payload, vector.version)
    #expect(key.map(hexadecimal).joined() == vector.key)
    let cookie = try #require(PrimaryRefreshTokenCookie(vector.cookie))
    #expect(cookie.isSigned(by: Self.sessionKey))
    #expect(cookie.primaryRefreshToken == "0.AprimaryRefreshToken")
    #expect(cookie.nonce == vector.nonce)
    #expect(cookie.issuedAt == (vector.nonce == nil ? Instant(1_767_261_600) : nil))
    #expect(!cookie.isSigned(by: SessionKey(bytes: Array(1..<33))))
  }

  @Test(arguments: SessionKey.DerivationVersion.allCases, ["n-1", nil])
  func whatIsSignedHereIsReadBack(_ version: SessionKey.DerivationVersion, _ nonce: String?) throws {
    let text = PrimaryRefreshTokenCookie.signed(
      "0.Asecret", nonce: nonce, at: Instant(1_767_261_600), context: Self.context, by: Self.sessionKey,
      version)
    let cookie = try #require(PrimaryRefreshTokenCookie(text))
    #expect(cookie.isSigned(by: Self.sessionKey))
    #expect((cookie.nonce, cookie.primaryRefreshToken) == (nonce, "0.Asecret"))
    #expect(cookie.derivationVersion == version.rawValue)
    #expect(cookie.context == Self.context)
  }

  @Test(arguments: [
    "", "a.b.c", "0.Asecret", "e30.e30.", "eyJhbGciOiJub25lIn0.eyJyZWZyZXNoX3Rva2VuIjoiYSJ9.",
  ])
  func anotherTextIsNone(_ text: String) { #expect(PrimaryRefreshTokenCookie(text) == nil) }

  @Test func aSessionKeyIsThirtyTwoBytes() {
    #expect(SessionKey(encoded: Base64URL.encode([UInt8](0..<32))) == Self.sessionKey)
    #expect(SessionKey(encoded: Base64URL.encode([UInt8](0..<31))) == nil)
    #expect(SessionKey(encoded: "=") == nil)
  }
}
