/// The answers that the user of a step is ready to give, whichever prompt comes first.
package struct ScenarioAnswers: Hashable, Sendable {
  package enum Consent: String, CaseIterable, Sendable { case accept, decline }
  package enum Alert: String, CaseIterable, Sendable { case `continue`, cancel }

  /// A username from the picker, or "another".
  package var choose: String?
  package var username: String?
  package var password: String?
  package var verification: String?
  package var consent: Consent?
  /// The button to press in the system alert before a web session, or `nil` for Continue.
  package var alert: Alert?
  /// Whether to close the first screen for which there is no other answer.
  package var cancel = false

  package init() {}
}

/// The kind of a prompt, without its contents: the word that expectations use.
package enum PromptKind: String, Codable, CaseIterable, Hashable, Sendable {
  case chooseAccount, signIn, consent, errorPage, systemAlert

  package init(_ prompt: Prompt) {
    switch prompt {
    case .chooseAccount: self = .chooseAccount
    case .signIn: self = .signIn
    case .consent: self = .consent
    case .errorPage: self = .errorPage
    case .systemAlert: self = .systemAlert
    }
  }
}

/// The answers of a step, each of which is used once, because a flow that prompts for the same password twice got a
/// wrong one.
package struct PromptAnswerer: Hashable, Sendable {
  private var left: ScenarioAnswers

  package init(_ answers: ScenarioAnswers) { left = answers }

  /// Returns the answer to a prompt, or `nil` if the step has none left for it.
  package mutating func answer(_ prompt: Prompt) -> Answer? {
    answerInTurn(prompt) ?? (left.cancel ? .cancel : nil)
  }

  private mutating func answerInTurn(_ prompt: Prompt) -> Answer? {
    switch prompt {
    case .chooseAccount(let picker):
      defer { left.choose = nil }
      if left.choose == "another" { return .useAnotherAccount }
      let chosen = picker.candidates.first { $0.username == left.choose }
      return chosen.map { .account(homeAccountID: $0.homeAccountID) }
    case .signIn:
      if let username = left.username.take() { return .username(username) }
      if let password = left.password.take() { return .password(password) }
      return left.verification.take().map(Answer.verification)
    case .consent:
      return left.consent.take().map { $0 == .accept ? .accept : .cancel }
    case .errorPage:
      // A user can do nothing else there.
      return .cancel
    case .systemAlert: return left.alert == .cancel ? .cancel : .accept
    }
  }
}
