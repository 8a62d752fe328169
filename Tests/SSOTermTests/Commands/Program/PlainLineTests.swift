import ArgumentParser
import TerminalUI
import Testing

@testable import SSOTerm

/// Measured starts have a short way beside ArgumentParser, and both must read the same.
@Suite struct PlainLineTests {
  @Test(arguments: [
    "", "demo", "demo two-vendors", "silent app", "silent app --json", "silent --json app",
    "silent app --account a@contoso.com --scope User.Read Mail.Read --force-refresh",
    "silent --store other.sqlite --scope Mail.Read --account a@contoso.com app",
    "silent --account a@contoso.com --scope Mail.Read --json --store other.sqlite --force-refresh app",
  ])
  func readsAsArgumentParserReads(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let plain = try #require(PlainLine.command(words))
    let parsed: any ParsableCommand =
      words.isEmpty ? try StartCommand.parseAsRoot([]) : try SSOTermCommand.parseAsRoot(words)
    #expect(meaning(plain) == meaning(parsed))
  }

  @Test(arguments: [
    "status", "demo --help", "demo -h", "demo --version", "demo two-vendors --readonly", "demo one two",
    "demo -", "demo --",
    "silent", "silent --help", "silent one two", "silent app --account", "silent app --account --json",
    "silent app --account a --account b", "silent app --json --json", "silent app --account=a",
    "silent app --scope", "silent --scope User.Read app", "silent app --claims {}", "silent app --username a",
    "silent app --quiet", "silent app --print token", "silent app -x", "--json", "--theme dark",
  ])
  func leavesEveryOtherLineToArgumentParser(_ line: String) {
    #expect(PlainLine.command(line.split(separator: " ").map(String.init)) == nil)
  }

  @Test(arguments: [["demo", ""], ["silent", ""], ["silent", "app", "--account", ""]])
  func leavesEmptyWordsToArgumentParser(_ words: [String]) {
    #expect(PlainLine.command(words) == nil)
  }

  /// Returns every value that the command has, read through its properties: an option without a value would trap.
  private func meaning(_ command: any ParsableCommand) -> [String] {
    switch command {
    case let start as StartCommand: meaning(start.options) + meaning(start.screen)
    case let demo as DemoCommand:
      meaning(demo.options) + meaning(demo.screen) + [demo.scenario] + [
        demo.record ?? "nil", demo.size ?? "nil", demo.auto ?? "nil", demo.pace.map { "\($0)" } ?? "nil",
      ]
    case let silent as SilentCommand:
      meaning(silent.options) + [silent.app] + silent.scopes + [
        silent.account ?? "nil", silent.username ?? "nil", silent.call.authority ?? "nil",
        silent.call.claims ?? "nil", silent.form?.rawValue ?? "nil", String(silent.forceRefresh),
      ]
    default: ["\(type(of: command))"]
    }
  }

  private func meaning(_ options: GlobalOptions) -> [String] {
    let flags = [
      options.json, options.unmask, options.plain, options.ascii, options.quiet, options.noColor,
      options.readonly, options.create,
    ]
    return [options.store ?? "nil"] + flags.map(String.init)
  }

  private func meaning(_ screen: ScreenOptions) -> [String] {
    [screen.theme?.rawValue ?? "nil", String(screen.noMotion)]
  }
}
