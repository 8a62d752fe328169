import ArgumentParser
import Essentials

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
      var command = try parse(words)
      try command.run()
    } catch let status as ExitCode {
      // All messages have been printed. ArgumentParser would needlessly assemble its help first.
      exit(status.rawValue)
    } catch {
      end(error)
    }
  }

  /// ArgumentParser would first describe all commands.
  private static func showVersion() -> Never {
    let console = Console(json: false)
    console.print(programVersion)
    exit(console.finish(.done).rawValue)
  }

  /// Ends as ArgumentParser would, but for a status of our own and for output that the system did not take.
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
  /// Some commands are parsed as if they were the program, which avoids the tables of the other commands and of the
  /// completions.
  ///
  /// `silent` is the call that an app makes before every request, and the screens should appear at once. In their plain
  /// form, these commands are parsed without ArgumentParser, which would take a tenth to a third of their time.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "silent" where !rest.isEmpty:
      return try SilentCommand(plain: rest) ?? SilentCommand.parseAsRoot(rest)
    case "demo": return try DemoCommand(plain: rest) ?? DemoCommand.parseAsRoot(rest)
    case nil: return SSOTermCommand.withoutOptions
    case "help": return try HelpCommand.parseAsRoot(rest)
    default: return try SSOTermCommand.parseAsRoot(arguments)
    }
  }
}

/// Commands without options, created without ArgumentParser.
///
/// ArgumentParser first inspects its types by reflection, which takes two of the fifteen milliseconds until the first
/// screen.
extension SSOTermCommand {
  /// The command `ssoterm`.
  static var withoutOptions: SSOTermCommand {
    var command = SSOTermCommand()
    (command.options, command.screen, command.exitCodes) = (.none, .none, false)
    return command
  }
}

extension DemoCommand {
  /// Creates the command from `ssoterm demo` or `ssoterm demo SCENARIO`, or returns `nil` for any other form.
  init?(plain words: [String]) {
    guard words.count < 2, words.allSatisfy({ !$0.hasPrefix("-") }) else { return nil }
    self.init()
    (options, screen, scenario) = (.none, .none, words.first ?? ScenarioLibrary.usual)
    (record, pace, size) = (nil, nil, nil)
  }
}

extension GlobalOptions {
  static var none: GlobalOptions {
    var options = GlobalOptions()
    options.store = nil
    (options.json, options.unmask, options.plain, options.ascii) = (false, false, false, false)
    (options.quiet, options.noColor, options.readonly, options.create) = (false, false, false, false)
    return options
  }
}

extension ScreenOptions {
  static var none: ScreenOptions {
    var options = ScreenOptions()
    (options.theme, options.noMotion) = (nil, false)
    return options
  }
}
