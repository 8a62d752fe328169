import ArgumentParser
import Testing

@testable import SSOTerm

/// `silent` has a shortcut that bypasses ArgumentParser, and both must parse the same.
@Suite("The plain form of silent")
struct SilentCommandTests {
  @Test(arguments: [
    "app", "app --account ada@contoso.com", "--account ada@contoso.com app", "app --scope User.Read",
    "app --scope User.Read Mail.Read --force-refresh", "--scope User.Read --json app",
    "app --store /tmp/a.sqlite --quiet",
    "app --authority https://login.example --claims {}", "app --unmask --readonly --json --quiet",
  ])
  func isReadAsArgumentParserReadsIt(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let plain = try #require(SilentCommand(plain: words))
    let parsed = try #require(try SilentCommand.parseAsRoot(words) as? SilentCommand)
    #expect(meaning(plain) == meaning(parsed))
  }

  @Test(arguments: [
    "", "--help", "--version", "app other", "app --account", "app --account --json", "app --scope",
    "app --scope --json",
    "app --scope a --scope b", "app --store=/tmp/a.sqlite", "app --acount ada", "--acount ada",
    "app --json --json",
    "app --account a --account b", "-- app", "app -h", "--scope app", "app --plain", "app --no-color",
    "app --print token",
    "app -",
  ])
  func leavesEverythingElseToArgumentParser(_ line: String) {
    #expect(SilentCommand(plain: line.split(separator: " ").map(String.init)) == nil)
  }

  @Test func anEmptyWordIsNoApp() {
    #expect(SilentCommand(plain: [""]) == nil)
  }

  private func meaning(_ command: SilentCommand) -> [String] {
    let options = command.options
    let texts = [command.app, command.account, command.call.authority, command.call.claims, options.store]
    let flags = [
      command.forceRefresh, options.json, options.unmask, options.plain, options.ascii, options.quiet,
      options.noColor,
      options.readonly, options.create,
    ]
    return texts.map { $0 ?? "nil" } + [command.form?.rawValue ?? "nil"] + command.scopes
      + flags.map(String.init)
  }
}
