import CryptoExtras
import Essentials

/// An RSA-2048 key that signs tokens (RS256).
///
/// A signature takes 0.5 ms.
///
/// Throws the errors of swift-crypto for bytes that are not an RSA key; a key that was generated here always signs.
package struct TokenSigningKey: Sendable {
  /// The `kid` in the header and in the published key set.
  package let id: String
  private let key: _RSA.Signing.PrivateKey

  /// Creates a key from stored PKCS #1 DER.
  package init(id: String, der: Data) throws {
    self.id = id
    key = try _RSA.Signing.PrivateKey(derRepresentation: der)
  }

  package var der: Data { key.derRepresentation }

  package var publicKey: TokenVerificationKey {
    get throws {
      let numbers = try key.publicKey.getKeyPrimitives()
      var key = TokenVerificationKey(
        id: id, modulus: [UInt8](numbers.modulus), exponent: [UInt8](numbers.publicExponent))
      key.algorithm = .rs256
      return key
    }
  }

  /// A placeholder that is as long as a signature.
  package static let blank = [UInt8](repeating: 0, count: 256)

  /// Returns the RSASSA-PKCS1-v1_5 signature with SHA-256: the same input gives the same 256 bytes.
  package func signature(for input: String) throws -> [UInt8] {
    try [UInt8](key.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5).rawRepresentation)
  }
}

/// The public half, as `/discovery/v2.0/keys` publishes it (RFC 7517, RFC 7518 §6.3).
package struct TokenVerificationKey: Hashable, Sendable {
  package var id: String
  /// The modulus, big-endian, without a leading zero.
  package var modulus: [UInt8]
  package var exponent: [UInt8]
  /// The algorithm that the key is restricted to (RFC 7517 §4.4), or `nil` for any algorithm.
  package var algorithm: TokenAlgorithm?
}

extension TokenVerificationKey {
  /// Creates a key from a JSON Web Key, or returns `nil` if it is not an RSA key for signatures (RFC 7517 §4.2, §4.3).
  ///
  /// A missing `kid` becomes an empty ID.
  package init?(_ json: JSONValue) {
    guard json["kty"]?.string == "RSA", json["use"]?.string ?? "sig" == "sig" else { return nil }
    if let uses = json["key_ops"]?.array, !uses.contains("verify") { return nil }
    let name = json["alg"]?.string
    let algorithm = name.flatMap(TokenAlgorithm.init(rawValue:))
    guard name == nil || algorithm != nil else { return nil }
    guard let modulus = json["n"]?.string.flatMap({ Base64URL.decode($0) }) else { return nil }
    guard let exponent = json["e"]?.string.flatMap({ Base64URL.decode($0) }) else { return nil }
    self.init(id: json["kid"]?.string ?? "", modulus: modulus, exponent: exponent)
    self.algorithm = algorithm
  }

  /// Creates a key from a PEM public key, or returns `nil` if it is not an RSA key of at least 2048 bits.
  ///
  /// The key ID is a hash of the key.
  package init?(pem: String) {
    guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem), key.keySizeInBits >= 2048,
      let numbers = try? key.getKeyPrimitives()
    else { return nil }
    self.init(
      id: Base64URL.encode(sha256(key.derRepresentation)), modulus: [UInt8](numbers.modulus),
      exponent: [UInt8](numbers.publicExponent))
  }

  /// The PEM form (`-----BEGIN PUBLIC KEY-----`), as tools store it in a file (RFC 7468 §13).
  /// - Throws: The errors of swift-crypto for numbers that are not an RSA key.
  package var pem: String {
    get throws {
      try _RSA.Signing.PublicKey(n: Data(modulus), e: Data(exponent)).pemRepresentation + "\n"
    }
  }

  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "kty": "RSA", "use": "sig", "kid": .string(id),
      "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent)),
    ]
    members["alg"] = algorithm.map { .string($0.rawValue) }
    return .object(members)
  }

  func serves(_ asked: TokenAlgorithm) -> Bool { algorithm == nil || algorithm == asked }

  /// Returns whether the signature was made with this key and algorithm.
  package func isValid(
    _ signature: [UInt8], for input: some Sequence<UInt8>, _ algorithm: TokenAlgorithm = .rs256
  ) -> Bool {
    guard let key = try? _RSA.Signing.PublicKey(n: Data(modulus), e: Data(exponent)) else { return false }
    let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
    return key.isValidSignature(
      signature, for: Data(input), padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
  }
}

/// A signature algorithm for tokens (RFC 7518 §3.1).
///
/// The provider uses RS256; clients' assertions may use PS256 too.
package enum TokenAlgorithm: String, Sendable {
  case rs256 = "RS256"
  case ps256 = "PS256"
}

extension TokenVerificationKey: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let members = try container.decode([String: String].self)
    guard let key = Self(.object(members.mapValues { .string($0) })) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RSA key")
    }
    self = key
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode((json.object ?? [:]).compactMapValues(\.string))
  }
}
