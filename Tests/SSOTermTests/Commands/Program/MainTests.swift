import ArgumentParser
import Testing

@testable import SSOTerm

/// The first word chooses the command, which is parsed as if it were the program.
struct MainTests {
  @Test func eachCommandIsNamedByItsWord() throws {
    let named = CommandTable.groups.flatMap(\.value)
    for (word, command) in named {
      #expect(command._commandName == word)
      #expect(CommandTable.command(named: word) == command)
      #expect(command.configuration._superCommandName == "ssoterm" && !command.configuration.version.isEmpty)
    }
    #expect(Set(named.map(\.key)).count == named.count)
    #expect(named.count == SSOTermCommand.configuration.subcommands.count)
  }

  @Test func withoutAWordTheScreensOpen() throws {
    #expect(try Main.parse([]) is StartCommand)
    #expect(try Main.parse(["--theme", "dark"]) is SSOTermCommand)
  }

  @Test(arguments: [
    "silent app --scope User.Read --json", "demo two-vendors --readonly", "policy add phones --require mfa",
    "policy", "tokens", "clock +1h", "explain -- -50002", "run -- true",
  ])
  func aCommandIsReadAsInTheTreeOfAll(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let (alone, inTree) = (try Main.parse(words), try SSOTermCommand.parseAsRoot(words))
    #expect(type(of: alone) == type(of: inTree))
    #expect(try #require(alone as? any LabCommand).options.json == words.contains("--json"))
  }

  @Test(arguments: [
    "silent", "silent --nosuch", "silent app --help", "policy --help", "policy add", "policy nosuch",
    "doctor --version",
    "expire", "signin app --prompt luck",
  ])
  func itsHelpAndItsMistakesAreWordedAsInTheTreeOfAll(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(message(of: words, Main.parse) == message(of: words) { try SSOTermCommand.parseAsRoot($0) })
  }

  /// Returns the output of a command line that runs nothing: its help, or the failure.
  private func message(of words: [String], _ parse: ([String]) throws -> any ParsableCommand) -> String {
    do {
      var command = try parse(words)
      guard "\(type(of: command))" == "HelpCommand" else { return "read as \(command)" }
      try command.run()
      return ""
    } catch {
      let isHelp = SSOTermCommand.exitCode(for: error) == .success
      return isHelp ? HelpText.message(for: error) : CommandFailure(usageError: error).text()
    }
  }
}
