/// The expected results of a step.
///
/// Omitted values are not checked.
package struct StepExpectation: Hashable, Sendable {
  package var verdict: Outcome.Verdict?
  package var prompted: Bool?
  /// The prompts in order, with consecutive pages of one kind counted once.
  package var prompts: [PromptKind]?
  /// The prompts that must not occur: `[signIn]` means "with no password".
  package var notAsked: [PromptKind] = []
  package var source: TokenSource?
  /// The error code, as in `Outcome.errorCode`.
  package var errorCode: Int?
  /// The home account ID of the token's user, as in the outcome.
  package var homeAccountID: String?
  /// A part of the failed check's name.
  package var failedCheck: String?
  /// The checks that must occur in this order; other checks may be between them.
  package var trace: [ExpectedCheck] = []
  /// The hops that must occur in this order; other hops may be between them.
  package var hops: [ExpectedHop] = []
  package var items: [ExpectedItems] = []
  /// A part of the outcome's one-line summary.
  package var summary: String?
  /// The presentation of the account picker (claim A5).
  package var presentation: AccountPicker.Presentation?
  /// The usernames in each app's account list afterwards, by bundle ID.
  package var accounts: [String: [String]] = [:]
  /// The losses that the warning before the step must list (claim C6).
  package var losses: [ExpectedLoss] = []
  /// Parts of the names of checks that must not occur: `[nonce matches]` means "it never came so far".
  package var notChecked: [String] = []
  /// The parties to which no hop may lead: `[provider]` means "without the network".
  package var notReached: [Party] = []
  /// The usernames whose credentials are in the broker's storage afterwards, and in no keychain item (claim A3).
  package var broker: [String]?
  /// The credentials in the tree of claim C3 afterwards.
  package var tree: [ExpectedBranch] = []
  /// The predicted result of each app's next silent call afterwards, by bundle ID.
  package var next: [String: ExpectedNextCall] = [:]

  package init() {}
}

/// The source of a token, as a scenario specifies it: by the name of the SDK's case.
package struct TokenSource: RawRepresentable, CaseIterable, Hashable, Sendable {
  private let source: SDKResult.Source

  package static let allCases = SDKResult.Source.allCases.map(TokenSource.init)

  private init(_ source: SDKResult.Source) { self.source = source }

  package init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  /// The source in camel case, such as `appRefreshToken`.
  package var rawValue: String {
    let words = source.rawValue.split { $0 == " " || $0 == "-" }
    return words.dropFirst().reduce(into: String(words[0])) { name, word in
      name.append(word.prefix(1).uppercased())
      name.append(String(word.dropFirst()))
    }
  }
  /// The source as `Outcome.source` displays it.
  package var words: String { source.rawValue }
}

/// A check that must occur in the trace.
package struct ExpectedCheck: Hashable, Sendable {
  /// A part of its name.
  package var name: String
  package var verdict: Check.Verdict
}

/// A line of the warning before a removal.
package struct ExpectedLoss: Hashable, Sendable {
  /// The app's display name, as in `BlastRadius.Loss.app`.
  package var app: String
  package var losesSignIn: Bool?
  /// A part of the effect.
  package var effect: String?
}
