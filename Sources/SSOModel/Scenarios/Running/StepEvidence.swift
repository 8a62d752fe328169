import SSOCore
import SSODevice
import SSOLab

/// Everything that was observed of one step, to be compared with the expectation.
package struct StepEvidence: Hashable, Sendable {
  package var outcome: Outcome?
  /// The text of the error, if the lab rejected the step.
  package var refusal: String?
  package var traceID: Int64?
  package var prompts: [PromptKind] = []
  /// The prompt for which the step had no answer.
  package var unanswered: PromptKind?
  /// The presentation of the account picker, if it was shown.
  package var presentation: AccountPicker.Presentation?
  /// The trace, in order.
  package var hops: [Hop] = []
  /// The keychain items by access group, for the groups in the expectation.
  package var items: [String: [KeychainItemRow]] = [:]
  /// Usernames by bundle ID.
  package var accounts: [String: [String]] = [:]
  /// The prediction of each app's next silent call, by bundle ID and username; the username is "" without an account.
  package var next: [String: [String: Prediction.Kind]] = [:]
  package var broker: BrokerStorage?
  package var tree: TokenTree?
  package var losses: [BlastRadius.Loss] = []

  package init() {}
}

extension StepExpectation {
  /// Returns the differences between the evidence and the expectation, or an empty array if the step passed.
  package func check(_ evidence: StepEvidence) -> [Mismatch] {
    if let refusal = evidence.refusal { return [Mismatch(expected: "an outcome", found: refusal)] }
    if let prompt = evidence.unanswered {
      return [
        Mismatch(expected: "no more questions", found: "asked for \(prompt.rawValue), with no answer left")
      ]
    }
    return outcomeMismatches(evidence.outcome) + (error?.check(evidence.outcome, evidence.hops) ?? [])
      + promptMismatches(evidence.prompts)
      + presentationMismatches(evidence.presentation)
      + traceMismatches(evidence.hops) + absenceMismatches(evidence.hops) + placeMismatches(evidence)
  }

  private func outcomeMismatches(_ outcome: Outcome?) -> [Mismatch] {
    var list: [Mismatch] = []
    func compare(_ what: String, _ expected: String?, _ found: String?) {
      guard let expected, expected != found else { return }
      list.append(Mismatch(expected: "\(what) \(expected)", found: "\(what) \(found ?? "none")"))
    }
    func search(_ what: String, _ part: String?, in found: String?) {
      guard let part, found?.contains(whole: part) != true else { return }
      list.append(Mismatch(expected: "\(what) with '\(part)'", found: "\(what) '\(found ?? "none")'"))
    }
    if let verdict, verdict != outcome?.verdict {
      list.append(
        Mismatch(expected: verdict.displayText, found: outcome?.verdict.displayText ?? "no outcome"))
    }
    if let prompted, prompted != outcome?.prompted {
      list.append(
        Mismatch(
          expected: prompted ? "a prompt" : "no prompt",
          found: outcome == nil ? "no outcome" : prompted ? "none" : "one"))
    }
    compare("source", source?.displayText, outcome?.source)
    compare("error code", errorCode.map(String.init), outcome?.errorCode.map(String.init))
    compare("home account ID", homeAccountID, outcome?.homeAccountID)
    search("failed check", failedCheck, in: outcome?.failedCheck?.name)
    search("summary", summary, in: outcome?.summary)
    return list
  }

  private func promptMismatches(_ asked: [PromptKind]) -> [Mismatch] {
    func displayText(_ kinds: [PromptKind]) -> String {
      kinds.isEmpty ? "no prompt" : kinds.map(\.displayText).joined(separator: ", then ")
    }
    var list: [Mismatch] = []
    if let prompts, prompts != asked {
      list.append(Mismatch(expected: displayText(prompts), found: displayText(asked)))
    }
    for kind in notAsked where asked.contains(kind) {
      list.append(Mismatch(expected: "not \(kind.displayText)", found: displayText(asked)))
    }
    return list
  }

  private func presentationMismatches(_ found: AccountPicker.Presentation?) -> [Mismatch] {
    guard let presentation, presentation != found else { return [] }
    return [
      Mismatch(expected: "picker as \(presentation.rawValue)", found: found.map(\.rawValue) ?? "no picker")
    ]
  }

  private func traceMismatches(_ found: [Hop]) -> [Mismatch] {
    let checks = found.flatMap(\.checks)
    var list: [Mismatch] = []
    if let (wanted, rest) = Self.firstMissing(
      of: trace, in: checks, where: { $1.name.contains(whole: $0.name) && $1.verdict == $0.verdict })
    {
      let other = rest.first { $0.name.contains(whole: wanted.name) }
      list.append(
        Mismatch(
          expected: "check '\(wanted.name)' \(wanted.verdict.rawValue)",
          found: other.map { "check '\($0.name)' \($0.verdict.rawValue)" } ?? "no such check from there on"))
    }
    if let (wanted, rest) = Self.firstMissing(of: hops, in: found, where: { $0.matches($1) }) {
      let near = wanted.nearest(in: rest).map(ExpectedHop.displayText)
      list.append(Mismatch(expected: wanted.displayText, found: near ?? "no such hop from there on"))
    }
    return list
  }

  /// Returns the first wanted element that does not follow the elements before it, with the remaining elements, or
  /// `nil`.
  private static func firstMissing<Wanted, Found>(
    of wanted: [Wanted], in found: [Found], where matches: (Wanted, Found) -> Bool
  ) -> (Wanted, rest: ArraySlice<Found>)? {
    var rest = found[...]
    for one in wanted {
      guard let index = rest.firstIndex(where: { matches(one, $0) }) else { return (one, rest) }
      rest = rest[(index + 1)...]
    }
    return nil
  }

  private func absenceMismatches(_ hops: [Hop]) -> [Mismatch] {
    let checks = hops.flatMap(\.checks)
    let unwanted = notChecked.compactMap { name in
      checks.first { $0.name.contains(whole: name) }.map {
        Mismatch(expected: "no check '\(name)'", found: "check '\($0.name)' \($0.verdict.rawValue)")
      }
    }
    let parties = notReached.filter { party in hops.contains { party.matches($0.to) } }.map {
      Mismatch(expected: "no hop to \($0.rawValue)", found: "a hop to \($0.rawValue)")
    }
    return unwanted + parties
  }

  private func placeMismatches(_ evidence: StepEvidence) -> [Mismatch] {
    var list = items.compactMap { $0.check(evidence.items[$0.group] ?? []) }
    for (app, names) in accounts.sorted(by: { $0.key < $1.key }) {
      let found = (evidence.accounts[app] ?? []).sorted()
      guard found != names.sorted() else { continue }
      list.append(
        Mismatch(
          expected: "accounts of \(app): \(names.sorted().joined(separator: ", "))",
          found: "accounts of \(app): \(found.joined(separator: ", "))"))
    }
    for (app, call) in next.sorted(by: { $0.key < $1.key }) {
      list += call.check(evidence.next[app] ?? [:], of: app)
    }
    return list + brokerMismatches(evidence.broker) + tree.compactMap { $0.check(evidence.tree) }
      + losses.compactMap { $0.check(evidence.losses) }
  }

  private func brokerMismatches(_ storage: BrokerStorage?) -> [Mismatch] {
    guard let broker else { return [] }
    func displayText(_ names: [String]) -> String {
      names.isEmpty ? "no account" : names.joined(separator: ", ")
    }
    var list: [Mismatch] = []
    let (wanted, held) = (broker.sorted(), storage?.accounts.sorted() ?? [])
    if wanted != held {
      list.append(
        Mismatch(
          expected: "the broker holds \(displayText(wanted))", found: "the broker holds \(displayText(held))")
      )
    }
    for group in storage?.exposedIn ?? [] {
      list.append(
        Mismatch(
          expected: "primary refresh tokens in the broker's storage only", found: "one of them in \(group)"))
    }
    return list
  }
}

extension Outcome.Verdict {
  /// The verdict as part of a sentence: "expected success, found a cancelled call".
  fileprivate var displayText: String {
    switch self {
    case .succeeded: "success"
    case .failed: "a failure"
    case .cancelled: "a cancelled call"
    }
  }
}

extension ExpectedLoss {
  fileprivate func check(_ losses: [BlastRadius.Loss]) -> Mismatch? {
    guard let loss = losses.first(where: { $0.app == app }) else {
      return Mismatch(expected: "a warning for \(app)", found: losses.map(\.app).joined(separator: ", "))
    }
    if let losesSignIn, losesSignIn != loss.losesSignIn {
      return Mismatch(
        expected: "\(app) \(losesSignIn ? "loses" : "keeps") its sign-in", found: loss.statement)
    }
    guard let effect, !loss.effect.contains(effect) else { return nil }
    return Mismatch(expected: "\(app) \(effect)", found: loss.statement)
  }
}
