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
}

/// An account in the picker.
///
/// A blocked account stays visible, with the reason.
package struct PickerCandidate: Hashable, Sendable, Identifiable {
  /// The availability of the account: without a password, with it, after a sign-in, or not at all.
  package enum State: String, Codable, Hashable, Sendable { case ready, expired, signedOut, blocked }
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
