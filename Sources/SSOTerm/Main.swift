internal import ArgumentParser

/// The program. It stands beside ``SSOTermCommand`` because ArgumentParser ends usage errors with 64,
/// and ours are 2 (`ssoterm --exit-codes`).
@main
enum Main {
  static func main() {
    do {
      var command = try SSOTermCommand.parseAsRoot()
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
}
