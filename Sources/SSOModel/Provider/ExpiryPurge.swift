import Essentials

/// The part of a refresh token's record that says when it expires.
///
/// Four are read for each token that is issued.
private struct RefreshTokenExpiry: Decodable {
  var kind: RefreshTokenRecord.Kind
  var expiresAt: Instant
}

/// Expired records are purged incrementally: codes, device codes, sign-ins, refresh tokens and sessions of browsers.
///
/// Each insert checks the next four records by key, in the same transaction. Keys are hashes, so each record has its turn: with
/// four checked no more than a quarter of all records has expired, whatever the load. It needs no timer and no list of
/// times, and takes no longer in a full store.
struct ExpiryPurge {
  let documents: any DocumentStore
  let now: Instant

  /// Records checked for each insert.
  static let batch = 4
  /// Seconds for which an expired record is still called expired, and not unknown: an hour for a code; a refresh token or a
  /// session is kept for twice its lifetime, since people let them expire on purpose by the clock, and put that back.
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
    // What it revokes has expired by then.
    case "grant":
      return isPast(try read(RevokedGrant.self).revokedAt, by: RefreshTokenRecord.lifetime(of: .app))
    default: return false
    }
  }

  private func isPast(_ moment: Instant, by seconds: Int) -> Bool { moment.seconds(until: now) >= seconds }
}
