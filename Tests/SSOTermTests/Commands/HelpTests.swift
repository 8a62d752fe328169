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

  @Test func whatIsACommandsOwnComesFirst() throws {
    let help = HelpText.arranged(SSOTermCommand.helpMessage(for: SilentCommand.self, columns: 100))
    let own = try #require(help.firstRange(of: "--force-refresh"))
    let everywhere = try #require(help.firstRange(of: "OPTIONS OF EVERY COMMAND:"))
    #expect(own.upperBound < everywhere.lowerBound)
    #expect(help.contains("\n  --store <store>"))
    let short = HelpText.arranged(SSOTermCommand.helpMessage(for: AccountsCommand.self, columns: 100))
    #expect(short.contains("USAGE: ssoterm accounts [options]\n"))
  }

  private typealias Entry = (path: String, help: String)

  private static func helps(
    _ command: any ParsableCommand.Type, _ path: String = ""
  ) -> [Entry] {
    let configuration = command.configuration
    let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    let name = path + " " + (configuration.commandName ?? "")
    return [(name, SSOTermCommand.helpMessage(for: command, columns: 200))]
      + below.flatMap { helps($0, name) }
  }

  /// ArgumentParser gives each command `--version` and `--help`; our own must be called otherwise.
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

  /// `ssoterm serve --help` answers how to use `ssoterm serve`, and not only how its subcommands are called.
  @Test(arguments: [
    ("serve", ["--port", "--approve", "--people", "--managed-identity", "--fault"], "env"),
    ("token", ["<token>", "--keys"], "forge"), ("fault", ["--store"], "add"),
    ("broker", ["--store"], "serve"),
    ("policy", ["--store"], "add"), ("trace", ["--store"], "show"), ("scenario", ["--store"], "run"),
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
    #expect(help.components(separatedBy: "--version ").count == 2)
    let options = try #require(help.firstRange(of: "OPTIONS OF EVERY COMMAND:"))
    let subcommands = try #require(help.firstRange(of: "SUBCOMMANDS:\n"))
    #expect(
      options.upperBound < subcommands.lowerBound && help[subcommands.upperBound...].contains("  \(below)"))
  }
}
