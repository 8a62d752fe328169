import ArgumentParser
import Testing

@testable import SSOTerm
@testable import SSOTermApp

/// The page is made from the program's help by a script; this shows that the script still understands the help.
@Suite("The man page") struct ManPageTests {
  private static func page(_ words: [String]) throws -> String {
    let folder = try Folder()
    let child = try Child(
      [Program.repository + "/Scripts/make-man", Program.path] + words,
      environment: Program.environment(home: folder.root), terminal: nil, input: "/dev/null",
      output: folder.path("page"), error: folder.path("errors"))
    #expect(try child.ending(within: 20) == .exit(0))
    #expect(folder.text("errors") == "")
    return folder.text("page")
  }

  @Test func thePageOfTheSettingsNamesEveryCommandOfTheScreensAndEveryValue() throws {
    let page = try Self.page(["ssoterm-config.5"])
    for name in KeyTable.standard.names { #expect(page.contains(".It Cm \(name) : "), "\(name)") }
    for value in CustomCommand.Value.allCases { #expect(page.contains("$" + value.rawValue)) }
    for word in SettingsReader.names + SettingsReader.commandNames {
      #expect(page.contains(".It Cm \(word)"), "\(word)")
    }
    #expect(!page.contains("\n@"))
  }

  @Test func namesEveryCommandOptionAndExitStatus() throws {
    let page = try Self.page([])
    for command in Self.leaves(SSOTermCommand.self, []) {
      let name = command.joined(separator: " ")
      #expect(page.contains(".It Cm \(name)\n") || page.contains(".It Cm \(name) "), "\(name)")
    }
    for words in [".It Fl -limit Ar limit", ".It Fl -readonly", ".It 130\n", ".Sh ENVIRONMENT"] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!page.contains("\n@"), "a part of the template was not filled in")
  }

  /// The words of each command that has none below it; one that its parent runs by itself is in brackets.
  private static func leaves(_ command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
    let configuration = command.configuration
    let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    if below.isEmpty { return [path] }
    return below.flatMap { other in
      let name = other.configuration.commandName ?? ""
      return leaves(other, path + [other == configuration.defaultSubcommand ? "Oo Cm \(name) Oc" : name])
    }
  }
}
