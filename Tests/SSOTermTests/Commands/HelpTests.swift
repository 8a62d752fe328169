import ArgumentParser
import Foundation
import Testing

@testable import SSOTerm

struct HelpTests {
  @Test func eachCommandShowsHowItIsTyped() {
    for (path, help) in Self.helps(SSOTermCommand.self) {
      guard let start = help.firstRange(of: "Examples:\n") else {
        Issue.record("no examples:\(path)")
        continue
      }
      let lines = help[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { !$0.isEmpty }
      let words = path.split(separator: " ").dropFirst()
      #expect(lines.contains { line in words.allSatisfy(line.contains) || line.contains("serve") }, "\(path)")
      #expect(lines.allSatisfy { $0.hasPrefix("  ") && $0.count < 80 }, "\(path)")
    }
  }

  @Test func aCommandExplainsOnlyItsOwnOptions() throws {
    let help = HelpText.arranged(SSOTermCommand.helpMessage(for: SilentCommand.self, columns: 100))
    #expect(help.contains("\n  --force-refresh") && help.hasSuffix("\n\n" + HelpText.note))
    for option in ["--store", "--json", "--create", "--version", "--help"] {
      #expect(!help.contains("\n  \(option)"), "\(option)")
    }
    #expect(!help.contains("OPTIONS OF EVERY COMMAND"))
    let short = HelpText.arranged(SSOTermCommand.helpMessage(for: AccountsCommand.self, columns: 100))
    #expect(short.hasSuffix("USAGE: ssoterm accounts [options]\n\n" + HelpText.note), "\(short)")
  }

  @Test func theFirstScreenFitsOnATerminal() {
    let lines = HelpScreen.first.split(separator: "\n", omittingEmptySubsequences: false)
    // The last line is reserved for the shell's prompt.
    #expect(lines.count < 24)
    #expect(lines.allSatisfy { $0.count < 80 })
    for word in ["demo", "doctor", "read", "serve", "run", "view"] {
      #expect(CommandFailure.commands.contains(word))
      #expect(lines.contains { $0.hasPrefix("  ssoterm \(word) ") }, "\(word)")
    }
    for topic in ManualTopic.names { #expect(lines.contains { $0.hasPrefix("    \(topic) ") }, "\(topic)") }
  }

  @Test(arguments: [["--help"], ["-h"], ["--json", "--help"]])
  func theProgramsHelpIsTheFirstScreen(_ words: [String]) throws {
    let error = #expect(throws: (any Error).self) {
      var command = try SSOTermCommand.parseAsRoot(words)
      try command.run()
    }
    #expect(HelpText.message(for: try #require(error)) == HelpScreen.first)
  }

  @Test func allCommandsAreListedOnce() {
    let text = ManualText.text(HelpScreen.allCommands, ink: Ink(), width: 80)
    for name in CommandFailure.commands + ["help"] {
      #expect(text.split(separator: "\n").count { $0.hasPrefix("  \(name) ") } == 1, "\(name)")
    }
    #expect(text.contains("(inspect, forge)"))
  }

  private typealias Entry = (path: String, help: String)

  private static func helps(
    _ command: any ParsableCommand.Type, _ path: String = ""
  ) -> [Entry] {
    let name = path + " " + command._commandName
    return [(name, SSOTermCommand.helpMessage(for: command, columns: 200))]
      + command.configuration.subcommands.flatMap { helps($0, name) }
  }

  /// ArgumentParser adds `--version` and `--help` to each command, so SSOTerm's own options need other names.
  @Test func noCommandListsAnOptionTwice() {
    let all = Self.helps(SSOTermCommand.self)
    #expect(all.count > 80)
    for (path, help) in all {
      let options = help.split(separator: "\n").compactMap { line in
        line.split(separator: " ").prefix(2).first { $0.hasPrefix("--") }
      }
      #expect(Set(options).count == options.count, "\(path): \(options)")
    }
  }

  /// `ssoterm serve --help` explains how to use `ssoterm serve`, and not only the names of its subcommands.
  @Test(arguments: [
    ("serve", ["--port", "--approve", "--people", "--managed-identity", "--fault"], "env"),
    ("token", ["<token>", "--keys"], "forge"), ("fault", [], "add"), ("broker", [], "serve"),
    ("policy", [], "add"), ("trace", ["--limit"], "show"), ("scenario", [], "run"),
  ])
  func aGroupHelpsWithTheCommandThatRunsWithoutASubcommand(_ name: String, _ words: [String], _ below: String)
    throws
  {
    let error = #expect(throws: (any Error).self) {
      var command = try SSOTermCommand.parseAsRoot([name, "--help"])
      try command.run()
    }
    let help = HelpText.message(for: try #require(error))
    #expect(help.contains("USAGE: ssoterm \(name)"))
    #expect(help.contains("\n       ssoterm \(name) <subcommand>\n"))
    for word in words { #expect(help.contains("\n  \(word)"), "\(word)") }
    #expect(help.components(separatedBy: "Examples:\n").count == 2)
    let note = try #require(help.firstRange(of: HelpText.note))
    let subcommands = try #require(help.firstRange(of: "SUBCOMMANDS:\n"))
    #expect(
      note.upperBound < subcommands.lowerBound && help[subcommands.upperBound...].contains("  \(below)"))
    #expect(help.components(separatedBy: HelpText.note).count == 2)
  }
}
