import SSOCore
import SSODevice
import SSOLab
import SSOProvider

/// A scenario: a world, and the steps that are performed in it.
///
/// It is read from YAML and already contains everything that it inherits.
package struct ScenarioFile: Sendable {
  /// The path from which it was read.
  package var path: String
  package var name: String
  package var title: String
  /// The claims of docs/claims.md that the scenario shows, such as "C1".
  package var claims: [String]
  package var note: String
  /// The seed; the same seed produces the same world and the same trace (ARCHITECTURE.md).
  package var seed: UInt64
  /// The lab's time at the start, or `nil` for the real time.
  package var clock: Instant?
  package var world: LabWorld
  package var steps: [ScenarioStep]
  /// The change that lets the last step succeed, or `nil` if the file does not have one.
  package var fix: ScenarioFix?
  /// The number of steps that are performed when a lab is created from the scenario.
  var stepsPlayed = 0

  /// Returns the scenario so that a lab created from it is in the state before a step.
  ///
  /// `step` is one-based, and the number after the last step performs all.
  /// - Throws: `ScenarioError` if the step does not exist.
  package func playing(until step: Int) throws(ScenarioError) -> ScenarioFile {
    guard (1...steps.count + 1).contains(step) else {
      throw ScenarioError(
        file: path,
        "there is no step \(step): the scenario has \(steps.count), and \(steps.count + 1) performs all of them"
      )
    }
    var file = self
    file.stepsPlayed = step - 1
    return file
  }
}

/// The change that lets the last step of a scenario succeed: other steps before it, another call, or both.
package struct ScenarioFix: Hashable, Sendable {
  /// A step that makes a part of the change.
  struct Change: Hashable, Sendable {
    /// The one-based number of the scenario's step before which it is made.
    var before: Int
    var step: ScenarioStep
  }

  package var title: String
  var changes: [Change]
  /// The step in place of the last one, or `nil` if the call is the same.
  var call: ScenarioStep?

  /// Returns the number that a step of the scenario has after the change, whose steps are counted.
  package func number(ofStep number: Int) -> Int { number + changes.count { $0.before <= number } }
}

extension ScenarioFile {
  /// Returns the scenario with its change, in which the last step is expected to succeed.
  /// - Throws: `ScenarioError` if the scenario has no `fix`.
  package func fixed() throws(ScenarioError) -> ScenarioFile {
    guard let fix, var last = steps.last else {
      throw ScenarioError(file: path, "fix is missing: the file does not say which change mends the call")
    }
    if let call = fix.call {
      (last.title, last.action, last.answers) = (call.title, call.action, call.answers)
    }
    last.expectation = StepExpectation()
    last.expectation.verdict = .succeeded
    var file = self
    file.fix = nil
    file.steps = (steps.dropLast() + [last]).enumerated().flatMap { index, step in
      fix.changes.filter { $0.before == index + 1 }.map(\.step) + [step]
    }
    return file
  }
}

/// One step of the scenario: the action, the user's answers, and the expected result.
package struct ScenarioStep: Hashable, Sendable {
  package var title: String
  /// The presenter's words in a demo.
  package var note: String
  package var action: ScenarioAction
  package var answers: ScenarioAnswers
  package var expectation: StepExpectation
  /// A question that the presenter asks the audience before the step, or an empty string if the presenter does not ask
  /// one.
  package var question = ""
}

/// The action of a step.
///
/// Most actions are intents. The row IDs of credentials are not known before the scenario reaches the step.
package enum ScenarioAction: Hashable, Sendable {
  case intent(AnyIntent)
  case credentials(ChangeCredentials.Change, CredentialSelector)
  case undo
  case redo
}

/// A selector for rows of the Tokens screen; every given field must match.
package struct CredentialSelector: Hashable, Sendable {
  /// A display name, as in `TokenRow.apps`.
  package var app: String?
  /// A username or home account ID.
  package var account: String?
  /// The token type, as in `TokenRow.type`: "AccessToken".
  package var type: String?
  package var clientID: String?

  func matches(_ row: TokenRow) -> Bool {
    if let app, !row.apps.contains(app) { return false }
    if let account, row.username != account, row.homeAccountID != account { return false }
    if let type, row.type.lowercased() != type.lowercased() { return false }
    if let clientID, row.clientID != clientID { return false }
    return true
  }
}

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
  /// Whether the user has forgotten the password, which the page of an Azure AD B2C user flow asks for.
  package var forgotPassword = false
  /// The button to press in the system alert before a web session, or `nil` for Continue.
  package var alert: Alert?
  /// Whether to close the first screen for which the step has no other answer.
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

  /// The name of the prompt in a sentence.
  package var displayText: String {
    switch self {
    case .chooseAccount: "the account picker"
    case .signIn: "the sign-in page"
    case .consent: "the consent page"
    case .errorPage: "the error page"
    case .systemAlert: "the system's alert"
    }
  }
}

/// The answers of a step, each of which is used once, because a flow that prompts for the same password twice got a
/// wrong one.
package struct PromptAnswerer: Hashable, Sendable {
  private var left: ScenarioAnswers

  package init(_ answers: ScenarioAnswers) { left = answers }

  /// Returns the answer to a prompt, or `nil` if the step has no answer left for it.
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
    case .signIn(let page): return answer(page)
    case .consent:
      return left.consent.take().map { $0 == .accept ? .accept : .cancel }
    case .errorPage:
      // A user can do nothing else there.
      return .cancel
    case .systemAlert: return left.alert == .cancel ? .cancel : .accept
    }
  }

  /// Returns the answer to a sign-in page, which is of the kind that the page asks for.
  private mutating func answer(_ page: SignInPage) -> Answer? {
    if case .verification(let number) = page.asks {
      // A user types the number that the page shows.
      return left.verification.take().map { .verification($0 == "shown" ? number : $0) }
    }
    if page.asks == .username, let username = left.username.take() { return .username(username) }
    if page.offersPasswordReset == true, left.forgotPassword { return .forgotPassword }
    return page.asks == .password ? left.password.take().map(Answer.password) : nil
  }
}
