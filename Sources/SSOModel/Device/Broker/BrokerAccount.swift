/// An account in the broker, with the primary refresh token of its sign-in.
///
/// See docs/behaviour/msal-cache.md §2(10); claim A3.
package struct BrokerAccount: Codable, Hashable, Sendable {
  package var homeAccountID: String
  package var username: String
  package var displayName: String
  package var tenantName: String
  package var primaryRefreshToken: String
  package var expiresOn: Instant
  package var lastUsed: Instant?
  /// The app or Linux program for which the broker last used it, or `nil` in an account from an older version.
  package var lastUsedBy: String?
  /// The key that the broker signs with (``SessionKey``), or `nil` in an account from an older version.
  package var sessionKey: String?
  /// The reason that a policy forbids its use here, or `nil` if none does.
  package var blockedBecause: String?

  package init(
    homeAccountID: String, username: String, displayName: String, tenantName: String,
    primaryRefreshToken: String, expiresOn: Instant, lastUsed: Instant? = nil, blockedBecause: String? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.displayName = displayName
    self.tenantName = tenantName
    self.primaryRefreshToken = primaryRefreshToken
    self.expiresOn = expiresOn
    self.lastUsed = lastUsed
    self.blockedBecause = blockedBecause
  }

  /// Returns the account as the picker shows it; `hint` is the username or home account ID from the app's request.
  package func candidate(at now: Instant, hint: String?) -> PickerCandidate {
    let state: PickerCandidate.State =
      if blockedBecause != nil { .blocked } else if expiresOn <= now { .expired } else { .ready }
    let remark =
      switch state {
      case .blocked: blockedBecause ?? "blocked by policy"
      case .expired: "needs password"
      case .signedOut: "signed out"
      case .ready: "no password"
      }
    return PickerCandidate(
      homeAccountID: homeAccountID, displayName: displayName, username: username, tenantName: tenantName,
      state: state, remark: remark,
      isHinted: hint.map { $0.lowercased() == username.lowercased() || $0 == homeAccountID } ?? false,
      shownBecause: "the broker on this device holds its primary refresh token",
      lastUse: lastUsed.map { LastUse(at: $0, app: lastUsedBy, secondsAgo: $0.seconds(until: now)) })
  }
}
