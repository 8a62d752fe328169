import ArgumentParser

/// `ssoterm revoke USER`: signs a person out everywhere.
struct RevokeCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Sign a person out everywhere, as an administrator does.",
    discussion: examples(
      "ssoterm revoke ada@contoso.com",
      after: """
        Refresh tokens and browser sessions from before are refused (AADSTS50173). An access token stays valid until it \
        expires, unless its client sent the capability cp1: Graph and /resource then answer with a claims challenge.
        """))

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A username, or an unambiguous part of one.", completion: .records(.person))
  var person: String

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let name = try lab.read { try $0.records.row(.person, named: person).name }
    return try console.show(
      try runUnattended(.revokeSessions(account: name), on: lab), details: { $0.effects ?? [] })
  }
}
