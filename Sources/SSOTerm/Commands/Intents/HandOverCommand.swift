import ArgumentParser
import SSOLab
import SSOTermApp

/// `ssoterm handover APP [--from OTHER]`: an app starts with the account that another one knows.
struct HandOverCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "handover", abstract: "Let an app use the account that another app knows.",
    discussion: """
      MSAL looks for the identifier, then for the username; ADAL takes the username as userId. With no account \
      nothing happens, with several the app asks which. Without --from the app looks at its own list.
      """)

  @OptionGroup var options: GlobalOptions

  @Argument(help: "The app that starts: a bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Option(help: "The app that hands its account over; its own list if left out.", completion: .app)
  var from: String?

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = try prompts.answerer(on: lab, console)
    let result = try runInteractively(.handOver(from: from, to: app), on: lab, with: &answerer)
    return try console.show(result, next: "ssoterm signin \(app)")
  }
}
