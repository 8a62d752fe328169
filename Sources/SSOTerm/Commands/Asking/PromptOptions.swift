import ArgumentParser

/// The options that answer the prompts of a sign-in, for every command that can lead to one.
struct PromptOptions: ParsableArguments {
  @Option(help: "Answers the account picker: a UPN, a home account ID, or other.")
  var choose: String?

  @Flag(name: .customLong("password-stdin"), help: "Answers the password page from the first line of stdin.")
  var passwordFromInput = false

  @Flag(name: .customLong("accept-consent"), help: "Accepts the permissions on the consent page.")
  var acceptsConsent = false

  @Flag(help: "Approves the second factor, as the person would on the phone.")
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
