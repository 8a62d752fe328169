/// `POST /{tenant}/oauth2/token` with `grant_type=srv_challenge`: a nonce for one signed request of a broker
/// ([MS-OAPXBC]; docs/behaviour/linux-broker.md §6).
struct ChallengeNonces {
  static let grantType = "srv_challenge"
  /// Five minutes, in seconds.
  static let lifetime = 300

  let documents: any DocumentStore
  let now: Instant

  /// As it is kept, under the hash of the nonce.
  struct Record: Codable {
    var issuedAt: Instant
  }

  /// No client has to be named: the nonce alone is worth nothing.
  func response(_ random: RandomSource) throws -> ProviderResponse {
    let nonce = Base64URL.encode(random.bytes(32))
    let key = Self.key(nonce)
    try documents.write(Record(issuedAt: now), .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
    return ProviderResponse(.json(200, ["Nonce": .string(nonce)]))
  }

  /// When the nonce was given out; nil: it is unknown, or was used before.
  ///
  /// It is used up by that.
  func take(_ nonce: String) throws -> Instant? {
    guard let record = try documents.read(Record.self, .authorizationCode, Self.key(nonce)) else {
      return nil
    }
    try documents.delete(.authorizationCode, Self.key(nonce))
    return record.issuedAt
  }

  private static func key(_ nonce: String) -> String { "nonce/" + sha256Hex(nonce) }
}
