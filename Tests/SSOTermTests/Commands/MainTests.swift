import ArgumentParser
import Testing

@testable import SSOTerm

/// The screens have a shortcut that bypasses ArgumentParser, and both must parse the same.
@Suite("Commands without an option")
struct MainTests {
  @Test func theProgramIsReadAsArgumentParserReadsIt() throws {
    let parsed = try #require(try SSOTermCommand.parseAsRoot([]) as? SSOTermCommand)
    let plain = try #require(try Main.parse([]) as? SSOTermCommand)
    for command in [plain, parsed] {
      #expect(
        meaning(command.options, command.screen) + [command.exitCodes.description] == Self.nothing + ["false"]
      )
    }
  }

  @Test(arguments: [[], ["two-vendors"], ["two vendors"], [""]])
  func aDemoIsReadAsArgumentParserReadsIt(_ words: [String]) throws {
    let parsed = try #require(try DemoCommand.parseAsRoot(words) as? DemoCommand)
    let plain = try #require(DemoCommand(plain: words))
    for command in [plain, parsed] {
      #expect(meaning(command.options, command.screen) == Self.nothing)
      #expect(command.scenario == words.first ?? "contoso-suite")
      #expect(command.record == nil && command.pace == nil && command.size == nil)
    }
  }

  @Test(arguments: [
    "--help", "-h", "--version", "two-vendors --readonly", "one two", "--record x.cast", "-", "--",
  ])
  func leavesEveryOtherDemoToArgumentParser(_ line: String) {
    #expect(DemoCommand(plain: line.split(separator: " ").map(String.init)) == nil)
  }

  private static let nothing = ["nil", "nil"] + Array(repeating: "false", count: 9)

  private func meaning(_ options: GlobalOptions, _ screen: ScreenOptions) -> [String] {
    let flags = [
      options.json, options.unmask, options.plain, options.ascii, options.quiet, options.noColor,
      options.readonly, options.create, screen.noMotion,
    ]
    return [options.store ?? "nil", screen.theme?.rawValue ?? "nil"] + flags.map(String.init)
  }
}
