/// What must come of a step. What is not given is not judged.
public struct StepExpectation: Hashable, Sendable {
  public var verdict: Outcome.Verdict?
  public var prompted: Bool?
  /// What was asked, in order; pages of one kind in a row count once.
  public var prompts: [PromptKind]?
  /// What must not be asked: `[signIn]` says "with no password".
  public var notAsked: [PromptKind] = []
  public var source: TokenSource?
  public var errorCode: Int?
  /// A part of the failed check's name.
  public var failedCheck: String?
  /// Checks that must appear in this order; others may lie between.
  public var trace: [ExpectedCheck] = []
  public var items: [ExpectedItems] = []
  /// A part of the outcome's one line.
  public var summary: String?
  /// How the picker came on (claim A5).
  public var presentation: AccountPicker.Presentation?
  /// Usernames by bundle ID, as each app's account list has them afterwards.
  public var accounts: [String: [String]] = [:]
  /// What the warning before the step must say (claim C6).
  public var losses: [ExpectedLoss] = []
  /// Parts of names of checks that must not appear: `[nonce matches]` says "it never came so far".
  public var notChecked: [String] = []
  /// Parties that no hop may lead to: `[provider]` says "without the network".
  public var notReached: [Party] = []
  /// Credentials as they stand in the tree of claim C3 afterwards.
  public var tree: [ExpectedBranch] = []
  /// What each app's (bundle ID) next silent call is predicted to do afterwards.
  public var next: [String: Prediction.Kind] = [:]

  public init() {}
}

/// Where a token came from, as a scenario names it.
public enum TokenSource: String, CaseIterable, Sendable {
  case cache, appRefreshToken, familyRefreshToken, broker, webSession, legacyRefreshToken,
    legacyFamilyRefreshToken

  /// As `Outcome.source` words it.
  public var words: String {
    switch self {
    case .cache: "cache"
    case .appRefreshToken: "app refresh token"
    case .familyRefreshToken: "family refresh token"
    case .broker: "broker"
    case .webSession: "web session"
    case .legacyRefreshToken: "legacy refresh token"
    case .legacyFamilyRefreshToken: "legacy family refresh token"
    }
  }
}

public struct ExpectedCheck: Hashable, Sendable {
  /// A part of its name.
  public var name: String
  public var verdict: Check.Verdict
}

public struct ExpectedLoss: Hashable, Sendable {
  /// A display name, as `BlastRadius.Loss.app` has it.
  public var app: String
  public var losesSignIn: Bool?
  /// A part of the effect.
  public var effect: String?
}
