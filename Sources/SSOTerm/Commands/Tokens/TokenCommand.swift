import ArgumentParser

/// `ssoterm token forge`: a single token, and not those of the lists.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make tokens that an API has to refuse.", subcommands: [TokenForge.self])
}
