import Essentials
import SSOCore

/// The part of a refresh token's record that determines its expiration.
///
/// Four are read for each issued token.
private struct RefreshTokenExpiry: Decodable {
  var kind: RefreshTokenRecord.Kind
  var expiresAt: Instant
}

/// An incremental purge of expired records: codes, device codes, sign-ins, refresh tokens, and browser
/// sessions.
///
/// Each insert checks the next four records by key, in the same transaction. Because keys are hashes, every
/// record gets its turn. With four checks for each insert, at most a quarter of all records has expired,
/// whatever the load. The purge does not need a timer or a list of times, and it does not slow down in a full
/// store.
struct ExpiryPurge {
  let documents: any DocumentStore
  let now: Instant

  /// The number of records to check for each insert.
  static let batch = 4
  /// The seconds during which an expired record is reported as expired instead of unknown.
  ///
  /// It is an hour for a code. Refresh tokens and sessions are retained for twice their lifetime, because
  /// users set the clock forward to let them expire, and back again.
  static let grace = 3600

  func purge(after key: String, in kind: DocumentKind) throws {
    for (key, body) in try documents.documents(kind, after: key, limit: Self.batch)
    where try hasExpired(body, kind, key) {
      try documents.delete(kind, key)
    }
  }

  private func hasExpired(_ body: Data, _ kind: DocumentKind, _ key: String) throws -> Bool {
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decodeJSON(Value.self, from: body)
    }
    switch kind {
    case .refreshToken:
      let token = try read(RefreshTokenExpiry.self)
      return isPast(token.expiresAt, by: RefreshTokenRecord.lifetime(of: token.kind))
    case .ssoSession: return isPast(try read(SSOSession.self).lastUse, by: 2 * SSOSession.lifetime)
    case .authorizationCode: break
    default: return false
    }
    switch key.prefix(while: { $0 != "/" }) {
    case "code":
      return isPast(
        try read(AuthorizationCode.self).issuedAt, by: AuthorizationCode.lifetime + Self.grace)
    case "device":
      let issuedAt = try read(DeviceAuthorization.self).issuedAt
      return isPast(issuedAt, by: DeviceAuthorization.lifetime + Self.grace)
    case "nonce":
      return isPast(
        try read(ChallengeNonces.Record.self).issuedAt, by: ChallengeNonces.lifetime + Self.grace)
    case "usercode": return try documents.document(.authorizationCode, read(String.self)) == nil
    case "guess": return isPast(try read(GuessLimit.Failures.self).last, by: GuessLimit.Failures.lifetime)
    case "flow": return isPast(try read(SignInFlow.self).startedAt, by: SignInFlow.lifetime)
    // By then, the tokens that it revokes have expired.
    case "grant":
      return isPast(try read(RevokedGrant.self).revokedAt, by: RefreshTokenRecord.lifetime(of: .app))
    default: return false
    }
  }

  private func isPast(_ moment: Instant, by seconds: Int) -> Bool { moment.seconds(until: now) >= seconds }
}
