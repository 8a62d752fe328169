import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOTermApp
import SafeText

/// A type that answers a flow's prompts, first from the options and then from the user at the terminal.
///
/// If neither can answer, the error says which option would have.
struct PromptAnswerer {
  /// The value of `--choose`: a UPN, a home account ID, or `other`.
  var choose: String?
  /// The value of `--account`, which is also the username if the page asks for one.
  var account: String?
  /// The function for `--password-stdin`, which reads the password when it is first needed.
  var password: (() -> String?)?
  /// Whether `--accept-consent` was given.
  var acceptsConsent = false
  /// Whether `--approve` was given, which acts as the user's phone in flows with a second factor.
  var approves = false
  /// The dialogue on the terminal, or `nil` if there is no terminal.
  var dialogue: PlainDialogue?
  /// The usernames that the lab knows, for suggesting the intended name.
  var people: [String] = []

  /// The kind of the failure that occurs if a page rejects the value of an option.
  static let refusal = "signInRefused"

  /// The options that answer an entire sign-in, for users who have to type it once.
  private var allAnswers: String {
    "--choose \(people.first ?? "UPN") --password-stdin --accept-consent"
  }

  /// Whether a picker or a page has asked who signs in.
  private(set) var wasAskedForAccount = false
  private var usernameIsSpent = false
  private var passwordIsSpent = false

  init(
    choose: String? = nil, account: String? = nil, password: (() -> String?)? = nil,
    acceptsConsent: Bool = false, approves: Bool = false, dialogue: PlainDialogue? = nil
  ) {
    self.choose = choose
    self.account = account
    self.password = password
    self.acceptsConsent = acceptsConsent
    self.approves = approves
    self.dialogue = dialogue
  }

  mutating func answer(_ prompt: Prompt) throws(CommandFailure) -> Answer {
    switch prompt {
    case .chooseAccount, .signIn: wasAskedForAccount = true
    case .consent, .errorPage, .systemAlert: break
    }
    return switch prompt {
    case .chooseAccount(let picker): try pick(picker)
    case .signIn(let page): try signIn(page)
    case .consent(let page):
      try acceptsConsent
        ? .accept
        : ask(prompt, "consent to \(counted(page.scopes.count, "scope"))", option: "--accept-consent")
    case .errorPage:
      try dialogue.map { dialogue throws(CommandFailure) in try heard(dialogue, prompt) } ?? .cancel
    case .systemAlert:
      try isPrepared
        ? .accept : dialogue.map { dialogue throws(CommandFailure) in try heard(dialogue, prompt) } ?? .accept
    }
  }

  /// Whether the command line answers the prompts after the system alert, in which case the alert is not a separate
  /// question.
  private var isPrepared: Bool { choose != nil || password != nil || acceptsConsent || approves }

  private func ask(_ prompt: Prompt, _ question: String, option: String) throws(CommandFailure) -> Answer {
    guard let dialogue else { throw .unanswered(question, option: option) }
    return try heard(dialogue, prompt)
  }

  private func heard(_ dialogue: PlainDialogue, _ prompt: Prompt) throws(CommandFailure) -> Answer {
    guard let answer = dialogue.answer(prompt) else { throw .putOff }
    return answer
  }

  /// Returns the value of `--choose` to suggest.
  private static func suggestion(in picker: AccountPicker) -> String { picker.suggested?.username ?? "other" }

  private func pick(_ picker: AccountPicker) throws(CommandFailure) -> Answer {
    guard let choose else {
      return try ask(
        .chooseAccount(picker), "choose an account", option: "--choose \(Self.suggestion(in: picker))")
    }
    let wanted = choose.lowercased()
    if picker.signsIn, wanted == "other" { return .useAnotherAccount }
    let match = picker.candidates.first {
      $0.username.lowercased() == wanted || $0.homeAccountID.lowercased() == wanted
    }
    guard let match else {
      throw CommandFailure(
        unknown: "account", choose,
        among: picker.candidates.map(\.username) + (picker.signsIn ? ["other"] : []),
        list: "ssoterm pick --app \(picker.bundleID) --print upn --plain")
    }
    guard match.state != .blocked else {
      throw CommandFailure(
        status: .nothingMatched, kind: "blockedAccount", what: "\(match.username) cannot be chosen.",
        why: "it is blocked: \(match.remark)",
        next: "the same command with --choose \(Self.suggestion(in: picker))")
    }
    return .account(homeAccountID: match.homeAccountID)
  }

  private mutating func signIn(_ page: SignInPage) throws(CommandFailure) -> Answer {
    let prompt = Prompt.signIn(page)
    switch page.asks {
    case .username:
      let known = account ?? (choose == "other" ? nil : choose)
      if let known, !usernameIsSpent {
        usernameIsSpent = true
        return .username(known)
      }
      let near = (account ?? choose).flatMap { nearestName(to: $0, among: people) }
      try refuseRepeat(
        page, isRepeat: usernameIsSpent,
        next: near.map { "Did you mean \(account == nil ? "--choose" : "--account") \($0)?" }
          ?? "ssoterm person list")
      return try ask(prompt, "type a username", option: allAnswers)
    case .password:
      if let password, !passwordIsSpent {
        passwordIsSpent = true
        guard let typed = password(), !typed.isEmpty else { throw .noPassword }
        return .password(typed)
      }
      try refuseRepeat(
        page, isRepeat: passwordIsSpent, next: "ssoterm person show \(shellWord(page.username)) --unmask")
      return try ask(prompt, "type the password", option: "--password-stdin --accept-consent")
    case .verification(let number):
      return try approves
        ? .verification(number)
        : ask(prompt, "approve the second factor", option: "--approve")
    }
  }

  /// Throws if a page appears again after an option has answered it, because it would otherwise appear forever.
  private func refuseRepeat(_ page: SignInPage, isRepeat: Bool, next: String) throws(CommandFailure) {
    guard isRepeat, dialogue == nil else { return }
    throw CommandFailure(
      status: .signInNeeded, kind: Self.refusal, what: "The sign-in was refused.",
      why: page.failure ?? "the page asks the same question again", next: next)
  }
}

extension CommandFailure {
  /// The error for a sign-in that the user postponed.
  ///
  /// Nothing was changed.
  static let putOff = CommandFailure(
    status: .cancelled, kind: "putOff", what: "Sign-in postponed.", why: "you can answer it later",
    next: "ssoterm serve")

  fileprivate static let noPassword = CommandFailure(
    usage: "There is no password on standard input.", why: "its first line is missing or empty",
    next: "the same command < FILE")
}

/// The options that answer the prompts of a sign-in, for every command that can lead to one.
struct PromptOptions: ParsableArguments {
  @Option(help: "Answer the account picker: a UPN, a home account ID, or other.")
  var choose: String?

  @Flag(name: .customLong("password-stdin"), help: "Answer the password page with the first line of stdin.")
  var passwordFromInput = false

  @Flag(name: .customLong("accept-consent"), help: "Accept the permissions on the consent page.")
  var acceptsConsent = false

  @Flag(help: "Approve the second factor, as you would on a phone.")
  var approve = false

  /// Returns the answerer for the prompts of a command.
  ///
  /// `account` is the username that the command already specifies.
  func answerer(account: String? = nil, on lab: Lab, _ console: Console) throws -> PromptAnswerer {
    var answerer = PromptAnswerer(
      choose: choose, account: account,
      password: passwordFromInput ? { StandardStreams.readLine() } : nil,
      acceptsConsent: acceptsConsent, approves: approve, dialogue: console.dialogue())
    answerer.people = try lab.read { try $0.names.usernames() }
    return answerer
  }
}

/// Performs an intent to its end and answers every prompt on the way.
///
/// The code is the same whether the answers come from options or from the user.
func runInteractively(
  _ intent: any Intent, on lab: Lab, with answerer: inout PromptAnswerer
) throws -> (outcome: Outcome, traceID: Int64) {
  var answers: [Answer] = []
  while true {
    switch try lab.perform(intent, answers: answers) {
    case .done(let outcome, let traceID): return (outcome, traceID)
    case .needs(let prompt, _):
      do throws(CommandFailure) { answers.append(try answerer.answer(prompt)) } catch {
        // As on the screens when the user leaves the page, record the attempt in the trace.
        if error.kind == PromptAnswerer.refusal { _ = try lab.perform(intent, answers: answers + [.cancel]) }
        throw error
      }
    }
  }
}
