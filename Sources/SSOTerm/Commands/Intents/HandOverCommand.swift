internal import ArgumentParser
internal import SSOModel

/// `ssoterm handover APP [--from OTHER]`: an app starts with the account that another one knows.
struct HandOverCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "handover", abstract: "Let an app use the account that another app knows.",
    discussion: """
      MSAL looks for the identifier, then for the username; ADAL takes the username as userId. With no account \
      nothing happens, with several the app asks which. Without --from the app looks at its own list.
      """)

  @OptionGroup var options: GlobalOptions

  @Argument(help: "The app that starts: bundle ID or an unambiguous part of one.")
  var app: String

  @Option(help: "The app that hands its account over.")
  var from: String?

  @Option(help: "Answers the account picker: a UPN or a home account ID.")
  var choose: String?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = PromptAnswerer(choose: choose, dialogue: console.dialogue())
    answerer.people = try lab.usernames()
    let result = try runInteractively(.handOver(from: from, to: app), on: lab, with: &answerer)
    return try console.show(result, next: "ssoterm signin \(app)")
  }
}
