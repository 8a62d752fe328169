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
  private var parsed: TokenSigningKey?

  init(documents: any DocumentStore, now: Instant, random: RandomSource, reader: SigningKeyReader) {
    self.documents = documents
    self.now = now
    self.random = random
    self.reader = reader
  }

  /// Signs a token, at once or when its response is complete (``DeferredSignatures``).
  func sign(_ token: JSONWebToken, atOnce: Bool = false) throws -> String {
    let key = try current()
    var token = token
    // Tokens of version 1 also name the certificate, and contain the same value twice.
    if token.claims["ver"]?.string == "1.0", token.claims["tfp"] == nil {
      token.header["x5t"] = .string(key.id)
    }
    return try token.signed(keyID: key.id) { input in
      guard !atOnce, let deferred = reader.deferred else { return try key.signature(for: input) }
      return deferred.placeholder(for: input, key)
    }
  }

  func current() throws -> TokenSigningKey {
    if let parsed { return parsed }
    let kept = try documents.read(Kept.self, .signingKey, "current")
    let key = try kept.map { try reader.key($0) } ?? make()
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

  /// Returns the certificate of the key that a token names, or `nil` if the token names none of these keys.
  func certificate(of compact: String) throws -> KeyCertificate? {
    guard let id = (try? JSONWebToken(unverified: compact))?.header["kid"]?.string else { return nil }
    let certificate = try documents.read(SigningCertificate.self, .signingKey, Self.certificate + id)
    return certificate.flatMap {
      (try? Certificate(derEncoded: [UInt8]($0.der))).flatMap(KeyCertificate.init)
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

  private func make() throws -> TokenSigningKey {
    let unnamed = try TokenSigningKey(id: Base64URL.encode(random.bytes(20)), from: random)
    let certificate = try SigningCertificate(of: unnamed, at: now)
    // As at Entra, `kid` is the certificate's thumbprint, the same value as `x5t`.
    let kept = Kept(id: certificate.thumbprint, der: unnamed.der)
    try documents.write(kept, .signingKey, "current")
    try documents.write(certificate, .signingKey, Self.certificate + kept.id)
    return try TokenSigningKey(id: kept.id, der: kept.der)
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

/// A reader of the stored key, which caches the last one, because parsing and checking an RSA key takes longer than
/// signing.
///
/// The cached key is compared with the stored one, so that another process's new key takes effect at once.
package final class SigningKeyReader: Sendable {
  private final class Cache: Sendable {
    let last = Mutex<(kept: SigningKeys.Kept, key: TokenSigningKey)?>(nil)
  }

  private let cache: Cache
  /// The signatures that wait until the response is complete, or `nil` to sign at once.
  fileprivate let deferred: DeferredSignatures?

  package init() {
    cache = Cache()
    deferred = nil
  }

  private init(_ cache: Cache, _ deferred: DeferredSignatures) {
    self.cache = cache
    self.deferred = deferred
  }

  /// Returns a reader with the same cache that leaves signatures for later.
  package func deferring(to signatures: DeferredSignatures) -> SigningKeyReader {
    SigningKeyReader(cache, signatures)
  }

  fileprivate func key(_ kept: SigningKeys.Kept) throws -> TokenSigningKey {
    try cache.last.withLock { last in
      if let last, last.kept == kept { return last.key }
      let key = try TokenSigningKey(id: kept.id, der: kept.der)
      last = (kept, key)
      return key
    }
  }
}

/// The signatures of a response's tokens, which take longer than the rest of a grant and would be made while no other
/// process can write.
///
/// In the transaction each token gets a placeholder of the same length; the signatures replace the placeholders when
/// the transaction is over.
package final class DeferredSignatures: Sendable {
  private struct Request {
    var key: TokenSigningKey
    var input: String
    var placeholder: String
  }

  private let requests = Mutex<[Request]>([])

  package init() {}

  /// Returns unpredictable bytes, as many as a signature has.
  fileprivate func placeholder(for input: String, _ key: TokenSigningKey) -> [UInt8] {
    let bytes = Array(repeatElement(sha256(input.utf8), count: 8).joined())
    requests.withLock {
      $0.append(Request(key: key, input: input, placeholder: Base64URL.encode(bytes)))
    }
    return bytes
  }

  /// Computes the signatures.
  ///
  /// - Throws: The error of swift-crypto.
  package func compute() throws -> [ComputedSignature] {
    try requests.withLock { $0 }.map { request in
      ComputedSignature(
        placeholder: request.placeholder,
        text: Base64URL.encode(try request.key.signature(for: request.input)))
    }
  }
}

/// A signature in base64url, with the placeholder that it replaces.
package struct ComputedSignature: Sendable {
  fileprivate let placeholder: String
  fileprivate let text: String
}

extension [ComputedSignature] {
  /// Replaces the placeholders in a body.
  ///
  /// Each follows a period, as every signature does, so only these places are compared.
  package func complete(_ body: inout Data) {
    let pairs = map { ([UInt8]($0.placeholder.utf8), [UInt8]($0.text.utf8)) }
    body.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var position = 0
      while let period = memchr(start + position, 0x2E, bytes.count - position) {
        position = start.distance(to: period) + 1
        for (placeholder, text) in pairs where bytes.count - position >= placeholder.count {
          guard memcmp(start + position, placeholder, placeholder.count) == 0 else { continue }
          memcpy(start + position, text, text.count)
        }
      }
    }
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
    self.certificate = certificate.flatMap(KeyCertificate.init)
  }
}

extension KeyCertificate {
  /// Reads a certificate, or returns `nil` if it cannot be encoded again.
  fileprivate init?(_ certificate: Certificate) {
    var serializer = DER.Serializer()
    guard (try? serializer.serialize(certificate)) != nil else { return nil }
    let der = serializer.serializedBytes
    self.init(
      thumbprint: Base64URL.encode(Insecure.SHA1.hash(data: der)),
      thumbprint256: Base64URL.encode(sha256(der)),
      start: Instant(Int(certificate.notValidBefore.timeIntervalSince1970)),
      end: Instant(Int(certificate.notValidAfter.timeIntervalSince1970)))
  }
}
