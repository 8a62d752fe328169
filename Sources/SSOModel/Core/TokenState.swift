/// The token states of every list, always displayed as a glyph and a word.
package enum TokenState: String, Codable, CaseIterable, Hashable, Sendable {
  case valid, expiring, expired, invalid, revoked, none
  /// A refresh token that the lab's provider did not issue, so that its state is unknown.
  case unknown

  /// Whether the token is valid as far as the lab knows.
  package var isUsable: Bool { self == .valid || self == .expiring }
}

/// A token state with the time until its expiration.
package struct TokenStatus: Codable, Hashable, Sendable {
  package var state: TokenState
  /// The seconds until expiration, negative if expired, or `nil` if the expiration is unknown.
  package var secondsLeft: Int?
  /// The seconds until the state changes because time passes, or `nil` if it never does.
  package var changesIn: Int?
  package init(_ state: TokenState, secondsLeft: Int? = nil, changesIn: Int? = nil) {
    self.state = state
    self.secondsLeft = secondsLeft
    self.changesIn = changesIn
  }
}

extension TokenStatus {
  /// The remaining seconds below which a token is "expiring".
  ///
  /// After `refresh_on` it is too.
  private static let expiringSoon = 600

  /// Creates the state of a token with an expiration date.
  ///
  /// Every list uses this.
  package init(until expiresOn: Instant, refreshOn: Instant? = nil, at now: Instant) {
    let left = now.seconds(until: expiresOn)
    if left <= 0 {
      self.init(.expired, secondsLeft: left)
    } else {
      let isSoon = left < Self.expiringSoon || (refreshOn.map { $0 <= now } ?? false)
      let untilSoon = min(left - Self.expiringSoon + 1, refreshOn.map { now.seconds(until: $0) + 1 } ?? .max)
      self.init(isSoon ? .expiring : .valid, secondsLeft: left, changesIn: isSoon ? left : untilSoon)
    }
  }
}
