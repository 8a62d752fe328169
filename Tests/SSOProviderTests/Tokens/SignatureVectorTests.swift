import Foundation
import SSOReference
import TestSamples
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Test vectors of Wycheproof and RFC 7520, used with the verifier and as client assertions.
@Suite struct SignatureVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var group: String
    var id: Int
    var comment: String
    var jws: String
    var isValid: Bool
    var key: JSONValue
    var testDescription: String { "\(group) \(id): \(comment)" }
  }

  static func wycheproof() throws -> [Vector] {
    let json = try #require(
      JSONValue(bounded: joseSample("wycheproof/json_web_signature_test.json"), maximumBytes: 1_000_000))
    var vectors: [Vector] = []
    for group in json["testGroups"]?.array ?? [] {
      let key: JSONValue = group["public"] ?? group["private"] ?? .null
      for test in group["tests"]?.array ?? [] {
        vectors.append(
          Vector(
            group: group["comment"]?.string ?? "", id: Int(test["tcId"]?.integer ?? 0),
            comment: test["comment"]?.string ?? "", jws: test["jws"]?.string ?? "",
            isValid: test["result"]?.string == "valid", key: key))
      }
    }
    return vectors
  }

  private func accepts(_ vector: Vector, _ algorithms: Set<TokenAlgorithm> = Set(TokenAlgorithm.allCases))
    -> Bool
  {
    guard let key = TokenVerificationKey(vector.key) else { return false }
    do {
      try JSONWebSignature(vector.jws).verify(keys: [key], allowing: algorithms)
      return true
    } catch {
      return false
    }
  }

  /// These are the supported algorithms: those that Entra names, and PS256.
  @Test func wycheproofsInvalidSignaturesAreRefusedAndItsValidOnesOfOurAlgorithmsAccepted() throws {
    let all = try Self.wycheproof()
    #expect(all.count == 401)
    for vector in all {
      // Use the algorithm of the header: figure 20 of RFC 7520 is PS384, and its key is marked PS256 there.
      let name = (try? JSONWebSignature(vector.jws))?.header["alg"]?.string ?? ""
      let isOffered = vector.key["kty"] == "RSA" && TokenAlgorithm(rawValue: name) != nil
      #expect(accepts(vector) == (vector.isValid && isOffered), "\(vector.testDescription)")
    }
    #expect(all.filter { accepts($0) }.count == 22, "all valid ones of these algorithms")
  }

  @Test func noVectorIsAClientAssertion() throws {
    let lab = try ProviderLab()
    for vector in try Self.wycheproof() {
      var client = ProviderLab.notes
      client.clientID = "vector"
      client.publicKeys = TokenVerificationKey(vector.key).map { [$0] } ?? []
      client.secrets = client.publicKeys.isEmpty ? ["secret"] : []
      try lab.documents.save(client)
      let answer = try lab.post(
        "/contoso.com/oauth2/v2.0/token",
        [
          "grant_type": "client_credentials", "client_id": "vector",
          "scope": "https://graph.microsoft.com/.default",
          "client_assertion_type": ClientAssertion.type, "client_assertion": vector.jws,
        ])
      let error = OAuthError(reading: answer.http)
      let isMalformed = error.aadsts == 50027
      #expect(answer.http.status == (isMalformed ? 400 : 401), "\(vector.testDescription)")
      #expect(error.code == (isMalformed ? .invalidRequest : .invalidClient), "\(vector.testDescription)")
      let isOurs = !client.publicKeys.isEmpty && vector.isValid
      if isOurs {
        #expect(error.aadsts == 50027 || error.aadsts == 700027, "its payload is not a set of claims")
      }
    }
  }

  @Test(arguments: [
    ("4_1.rsa_v15_signature", true), ("4_2.rsa-pss_signature", false), ("4_3.ecdsa_signature", false),
    ("4_4.hmac-sha2_integrity_protection", false), ("4_6.protecting_specific_header_fields", false),
    ("4_5.signature_with_detached_content", false),
  ])
  func theCookbooksExample(_ name: String, _ isOffered: Bool) throws {
    let json = try #require(JSONValue(bounded: joseSample("cookbook/\(name).json")))
    let key = try #require(json["input"]?["key"])
    let compact = json["output"]?["compact"]?.string ?? ""
    let vector = Vector(group: name, id: 0, comment: "", jws: compact, isValid: isOffered, key: key)
    #expect(accepts(vector) == isOffered)
    let broken = String(compact.dropLast(4)) + "AAAA"
    #expect(!accepts(Vector(group: name, id: 1, comment: "", jws: broken, isValid: false, key: key)))
  }

  /// RFC 7517 §4.2 to §4.4.
  @Test(arguments: [
    ("use", JSONValue.string("enc"), false), ("use", .string("sig"), true),
    ("key_ops", .array([.string("sign")]), false), ("key_ops", .array([.string("verify")]), true),
    ("alg", .string("RSA-OAEP"), false), ("alg", .string("RS256"), true), ("x", .null, true),
  ])
  func aKeyThatIsNotForSignaturesIsNone(_ member: String, _ value: JSONValue, _ isTaken: Bool) throws {
    let key = try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: 3))).publicKey
    var members = key.json.object ?? [:]
    members["alg"] = nil
    members["use"] = nil
    members[member] = value
    #expect((TokenVerificationKey(.object(members)) != nil) == isTaken)
  }

  @Test func aCriticalExtensionIsRefused() throws {
    let key = try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: 3)))
    let token = try JSONWebToken(header: ["crit": ["exp"]], claims: ["sub": "a"]).signed(by: key)
    #expect(throws: JSONWebToken.Refusal.criticalExtension) {
      try JSONWebToken(verifying: token, keys: [key.publicKey])
    }
  }
}
