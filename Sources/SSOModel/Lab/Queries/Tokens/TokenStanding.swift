/// The states every list shows, always as glyph and word.
package enum TokenState: String, Codable, CaseIterable, Hashable, Sendable {
  case valid, expiring, expired, invalid, revoked, none
  /// A refresh token that the lab's provider did not issue: only who issued it knows.
  case unknown

  /// Whether the token has not ended, as far as the lab knows.
  package var isUsable: Bool { self == .valid || self == .expiring }
}

/// A token state with the time it is about.
package struct TokenStanding: Codable, Hashable, Sendable {
  package var state: TokenState
  /// Negative if it has expired; nil if nothing says when it ends.
  package var secondsLeft: Int?
  /// Seconds until time alone changes the state; nil if it never does.
  package var changesIn: Int?
  package init(_ state: TokenState, secondsLeft: Int? = nil, changesIn: Int? = nil) {
    self.state = state
    self.secondsLeft = secondsLeft
    self.changesIn = changesIn
  }
}

extension TokenStanding {
  /// Under ten minutes, or past `refresh_on`: "expiring".
  private static let expiringSoon = 600

  /// The state of a token that ends at a moment; every list takes it from here.
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

  /// The state of a token by its own dates; one without an end counts as valid.
  ///
  /// With `dates` nil there is no token.
  package init(_ dates: TokenDates?, at now: Instant) {
    guard let dates else {
      self.init(.none)
      return
    }
    guard let expiresOn = dates.expiresOn else {
      self.init(.valid)
      return
    }
    self.init(until: expiresOn, refreshOn: dates.refreshOn, at: now)
  }

  /// The state of an access or ID token.
  package init(_ token: CredentialItem, at now: Instant) {
    self.init(TokenDates(expiresOn: token.expiry, refreshOn: token.refreshOn), at: now)
  }

  /// The state of a legacy access token.
  init(_ item: LegacyItem, at now: Instant) { self.init(TokenDates(expiresOn: item.expiresOn), at: now) }
}
