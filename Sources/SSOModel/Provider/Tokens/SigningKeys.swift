import Essentials
import Synchronization

/// The provider's signing keys.
///
/// The current one is made on first use and kept as a document, read once per `Provider`. Those that signed before it stay
/// published, so that their tokens can still be verified.
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

  /// The current key first, then those that were current before, by their IDs.
  func published() throws -> [TokenVerificationKey] {
    let retired = try documents.readAll(
      TokenVerificationKey.self, .signingKey, keyPrefix: Self.retired)
    return [try current().publicKey] + retired
  }

  /// The key set that clients fetch (RFC 7517 §5): with the certificates, as Entra's.
  func keySet() throws -> [[String: JSONValue]] {
    try published().map { key in
      let certificate = try documents.read(SigningCertificate.self, .signingKey, Self.certificate + key.id)
      return (key.json.object ?? [:]).merging(certificate?.members ?? [:]) { $1 }
    }
  }

  /// Signs with a new key from now on.
  /// - Parameter forgetting: the old keys are no longer published: tokens that they signed fail.
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
    let key = try TokenSigningKey(id: Base64URL.encode(random.bytes(20)), from: random)
    let kept = Kept(id: key.id, der: key.der)
    try documents.write(kept, .signingKey, "current")
    try documents.write(SigningCertificate(of: key, at: now), .signingKey, Self.certificate + key.id)
    return (kept, key)
  }
}

extension DocumentReader {
  /// The keys with which the provider's tokens can be verified, none if it has signed none: what a server on this store
  /// publishes.
  package func publishedSigningKeys() throws -> [TokenVerificationKey] {
    let current = try read(SigningKeys.Kept.self, .signingKey, "current")
    let retired = try readAll(TokenVerificationKey.self, .signingKey, keyPrefix: SigningKeys.retired)
    return try current.map { [try TokenSigningKey(id: $0.id, der: $0.der).publicKey] + retired } ?? retired
  }
}

/// Parses the stored key, and signs.
///
/// It keeps the last key: to parse and check an RSA key takes longer than to sign. It is compared with what is stored, so a
/// new key of another process is used at once.
///
/// Signatures can be precomputed: one reader records what a response on a scratch copy would sign, and the other signs that before
/// the response that counts is made.
package final class SigningKeyReader: Sendable {
  private struct SignatureRequest: Hashable {
    var key: SigningKeys.Kept
    var input: String
  }

  private static let limit = 256
  private let last = Mutex<(kept: SigningKeys.Kept, key: TokenSigningKey)?>(nil)
  /// Nothing is signed; the requests are recorded.
  private let isRecording: Bool
  private let recorded = Mutex<[SignatureRequest]>([])
  /// Signatures that are not used yet; each is used once.
  private let precomputed = Mutex<[SignatureRequest: [UInt8]]>([:])

  package init(isRecording: Bool = false) { self.isRecording = isRecording }

  /// Whether a signature was asked for while recording.
  package var hasRecorded: Bool { recorded.withLock { !$0.isEmpty } }
  /// How many precomputed signatures are not used yet.
  var precomputedCount: Int { precomputed.withLock { $0.count } }

  /// Makes the signatures that another reader recorded, and keeps each until it is asked for.
  /// - Throws: what swift-crypto throws for a key that it cannot read.
  package func precompute(recordedBy recorder: SigningKeyReader) throws {
    let requests = recorder.recorded.withLock { recorded in
      defer { recorded = [] }
      return recorded
    }
    for request in requests {
      let signature = try recorder.key(request.key).signature(for: request.input)
      precomputed.withLock { precomputed in
        // Those left over belong to responses that turned out differently.
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
