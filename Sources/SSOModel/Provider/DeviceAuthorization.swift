import SSOCore

/// A device code (RFC 8628), from the request until its tokens are fetched. Kept under the hash of the device
/// code, and found by its user code.
struct DeviceAuthorization: Codable, Hashable {
  enum State: String, Codable { case pending, approved, declined, redeemed }

  var clientID: String
  var scopes: RequestedScopes
  var authoritySegment: String
  var userCode: String
  var issuedAt: Instant
  var state = State.pending
  /// Whoever approved it, in lower case, and when that person signed in.
  var username: String?
  var authenticatedAt: Instant?
  /// Seconds that the client has to wait between two polls; five more each time it does not.
  var interval = 5
  var polledAt: Instant?

  /// Fifteen minutes, in seconds.
  static let lifetime = 900
  /// No vowels, and no letter that looks like a digit: nobody reads a word, nobody mistypes.
  static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ23456789")

  func isOver(at now: Instant) -> Bool { issuedAt.seconds(until: now) >= Self.lifetime }
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

  /// The key of the code that shows this user code. Case, spaces and hyphens do not count.
  func key(userCode: String) throws -> String? {
    try documents.read(String.self, .authorizationCode, Self.userKey(userCode))
  }

  /// Keeps a new one, to be found by its user code.
  func add(_ authorization: DeviceAuthorization, key: String) throws {
    let userKey = Self.userKey(authorization.userCode)
    try save(authorization, key: key)
    try documents.write(key, .authorizationCode, userKey)
    let sweep = Sweep(documents: documents, now: authorization.issuedAt)
    for key in [key, userKey] { try sweep.look(after: key, in: .authorizationCode) }
  }

  func unlink(userCode: String) throws {
    try documents.delete(.authorizationCode, Self.userKey(userCode))
  }

  private static func userKey(_ userCode: String) -> String {
    "usercode/" + sha256Hex(userCode.uppercased().filter { $0.isLetter || $0.isNumber })
  }
}

extension Provider {
  var deviceAuthorizations: DeviceAuthorizations { DeviceAuthorizations(documents: documents) }

  /// `POST /{tenant}/oauth2/v2.0/devicecode` (RFC 8628 §3.1).
  func deviceCode(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    let client = try authenticateClient(tenant, &exchange).registration
    let scopes = exchange.request.requestedScopes
    try exchange.checks.require(ScopeRequest.rules, of: ScopeRequest(scopes: scopes, registration: client))
    let secret = "0.D" + Base64URL.encode(chance.bytes(32))
    let letters = DeviceAuthorization.alphabet
    let userCode = String(chance.bytes(9).map { letters[Int($0) % letters.count] })
    let authorization = DeviceAuthorization(
      clientID: client.clientID, scopes: scopes, authoritySegment: tenant.segment, userCode: userCode,
      issuedAt: now)
    let key = DeviceAuthorizations.key(deviceCode: secret)
    try deviceAuthorizations.add(authorization, key: key)
    let page = exchange.request.origin + "/common/oauth2/deviceauth"
    return ProviderResponse(
      .json(
        200,
        [
          "device_code": .string(secret), "user_code": .string(userCode), "verification_uri": .string(page),
          "verification_uri_complete": .string(page + "?user_code=" + userCode),
          "expires_in": .integer(Int64(DeviceAuthorization.lifetime)),
          "interval": .integer(Int64(authorization.interval)),
          "message": .string(
            "To sign in, use a web browser to open the page \(page) and enter the code \(userCode) to "
              + "authenticate."),
        ]))
  }
}
