import Crypto
import CryptoExtras
import Essentials
import SSOCore
import SwiftASN1
import Synchronization
import X509

/// The provider's signing keys.
///
/// The current key is generated on first use, stored as a document, and read once for each `Provider`.
/// Earlier keys stay published so that their tokens can still be verified.
final class SigningKeys {
  fileprivate struct Kept: Codable, Hashable {
    var id: String
    var der: Data
  }

  fileprivate static let retired = "retired/"
  private static let certificate = "certificate/"

  private let documents: any DocumentStore
  private let now: Instant
  private let random: RandomSource
  private let reader: SigningKeyReader
  private var parsed: (kept: Kept, key: TokenSigningKey)?

  init(documents: any DocumentStore, now: Instant, random: RandomSource, reader: SigningKeyReader) {
    self.documents = documents
    self.now = now
    self.random = random
    self.reader = reader
  }

  func sign(_ token: JSONWebToken) throws -> String {
    let (kept, key) = try inUse()
    var token = token
    // Tokens of version 1 name the certificate too, and have the same value twice.
    if token.claims["ver"]?.string == "1.0", token.claims["tfp"] == nil {
      token.header["x5t"] = .string(key.id)
    }
    return try token.signed(keyID: key.id) { try reader.signature(for: $0, by: kept, key) }
  }

  func current() throws -> TokenSigningKey { try inUse().key }

  private func inUse() throws -> (kept: Kept, key: TokenSigningKey) {
    if let parsed { return parsed }
    let key: (kept: Kept, key: TokenSigningKey)
    if let kept = try documents.read(Kept.self, .signingKey, "current") {
      key = (kept, try reader.key(kept))
    } else {
      key = try make()
    }
    parsed = key
    return key
  }

  /// Returns the current key, followed by the retired keys sorted by ID.
  func published() throws -> [TokenVerificationKey] {
    let retired = try documents.readAll(
      TokenVerificationKey.self, .signingKey, keyPrefix: Self.retired)
    return [try current().publicKey] + retired
  }

  /// Returns the key set that clients fetch (RFC 7517 §5), with certificates, as Entra's has.
  func keySet() throws -> [[String: JSONValue]] {
    try published().map { key in
      let certificate = try documents.read(SigningCertificate.self, .signingKey, Self.certificate + key.id)
      return (key.json.object ?? [:]).merging(certificate?.members ?? [:]) { $1 }
    }
  }

  /// Generates a new key that signs from now on.
  ///
  /// - Parameter forgetting: Whether to stop publishing the old keys, so that their tokens become invalid.
  /// - Throws: `StoreError`.
  func rollOver(forgetting: Bool = false) throws {
    let old = try current()
    if forgetting {
      for (key, _) in try documents.documents(.signingKey, keyPrefix: Self.retired) {
        try documents.delete(.signingKey, key)
        try documents.delete(.signingKey, Self.certificate + key.dropFirst(Self.retired.count))
      }
    } else {
      try documents.write(old.publicKey, .signingKey, Self.retired + old.id)
    }
    parsed = try make()
  }

  private func make() throws -> (kept: Kept, key: TokenSigningKey) {
    let unnamed = try TokenSigningKey(id: Base64URL.encode(random.bytes(20)), from: random)
    let certificate = try SigningCertificate(of: unnamed, at: now)
    // As at Entra, `kid` is the certificate's thumbprint, the same value as `x5t`.
    let kept = Kept(id: certificate.thumbprint, der: unnamed.der)
    try documents.write(kept, .signingKey, "current")
    try documents.write(certificate, .signingKey, Self.certificate + kept.id)
    return (kept, try TokenSigningKey(id: kept.id, der: kept.der))
  }
}

extension DocumentReader {
  /// Returns the keys that verify the provider's tokens, as a server on this store publishes them.
  ///
  /// Empty if nothing was signed.
  package func publishedSigningKeys() throws -> [TokenVerificationKey] {
    let current = try read(SigningKeys.Kept.self, .signingKey, "current")
    let retired = try readAll(TokenVerificationKey.self, .signingKey, keyPrefix: SigningKeys.retired)
    return try current.map { [try TokenSigningKey(id: $0.id, der: $0.der).publicKey] + retired } ?? retired
  }
}

/// A signer that parses the stored key.
///
/// It caches the last key, because parsing and checking an RSA key takes longer than signing. The cached key
/// is compared with the stored one, so that another process's new key takes effect at once.
///
/// Signatures can be precomputed: one reader records the signatures that a response on a scratch copy needs,
/// and another computes them before the real response is made.
package final class SigningKeyReader: Sendable {
  private struct SignatureRequest: Hashable {
    var key: SigningKeys.Kept
    var input: String
  }

  private static let limit = 256
  private let last = Mutex<(kept: SigningKeys.Kept, key: TokenSigningKey)?>(nil)
  /// Whether to record requests for signatures instead of signing.
  private let isRecording: Bool
  private let recorded = Mutex<[SignatureRequest]>([])
  /// The precomputed signatures that are not used yet.
  ///
  /// Each is used once.
  private let precomputed = Mutex<[SignatureRequest: [UInt8]]>([:])

  package init(isRecording: Bool = false) { self.isRecording = isRecording }

  /// Whether a signature was requested while recording.
  package var hasRecorded: Bool { recorded.withLock { !$0.isEmpty } }
  /// The number of precomputed signatures that are not used yet.
  var precomputedCount: Int { precomputed.withLock { $0.count } }

  /// Computes the signatures that another reader recorded, and stores each until it is requested.
  ///
  /// - Throws: The error of swift-crypto for a key that cannot be parsed.
  package func precompute(recordedBy recorder: SigningKeyReader) throws {
    let requests = recorder.recorded.withLock { recorded in
      defer { recorded = [] }
      return recorded
    }
    for request in requests {
      let signature = try recorder.key(request.key).signature(for: request.input)
      precomputed.withLock { precomputed in
        // Unused signatures belong to responses that turned out differently.
        if precomputed.count >= Self.limit { precomputed.removeAll() }
        precomputed[request] = signature
      }
    }
  }

  fileprivate func key(_ kept: SigningKeys.Kept) throws -> TokenSigningKey {
    try last.withLock { last in
      if let last, last.kept == kept { return last.key }
      let key = try TokenSigningKey(id: kept.id, der: kept.der)
      last = (kept, key)
      return key
    }
  }

  fileprivate func signature(
    for input: String, by kept: SigningKeys.Kept, _ key: TokenSigningKey
  ) throws -> [UInt8] {
    let request = SignatureRequest(key: kept, input: input)
    if isRecording {
      recorded.withLock { $0.append(request) }
      return TokenSigningKey.blank
    }
    return try precomputed.withLock { $0.removeValue(forKey: request) } ?? key.signature(for: input)
  }
}

/// The self-signed certificate of a signing key.
///
/// Entra publishes one with each key (`x5c`, `x5t`), and some libraries require it (RFC 7517 §4.7).
struct SigningCertificate: Codable, Hashable {
  var der: Data

  /// Creates the certificate, once for each key.
  ///
  /// It is valid for five years, as Entra's are.
  init(of key: TokenSigningKey, at now: Instant) throws {
    let privateKey = try Certificate.PrivateKey(_RSA.Signing.PrivateKey(derRepresentation: key.der))
    let name = try DistinguishedName { CommonName("accounts.accesscontrol.windows.net") }
    let start = Date(timeIntervalSince1970: TimeInterval(now.seconds))
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(bytes: sha256(key.id.utf8).prefix(16)),
      publicKey: privateKey.publicKey, notValidBefore: start,
      notValidAfter: start.addingTimeInterval(5 * 365 * 86_400), issuer: name, subject: name,
      signatureAlgorithm: .sha256WithRSAEncryption, extensions: Certificate.Extensions {},
      issuerPrivateKey: privateKey)
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    der = Data(serializer.serializedBytes)
  }

  /// The PEM encoding: `-----BEGIN CERTIFICATE-----` (RFC 7468 §5).
  var pem: Data {
    let lines = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return Data("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
  }

  /// The members `x5c` and `x5t` of a key (RFC 7517 §4.7, §4.8).
  var members: [String: JSONValue] {
    [
      "x5c": [.string(der.base64EncodedString())],
      "x5t": .string(thumbprint),
    ]
  }

  /// The SHA-1 thumbprint in base64url (RFC 7517 §4.8).
  var thumbprint: String { Base64URL.encode(Insecure.SHA1.hash(data: der)) }
}

extension TokenVerificationKey {
  /// Creates a key from a PEM certificate or public key, the formats that tools and portals export.
  ///
  /// Returns `nil` if the PEM is neither, or if its key is not an RSA key of at least 2048 bits.
  package init?(keyOrCertificate pem: String) {
    let certificate = try? Certificate(pemEncoded: pem)
    let key = certificate.flatMap { _RSA.Signing.PublicKey($0.publicKey) }
    self.init(pem: key?.pemRepresentation ?? pem)
  }
}
