internal import Foundation
internal import Synchronization

/// The provider's signing keys: the current one is made on first use and kept as a document, read once per
/// `Provider`. Those that signed before it stay published, so that their tokens can still be verified.
///
/// Its numbers are the system's chance and not the lab's: the one thing a seed does not decide. Its ID is
/// the seed's.
final class SigningKeys {
  fileprivate struct Kept: Codable, Equatable {
    var id: String
    var der: Data
  }

  private static let retired = "retired/"

  private let documents: any DocumentStore
  private let chance: Chance
  private let reader: SigningKeyReader
  private var parsed: TokenSigningKey?

  init(documents: any DocumentStore, chance: Chance, reader: SigningKeyReader) {
    self.documents = documents
    self.chance = chance
    self.reader = reader
  }

  func current() throws -> TokenSigningKey {
    if let parsed { return parsed }
    let key: TokenSigningKey
    if let kept = try documents.read(Kept.self, .signingKey, "current") {
      key = try reader.key(kept)
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

  /// Signs with a new key from now on.
  /// - Parameter forgetting: the old keys are no longer published: tokens that they signed fail.
  func rollOver(forgetting: Bool = false) throws {
    let old = try current()
    if forgetting {
      for (key, _) in try documents.documents(.signingKey, keyPrefix: Self.retired) {
        try documents.delete(.signingKey, key)
      }
    } else {
      try documents.write(old.publicKey, .signingKey, Self.retired + old.id)
    }
    parsed = try make()
  }

  private func make() throws -> TokenSigningKey {
    let key = try TokenSigningKey(newWithID: Base64URL.encode(chance.bytes(20)))
    try documents.write(Kept(id: key.id, der: key.der), .signingKey, "current")
    return key
  }
}

/// Makes a key of what is kept. It remembers the last one: to read and check an RSA key takes longer than to sign.
///
/// What is kept decides, so a new key of another process is used at once.
public final class SigningKeyReader: Sendable {
  private let last = Mutex<(kept: SigningKeys.Kept, key: TokenSigningKey)?>(nil)

  public init() {}

  fileprivate func key(_ kept: SigningKeys.Kept) throws -> TokenSigningKey {
    try last.withLock { last in
      if let last, last.kept == kept { return last.key }
      let key = try TokenSigningKey(id: kept.id, der: kept.der)
      last = (kept, key)
      return key
    }
  }
}
