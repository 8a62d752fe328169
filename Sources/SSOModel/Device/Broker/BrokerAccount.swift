/// An account that the broker holds, with the primary refresh token of its sign-in (docs/behaviour/msal-cache.md §2(10); claim A3).
package struct BrokerAccount: Codable, Hashable, Sendable {
  package var homeAccountID: String
  package var username: String
  package var displayName: String
  package var tenantName: String
  package var primaryRefreshToken: String
  package var expiresOn: Instant
  package var lastUsed: Instant?
  /// The name of the app, or of the Linux program, that the broker last used it for; nil in an account of an older version.
  package var lastUsedBy: String?
  /// What the broker signs with (``SessionKey``); nil in an account of an older version.
  package var sessionKey: String?
  /// Why it may not be used here, if a policy forbids it.
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

  /// The account as the picker shows it; `hint` is the username that the app hinted at.
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
