extension CredentialItem {
  /// The expiration time of the token, or `nil` if the token does not specify one.
  ///
  /// It is `expires_on` or, for an ID token, which has no `expires_on` in the cache, its `exp` claim.
  package var expiry: Instant? {
    if let expiresOn { return expiresOn }
    guard type == .idToken || type == .v1IDToken, let jwt = try? JSONWebToken(unverified: secret) else {
      return nil
    }
    return jwt.claims["exp"]?.integer.flatMap { Int(exactly: $0) }.map { Instant($0) }
  }
}
