import ArgumentParser
import SSOLab

/// `ssoterm handover APP [--from OTHER]`: starts an app with an account that another app knows.
struct HandOverCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "handover", "Transfer an account from one app to another.",
    examples: ["ssoterm handover mytestapp2 --from mytestapp1"],
    after: """
      MSAL looks up the identifier, then the username; ADAL uses the username as userId. Without an account, \
      nothing happens; if there are several, the app asks which one. Without --from, the app uses its own list.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    help: "The app that receives the account: a bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Option(
    help: "The app to transfer the account from (default: the receiving app's own account list).",
    completion: .app)
  var from: String?

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = try prompts.answerer(on: lab, console)
    let result = try runInteractively(TransferAccount(from: from, to: app), on: lab, with: &answerer)
    return try console.show(result, next: "ssoterm signin \(app)")
  }
}
