/// The broker's "Choose an account" (docs/behaviour/broker.md §14).
package struct AccountPicker: Hashable, Sendable {
  /// How the picker comes on: claim A5.
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
  /// Why the picker is shown at all, in one sentence.
  package var reason: String
  /// Whether an app signs the chosen account in; `ssoterm pick` only asks which, so another one cannot be added.
  package var signsIn = true
  /// It is for a device code that was not entered in a browser: only the program shows something to compare.
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

/// One account in the picker.
///
/// A blocked one stays visible, with the reason.
package struct PickerCandidate: Hashable, Sendable, Identifiable {
  /// How the account can be used: without a password, with it, after a sign-in, or not at all.
  package enum State: String, Codable, Hashable, Sendable { case ready, expired, signedOut, blocked }
  package var id: String { homeAccountID }
  package var homeAccountID: String
  package var displayName: String
  package var username: String
  package var tenantName: String
  package var state: State
  /// "needs password", "no password", a policy's reason.
  package var remark: String
  package var isHinted: Bool
  /// Why the account is in the picker: a clause without a full stop.
  package var shownBecause: String
  /// The app asks for the password whatever the account's state is (`prompt=login`).
  package private(set) var mustSignInAgain = false
  /// Nil where it is not known: only the broker keeps it.
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

  /// The same account for an app that asks for the password again.
  func signingInAgain() -> PickerCandidate {
    guard state == .ready else { return self }
    var candidate = self
    candidate.mustSignInAgain = true
    candidate.remark = "the app asks for the password again"
    return candidate
  }
}
