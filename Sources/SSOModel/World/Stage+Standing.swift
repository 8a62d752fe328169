extension Stage {
  /// Under ten minutes, or past `refresh_on`: "expiring" (terminal.md §3).
  private static let expiringSoon = 600

  /// The state of an access or ID token by its own dates.
  func standing(of token: CredentialItem) -> TokenStanding {
    guard let expiresOn = token.expiry else { return TokenStanding(.valid) }
    return standing(until: expiresOn, refreshOn: token.refreshOn)
  }

  func standing(until expiresOn: Instant, refreshOn: Instant? = nil) -> TokenStanding {
    let left = now.seconds(until: expiresOn)
    if left <= 0 { return TokenStanding(.expired, secondsLeft: left) }
    let soon = left < Self.expiringSoon || (refreshOn.map { $0 <= now } ?? false)
    return TokenStanding(soon ? .expiring : .valid, secondsLeft: left)
  }

  /// The state of a refresh token: the device cannot know it, the lab asks the provider's records. A token that the
  /// provider never issued (an imported one) counts as valid; the test app's `bad-refresh-token` as invalid.
  func refreshStanding(of token: CredentialItem) throws -> TokenStanding {
    if token.secret == "bad-refresh-token" { return TokenStanding(.invalid) }
    guard let record = try provider(.system, actor: "").refreshTokenRecord(secret: token.secret) else {
      return TokenStanding(.valid)
    }
    if record.revokedAt != nil { return TokenStanding(.invalid) }
    return standing(until: record.expiresAt)
  }
}
