import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Deliberately invalid tokens, each of which SSOTerm's own verifier rejects for the right reason.
@Suite struct ForgedTokenTests {
  private func parts(_ compact: String) throws -> JSONWebToken {
    let pieces = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    #expect(pieces.count == 3)
    let halves = try pieces.prefix(2).map {
      try #require(JSONValue(bounded: Data(Base64URL.decode($0) ?? []), maximumBytes: 200_000)?.object)
    }
    return JSONWebToken(header: halves[0], claims: halves[1])
  }

  @Test(arguments: [
    (ForgedToken.Kind.none, JSONWebToken.Refusal.algorithm("none")), (.hmac, .algorithm("HS256")),
    (.signature, .signature), (.unknownKey, .unknownKey("forged")), (.jwk, .unknownKey("forged")),
    (.jku, .unknownKey("forged")), (.x5u, .unknownKey("forged")), (.huge, .tooLong),
  ])
  func whatIsNotOurSignatureIsRefused(_ kind: ForgedToken.Kind, _ refusal: JSONWebToken.Refusal) throws {
    let lab = try ProviderLab()
    let token = try lab.forged(kind)
    #expect(throws: refusal) { try lab.claims(token) }
    #expect(
      AccessTokenReading(compact: token, keys: try lab.provider.resources.keys.published(), now: lab.now)
        .fault != nil)
  }

  @Test(arguments: [ForgedToken.Kind.valid, .audience, .tenant, .early, .expired])
  func oneClaimIsOffAndTheSignatureIsRight(_ kind: ForgedToken.Kind) throws {
    let lab = try ProviderLab()
    let right = try lab.claims(lab.forged(.valid))
    var claims = try lab.claims(lab.forged(kind))
    claims["uti"] = right["uti"]
    let different = Set(right.keys).union(claims.keys).filter { right[$0] != claims[$0] }
    switch kind {
    case .audience: #expect(different == ["aud"])
    case .tenant:
      #expect(different == ["iss", "tid"])
      #expect(claims["tid"]?.string == ProviderLab.fabrikam.id)
      #expect(claims["iss"]?.string?.contains(ProviderLab.fabrikam.id) == true)
    case .early, .expired:
      #expect(different == ["iat", "nbf", "exp"])
      let keys = try lab.provider.resources.keys.published()
      #expect(AccessTokenReading(compact: try lab.forged(kind), keys: keys, now: lab.now).isOutOfTime)
    default: #expect(different.isEmpty)
    }
  }

  @Test func theHMACIsOfThePublicKeyThatEverybodyHas() throws {
    let lab = try ProviderLab()
    let token = try lab.forged(.hmac)
    #expect(try parts(token).header["kid"]?.string == lab.provider.resources.keys.current().id)
    let pem = try lab.provider.resources.keys.current().publicKey.pem
    #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && pem.hasSuffix("\n-----END PUBLIC KEY-----\n"))
  }

  @Test func theHeaderLeadsToTheForgersKeys() throws {
    let lab = try ProviderLab()
    let jku = try #require(parts(lab.forged(.jku)).header["jku"]?.string)
    let keys = try #require(lab.get(URLParts(jku)?.path ?? "", bearer: nil).json?["keys"]?.array)
    let forger = try #require(keys.first.flatMap { TokenVerificationKey($0) })
    for kind in [ForgedToken.Kind.jku, .jwk, .x5u] {
      #expect(throws: Never.self) { try JSONWebToken(verifying: lab.forged(kind), keys: [forger]) }
    }
    #expect(try parts(lab.forged(.jwk)).header["jwk"] == forger.json)
    let x5u = try #require(parts(lab.forged(.x5u)).header["x5u"]?.string)
    let certificate = try lab.get(URLParts(x5u)?.path ?? "", bearer: nil)
    #expect(String(decoding: certificate.body, as: UTF8.self).hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(
      try lab.provider.resources.keys.published().allSatisfy { $0 != forger }, "no client trusts it")
  }

  @Test func thereIsNoTokenForAnUnknownAPI() throws {
    let lab = try ProviderLab()
    #expect(throws: OAuthError.self) {
      try lab.provider.forge(
        .valid, for: "api://nobody", permission: "x", person: ProviderLab.alice, client: ProviderLab.word,
        origin: "https://localhost:8443")
    }
  }

  @Test(arguments: ForgedToken.Kind.allCases)
  func eachKindSaysWhatIsWrongAndWhoRefusesIt(_ kind: ForgedToken.Kind) {
    for text in [kind.flaw, kind.check ?? "None is needed."] {
      #expect(text.hasSuffix(".") && text.count > 4)
    }
    #expect(!kind.source.isEmpty)
  }
}
