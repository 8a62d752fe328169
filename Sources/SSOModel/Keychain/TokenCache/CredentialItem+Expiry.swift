extension CredentialItem {
  /// When the token ends.
  ///
  /// `expires_on`, or for an ID token, which has none in the cache, its `exp` claim. Nil for tokens that say nothing of it.
  package var expiry: Instant? {
    if let expiresOn { return expiresOn }
    guard type == .idToken || type == .v1IDToken, let jwt = try? JSONWebToken(unverified: secret) else {
      return nil
    }
    return jwt.claims["exp"]?.integer.flatMap { Int(exactly: $0) }.map { Instant($0) }
  }
}
