import ArgumentParser
import Testing

@testable import SSOTerm
@testable import SSOTermApp

struct ManualTests {
  @Test func thePageOfTheSettingsNamesEveryCommandOfTheScreensAndEveryValue() throws {
    let text = try #require(try Manual.text("settings", ink: TextInk(), width: 80))
    let page = try #require(try Manual.page("settings"))
    for name in KeyTable.standard.names { #expect(text.contains("\n  \(name): "), "\(name)") }
    for value in CustomCommand.Value.allCases { #expect(text.contains("$" + value.rawValue)) }
    for word in SettingsReader.names { #expect(page.contains("\n\\fB\(word): "), "\(word)") }
    for word in SettingsReader.commandNames { #expect(page.contains("\n\\fB\(word)\\fR\n"), "\(word)") }
  }

  @Test func theManualNamesEveryCommandOptionAndExitCode() throws {
    let text = try #require(try Manual.text("manual", ink: TextInk(), width: 80))
    for command in Self.leaves(SSOTermCommand.self, []) {
      let name = command.joined(separator: " ")
      #expect(text.contains("\n  \(name)\n") || text.contains("\n  \(name) "), "\(name)")
    }
    for words in [
      "\n        --limit <limit> ", "\n  --readonly ", "\n  130 ", "\nENVIRONMENT\n",
      "\n  help [<words> ...] [--all]",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(!text.contains("@OPTIONS@") && !text.contains("@SCREENS@") && !text.contains("`"))
  }

  /// Returns the words of each command without subcommands.
  ///
  /// A default subcommand is in brackets.
  private static func leaves(_ command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
    if command.configuration.subcommands.isEmpty { return [path] }
    return command.configuration.subcommands.flatMap { other in
      let isDefault = other == command.configuration.defaultSubcommand
      return leaves(other, path + [isDefault ? "[\(other._commandName)]" : other._commandName])
    }
  }

  @Test func theTopicOfTheOptionsHasEachOptionOnce() throws {
    let text = try #require(try Manual.text("options", ink: TextInk(), width: 80))
    for option in [
      "--store <store>", "--json", "--readonly", "--create", "--version", "--help", "--theme <theme>",
    ] {
      #expect(text.split(separator: "\n").count { $0.hasPrefix("  \(option) ") } == 1, "\(option)")
    }
    let parts = text.split(separator: "\n\n")
    #expect(
      parts.contains { $0.hasPrefix("  --store") && !$0.contains("--exit-codes") && !$0.contains("--theme") })
    #expect(parts.contains { $0.hasPrefix("  --theme") && $0.contains("--exit-codes") })
  }

  @Test(arguments: ManualTopic.names.filter { $0 != "scenario-format" }) func aTopicFitsIn80Columns(
    _ topic: String
  ) throws {
    let text = try #require(try Manual.text(topic, ink: TextInk(), width: 80))
    #expect(text.count > 300 && (["licences", "manual"].contains(topic) || !text.contains("@")))
    guard !["licences", "manual"].contains(topic) else { return }
    #expect(!text.contains("\n\n\n") && text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func aPageIsReadFromMarkdownAndPrintedAsTextAndAsRoff() {
    let blocks = [ManualBlock](
      markdown: """
        Some text with `--flag`,
        and `one more`.

        # Example

            $ one \\ two
            'three'

        `name`
        :   A name.

        `a name that is too long for this`
        :   Another.

        @LIST@
        """
    ) { name in [.list([ManualItem(name, "Inserted.")])] }
    #expect(
      blocks == [
        .paragraph("Some text with `--flag`, and `one more`."), .heading("Example"),
        .literal(["$ one \\ two", "'three'"]),
        .list([
          ManualItem("`name`", "A name."), ManualItem("`a name that is too long for this`", "Another."),
        ]),
        .list([ManualItem("LIST", "Inserted.")]),
      ])
    #expect(
      ManualText.text(blocks, ink: TextInk(), width: 24) == """
        Some text with --flag,
        and “one more”.

        EXAMPLE

          $ one \\ two
          'three'

          name
              A name.

          a name that is too
          long for this
              Another.

          LIST  Inserted.
        """)
    #expect(
      ManualRoff.page("test", section: 7, blocks) == """
        .TH TEST 7 "" "ssoterm \(programVersion)"
        .PP
        Some text with \\fB\\-\\-flag\\fR, and \\fBone more\\fR.
        .SH EXAMPLE
        .PP
        .RS 4
        .nf
        $ one \\e two
        \\&'three'
        .fi
        .RE
        .TP
        \\fBname\\fR
        A name.
        .TP
        \\fBa name that is too long for this\\fR
        Another.
        .TP
        \\fBLIST\\fR
        Inserted.
        """)
  }
}
