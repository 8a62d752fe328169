import Foundation
import SSOCore
import Synchronization

/// The provider's signing keys: the current one is made on first use and kept as a document, read once per
/// `Provider`. Those that signed before it stay published, so that their tokens can still be verified.
///
/// Its numbers are the system's chance and not the lab's: the one thing a seed does not decide. Its ID is
/// the seed's.
final class SigningKeys {
  fileprivate struct Kept: Codable, Hashable {
    var id: String
    var der: Data
  }

  private static let retired = "retired/"

  private let documents: any DocumentStore
  private let chance: Chance
  private let reader: SigningKeyReader
  private var parsed: (kept: Kept, key: TokenSigningKey)?

  package init(documents: any DocumentStore, chance: Chance, reader: SigningKeyReader) {
    self.documents = documents
    self.chance = chance
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

  private func make() throws -> (kept: Kept, key: TokenSigningKey) {
    let key = try TokenSigningKey(newWithID: Base64URL.encode(chance.bytes(20)))
    let kept = Kept(id: key.id, der: key.der)
    try documents.write(kept, .signingKey, "current")
    return (kept, key)
  }
}

/// Makes a key of what is kept, and signs. It remembers the last key: to read and check an RSA key takes longer than to
/// sign. What is kept decides, so a new key of another process is used at once.
package final class SigningKeyReader: Sendable {
  /// A signature that is asked for.
  private struct Order: Hashable {
    var key: SigningKeys.Kept
    var input: String
  }

  private static let limit = 256
  private let last = Mutex<(kept: SigningKeys.Kept, key: TokenSigningKey)?>(nil)
  /// In a rehearsal nothing is signed; what is asked for is noted.
  private let isRehearsal: Bool
  private let noted = Mutex<[Order]>([])
  /// Signatures that are made and not asked for yet; each is taken once.
  private let made = Mutex<[Order: [UInt8]]>([:])

  package init() { isRehearsal = false }
  package init(isRehearsal: Bool) { self.isRehearsal = isRehearsal }

  /// Whether the rehearsal has come to its signatures.
  package var hasNoted: Bool { noted.withLock { !$0.isEmpty } }
  /// How many signatures wait to be asked for.
  var madeAhead: Int { made.withLock { $0.count } }

  /// Signs what was asked for in a rehearsal, and keeps it until it is asked for again.
  package func sign(whatWasNotedBy rehearsal: SigningKeyReader) throws {
    let orders = rehearsal.noted.withLock { noted in
      defer { noted = [] }
      return noted
    }
    for order in orders {
      let signature = try rehearsal.key(order.key).signature(for: order.input)
      made.withLock { made in
        // What nobody took belongs to answers that came out otherwise.
        if made.count >= Self.limit { made.removeAll() }
        made[order] = signature
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
    let order = Order(key: kept, input: input)
    if isRehearsal {
      noted.withLock { $0.append(order) }
      return TokenSigningKey.blank
    }
    return try made.withLock { $0.removeValue(forKey: order) } ?? key.signature(for: input)
  }
}
