import SSOCore

/// The broker's account picker, "Choose an account" (docs/behaviour/broker.md §14).
package struct AccountPicker: Hashable, Sendable {
  /// The way in which the picker appears (claim A5).
  package enum Presentation: String, Codable, CaseIterable, Hashable, Sendable { case transition, overlay }

  package var appName: String
  package var bundleID: String
  package var clientID: String
  package var redirectURI: String
  package var sdk: String
  package var scopes: [String]
  package var prompt: String?
  package var loginHint: String?
  package var callerCheck: Check
  package var candidates: [PickerCandidate]
  package var presentation: Presentation
  /// The reason that the picker is shown, in one sentence.
  package var reason: String
  /// Whether an app signs the chosen account in.
  ///
  /// `ssoterm pick` only asks for a choice, so another account cannot be added.
  package var signsIn = true
  /// Whether the sign-in uses a device code that was not entered in a browser, so that only the program displays a code
  /// to compare.
  package var comparesCode = false

  package init(
    appName: String, bundleID: String, clientID: String, redirectURI: String, sdk: String, scopes: [String],
    prompt: String? = nil, loginHint: String? = nil, callerCheck: Check, candidates: [PickerCandidate],
    presentation: Presentation, reason: String, signsIn: Bool = true
  ) {
    self.appName = appName
    self.bundleID = bundleID
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.sdk = sdk
    self.scopes = scopes
    self.prompt = prompt
    self.loginHint = loginHint
    self.callerCheck = callerCheck
    self.candidates = candidates
    self.presentation = presentation
    self.reason = reason
    self.signsIn = signsIn
  }

  /// The account to suggest, which is not blocked: the app's hint, or else an account that needs no password if there is
  /// one.
  package var suggested: PickerCandidate? {
    let open = candidates.filter { $0.state != .blocked }
    return open.first(where: \.isHinted) ?? open.first { $0.state == .ready } ?? open.first
  }
}

/// An account in the picker.
///
/// A blocked account stays visible, with the reason.
package struct PickerCandidate: Hashable, Sendable, Identifiable {
  /// The availability of the account: without a password, with it, after a sign-in, or not at all.
  ///
  /// It is unknown for tokens of another provider, which only that provider can evaluate.
  package enum State: String, Codable, Hashable, Sendable { case ready, expired, signedOut, blocked, unknown }
  package var id: String { homeAccountID }
  package var homeAccountID: String
  package var displayName: String
  package var username: String
  package var tenantName: String
  package var state: State
  /// A remark such as "needs password" or "no password", or the reason given by a policy.
  package var remark: String
  package var isHinted: Bool
  /// The reason that the account is in the picker, as a clause without a full stop.
  package var shownBecause: String
  /// Whether the app requires the password whatever the account's state is (`prompt=login`).
  package private(set) var mustSignInAgain = false
  /// The last use of the account, or `nil` if it is unknown, because only the broker records it.
  package var lastUse: LastUse?

  package init(
    homeAccountID: String, displayName: String, username: String, tenantName: String, state: State,
    remark: String, isHinted: Bool, shownBecause: String = "", lastUse: LastUse? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.displayName = displayName
    self.username = username
    self.tenantName = tenantName
    self.state = state
    self.remark = remark
    self.isHinted = isHinted
    self.shownBecause = shownBecause
    self.lastUse = lastUse
  }

  /// Returns the same account for an app that asks for the password again.
  func signingInAgain() -> PickerCandidate {
    guard state == .ready else { return self }
    var candidate = self
    candidate.mustSignInAgain = true
    candidate.remark = "the app asks for the password again"
    return candidate
  }
}

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
  /// The bundle IDs of the apps that the broker gave tokens, or `nil` in an account from an older version.
  package var apps: [String]?
  /// The key that the broker signs with (``SessionKey``), or `nil` in an account from an older version.
  package var sessionKey: String?
  /// The reason that a policy forbids its use here, or `nil` if policies allow it.
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
      case .unknown: ""
      }
    return PickerCandidate(
      homeAccountID: homeAccountID, displayName: displayName, username: username, tenantName: tenantName,
      state: state, remark: remark,
      isHinted: hint.map { $0.lowercased() == username.lowercased() || $0 == homeAccountID } ?? false,
      shownBecause: "the broker on this device holds its primary refresh token",
      lastUse: lastUsed.map { LastUse(at: $0, app: lastUsedBy, secondsAgo: $0.seconds(until: now)) })
  }
}

/// The time at which the broker last acquired tokens with an account, and the app that received them.
package struct LastUse: Hashable, Sendable {
  package var at: Instant
  /// The name of the app, or `nil` in an account that an older version stored.
  package var app: String?
  /// The seconds from that time to the creation of the picker.
  package var secondsAgo: Int

  /// A description such as `last used just now by My Test App 1` or `last used 2h ago by …`.
  package var displayText: String {
    let when = secondsAgo < 60 ? "just now" : durationText(secondsAgo, .oneUnit) + " ago"
    return "last used \(when)" + (app.map { " by \($0)" } ?? "")
  }
}
