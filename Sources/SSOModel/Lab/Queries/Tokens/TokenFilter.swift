import Essentials

/// A filter for credentials.
///
/// All specified conditions must hold.
package struct TokenFilter: Hashable, Sendable {
  package var clientID: String?
  package var redirectURI: String?
  /// A username or home account ID.
  package var account: String?
  /// The seconds within which the credentials must expire, or `nil` for all credentials.
  package var expiringWithinSeconds: Int?
  /// The maximum number of rows.
  package var limit: Int?

  package init(
    clientID: String? = nil, redirectURI: String? = nil, account: String? = nil,
    expiringWithinSeconds: Int? = nil, limit: Int? = nil
  ) {
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.account = account
    self.expiringWithinSeconds = expiringWithinSeconds
    self.limit = limit
  }
}

extension TokenFilter {
  func matches(_ row: TokenRow) -> Bool {
    if let clientID, row.clientID.lowercased() != clientID.lowercased() { return false }
    if let redirectURI, !row.redirectURIs.contains(redirectURI) { return false }
    if let account, row.username?.lowercased() != account.lowercased(), row.homeAccountID != account {
      return false
    }
    if let expiringWithinSeconds {
      guard let left = row.secondsLeft, left <= expiringWithinSeconds else { return false }
    }
    return true
  }
}
