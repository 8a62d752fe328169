/// An authorization code (RFC 6749 §4.1.2).
///
/// It is stored after its redemption so that a second redemption is detected.
struct AuthorizationCode: Codable, Hashable {
  var clientID: String
  var redirectURI: String
  /// The PKCE code challenge, or `nil` if a confidential client sent none.
  var codeChallenge: String?
  var authoritySegment: String
  var username: String
  var scopes: RequestedScopes
  var nonce: String?
  var issuedAt: Instant
  var redeemedAt: Instant?
  /// The time of the sign-in, if the ID token must contain it.
  var authenticatedAt: Instant?
  /// `sid`: the browser session of the sign-in.
  var sessionID: String?
  /// The circumstances of the sign-in.
  var situation: AccessSituation?

  /// The prefix of every code.
  static let prefix = "0.C"
  /// The lifetime in seconds: ten minutes.
  static let lifetime = 600
}
