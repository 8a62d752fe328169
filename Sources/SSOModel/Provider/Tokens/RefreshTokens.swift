import SSOCore

/// The provider's record of a refresh token, without its secret.
package struct RefreshTokenRecord: Codable, Hashable, Sendable {
  /// The kind of client that the token serves, which determines its lifetime.
  package enum Kind: String, Codable, Sendable {
    /// Serves only its client.
    case app
    /// Serves every client of its family.
    case family
    /// Serves, as the broker's token, every client on its device after the caller check.
    case primary
    /// Serves a single-page app.
    ///
    /// It expires a day after the sign-in, however often it is renewed.
    case singlePage
  }

  package var kind: Kind
  package var clientID: String
  package var familyID: String?
  /// The username in lowercase.
  package var username: String
  /// The object ID in the home tenant.
  package var objectID: String
  package var homeTenantID: String
  package var deviceID: String?
  package var issuedAt: Instant
  package var expiresAt: Instant
  package var revokedAt: Instant?
  /// The granted scopes, for a refresh that does not specify any.
  var scopes: RequestedScopes?
  /// The grant that the token descends from.
  ///
  /// All tokens of one grant are revoked together.
  var grantID: String?
  /// The circumstances of the sign-in that produced the token, or `nil` for tokens from older stores.
  var situation: AccessSituation?
  /// The event that revoked all of the user's tokens.
  ///
  /// It is set when the record is read.
  package var revocation: Revocation?
  /// The session key of a primary refresh token, with which the broker signs (``SessionKey``).
  var sessionKey: String?
  /// The time of redemption.
  ///
  /// It is recorded only while reuse is detected.
  var redeemedAt: Instant?
  /// The user flow of Azure AD B2C that issued the token.
  var userFlow: String?
  /// The redirect URI of the sign-in, whose type decides whether the client authenticates (``GrantOrigin``).
  var redirectURI: String?

  /// The default lifetime in seconds of a refresh token of Azure AD B2C: 14 days (Azure AD B2C: Configure tokens).
  static let lifetimeOfUserFlow = 14 * 86_400

  /// Returns the lifetime in seconds: one day for a single-page app's token, 90 days for others.
  package static func lifetime(of kind: Kind) -> Int {
    switch kind {
    case .singlePage: 86_400
    case .app, .family, .primary: 90 * 86_400
    }
  }
}

/// A grant whose tokens are all revoked.
///
/// A valid grant does not have a document.
struct RevokedGrant: Codable, Hashable { var revokedAt: Instant }

extension DocumentReader {
  /// Returns the provider's record of a refresh token.
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

/// The refresh tokens, keyed by the hexadecimal SHA-256 of the secret.
///
/// They do not have a realm, and serve any resource.
package struct RefreshTokens {
  /// The prefix of every refresh token.
  static let prefix = "0.A"

  let documents: any DocumentStore
  let now: Instant

  package init(documents: any DocumentStore, now: Instant) {
    self.documents = documents
    self.now = now
  }

  /// Revokes every token of the grant, including tokens that were refreshed from it.
  func revoke(grantID: String) throws {
    let key = Self.key(grantID: grantID)
    guard try documents.document(.authorizationCode, key) == nil else { return }
    try documents.write(RevokedGrant(revokedAt: now), .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
  }

  fileprivate static func key(grantID: String) -> String { "grant/" + grantID }

  /// Issues a refresh token: `0.A` and 43 characters of base64url.
  ///
  /// It expires at `end`, or after the lifetime of its kind if `end` is `nil`.
  ///
  /// - Throws: `StoreError`.
  package func issue(
    _ kind: RefreshTokenRecord.Kind, for person: DirectoryUser, client: ClientRegistration, deviceID: String?,
    scopes: RequestedScopes? = nil, grantID: String? = nil, situation: AccessSituation? = nil,
    end: Instant? = nil, userFlow: String? = nil, redirectURI: String? = nil, random: RandomSource
  ) throws -> String {
    let secret = Self.prefix + Base64URL.encode(random.bytes(32))
    // Otherwise, tokens from before and after a revocation at the same moment would look the same.
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
    record.userFlow = userFlow
    record.redirectURI = redirectURI
    try documents.write(record, .refreshToken, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .refreshToken)
    return secret
  }

  /// Saves the session key of a primary refresh token.
  ///
  /// `encoded` is the base64url of 32 bytes, as the broker has it.
  ///
  /// - Throws: `StoreError`.
  package func setSessionKey(_ encoded: String, of primaryRefreshToken: String) throws {
    try change(key: sha256Hex(primaryRefreshToken)) { $0.sessionKey = encoded }
  }

  /// Changes the record with this key.
  ///
  /// Returns `false` if it does not exist.
  @discardableResult
  func change(key: String, _ body: (inout RefreshTokenRecord) -> Void) throws -> Bool {
    guard var record = try documents.read(RefreshTokenRecord.self, .refreshToken, key) else { return false }
    body(&record)
    try documents.write(record, .refreshToken, key)
    return true
  }
}
