import ArgumentParser
import Testing

@testable import SSOTerm

struct HelpTests {
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
}
