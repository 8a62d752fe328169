internal import ArgumentParser

/// The program. It stands beside ``SSOTermCommand`` because ArgumentParser ends usage errors with 64,
/// and ours are 2 (`ssoterm --exit-codes`).
@main
enum Main {
  static func main() {
    do {
      var command = try parse(Array(CommandLine.arguments.dropFirst()))
      try command.run()
    } catch {
      guard SSOTermCommand.exitCode(for: error) == .validationFailure else {
        SSOTermCommand.exit(withError: error)
      }
      let failure = CommandFailure(usageError: error)
      Console(json: CommandLine.arguments.contains("--json")).report(failure)
      SSOTermCommand.exit(withError: ExitCode(failure.status.rawValue))
    }
  }

  /// `silent` is the call an app makes before every request. Parsed as if it were the program, it does without
  /// the tables of the other commands and of the completions, which take a third of the call's time.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    guard arguments.count > 1, arguments.first == SilentCommand.configuration.commandName else {
      return try SSOTermCommand.parseAsRoot(arguments)
    }
    return try SilentCommand.parseAsRoot(Array(arguments.dropFirst()))
  }
}
