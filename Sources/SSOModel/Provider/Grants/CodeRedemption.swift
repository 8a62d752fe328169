/// A redemption of a known code, as the input of the rules of the code grant.
struct CodeRedemption {
  var code: AuthorizationCode
  var clientID: String
  var redirectURI: String
  var verifier: String?
  var now: Instant

  /// The rules that apply after `checkCodeIsKnown`.
  static var rules: [(CodeRedemption) -> RuleResult] {
    [checkCodeIsFresh, checkCodeIsYoung, checkCodeClient, checkCodeRedirectURI, checkCodeVerifier]
  }
}

extension OAuthError {
  /// The error for a code that does not have the format of a code.
  static let malformedGrant = OAuthError(
    .invalidGrant, "Invalid request. Request is malformed or invalid.", aadsts: .requestMalformed)
}

func checkCodeIsKnown(_ code: AuthorizationCode?, _ secret: String) -> RuleResult {
  RuleResult(
    "code known", expected: "a code that was issued", found: code == nil ? "unknown" : "known",
    code != nil, source: "RFC 6749 §4.1.3",
    else: secret.hasPrefix(AuthorizationCode.prefix)
      ? OAuthError(
        .invalidGrant, "The provided value for the input parameter 'code' is not valid.",
        aadsts: .grantInvalid) : .malformedGrant)
}

private func checkCodeIsFresh(_ redemption: CodeRedemption) -> RuleResult {
  let redeemedAt = redemption.code.redeemedAt
  return RuleResult(
    "code not used", expected: "first redemption", found: redeemedAt == nil ? "first" : "used before",
    redeemedAt == nil, source: "RFC 6749 §4.1.2",
    else: OAuthError(
      .invalidGrant,
      "OAuth2 Authorization code was already redeemed. Its refresh tokens are revoked; sign in again.",
      aadsts: .codeAlreadyRedeemed))
}

private func checkCodeIsYoung(_ redemption: CodeRedemption) -> RuleResult {
  let age = redemption.code.issuedAt.seconds(until: redemption.now)
  return RuleResult(
    "code not expired", expected: "younger than \(AuthorizationCode.lifetime) s", found: "\(age) s",
    age < AuthorizationCode.lifetime, source: "RFC 6749 §4.1.2",
    else: OAuthError(
      .invalidGrant, "The authorization code has expired. Sign in again.", aadsts: .grantExpired))
}

private func checkCodeClient(_ redemption: CodeRedemption) -> RuleResult {
  let issuedTo = redemption.code.clientID
  return RuleResult(
    "code issued to client", expected: issuedTo, found: redemption.clientID,
    issuedTo.lowercased() == redemption.clientID.lowercased(), source: "RFC 6749 §4.1.3",
    else: OAuthError(.invalidGrant, "The code was issued to another application.", aadsts: .grantInvalid))
}

private func checkCodeRedirectURI(_ redemption: CodeRedemption) -> RuleResult {
  RuleResult(
    "redirect URI as before", expected: redemption.code.redirectURI, found: redemption.redirectURI,
    redemption.code.redirectURI == redemption.redirectURI, source: "RFC 6749 §4.1.3, errors.md §4",
    else: OAuthError(
      .invalidClient,
      "The reply address '\(redemption.redirectURI)' does not match the one given when the code was "
        + "asked for.",
      aadsts: .redirectURIDiffers))
}

private func checkCodeVerifier(_ redemption: CodeRedemption) -> RuleResult {
  let challenge = redemption.code.codeChallenge
  let computed = redemption.verifier.map { ProofKey(verifier: $0).challenge }
  return RuleResult(
    "code verifier", expected: challenge ?? "none: no challenge was sent", found: computed ?? "none",
    isSameSecret(computed ?? "", challenge ?? ""), source: "RFC 7636 §4.6",
    else: OAuthError(
      .invalidGrant, "The code_verifier does not match the code_challenge of the authorization request.",
      aadsts: .codeVerifierMismatch))
}
