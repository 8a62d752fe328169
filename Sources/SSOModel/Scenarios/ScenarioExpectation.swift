import SSOCore
import SSODevice
import SSOKeychain
import SSOLab

/// The expected results of a step.
///
/// Omitted values are not checked.
package struct StepExpectation: Hashable, Sendable {
  package var verdict: Outcome.Verdict?
  package var prompted: Bool?
  /// The prompts in order, with consecutive pages of one kind counted once.
  package var prompts: [PromptKind]?
  /// The prompts that must not occur: `[signIn]` means "without a password".
  var notAsked: [PromptKind] = []
  package var source: TokenSource?
  /// The error code, as in `Outcome.errorCode`.
  package var errorCode: Int?
  /// The values of the error, each compared as a whole.
  package var error: ExpectedError?
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
  var notReached: [Party] = []
  /// The usernames whose credentials are in the broker's storage afterwards, and not in the keychain (claim A3).
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
      name.append(word.sentenceCased)
    }
  }
  /// The source as `Outcome.source` displays it.
  package var displayText: String { source.rawValue }
}

/// The values of an error; each is compared as a whole, and omitted values are not checked.
package struct ExpectedError: Hashable, Sendable {
  package var domain: String?
  package var code: Int?
  package var internalCode: Int?
  package var symbol: String?
  package var oauth: String?
  package var suberror: String?
  /// The provider's number with its prefix, such as `AADSTS700082`.
  package var number: String?
  package var place: Refusal.Place?

  /// Creates the values of an outcome with its trace.
  package init(of outcome: Outcome?, _ hops: [Hop]) {
    let refusal = hops.finalRefusal?.refusal
    let error = outcome?.error
    self.init(
      domain: outcome?.errorDomain, code: error?.code, internalCode: error?.internalCode,
      symbol: error?.symbol, oauth: error?.oauth ?? refusal?.error,
      suberror: error?.suberror ?? refusal?.suberror, number: refusal?.number, place: Self.place(in: hops))
  }

  init(
    domain: String? = nil, code: Int? = nil, internalCode: Int? = nil, symbol: String? = nil,
    oauth: String? = nil, suberror: String? = nil, number: String? = nil, place: Refusal.Place? = nil
  ) {
    (self.domain, self.code, self.internalCode, self.symbol) = (domain, code, internalCode, symbol)
    (self.oauth, self.suberror, self.number, self.place) = (oauth, suberror, number, place)
  }

  /// Returns the differences between the outcome, with its trace, and the expectation.
  func check(_ outcome: Outcome?, _ hops: [Hop]) -> [Mismatch] {
    let found = ExpectedError(of: outcome, hops)
    let values: [(name: String, expected: String?, found: String?)] = [
      ("domain", domain, found.domain), ("code", code.map(String.init), found.code.map(String.init)),
      ("internal code", internalCode.map(String.init), found.internalCode.map(String.init)),
      ("symbol", symbol, found.symbol), ("OAuth error", oauth, found.oauth),
      ("suberror", suberror, found.suberror), ("number", number, found.number),
      ("place", place?.rawValue, found.place?.rawValue),
    ]
    return values.filter { $0.expected != nil && $0.expected != $0.found }.map {
      Mismatch(expected: "\($0.name) \($0.expected ?? "")", found: "\($0.name) \($0.found ?? "none")")
    }
  }

  /// Returns the place where the call was refused: the provider's last refusal, or else the party of the last check that
  /// failed.
  private static func place(in hops: [Hop]) -> Refusal.Place? {
    if let refusal = hops.finalRefusal?.refusal { return refusal.place }
    let refused = hops.filter { $0.checks.contains { $0.verdict == .failed } }
    let failed = refused.last { $0.to.isStorage } ?? refused.last
    return switch failed?.to {
    case .keychain, .cache: .keychain
    case .broker: .broker
    case .sdk, .adal, .library, .app, .system:
      hops.contains { $0.to == .broker } ? .broker : hops.contains(where: \.asksForSignIn) ? nil : .start
    case .person, .provider, nil: nil
    }
  }
}

extension Party {
  /// Returns whether an expected party is the one in a step; `sdk` is each of Microsoft's libraries in an app.
  func matches(_ party: Party) -> Bool { self == party || self == .sdk && party.isSDK }
}

extension Hop {
  /// Whether the provider is asked for a sign-in or for tokens, and not only for its metadata.
  fileprivate var asksForSignIn: Bool {
    to == .provider && ["/authorize", "/token"].contains(where: action.contains)
  }
}

extension String {
  /// Returns whether a part occurs in the text as a whole: where the part begins or ends with a letter or digit, the text
  /// does not continue with another.
  ///
  /// So `AADSTS70008` is not a part of `AADSTS700082`.
  func contains(whole part: String) -> Bool {
    if part.isEmpty { return true }
    func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
      let after = range.upperBound == endIndex ? nil : self[range.upperBound]
      if !(isWord(part.first) && isWord(before)), !(isWord(part.last) && isWord(after)) { return true }
      rest = self[range.lowerBound...].dropFirst()
    }
    return false
  }
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

/// A branch of the tree of claim C3: the client ID, the redirect URI, and the credentials.
package struct ExpectedBranch: Hashable, Sendable {
  package var clientID: String
  package var redirectURI: String
  /// The token types, as in `TokenRow.type`.
  static let tokenTypes =
    CredentialType.allCases.map(\.jsonName)
    + ["LegacyAccessToken", "LegacyRefreshToken", "LegacyFamilyRefreshToken"]

  /// The types of all tokens in the branch, each as often as it occurs: "AccessToken".
  package var tokens: [String]

  func check(_ tree: TokenTree?) -> Mismatch? {
    let client = tree?.clients.first { $0.clientID == clientID }
    let redirect = client?.redirects.first { $0.redirectURI == redirectURI }
    let found = redirect?.tokens.map(\.type).sorted() ?? []
    guard found != tokens.sorted() else { return nil }
    return Mismatch(expected: displayText(tokens.sorted()), found: displayText(found))
  }

  private func displayText(_ types: [String]) -> String {
    "\(clientID) › \(redirectURI) › " + (types.isEmpty ? "nothing" : types.joined(separator: ", "))
  }
}

/// An expected hop of a step's trace.
///
/// Omitted values are not checked.
package struct ExpectedHop: Hashable, Sendable {
  package var from: Party?
  package var to: Party?
  /// A part of the hop's action.
  package var action: String?
  /// A part of the hop's result.
  package var result: String?
  /// The values that the hop must carry, each compared in full; it may carry other values too.
  package var sent: [NameValue] = []

  func matches(_ hop: Hop) -> Bool {
    guard from?.matches(hop.from) != false, to?.matches(hop.to) != false else { return false }
    if let action, !hop.action.contains(whole: action) { return false }
    if let result, !hop.result.contains(whole: result) { return false }
    return sent.allSatisfy(hop.sent.contains)
  }

  /// Returns the first hop with the parties and the action, whatever its result and values, or `nil` if it does not
  /// exist.
  func nearest(in hops: ArraySlice<Hop>) -> Hop? {
    hops.first { ExpectedHop(from: from, to: to, action: action).matches($0) }
  }

  var displayText: String { Self.displayText([from, to].map { $0?.rawValue ?? "…" }, action, result, sent) }

  static func displayText(_ hop: Hop) -> String {
    displayText([hop.from, hop.to].map(\.rawValue), hop.action, hop.result, hop.sent)
  }

  private static func displayText(
    _ parties: [String], _ action: String?, _ result: String?, _ sent: [NameValue]
  ) -> String {
    let values = sent.map { "\($0.name)=\($0.value)" }
    let words: [String?] = [
      "hop", parties.joined(separator: " → "), action.map { "'\($0)'" }, result.map { "with '\($0)'" },
    ]
    return (words.compactMap(\.self) + values).joined(separator: " ")
  }
}

/// The expected keychain items of one access group, counted after the step.
///
/// Omitted values are not checked.
package struct ExpectedItems: Hashable, Sendable {
  /// The full access group, including the team prefix.
  package var group: String
  /// A part of the item's service.
  package var service: String?
  /// The kind of item, as the Keychain screen displays it.
  package var kind: ItemKind?
  package var format: ItemFormat?
  /// The possible owners: each is the item's username, or part of its account attribute.
  package var owner: [String] = []
  /// The number of items, or `nil` for at least one.
  package var count: Int?

  func check(_ rows: [KeychainItemRow]) -> Mismatch? {
    let matching = rows.filter(matches)
    guard count.map({ $0 != matching.count }) ?? matching.isEmpty else { return nil }
    let words = [
      "items", format.map { "in \($0.rawValue) format" }, kind?.rawValue, service.map { "with '\($0)'" },
      owner.first.map { "of \($0)" }, "in \(group)",
    ].compactMap(\.self)
    let wanted = count.map(String.init) ?? "1 or more"
    return Mismatch(expected: "\(wanted) \(words.joined(separator: " "))", found: "\(matching.count)")
  }

  private func matches(_ row: KeychainItemRow) -> Bool {
    if let service, !row.key.service.contains(service) { return false }
    if let kind, kind.rawValue != row.kind { return false }
    if let format, format != row.format { return false }
    return owner.isEmpty || owner.contains { $0 == row.username || row.key.account.contains($0) }
  }
}

/// The expected result of an app's next silent call: the same for each of its accounts, or by username.
package enum ExpectedNextCall: Hashable, Sendable {
  case ofEachAccount(Prediction.Kind)
  case byUsername([String: Prediction.Kind])

  /// Returns the differences between the predictions and the expectation; `found` has the predictions by username.
  func check(_ found: [String: Prediction.Kind], of app: String) -> [Mismatch] {
    let expected: [String: Prediction.Kind]
    switch self {
    case .ofEachAccount(let kind): expected = found.isEmpty ? ["": kind] : found.mapValues { _ in kind }
    case .byUsername(let kinds): expected = kinds
    }
    return expected.sorted { $0.key < $1.key }.filter { found[$0.key] != $0.value }.map { name, kind in
      let call = name.isEmpty ? "next call of \(app)" : "next call of \(app) for \(name)"
      return Mismatch(
        expected: "\(call): \(kind.rawValue)", found: "\(call): \(found[name]?.rawValue ?? "none")")
    }
  }
}
