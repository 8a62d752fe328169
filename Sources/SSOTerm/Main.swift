import ArgumentParser
import Essentials
import SSOCore
import SSOTermApp
import TerminalUI

/// The program's entry point.
///
/// It is separate from ``SSOTermCommand`` because ArgumentParser exits with 64 after a usage error, and SSOTerm exits
/// with 2 (`ssoterm --exit-codes`).
@main
enum Main {
  static func main() {
    ProcessEnd.leavesNoCore()
    let words = Array(ProgramStart.arguments.dropFirst())
    if words == ["--version"] { showVersion() }
    do {
      try refuseInvalidNames()
      var command = try parse(words)
      try command.run()
    } catch let status as ExitCode {
      // All messages have been printed. ArgumentParser would needlessly assemble its help first.
      exit(status.rawValue)
    } catch {
      end(error)
    }
  }

  /// Refuses names of files that are not UTF-8: the file may be there, but a `String` cannot name it, and a new file
  /// would get another name.
  private static func refuseInvalidNames() throws(CommandFailure) {
    let variables = ["SSOTERM_STORE", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"]
    let variable = variables.first { StandardStreams.isInvalid(variable: $0) }
    guard let invalid = ProgramStart.invalidArgument ?? variable.map({ "the value of " + $0 }) else { return }
    throw CommandFailure(
      usage: "ssoterm cannot name “\(invalid)”.",
      why: "it is not UTF-8; a file of this name may exist, but only names in UTF-8 can be used",
      next: "the same command with the name of a link to it: ln -s FILE link")
  }

  /// ArgumentParser would first describe all commands.
  private static func showVersion() -> Never {
    let console = Console(json: false)
    console.print(programVersion)
    exit(console.finish(.done).rawValue)
  }

  /// Ends as ArgumentParser would, except for our own exit statuses and for output that the system did not accept.
  private static func end(_ error: any Error) -> Never {
    let console = Console(json: ProgramStart.arguments.contains("--json"))
    let code = SSOTermCommand.exitCode(for: error)
    if error is CommandFailure || code == .validationFailure {
      let failure = error as? CommandFailure ?? CommandFailure(usageError: error)
      console.report(failure)
      exit(console.finish(failure.status).rawValue)
    }
    let text = HelpText.message(for: error)
    guard code == .success else {
      if !text.isEmpty { console.complain(text) }
      exit(code.rawValue)
    }
    if !text.isEmpty { console.print(text) }
    exit(console.finish(.done).rawValue)
  }

  /// Parses the arguments.
  ///
  /// The first word chooses the command, which is parsed as if it were the program. Only a line without a command, or
  /// one with a mistake, needs the tables of all commands.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if let command = PlainLine.command(arguments) { return command }
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "help": return try HelpCommand.parseAsRoot(rest)
    case "--help", "-h": if !rest.isEmpty { return try HelpCommand.parseAsRoot(rest) }
    case let word?:
      guard let command = CommandTable.command(named: word) else { break }
      // ArgumentParser shows the entire help in place of an error if a root lacks all of its arguments.
      if !rest.isEmpty { return try command.parseAsRoot(rest) }
      if let parsed = try? command.parseAsRoot(rest) { return parsed }
    case nil: break
    }
    return try SSOTermCommand.parseAsRoot(arguments)
  }
}
