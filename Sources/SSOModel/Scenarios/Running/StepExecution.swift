import SSOCore
import SSODevice
import SSOLab

/// A step of a scenario in progress: the remaining answers, and the observations so far.
///
/// ``ScenarioStep/run(on:index:)`` runs a step at once. The screens run it page by page: they show each prompt with the
/// answer filled in, and the user sends it.
package struct StepExecution: Hashable, Sendable {
  package let step: ScenarioStep
  /// The one-based number of the step.
  package let index: Int
  /// The intent that the step performs, once it has started, or `nil` if it has no prompts.
  package private(set) var intent: AnyIntent?
  /// The scenario's answer to each prompt so far, with the answers that are left once it is sent.
  private var offers: [Offer] = []
  private var evidence = StepEvidence()

  private struct Offer: Hashable, Sendable {
    var answer: Answer?
    var left: PromptAnswerer
  }

  package init(_ step: ScenarioStep, index: Int) {
    self.step = step
    self.index = index
  }

  /// Performs the step if it has no prompts.
  ///
  /// If the step may prompt, returns the intent to perform.
  package mutating func start(on lab: Lab) -> AnyIntent? {
    do {
      guard let intent = try begin(on: lab) else { return nil }
      if !step.expectation.losses.isEmpty {
        evidence.losses = try lab.blastRadius(of: intent.value).losses
      }
      self.intent = intent
      return intent
    } catch {
      refuse(error)
      return nil
    }
  }

  /// Records a prompt.
  ///
  /// `sent` contains the answers to the prompts before it. If the user has sent another answer than the scenario's, the
  /// scenario's is still left.
  ///
  /// - Returns: The scenario's answer to it, or `nil` if all answers were used.
  package mutating func answer(_ prompt: Prompt, after sent: [Answer]) -> Answer? {
    if case .chooseAccount(let picker) = prompt { evidence.presentation = picker.presentation }
    let kind = PromptKind(prompt)
    if evidence.prompts.last != kind { evidence.prompts.append(kind) }
    // A prompt that is shown again, because something else has changed, gets the same answer again.
    offers.removeLast(max(0, offers.count - sent.count))
    var left = PromptAnswerer(step.answers)
    for (offer, answer) in zip(offers, sent) where offer.answer == answer { left = offer.left }
    let answer = left.answer(prompt)
    offers.append(Offer(answer: answer, left: left))
    return answer
  }

  /// Records the outcome of the step, and its trace.
  package mutating func end(_ outcome: Outcome, traceID: Int64?) {
    evidence.outcome = outcome
    evidence.traceID = traceID
  }

  private mutating func refuse(_ error: any Error) { refuse(Self.words(of: error)) }

  /// Returns an error in the words that a command prints.
  private static func words(of error: any Error) -> String {
    guard let error = error as? LabError else { return "\(error)" }
    return error.why.isEmpty ? error.what : "\(error.what) \(error.why)"
  }

  /// Records that the lab rejected the step.
  package mutating func refuse(_ words: String) { evidence.refusal = words }

  /// Collects what the expectation refers to, and compares it with the expectation.
  package func report(on lab: Lab) -> StepReport {
    var evidence = evidence
    do { try collect(from: lab, &evidence) } catch { evidence.refusal = Self.words(of: error) }
    let mismatches = step.expectation.check(evidence)
    return StepReport(
      index: index, title: step.title, note: step.note, passed: mismatches.isEmpty, mismatches: mismatches,
      traceID: evidence.traceID)
  }

  /// Performs an intent repeatedly, each time with one more answer, until there are no more prompts.
  mutating func converse(_ intent: AnyIntent, on lab: Lab) {
    var given: [Answer] = []
    do {
      // The longest flow has eight prompts; a flow that does not end must not hang a test run.
      for _ in 0..<16 {
        switch try lab.perform(intent.value, answers: given) {
        case .done(let outcome, let traceID): return end(outcome, traceID: traceID)
        case .needs(let prompt, _):
          guard let answer = answer(prompt, after: given) else {
            evidence.unanswered = PromptKind(prompt)
            return
          }
          given.append(answer)
        }
      }
      refuse("the flow asked 16 times and did not end")
    } catch { refuse(error) }
  }

  private mutating func begin(on lab: Lab) throws -> AnyIntent? {
    switch step.action {
    case .intent(let intent): return intent
    case .credentials(let change, let selector):
      let ids = try lab.read { try $0.tokens.rows() }.filter(selector.matches).map(\.id)
      if ids.isEmpty { refuse("no credential to \(change.rawValue)") }
      return ids.isEmpty ? nil : AnyIntent(ChangeCredentials(change, ids))
    case .undo:
      if try lab.undo() == nil { refuse("nothing to undo") }
    case .redo:
      if try lab.redo() == nil { refuse("nothing to redo") }
    }
    return nil
  }

  private func collect(from lab: Lab, _ evidence: inout StepEvidence) throws {
    if let id = evidence.traceID {
      evidence.hops = try lab.read { try $0.traces.trace(id) }?.hops ?? []
    }
    for group in Set(step.expectation.items.map(\.group)) {
      evidence.items[group] = try lab.read { try $0.keychain.rows(group: group) }
    }
    if step.expectation.broker != nil { evidence.broker = try lab.read { try $0.status.brokerStorage() } }
    if !step.expectation.tree.isEmpty { evidence.tree = try lab.read { try $0.tokens.tree() } }
    guard !step.expectation.accounts.isEmpty || !step.expectation.next.isEmpty else { return }
    for row in try lab.read({ try $0.apps.rows() }) {
      evidence.accounts[row.bundleID, default: []] += row.accounts
      evidence.next[row.bundleID, default: [:]][row.accounts.first ?? ""] = row.next.kind
    }
  }
}
