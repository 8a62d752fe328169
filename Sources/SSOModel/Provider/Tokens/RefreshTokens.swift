/// A refresh token as the provider keeps it: without its secret.
package struct RefreshTokenRecord: Codable, Hashable, Sendable {
  /// Whom it serves, which decides its lifetime.
  package enum Kind: String, Codable, Sendable {
    /// Serves its client only.
    case app
    /// Serves every client of its family.
    case family
    /// The broker's: serves every client on its device, after the caller check.
    case primary
    /// A browser app's: ends a day after the sign-in, however often it is renewed.
    case singlePage
  }

  package var kind: Kind
  package var clientID: String
  package var familyID: String?
  /// In lower case.
  package var username: String
  /// Home account: object ID and tenant ID in the home tenant.
  package var objectID: String
  package var homeTenantID: String
  package var deviceID: String?
  package var issuedAt: Instant
  package var expiresAt: Instant
  package var revokedAt: Instant?
  /// What was granted, for a refresh that names no scopes.
  var scopes: RequestedScopes?
  /// The sign-in that it came of, at whatever remove: all tokens of one grant are revoked together.
  var grantID: String?
  /// How it was come by; nil for those of older stores.
  var situation: AccessSituation?
  /// Set when it is read: what ended it together with all else that its person had.
  package var revocation: Revocation?
  /// Of a primary one: what the broker signs with (``SessionKey``).
  var sessionKey: String?
  /// Noted only while reuse is looked for.
  var redeemedAt: Instant?

  /// Seconds: 14 days for a primary one, one for a browser app's, 90 for the others.
  package static func lifetime(of kind: Kind) -> Int {
    switch kind {
    case .primary: 14 * 86_400
    case .singlePage: 86_400
    case .app, .family: 90 * 86_400
    }
  }
}

/// A grant whose tokens are all revoked.
///
/// A grant that is valid has no document.
struct RevokedGrant: Codable, Hashable { var revokedAt: Instant }

extension DocumentReader {
  /// The provider's record of a refresh token.
  package func refreshToken(secret: String) throws -> RefreshTokenRecord? {
    var record = try read(RefreshTokenRecord.self, .refreshToken, sha256Hex(secret))
    if let grantID = record?.grantID, record?.revokedAt == nil {
      let grant = try read(RevokedGrant.self, .authorizationCode, RefreshTokens.key(grantID: grantID))
      record?.revokedAt = grant?.revokedAt
    }
    if let found = record, found.revokedAt == nil,
      let revocation = try revocation(of: found.username), revocation.endsRefreshTokens,
      found.issuedAt <= revocation.at
    {
      record?.revokedAt = revocation.at
      record?.revocation = revocation
    }
    return record
  }
}

/// The refresh tokens, keyed by SHA-256 hex of the secret.
///
/// They are realm-less and serve any resource.
package struct RefreshTokens {
  let documents: any DocumentStore
  let now: Instant

  package init(documents: any DocumentStore, now: Instant) {
    self.documents = documents
    self.now = now
  }

  /// Revokes every token of the grant: those that were issued, and those that were refreshed from them.
  func revoke(grantID: String) throws {
    let key = Self.key(grantID: grantID)
    guard try documents.document(.authorizationCode, key) == nil else { return }
    try documents.write(RevokedGrant(revokedAt: now), .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
  }

  fileprivate static func key(grantID: String) -> String { "grant/" + grantID }

  /// Makes one: `0.A` and 43 characters of base64url.
  ///
  /// `end` is when it expires; with nil, after the lifetime of its kind.
  /// - Throws: `StoreError`.
  package func issue(
    _ kind: RefreshTokenRecord.Kind, for person: Person, client: ClientRegistration, deviceID: String?,
    scopes: RequestedScopes? = nil, grantID: String? = nil, situation: AccessSituation? = nil,
    end: Instant? = nil, random: RandomSource
  ) throws -> String {
    let secret = "0.A" + Base64URL.encode(random.bytes(32))
    // In the moment of a revocation two tokens would else look the same: one from before, and one from after.
    let revoked = try documents.revocation(of: person.username)?.at.adding(milliseconds: 1)
    let issuedAt = max(now, revoked ?? now)
    var record = RefreshTokenRecord(
      kind: kind, clientID: client.clientID,
      familyID: kind == .family || kind == .primary ? client.familyID : nil,
      username: person.username.lowercased(), objectID: person.objectID, homeTenantID: person.homeTenantID,
      deviceID: deviceID, issuedAt: issuedAt,
      expiresAt: end ?? now.adding(seconds: RefreshTokenRecord.lifetime(of: kind)))
    record.scopes = scopes
    let key = sha256Hex(secret)
    record.grantID = grantID ?? key
    record.situation = situation
    try documents.write(record, .refreshToken, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .refreshToken)
    return secret
  }

  /// Keeps the session key of a primary refresh token; `encoded` is base64url of 32 bytes, as the broker has it.
  /// - Throws: `StoreError`.
  package func setSessionKey(_ encoded: String, of primaryRefreshToken: String) throws {
    try change(key: sha256Hex(primaryRefreshToken)) { $0.sessionKey = encoded }
  }

  /// Changes the record under that key.
  ///
  /// False if there is none.
  @discardableResult
  func change(key: String, _ body: (inout RefreshTokenRecord) -> Void) throws -> Bool {
    guard var record = try documents.read(RefreshTokenRecord.self, .refreshToken, key) else { return false }
    body(&record)
    try documents.write(record, .refreshToken, key)
    return true
  }
}
