import SSOCore

/// A code that was issued (RFC 6749 §4.1.2). It stays after its redemption, so that a second one is noticed.
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
  var claims: RequestedClaims?
  /// From where the person signed in.
  var situation: AccessSituation?

  /// Ten minutes, in seconds.
  static let lifetime = 600
}

/// A redemption, as it came: what the rules of the code grant look at.
struct CodeRedemption {
  var code: AuthorizationCode?
  var clientID: String
  var redirectURI: String
  var verifier: String?
  var now: Instant

  static var rules: [(CodeRedemption) -> Finding] {
    [
      checkCodeIsKnown, checkCodeIsFresh, checkCodeIsYoung, checkCodeClient, checkCodeRedirectURI,
      checkCodeVerifier,
    ]
  }
}

private func checkCodeIsKnown(_ redemption: CodeRedemption) -> Finding {
  Finding(
    "code known", expected: "a code that was issued", found: redemption.code == nil ? "unknown" : "known",
    redemption.code != nil, source: "RFC 6749 §4.1.3",
    else: OAuthError(
      .invalidGrant, "The provided value for the input parameter 'code' is not valid.", aadsts: 70000))
}

private func checkCodeIsFresh(_ redemption: CodeRedemption) -> Finding {
  let redeemedAt = redemption.code?.redeemedAt
  return Finding(
    "code not used", expected: "first redemption", found: redeemedAt == nil ? "first" : "used before",
    redeemedAt == nil, source: "RFC 6749 §4.1.2",
    else: OAuthError(
      .invalidGrant,
      "OAuth2 Authorization code was already redeemed. Its refresh tokens are revoked; sign in again.",
      aadsts: 54005))
}

private func checkCodeIsYoung(_ redemption: CodeRedemption) -> Finding {
  let age = redemption.code.map { $0.issuedAt.seconds(until: redemption.now) } ?? 0
  return Finding(
    "code not expired", expected: "younger than \(AuthorizationCode.lifetime) s", found: "\(age) s",
    age < AuthorizationCode.lifetime, source: "RFC 6749 §4.1.2",
    else: OAuthError(.invalidGrant, "The authorization code has expired. Sign in again.", aadsts: 70008))
}

private func checkCodeClient(_ redemption: CodeRedemption) -> Finding {
  let issuedTo = redemption.code?.clientID ?? ""
  return Finding(
    "code issued to client", expected: issuedTo, found: redemption.clientID,
    issuedTo.lowercased() == redemption.clientID.lowercased(), source: "RFC 6749 §4.1.3",
    else: OAuthError(.invalidGrant, "The code was issued to another application.", aadsts: 70000))
}

private func checkCodeRedirectURI(_ redemption: CodeRedemption) -> Finding {
  let expected = redemption.code?.redirectURI ?? ""
  return Finding(
    "redirect URI as before", expected: expected, found: redemption.redirectURI,
    expected == redemption.redirectURI, source: "RFC 6749 §4.1.3, fact sheet 6.4",
    else: OAuthError(
      .invalidClient,
      "The reply address '\(redemption.redirectURI)' does not match the one given when the code was "
        + "asked for.",
      aadsts: 500112))
}

private func checkCodeVerifier(_ redemption: CodeRedemption) -> Finding {
  let challenge = redemption.code?.codeChallenge
  let computed = redemption.verifier.map { ProofKey(verifier: $0).challenge }
  return Finding(
    "code verifier", expected: challenge ?? "none: no challenge was sent", found: computed ?? "none",
    isSameSecret(computed ?? "", challenge ?? ""), source: "RFC 7636 §4.6",
    else: OAuthError(
      .invalidGrant, "The code_verifier does not match the code_challenge of the authorization request.",
      aadsts: 501481))
}
