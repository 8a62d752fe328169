import SSOCore
import SSODevice
import SSOKeychain

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
        let meaning = Self.meanings[name] ?? ""
        // Otherwise a fresh token seems to be five minutes old.
        let isEarlier = jwt.claims.isBackdated && ["iat", "nbf"].contains(name)
        return TokenClaim(
          name: name, value: Self.text(value),
          meaning: isEarlier
            ? meaning + ", set back \(durationText(TokenResponse.backdating)) by Entra" : meaning)
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
    "tid": "tenant", "oid": "the user in this tenant", "sub": "the user for this recipient",
    "scp": "granted scopes",
    "appid": "client ID", "azp": "client ID", "ver": "token version", "name": "display name",
    "preferred_username": "username", "nonce": "nonce of the request", "uti": "token's own ID",
    "rh": "for Entra alone", "wids": "directory roles", "idp": "issuer of the user's home tenant",
  ]
}

extension TokenStatus {
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
