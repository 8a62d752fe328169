/// The broker's "Choose an account" (claim G3; terminal.md §3.2).
public struct AccountPicker: Hashable, Sendable {
  /// How the picker comes on: claim A5.
  public enum Presentation: String, Codable, CaseIterable, Hashable, Sendable { case transition, overlay }

  public var appName: String
  public var bundleID: String
  public var clientID: String
  public var redirectURI: String
  public var sdk: String
  public var scopes: [String]
  public var prompt: String?
  public var loginHint: String?
  public var callerCheck: Check
  public var candidates: [PickerCandidate]
  public var presentation: Presentation
  /// Why the picker is shown at all, in one sentence.
  public var reason: String
  /// Whether an app signs the chosen account in; `ssoterm pick` only asks which, so another one cannot be added.
  public var signsIn = true
}

/// One account in the picker. A blocked one stays visible, with the reason.
public struct PickerCandidate: Hashable, Sendable, Identifiable {
  public enum State: String, Codable, Hashable, Sendable { case ready, expired, signedOut, blocked }
  public var id: String { homeAccountID }
  public var homeAccountID: String
  public var displayName: String
  public var username: String
  public var tenantName: String
  public var state: State
  /// "needs password", "last used now", a policy's reason.
  public var remark: String
  public var isHinted: Bool
}
