internal import Foundation

/// The provider's signing key: made on first use, kept as a document, read once per `Provider`.
///
/// Its numbers are the system's chance and not the lab's: the one thing a seed does not decide. Its ID is
/// the seed's.
final class SigningKeys {
  private struct Kept: Codable {
    var id: String
    var der: Data
  }

  private let documents: any DocumentStore
  private let chance: Chance
  private var parsed: TokenSigningKey?

  init(documents: any DocumentStore, chance: Chance) {
    self.documents = documents
    self.chance = chance
  }

  func current() throws -> TokenSigningKey {
    if let parsed { return parsed }
    let key: TokenSigningKey
    if let kept = try documents.read(Kept.self, .signingKey, "current") {
      key = try TokenSigningKey(id: kept.id, der: kept.der)
    } else {
      key = try TokenSigningKey(newWithID: Base64URL.encode(chance.bytes(20)))
      try documents.write(Kept(id: key.id, der: key.der), .signingKey, "current")
    }
    parsed = key
    return key
  }
}
