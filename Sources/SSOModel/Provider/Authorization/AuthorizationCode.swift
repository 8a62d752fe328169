/// A code that was issued (RFC 6749 §4.1.2).
///
/// It stays after its redemption, so that a second one is noticed.
struct AuthorizationCode: Codable, Hashable {
  var clientID: String
  var redirectURI: String
  /// Nil if a confidential client sent none.
  var codeChallenge: String?
  var authoritySegment: String
  var username: String
  var scopes: RequestedScopes
  var nonce: String?
  var issuedAt: Instant
  var redeemedAt: Instant?
  /// When the person signed in, if the ID token is to say so.
  var authenticatedAt: Instant?
  /// `sid`: the browser's session that the sign-in was made in.
  var sessionID: String?
  /// From where the person signed in.
  var situation: AccessSituation?

  /// The beginning of every code.
  static let prefix = "0.C"
  /// Ten minutes, in seconds.
  static let lifetime = 600
}
