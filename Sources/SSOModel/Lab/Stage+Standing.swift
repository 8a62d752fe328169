import SSOCore
import SSOKeychain
import SSOProvider

extension Stage {
  func standing(of token: CredentialItem) -> TokenStanding { TokenStanding(token, at: now) }

  /// The state of a refresh token: the device cannot know it, the lab asks the provider's records. A token that the
  /// provider never issued (an imported one) counts as valid; the test app's `bad-refresh-token` as invalid.
  func refreshStanding(of token: CredentialItem) throws -> TokenStanding {
    try refreshStanding(ofSecret: token.secret)
  }

  func refreshStanding(ofSecret secret: String) throws -> TokenStanding {
    if secret == CredentialItem.invalidSecret { return TokenStanding(.invalid) }
    guard let record = try provider(.system, actor: "").refreshTokenRecord(secret: secret) else {
      return TokenStanding(.valid)
    }
    if record.revokedAt != nil { return TokenStanding(.invalid) }
    return TokenStanding(until: record.expiresAt, at: now)
  }
}

extension CredentialItem {
  /// What the SDK's test app puts in the place of a refresh token to make it useless (fact sheet §7.1).
  static let invalidSecret = "bad-refresh-token"
}
