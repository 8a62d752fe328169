import Foundation
import SSOCore

/// What of a refresh token says when it is over. Four are looked at for each that is issued.
private struct RefreshTokenEnd: Decodable {
  var kind: RefreshTokenRecord.Kind
  var expiresAt: Instant
}

/// Forgets what ended long ago and is of use to nobody: codes, device codes, sign-ins, refresh tokens and sessions of
/// browsers.
///
/// Whatever is kept anew has the few documents that follow it looked at, in the same transaction. Keys are hashes, so
/// each has its turn: with four looks no more than a quarter of all is over, whoever asks for how much. It takes no
/// timer, no list of times, and no longer in a store that is full.
struct Sweep {
  let documents: any DocumentStore
  let now: Instant

  static let looks = 4
  /// How long something that is over is still called expired, and not unknown: an hour for a code, and as long as it
  /// lived for a refresh token or a session, which people let expire on purpose by the clock, and put that back.
  static let hourAfter = 3600

  func look(after key: String, in kind: DocumentKind) throws {
    for (key, body) in try documents.documents(kind, after: key, limit: Self.looks)
    where try isOver(body, kind, key) {
      try documents.delete(kind, key)
    }
  }

  private func isOver(_ body: Data, _ kind: DocumentKind, _ key: String) throws -> Bool {
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: body)
    }
    switch kind {
    case .refreshToken:
      let token = try read(RefreshTokenEnd.self)
      return isPast(token.expiresAt, by: RefreshTokenRecord.lifetime(of: token.kind))
    case .ssoSession: return isPast(try read(SSOSession.self).lastUse, by: 2 * SSOSession.lifetime)
    case .authorizationCode: break
    default: return false
    }
    switch key.prefix(while: { $0 != "/" }) {
    case "code":
      return isPast(
        try read(AuthorizationCode.self).issuedAt, by: AuthorizationCode.lifetime + Self.hourAfter)
    case "device":
      let issuedAt = try read(DeviceAuthorization.self).issuedAt
      return isPast(issuedAt, by: DeviceAuthorization.lifetime + Self.hourAfter)
    case "usercode": return try documents.document(.authorizationCode, read(String.self)) == nil
    case "flow": return isPast(try read(SignInFlow.self).startedAt, by: SignInFlow.lifetime)
    // What it revokes has expired by then.
    case "grant":
      return isPast(try read(RevokedGrant.self).revokedAt, by: RefreshTokenRecord.lifetime(of: .app))
    default: return false
    }
  }

  private func isPast(_ moment: Instant, by seconds: Int) -> Bool { moment.seconds(until: now) >= seconds }
}
