/// `POST /{tenant}/oauth2/token` with `grant_type=srv_challenge`: issues a nonce for one signed request of a
/// broker.
///
/// See [MS-OAPXBC] and docs/behaviour/linux-broker.md §6.
struct ChallengeNonces {
  static let grantType = "srv_challenge"
  /// The lifetime in seconds: five minutes.
  static let lifetime = 300

  let documents: any DocumentStore
  let now: Instant

  /// The stored record, whose key is the hash of the nonce.
  struct Record: Codable {
    var issuedAt: Instant
  }

  /// Issues a nonce.
  ///
  /// The client need not be identified, because the nonce alone is worthless.
  func response(_ random: RandomSource) throws -> ProviderResponse {
    let nonce = Base64URL.encode(random.bytes(32))
    let key = Self.key(nonce)
    try documents.write(Record(issuedAt: now), .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
    return ProviderResponse(.json(200, ["Nonce": .string(nonce)]))
  }

  /// Consumes a nonce and returns the time at which it was issued, or `nil` if it is unknown or already used.
  func take(_ nonce: String) throws -> Instant? {
    guard let record = try documents.read(Record.self, .authorizationCode, Self.key(nonce)) else {
      return nil
    }
    try documents.delete(.authorizationCode, Self.key(nonce))
    return record.issuedAt
  }

  private static func key(_ nonce: String) -> String { "nonce/" + sha256Hex(nonce) }
}
