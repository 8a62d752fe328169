import ArgumentParser

/// `ssoterm expire CREDENTIAL…`.
struct ExpireCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "expire", "Mark credentials as expired.",
    examples: [
      "ssoterm expire t2", "ssoterm silent mytestapp1 && ssoterm expire t2 && ssoterm silent mytestapp1",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func intent(on lab: Lab) -> any Intent { ChangeCredentials(.expire, credentials) }
}

/// `ssoterm invalidate CREDENTIAL…`.
struct InvalidateCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "invalidate", "Mark credentials as invalid: the provider refuses them.",
    examples: ["ssoterm invalidate t3"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func intent(on lab: Lab) -> any Intent { ChangeCredentials(.invalidate, credentials) }
}
