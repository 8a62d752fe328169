import ArgumentParser

/// `ssoterm revoke USER`: signs a user out everywhere.
struct RevokeCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "revoke", "Sign a person out everywhere, as an administrator does.",
    examples: ["ssoterm revoke ada@contoso.com"],
    after: """
      Refresh tokens and browser sessions from before are refused (AADSTS50173). An access token stays valid until it \
      expires, unless its client sent the capability cp1: Graph and /resource then answer with a claims challenge.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A username, or an unambiguous part of one.", completion: .records(.person))
  var person: String

  func intent(on lab: Lab) throws -> any Intent {
    RevokeSessions(account: try lab.read { try $0.records.row(.person, named: person).name })
  }
}
