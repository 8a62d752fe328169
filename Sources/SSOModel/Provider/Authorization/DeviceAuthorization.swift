/// A device authorization (RFC 8628), from the request until the tokens are redeemed.
///
/// It is stored under the hash of the device code and indexed by the user code.
package struct DeviceAuthorization: Codable, Hashable, Sendable {
  /// The progress of the authorization.
  package enum State: String, Codable, Sendable { case pending, approved, declined, redeemed }

  var clientID: String
  var scopes: RequestedScopes
  var authoritySegment: String
  var userCode: String
  var issuedAt: Instant
  package var state = State.pending
  /// The username, in lowercase, of the user who approved it.
  ///
  /// `authenticatedAt` is the time of that sign-in.
  var username: String?
  var authenticatedAt: Instant?
  /// Whether the user completed MFA.
  ///
  /// `nil` means no.
  var hasSecondFactor: Bool?
  /// The required seconds between two polls.
  ///
  /// Each poll that is too early adds five.
  var interval = 5
  var polledAt: Instant?

  /// The lifetime in seconds: fifteen minutes.
  package static let lifetime = 900
  /// The characters of a user code: no vowels, so that no code is a word, and no letters that look like
  /// digits.
  static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ23456789")

  func hasExpired(at now: Instant) -> Bool { issuedAt.seconds(until: now) >= Self.lifetime }

  /// Returns whether the device is still polling for its tokens.
  ///
  /// It tolerates three missed polls and one more minute. RFC 8628 §3.5 sets no limit.
  package func isAsking(at now: Instant) -> Bool {
    (polledAt ?? issuedAt).seconds(until: now) <= 3 * interval + 60
  }
}

/// The pending device authorizations.
struct DeviceAuthorizations {
  let documents: any DocumentStore

  static func key(deviceCode: String) -> String { "device/" + sha256Hex(deviceCode) }

  func authorization(key: String) throws -> DeviceAuthorization? {
    try documents.read(DeviceAuthorization.self, .authorizationCode, key)
  }

  func save(_ authorization: DeviceAuthorization, key: String) throws {
    try documents.write(authorization, .authorizationCode, key)
  }

  /// Returns the key of the device authorization with this user code.
  ///
  /// Ignores case, spaces and hyphens.
  func key(userCode: String) throws -> String? {
    try documents.read(String.self, .authorizationCode, Self.userKey(userCode))
  }

  /// Saves a new device authorization and indexes it by its user code.
  func add(_ authorization: DeviceAuthorization, key: String) throws {
    let userKey = Self.userKey(authorization.userCode)
    try save(authorization, key: key)
    try documents.write(key, .authorizationCode, userKey)
    let purge = ExpiryPurge(documents: documents, now: authorization.issuedAt)
    for key in [key, userKey] { try purge.purge(after: key, in: .authorizationCode) }
  }

  func unlink(userCode: String) throws {
    try documents.delete(.authorizationCode, Self.userKey(userCode))
  }

  fileprivate static func userKey(_ userCode: String) -> String {
    "usercode/" + sha256Hex(userCode.uppercased().filter { $0.isLetter || $0.isNumber })
  }
}

extension Provider {
  /// Returns the scopes that the device with this user code requested, or an empty array if the code is
  /// unknown.
  package func scopes(ofUserCode userCode: String) throws -> [String] {
    let authorizations = resources.deviceAuthorizations
    let key = try authorizations.key(userCode: userCode)
    return try key.flatMap { try authorizations.authorization(key: $0) }?.scopes.all ?? []
  }
}

extension DocumentReader {
  /// Returns the pending device authorization with this user code, or `nil` if there is none.
  package func device(showing userCode: String) throws -> DeviceAuthorization? {
    try read(String.self, .authorizationCode, DeviceAuthorizations.userKey(userCode)).flatMap {
      try read(DeviceAuthorization.self, .authorizationCode, $0)
    }
  }
}
