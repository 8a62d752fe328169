import ArgumentParser
import Essentials
import SSOCore
import SSODevice
import SSOLab

/// `ssoterm signin APP`: an interactive sign-in that is answered by options or in numbered lines.
struct SignInCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "signin", "Sign in interactively in an app.",
    examples: [
      "ssoterm signin mytestapp1", "ssoterm signin app1 --account ada --password-stdin --accept-consent < pw",
    ],
    after: "Options answer the prompts of the sign-in; the other prompts appear on the terminal.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Option(help: "The account to sign in: a username.", completion: .account)
  var account: String?

  @Option(name: .customLong("scope"), parsing: .upToNextOption, help: "Scopes to request.")
  var scopes: [String] = []

  @Option(
    help: "default, select_account, login, or consent.",
    completion: .list(PromptBehavior.allCases.map(\.rawValue)), transform: Self.promptBehavior)
  var prompt: PromptBehavior = .whenRequired

  @OptionGroup var call: CallSettings

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  static func promptBehavior(_ word: String) throws -> PromptBehavior {
    guard let behavior = PromptBehavior(rawValue: word) else {
      throw ValidationError("--prompt must be default, select_account, login, or consent, not “\(word)”")
    }
    return behavior
  }

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let account = try lab.read { try $0.names.name(self.account) }
    let intent = SignIn(
      app: app, account: account, scopes: scopes, prompt: prompt, options: try call.callOptions())
    var answerer = try prompts.answerer(account: account, on: lab, console)
    let done = try runInteractively(intent, on: lab, with: &answerer)
    if let choose = prompts.choose, !answerer.wasAskedForAccount {
      console.note(
        "--choose \(choose) was not used: the call had no prompt. --account names the account, "
          + "--prompt select_account always asks.")
    }
    return try console.show(done)
  }
}

extension Console {
  /// Returns a dialogue with the user at the terminal, or `nil` if there is no terminal.
  func dialogue() -> PlainDialogue? {
    ControllingTerminal().map { PlainDialogue($0, ink: ink) }
  }
}
