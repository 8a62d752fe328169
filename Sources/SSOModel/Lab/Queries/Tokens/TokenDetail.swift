/// A claim of a token, with its meaning.
package struct TokenClaim: Codable, Hashable, Sendable {
  package var name: String
  package var value: String
  package var meaning: String
}

/// All details of one credential (the inspector).
package struct TokenDetail: Codable, Hashable, Sendable {
  package var row: TokenRow
  /// `RS256 kid …` for a JWT, or `nil` for an opaque token.
  package var header: String?
  package var claims: [TokenClaim]
  /// The item's JSON fields.
  ///
  /// The secret is masked unless requested.
  package var lines: [NameValue]
  /// The error of a JWT that cannot be parsed.
  package var problem: String?

  init(row: TokenRow, token: CredentialItem, unmasked: Bool) {
    let lines = token.fields.sorted { $0.key < $1.key }.map { name, value in
      let text = Self.text(value)
      return NameValue(name, name == "secret" && !unmasked ? masked(text) : text)
    }
    self.init(row: row, secret: token.secret, lines: lines)
  }

  /// Creates details.
  ///
  /// If `secret` is a JWT, they contain its claims.
  init(row: TokenRow, secret: String, lines: [NameValue]) {
    self.row = row
    self.lines = lines
    claims = []
    guard secret.utf8.count(where: { $0 == 0x2E }) == 2 else { return }
    do {
      let jwt = try JSONWebToken(unverified: secret)
      header = ["alg", "kid"].compactMap { jwt.header[$0]?.string }.joined(separator: " kid ")
      claims = jwt.claims.sorted { $0.key < $1.key }.map { name, value in
        TokenClaim(name: name, value: Self.text(value), meaning: Self.meanings[name] ?? "")
      }
    } catch {
      problem = "not a readable JWT: \(error)"
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .numeral(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null: "null"
    case .array(let values): values.map(text).joined(separator: " ")
    case .object(let fields): fields.keys.sorted().joined(separator: " ")
    }
  }

  private static let meanings = [
    "aud": "who it is for", "iss": "who issued it", "iat": "issued at", "nbf": "not before",
    "exp": "expires at",
    "tid": "tenant", "oid": "the person in this tenant", "sub": "the person for this client",
    "scp": "granted scopes",
    "appid": "client ID", "azp": "client ID", "ver": "token version", "name": "display name",
    "preferred_username": "username", "nonce": "nonce of the request", "uti": "token's own ID",
  ]
}

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

  /// Creates the state of a token from its dates.
  ///
  /// A token without an expiration date counts as valid.
  ///
  /// If `dates` is `nil`, there is no token.
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

  /// Creates the state of an access or ID token.
  package init(_ token: CredentialItem, at now: Instant) {
    self.init(TokenDates(expiresOn: token.expiry, refreshOn: token.refreshOn), at: now)
  }

  /// Creates the state of a legacy access token.
  init(_ item: LegacyItem, at now: Instant) { self.init(TokenDates(expiresOn: item.expiresOn), at: now) }
}
