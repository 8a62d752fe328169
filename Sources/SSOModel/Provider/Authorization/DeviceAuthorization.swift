/// A device code (RFC 8628), from the request until its tokens are fetched.
///
/// Kept under the hash of the device code, and found by its user code.
package struct DeviceAuthorization: Codable, Hashable, Sendable {
  /// What came of the code so far.
  package enum State: String, Codable, Sendable { case pending, approved, declined, redeemed }

  var clientID: String
  var scopes: RequestedScopes
  var authoritySegment: String
  var userCode: String
  var issuedAt: Instant
  package var state = State.pending
  /// The person who approved it, in lower case, and when that person signed in.
  var username: String?
  var authenticatedAt: Instant?
  /// The person gave a second factor; nil: no.
  var hasSecondFactor: Bool?
  /// Seconds that the client has to wait between two polls; five more each time it does not.
  var interval = 5
  var polledAt: Instant?

  /// Fifteen minutes, in seconds.
  package static let lifetime = 900
  /// No vowels, and no letter that looks like a digit: no code is a word, and none is easily mistyped.
  static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ23456789")

  func hasExpired(at now: Instant) -> Bool { issuedAt.seconds(until: now) >= Self.lifetime }

  /// Whether the device still asks for its tokens.
  ///
  /// One of three polls in a row came, or one within a minute more. RFC 8628 §3.5 sets no bound.
  package func isAsking(at now: Instant) -> Bool {
    (polledAt ?? issuedAt).seconds(until: now) <= 3 * interval + 60
  }
}

/// The device codes under way.
struct DeviceAuthorizations {
  let documents: any DocumentStore

  static func key(deviceCode: String) -> String { "device/" + sha256Hex(deviceCode) }

  func authorization(key: String) throws -> DeviceAuthorization? {
    try documents.read(DeviceAuthorization.self, .authorizationCode, key)
  }

  func save(_ authorization: DeviceAuthorization, key: String) throws {
    try documents.write(authorization, .authorizationCode, key)
  }

  /// The key of the code that shows this user code.
  ///
  /// Case, spaces and hyphens do not count.
  func key(userCode: String) throws -> String? {
    try documents.read(String.self, .authorizationCode, Self.userKey(userCode))
  }

  /// Keeps a new one, to be found by its user code.
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
  /// What the device that shows this user code asked for; empty if there is no such code.
  package func scopes(ofUserCode userCode: String) throws -> [String] {
    let authorizations = resources.deviceAuthorizations
    let key = try authorizations.key(userCode: userCode)
    return try key.flatMap { try authorizations.authorization(key: $0) }?.scopes.all ?? []
  }
}

extension DocumentReader {
  /// The device that shows this code and was not answered yet; nil if there is none.
  package func device(showing userCode: String) throws -> DeviceAuthorization? {
    try read(String.self, .authorizationCode, DeviceAuthorizations.userKey(userCode)).flatMap {
      try read(DeviceAuthorization.self, .authorizationCode, $0)
    }
  }
}
