/// All that was seen of one step, for the judge.
package struct StepEvidence: Hashable, Sendable {
  package var outcome: Outcome?
  /// The error's own words, if the lab refused the step.
  package var refusal: String?
  package var traceID: Int64?
  package var prompts: [PromptKind] = []
  /// The prompt that the step had no answer for.
  package var unanswered: PromptKind?
  /// How the picker came on, if it did.
  package var presentation: AccountPicker.Presentation?
  /// Every check of the trace, in order.
  package var checks: [Check] = []
  /// Whoever a hop of the trace led to.
  package var reached: Set<Party> = []
  /// Keychain items by access group, of the groups that the expectation names.
  package var items: [String: [KeychainItemRow]] = [:]
  /// Usernames by bundle ID.
  package var accounts: [String: [String]] = [:]
  /// The prediction of each app's next silent call, by bundle ID.
  package var next: [String: Prediction.Kind] = [:]
  package var tree: TokenTree?
  package var losses: [BlastRadius.Loss] = []

  package init() {}
}

extension StepExpectation {
  /// What the evidence has otherwise than expected; empty if the step passed.
  package func judge(_ evidence: StepEvidence) -> [Mismatch] {
    if let refusal = evidence.refusal { return [Mismatch(expected: "an outcome", found: refusal)] }
    if let prompt = evidence.unanswered {
      return [
        Mismatch(expected: "no more questions", found: "asked for \(prompt.rawValue), with no answer left")
      ]
    }
    return outcomeMismatches(evidence.outcome) + promptMismatches(evidence.prompts)
      + presentationMismatches(evidence.presentation)
      + traceMismatches(evidence.checks) + absenceMismatches(evidence) + placeMismatches(evidence)
  }

  private func outcomeMismatches(_ outcome: Outcome?) -> [Mismatch] {
    var list: [Mismatch] = []
    func compare(_ what: String, _ expected: String?, _ found: String?) {
      guard let expected, expected != found else { return }
      list.append(Mismatch(expected: "\(what) \(expected)", found: "\(what) \(found ?? "none")"))
    }
    func search(_ what: String, _ part: String?, in found: String?) {
      guard let part, found?.contains(part) != true else { return }
      list.append(Mismatch(expected: "\(what) with '\(part)'", found: "\(what) '\(found ?? "none")'"))
    }
    compare("verdict", verdict?.rawValue, outcome?.verdict.rawValue)
    compare("prompted", prompted.map(String.init), outcome.map { String($0.prompted) })
    compare("source", source?.words, outcome?.source)
    compare("error code", errorCode.map(String.init), outcome?.errorCode.map(String.init))
    search("failed check", failedCheck, in: outcome?.failedCheck?.name)
    search("summary", summary, in: outcome?.summary)
    return list
  }

  private func promptMismatches(_ asked: [PromptKind]) -> [Mismatch] {
    func words(_ kinds: [PromptKind]) -> String {
      kinds.isEmpty ? "no prompts" : "prompts " + kinds.map(\.rawValue).joined(separator: ", ")
    }
    var list: [Mismatch] = []
    if let prompts, prompts != asked { list.append(Mismatch(expected: words(prompts), found: words(asked))) }
    for kind in notAsked where asked.contains(kind) {
      list.append(Mismatch(expected: "no \(kind.rawValue) prompt", found: words(asked)))
    }
    return list
  }

  private func presentationMismatches(_ found: AccountPicker.Presentation?) -> [Mismatch] {
    guard let presentation, presentation != found else { return [] }
    return [
      Mismatch(expected: "picker as \(presentation.rawValue)", found: found.map(\.rawValue) ?? "no picker")
    ]
  }

  private func traceMismatches(_ checks: [Check]) -> [Mismatch] {
    var rest = checks[...]
    for wanted in trace {
      let expected = "check '\(wanted.name)' \(wanted.verdict.rawValue)"
      guard
        let index = rest.firstIndex(where: { $0.name.contains(wanted.name) && $0.verdict == wanted.verdict })
      else {
        let other = rest.first { $0.name.contains(wanted.name) }
        let found = other.map { "check '\($0.name)' \($0.verdict.rawValue)" } ?? "no such check from there on"
        return [Mismatch(expected: expected, found: found)]
      }
      rest = rest[(index + 1)...]
    }
    return []
  }

  private func absenceMismatches(_ evidence: StepEvidence) -> [Mismatch] {
    let checks = notChecked.compactMap { name in
      evidence.checks.first { $0.name.contains(name) }.map {
        Mismatch(expected: "no check '\(name)'", found: "check '\($0.name)' \($0.verdict.rawValue)")
      }
    }
    let parties = notReached.filter(evidence.reached.contains).map {
      Mismatch(expected: "no hop to \($0.rawValue)", found: "a hop to \($0.rawValue)")
    }
    return checks + parties
  }

  private func placeMismatches(_ evidence: StepEvidence) -> [Mismatch] {
    var list = items.compactMap { $0.judge(evidence.items[$0.group] ?? []) }
    for (app, names) in accounts.sorted(by: { $0.key < $1.key }) {
      let found = (evidence.accounts[app] ?? []).sorted()
      guard found != names.sorted() else { continue }
      list.append(
        Mismatch(
          expected: "accounts of \(app): \(names.sorted().joined(separator: ", "))",
          found: "accounts of \(app): \(found.joined(separator: ", "))"))
    }
    for (app, kind) in next.sorted(by: { $0.key < $1.key }) where evidence.next[app] != kind {
      let found = evidence.next[app]?.rawValue ?? "none"
      list.append(
        Mismatch(expected: "next call of \(app): \(kind.rawValue)", found: "next call of \(app): \(found)"))
    }
    return list + tree.compactMap { $0.judge(evidence.tree) }
      + losses.compactMap { $0.judge(evidence.losses) }
  }
}

extension ExpectedLoss {
  fileprivate func judge(_ losses: [BlastRadius.Loss]) -> Mismatch? {
    guard let loss = losses.first(where: { $0.app == app }) else {
      return Mismatch(expected: "a warning for \(app)", found: losses.map(\.app).joined(separator: ", "))
    }
    if let losesSignIn, losesSignIn != loss.losesSignIn {
      return Mismatch(
        expected: "\(app) \(losesSignIn ? "loses" : "keeps") its sign-in", found: "\(app) \(loss.effect)")
    }
    guard let effect, !loss.effect.contains(effect) else { return nil }
    return Mismatch(expected: "\(app) \(effect)", found: "\(app) \(loss.effect)")
  }
}
