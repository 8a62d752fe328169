/// What must come of a step.
///
/// What is not given is not judged.
package struct StepExpectation: Hashable, Sendable {
  package var verdict: Outcome.Verdict?
  package var prompted: Bool?
  /// What was asked, in order; pages of one kind in a row count once.
  package var prompts: [PromptKind]?
  /// What must not be asked: `[signIn]` says "with no password".
  package var notAsked: [PromptKind] = []
  package var source: TokenSource?
  /// As `Outcome.errorCode`.
  package var errorCode: Int?
  /// Whose token it is, as the outcome says.
  package var homeAccountID: String?
  /// A part of the failed check's name.
  package var failedCheck: String?
  /// Checks that must appear in this order; others may be between.
  package var trace: [ExpectedCheck] = []
  /// Hops that must appear in this order; others may be between.
  package var hops: [ExpectedHop] = []
  package var items: [ExpectedItems] = []
  /// A part of the outcome's one line.
  package var summary: String?
  /// How the picker came on (claim A5).
  package var presentation: AccountPicker.Presentation?
  /// Usernames by bundle ID, as each app's account list has them afterwards.
  package var accounts: [String: [String]] = [:]
  /// What the warning before the step must say (claim C6).
  package var losses: [ExpectedLoss] = []
  /// Parts of names of checks that must not appear: `[nonce matches]` says "it never came so far".
  package var notChecked: [String] = []
  /// Parties that no hop may lead to: `[provider]` says "without the network".
  package var notReached: [Party] = []
  /// Usernames whose credentials are in the broker's storage afterwards, and in no keychain item (claim A3).
  package var broker: [String]?
  /// Credentials in the tree of claim C3 afterwards.
  package var tree: [ExpectedBranch] = []
  /// What each app's (bundle ID) next silent call is predicted to do afterwards.
  package var next: [String: ExpectedNextCall] = [:]

  package init() {}
}

/// Where a token came from, as a scenario names it: by the name of the SDK's case.
package struct TokenSource: RawRepresentable, CaseIterable, Hashable, Sendable {
  private let source: SDKResult.Source

  package static let allCases = SDKResult.Source.allCases.map(TokenSource.init)

  private init(_ source: SDKResult.Source) { self.source = source }

  package init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  /// In camel case: `appRefreshToken`.
  package var rawValue: String {
    let words = source.rawValue.split { $0 == " " || $0 == "-" }
    return words.dropFirst().reduce(into: String(words[0])) { name, word in
      name.append(word.prefix(1).uppercased())
      name.append(String(word.dropFirst()))
    }
  }
  /// As `Outcome.source` words it.
  package var words: String { source.rawValue }
}

/// A check that must be in the trace.
package struct ExpectedCheck: Hashable, Sendable {
  /// A part of its name.
  package var name: String
  package var verdict: Check.Verdict
}

/// A line of the warning before a removal.
package struct ExpectedLoss: Hashable, Sendable {
  /// A display name, as `BlastRadius.Loss.app` has it.
  package var app: String
  package var losesSignIn: Bool?
  /// A part of the effect.
  package var effect: String?
}
