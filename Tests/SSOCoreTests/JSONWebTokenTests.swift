import Foundation
import Testing

@testable import SSOCore

@Suite struct JSONWebTokenTests {
  /// RFC 7515 appendix A.2.
  static let vector =
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19"
    + "yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt"
    + "_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
    + "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI"
    + "8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
  static let modulus =
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR"
    + "T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB"
    + "dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia"
    + "GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"

  var key: TokenVerificationKey {
    get throws {
      try #require(TokenVerificationKey(["kty": "RSA", "e": "AQAB", "n": .string(Self.modulus)]))
    }
  }

  @Test func verifiesTheVectorOfRFC7515AppendixA2() throws {
    let token = try JSONWebToken(verifying: Self.vector, keys: [key])
    #expect(
      token.claims == [
        "iss": "joe", "exp": .integer(1_300_819_380), "http://example.com/is_root": .bool(true),
      ])
  }

  @Test func signsWithSortedKeysAndUnescapedSlashes() throws {
    let key = try TokenSigningKey(id: "k1", from: RandomSource(Randomness(seed: 1)))
    let token = JSONWebToken(claims: ["b": .integer(1), "a": "https://x/y"])
    let compact = try token.signed(by: key)
    let middle = compact.split(separator: ".")[1]
    #expect(Base64URL.decode(middle) == Array("{\"a\":\"https://x/y\",\"b\":1}".utf8))
    #expect(try JSONWebToken(verifying: compact, keys: [key.publicKey]).claims == token.claims)
    #expect(try token.signed(by: TokenSigningKey(id: "k1", der: key.der)) == compact)
  }

  /// Uses each prime of both lists, because the signature would not verify if one of them were not prime.
  @Test func aSeedDecidesTheKey() throws {
    var moduli: Set<[UInt8]> = []
    for seed in UInt64(1)...200 {
      func key() throws -> TokenSigningKey {
        try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: seed)))
      }
      let (first, again) = (try key(), try key())
      #expect(first.der == again.der)
      let signature = try first.signature(for: "text")
      #expect(try signature == again.signature(for: "text"))
      let shown = try first.publicKey
      #expect(shown.isValid(signature, for: Array("text".utf8)) && shown.modulus.count == 256)
      moduli.insert(shown.modulus)
    }
    #expect(moduli.count > 150)
  }

  @Test func refusesWhatItMust() throws {
    let keys = [try key]
    func refusal(_ text: String) -> JSONWebToken.Refusal? {
      do throws(JSONWebToken.Refusal) {
        _ = try JSONWebToken(verifying: text, keys: keys)
        return nil
      } catch { return error }
    }
    let parts = Self.vector.split(separator: ".").map(String.init)
    let none = Base64URL.encode("{\"alg\":\"none\"}".utf8)
    let other = Base64URL.encode("{\"alg\":\"RS256\",\"kid\":\"z\"}".utf8)
    let claims = Base64URL.encode("{\"iss\":\"eve\"}".utf8)
    #expect(refusal("a.b") == .notThreeParts)
    #expect(refusal("a.b.c.d") == .notThreeParts)
    #expect(refusal("=.b.c") == .notBase64URL)
    #expect(refusal("YQ.YQ.YQ") == .notJSON)
    #expect(refusal([none, parts[1], ""].joined(separator: ".")) == .algorithm("none"))
    #expect(refusal([other, parts[1], parts[2]].joined(separator: ".")) == .unknownKey("z"))
    #expect(refusal([parts[0], claims, parts[2]].joined(separator: ".")) == .signature)
    #expect(refusal(String(repeating: "a", count: JSONWebToken.maximumLength + 1)) == .tooLong)
  }
}
