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
  var exponent: [UInt8]
  /// The algorithm that the key is restricted to (RFC 7517 §4.4), or `nil` for any algorithm.
  package var algorithm: TokenAlgorithm?
  /// The certificate of the key, or `nil` for a bare public key.
  package var certificate: KeyCertificate?
}

/// The parts of an X.509 certificate by which a client assertion names its key, and by which Entra describes it.
package struct KeyCertificate: Hashable, Sendable {
  /// The SHA-1 hash of the certificate in base64url (`x5t`, RFC 7515 §4.1.7).
  package var thumbprint: String
  /// The SHA-256 hash of the certificate in base64url (`x5t#S256`, RFC 7515 §4.1.8).
  package var thumbprint256: String
  package var start: Instant
  package var end: Instant

  package init(thumbprint: String, thumbprint256: String, start: Instant, end: Instant) {
    (self.thumbprint, self.thumbprint256, self.start, self.end) = (thumbprint, thumbprint256, start, end)
  }

  /// Reads the members of a stored key, or returns `nil` for a key without a certificate.
  init?(_ json: JSONValue) {
    guard let thumbprint = json["x5t"]?.string, let thumbprint256 = json["x5t#S256"]?.string,
      let start = json["validFrom"]?.string.flatMap({ Instant(iso8601: $0) }),
      let end = json["validTo"]?.string.flatMap({ Instant(iso8601: $0) })
    else { return nil }
    self.init(thumbprint: thumbprint, thumbprint256: thumbprint256, start: start, end: end)
  }

  var members: [String: JSONValue] {
    [
      "x5t": .string(thumbprint), "x5t#S256": .string(thumbprint256), "validFrom": .string(start.iso8601),
      "validTo": .string(end.iso8601),
    ]
  }

  /// The thumbprint in hexadecimal, as tools and portals show it.
  package var displayText: String {
    Base64URL.decode(thumbprint).map { hexadecimal(bytes: Array($0)).uppercased() } ?? thumbprint
  }

  /// The period in the format of Entra's sentences: `Start=01/23/2026 13:33:28, End=01/23/2027 13:33:28`.
  package var validity: String { "Start=\(start.americanText), End=\(end.americanText)" }

  package func isValid(at now: Instant) -> Bool { start <= now && now < end }
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
    certificate = KeyCertificate(json)
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
    return .object(members.merging(certificate?.members ?? [:]) { $1 })
  }

  func serves(_ asked: TokenAlgorithm) -> Bool { algorithm == nil || algorithm == asked }

  /// Returns whether the signature was made with this key and algorithm.
  package func isValid(
    _ signature: [UInt8], for input: some Sequence<UInt8>, _ algorithm: TokenAlgorithm = .rs256
  ) -> Bool {
    guard let key = try? _RSA.Signing.PublicKey(n: Data(modulus), e: Data(exponent)) else { return false }
    let (signature, input) = (_RSA.Signing.RSASignature(rawRepresentation: Data(signature)), Data(input))
    return switch algorithm {
    case .rs256: key.isValidSignature(signature, for: input, padding: .insecurePKCS1v1_5)
    case .rs384: key.isValidSignature(signature, for: SHA384.hash(data: input), padding: .insecurePKCS1v1_5)
    case .rs512: key.isValidSignature(signature, for: SHA512.hash(data: input), padding: .insecurePKCS1v1_5)
    case .ps256: key.isValidSignature(signature, for: input, padding: .PSS)
    }
  }
}

/// A signature algorithm for tokens (RFC 7518 §3.1).
///
/// The provider uses RS256; clients' assertions may use the others too.
package enum TokenAlgorithm: String, CaseIterable, Sendable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
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

extension TokenSigningKey {
  /// Creates a key from the lab's random source, so that the same seed produces the same signatures.
  ///
  /// Like everything from that source, the key protects nothing outside the simulation.
  ///
  /// Its two primes are drawn from lists, because finding primes of 1024 bits takes most of a second in a debug build.
  package init(id: String, from random: RandomSource) throws {
    let choice = random.bytes(2).map { Int($0) % SeedPrimes.count }
    let (p, q) = (SeedPrimes.first[choice[0]], SeedPrimes.second[choice[1]])
    let exponent: UInt32 = 65537
    let modulus = p * q
    // d = (1 + k φ) / e with the k that makes the division even (RFC 8017 §3.2).
    let totient = modulus.subtracting(p).subtracting(q).adding(1)
    let k = exponent - Self.inverse(of: totient.dividedBy(exponent).remainder, modulo: exponent)
    let d = (totient * Natural([k])).adding(1).dividedBy(exponent).quotient
    try self.init(
      id: id,
      der: _RSA.Signing.PrivateKey(
        n: modulus.bytes, e: Natural([exponent]).bytes, d: d.bytes, p: p.bytes, q: q.bytes
      ).derRepresentation)
  }

  /// Returns the modular inverse by Fermat's little theorem; `prime` must be a prime.
  private static func inverse(of value: UInt32, modulo prime: UInt32) -> UInt32 {
    let modulus = UInt64(prime)
    var (result, power, exponent) = (UInt64(1), UInt64(value) % modulus, prime - 2)
    while exponent > 0 {
      if exponent & 1 == 1 { result = result * power % modulus }
      power = power * power % modulus
      exponent >>= 1
    }
    return UInt32(result)
  }
}

/// A natural number of any size, with only the operations that creating a key needs.
///
/// Its limbs are little-endian, without leading zeros.
private struct Natural {
  var limbs: [UInt32]

  init(_ limbs: [UInt32]) {
    self.limbs = limbs
    while self.limbs.last == 0 { self.limbs.removeLast() }
  }

  /// Creates a number from big-endian bytes, whose count must be a multiple of four.
  init(bytes: [UInt8]) {
    let ends = stride(from: bytes.count, to: 0, by: -4)
    self.init(ends.map { bytes[($0 - 4)..<$0].reduce(0) { $0 << 8 | UInt32($1) } })
  }

  /// The big-endian bytes, without leading zeros.
  var bytes: [UInt8] {
    Array(
      limbs.reversed().flatMap { limb in (0..<4).map { UInt8(truncatingIfNeeded: limb >> (24 - 8 * $0)) } }
        .drop { $0 == 0 })
  }

  static func * (a: Self, b: Self) -> Self {
    var product = [UInt32](repeating: 0, count: a.limbs.count + b.limbs.count)
    for (i, x) in a.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, y) in b.limbs.enumerated() {
        carry += UInt64(x) * UInt64(y) + UInt64(product[i + j])
        product[i + j] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      product[i + b.limbs.count] = UInt32(carry)
    }
    return Self(product)
  }

  func adding(_ small: UInt32) -> Self {
    var (sum, carry) = (limbs + [0], UInt64(small))
    for i in sum.indices {
      carry += UInt64(sum[i])
      sum[i] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    return Self(sum)
  }

  /// Returns the difference; `other` must not be larger.
  func subtracting(_ other: Self) -> Self {
    var (difference, borrow) = (limbs, Int64(0))
    for i in difference.indices {
      borrow += Int64(difference[i]) - (i < other.limbs.count ? Int64(other.limbs[i]) : 0)
      difference[i] = UInt32(truncatingIfNeeded: borrow)
      borrow >>= 32
    }
    return Self(difference)
  }

  func dividedBy(_ divisor: UInt32) -> (quotient: Self, remainder: UInt32) {
    var (quotient, remainder) = (limbs, UInt64(0))
    for i in quotient.indices.reversed() {
      remainder = remainder << 32 | UInt64(quotient[i])
      quotient[i] = UInt32(remainder / UInt64(divisor))
      remainder %= UInt64(divisor)
    }
    return (Self(quotient), UInt32(remainder))
  }
}

/// The primes of 1024 bits, each stored as a shared number whose low 24 bits are zero plus the value of those bits.
private enum SeedPrimes {
  static let first = primes(
    """
    wQZ2l30BgKWMVGFOgej7yFmfpyUs66HBfrXqoSW0tsYoXySgJdSmsKhCkXIoyM05iPbwm7Su6lBsxLd3w-PPY3-1CN\
    AA-1rIhoEypcFydbyWlhC21cakpUNZsuTni1Dr2DYyanKAx6DUMI8IaSc3QD7QG2BxTQPTOyPc5gQAAAA
    """,
    [
      49, 577, 1263, 1849, 1915, 3333, 4125, 4185, 4405, 5785, 7339, 7359, 7603, 7749, 8647, 8835, 8947,
      9075, 9295, 10287, 10339, 11523, 12553, 14343, 14493, 15823, 15915, 16467, 16725, 16975, 17347,
      19897, 20037, 20653, 21739, 22969, 23383, 25333, 25903, 26217, 26235, 26623, 26655, 27127, 27457,
      27807, 30289, 30495, 30745, 30915, 33285, 34383, 34419, 35199, 35569, 35883, 36493, 36823, 37159,
      37333, 37555, 38893, 39963, 40725,
    ])
  static let second = primes(
    """
    6pOhYWYPySL4r0sKVoD24mbXjsn1hHss0sz5GCWBqrqIHloULkkK-CfL0fVC0TcgZ-sbjR6lFakUwxo7TFinI_rgaA\
    NA7uQNeuQAc_1GhV4gKY9gOg2HIJr_FUE8Q2F-EP5WSwIk9GgeIPR9GSCXwxY4UTVu2JRiOb4GuNAAAAA
    """,
    [
      971, 2277, 2327, 4949, 5313, 5361, 6929, 7563, 8123, 8429, 8693, 8921, 9063, 9249, 10701, 11237,
      11877, 11937, 13091, 13917, 14223, 16799, 17109, 17367, 18149, 18723, 22889, 24107, 24419, 25493,
      25643, 25871, 25943, 26307, 26703, 27147, 28229, 28763, 29643, 30761, 30989, 32247, 32343, 33221,
      33803, 33839, 34881, 38877, 39347, 39429, 39731, 39749, 39933, 41183, 42671, 43241, 44253, 44831,
      46371, 46539, 47013, 47067, 47679, 47777,
    ])
  /// The number of primes in each list.
  static let count = 64

  private static func primes(_ base: String, _ offsets: [UInt32]) -> [Natural] {
    offsets.map { Natural(bytes: Base64URL.decode(base) ?? []).adding($0) }
  }
}
