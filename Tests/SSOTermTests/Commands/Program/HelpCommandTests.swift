import ArgumentParser
import Foundation
import SSOTermApp
import Testing

@testable import SSOTerm

/// Sessions with `ssoterm help`.
@Suite struct HelpCommandTests {
  @Test func aTopicIsPrinted() throws {
    try transcript(
      after: .nothing,
      #"""
      $ ssoterm help exit-codes
      EXIT CODES

        0    Done.
        1    A check found a problem, or a token is not valid.
        2    The command line is not valid, or a file or port in it cannot be used.
        3    Nothing matched: no such app, account, scope, credential, or scenario.
        4    The app needs sign-in, a prompt has no answer, or reproduce found only
             the nearest failure.
        5    The store cannot be used, or a damaged row of it was skipped.
        6    The terminal cannot be used.
        7    The server, the SDK, or the system reported an error, or the output could
             not be written.
        130  Cancelled by the user.
      $ ssoterm help exit codes | head -n 3
      EXIT CODES

        0    Done.
      $ ssoterm help exit-codes --json | cut -c 1-40
      {
        "text" : "EXIT CODES\n\n  0    Done.\n
        "version" : 1
      }
      $ ssoterm help clock
      OVERVIEW: Show the lab's time, move its clock, or reset it.

      Examples:
        ssoterm clock
        ssoterm clock +1h
        ssoterm clock reset

      USAGE: ssoterm clock [options] [<words> ...]

      ARGUMENTS:
        <words>                 show, reset, or a step such as +1h, -30m, +2d, or
                                +90s.

      Every command also takes the options that “ssoterm help options” explains.
      $ ssoterm help nothing
      ! ssoterm: There is no command or topic “nothing”: nothing has a similar name.
      !   try: ssoterm help
      [2]
      $ ssoterm help silnet
      ! ssoterm: There is no command or topic “silnet”.
      !   try: ssoterm help silent
      [2]
      $ ssoterm help exit code
      ! ssoterm: There is no command or topic “exit code”.
      !   try: ssoterm help exit-codes
      [2]
      $ ssoterm help token forged
      ! ssoterm: There is no command “token forged”: “token” has no such subcommand.
      !   try: ssoterm help token forge
      [2]
      $ ssoterm help store --roff
      ! ssoterm: --roff needs the topic manual or settings: only these have a manual page.
      !   try: ssoterm help manual --roff
      [2]
      $ ssoterm help store --all
      ! ssoterm: --all takes no topic: it lists all commands.
      !   try: ssoterm help --all
      [2]
      $ ssoterm help licences | head -n 1
      MIT License
      $ ssoterm silent --help
      OVERVIEW: Get a token for an app without a prompt.

      Examples:
        ssoterm silent mytestapp2
        ssoterm silent mytestapp2 --scope Mail.Read
        curl -H "$(ssoterm silent mytestapp2 --print header)" URL

      USAGE: ssoterm silent [<options>] <app>

      ARGUMENTS:
        <app>                   A bundle ID, or an unambiguous part of one.

      OPTIONS:
        --account <account>     The account, as a username or home account ID
                                (default: the app's only account).
        --username <username>   The name by which the app looks up the account, as
                                accountForUsername does.
        --scope <scope>         Scopes to request.
        --authority <authority> The authority for this call, such as
                                https://login.microsoftonline.com/contoso.com.
        --claims <claims>       Claims to request, as a JSON object.
        --print <print>         Print only the unmasked access token (token) or the
                                Authorization header with it (header). (values:
                                token, header)
        --force-refresh         Do not use the access token in the cache.

      Every command also takes the options that “ssoterm help options” explains.
      """#)
  }
}

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
    for topic in ManualTopic.all where topic.summary != nil {
      #expect(lines.contains { $0.hasPrefix("    \(topic.name) ") }, "\(topic.name)")
    }
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
    let text = ManualText.text(HelpScreen.allCommands, ink: TextInk(), width: 80)
    for name in CommandFailure.commands + ["help"] {
      #expect(text.split(separator: "\n").count { $0.hasPrefix("  \(name) ") } == 1, "\(name)")
    }
    #expect(text.contains("(inspect, forge)"))
  }

  /// `ssoterm help --all` and docs/commands.md have the same groups, in the same order, with the same commands.
  @Test func theGroupsOfTheHelpAreThoseOfTheDocument() throws {
    let text = try String(contentsOfFile: Program.repository + "/docs/commands.md", encoding: .utf8)
    let sections = text.components(separatedBy: "\n## ").dropFirst()
    let groups = CommandTable.groups
    for (section, group) in zip(sections, groups) {
      let lines = section.split(separator: "\n")
      #expect(lines.first.map(String.init) == group.key)
      let cells = lines.filter { $0.hasPrefix("| `") }.map { line in
        // A vertical bar of a cell is escaped.
        line.replacing("\\|", with: "/").split(separator: "|").first ?? ""
      }
      let words = Set(cells.flatMap { $0.split { !$0.isLetter }.map(String.init) })
      for (word, _) in group.value { #expect(words.contains(word), "\(word) in \(group.key)") }
    }
    #expect(sections.count > groups.count)
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
