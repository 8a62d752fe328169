/// What the person of a step is ready to answer, whatever is asked first.
package struct ScenarioAnswers: Hashable, Sendable {
  package enum Consent: String, CaseIterable, Sendable { case accept, decline }
  package enum Alert: String, CaseIterable, Sendable { case `continue`, cancel }

  /// A username from the picker, or "another".
  package var choose: String?
  package var username: String?
  package var password: String?
  package var verification: String?
  package var consent: Consent?
  /// What is pressed in the system's alert before a web session; nil: Continue.
  package var alert: Alert?
  /// Close the first screen that nothing else here answers.
  package var cancel = false

  package init() {}
}

/// What was asked, without what it said: the word that expectations use.
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

/// Answers prompts from a step's answers, each of them once: a flow that asks for the same
/// password twice got a wrong one.
package struct PromptAnswerer: Hashable, Sendable {
  private var left: ScenarioAnswers

  package init(_ answers: ScenarioAnswers) { left = answers }

  /// The answer; nil if the step has none (left) for this prompt.
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
      // The only thing a person can do there.
      return .cancel
    case .systemAlert: return left.alert == .cancel ? .cancel : .accept
    }
  }
}
