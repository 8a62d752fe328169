import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

/// `ssoterm help [COMMAND… | TOPIC]`: the first screen, a command, or a topic of the manual.
///
/// It replaces the command that ArgumentParser adds, so `Main` parses it on its own.
struct HelpCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", _superCommandName: "ssoterm",
    abstract: "Show how to use a command, or a topic of the manual.",
    discussion: examples([
      "ssoterm help silent", "ssoterm help token forge", "ssoterm help --all", "ssoterm help settings",
      "ssoterm help manual --roff > ssoterm.1",
    ]), version: programVersion)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "List all commands by group.")
  var all = false

  @Flag(help: "Print the topic manual or settings as a manual page, for man.")
  var roff = false

  @Argument(
    help: "A command, or a topic: \(ManualTopic.names.joined(separator: ", ")).",
    completion: .list(ManualTopic.names + CommandFailure.commands))
  var words: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    let text = try text(console)
    return try console.show(["text": .string(text)]) { text }
  }

  private func text(_ console: Console) throws -> String {
    let width = min(StandardStreams.terminalWidth() ?? 80, 80)
    if roff {
      guard !all, let page = try Manual.page(words.joined(separator: " ")) else {
        throw CommandFailure(
          usage: "--roff needs the topic manual or settings.", why: "only these have a manual page",
          next: "ssoterm help manual --roff")
      }
      return page
    }
    if all {
      guard words.isEmpty else {
        throw CommandFailure(
          usage: "--all takes no topic.", why: "it lists all commands", next: "ssoterm help --all")
      }
      return ManualText.text(HelpScreen.allCommands, ink: console.ink, width: width)
    }
    if words.isEmpty { return HelpScreen.first }
    if words == ["help"] { return HelpText.complete(HelpCommand.helpMessage()) }
    if let command = Self.command(words) {
      return HelpText.complete(SSOTermCommand.helpMessage(for: command))
    }
    let topic = words.joined(separator: "-")
    if let text = try Manual.text(topic, ink: console.ink, width: width) { return text }
    throw CommandFailure(unknownTopic: words)
  }

  /// Returns the command that the words lead to, or `nil` if one of them is not a command.
  fileprivate static func command(_ words: [String]) -> (any ParsableCommand.Type)? {
    var command: any ParsableCommand.Type = SSOTermCommand.self
    for word in words {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
        return nil
      }
      command = next
    }
    return command
  }
}

extension CommandFailure {
  /// Creates an error for words after `ssoterm help` that are neither a command nor a topic.
  fileprivate init(unknownTopic words: [String]) {
    if words.count > 1, let command = HelpCommand.command([words[0]]) {
      let near = nearestName(
        to: words[1], among: command.configuration.subcommands.map { $0._commandName })
      self.init(
        usage: "There is no command “\(words.joined(separator: " "))”.",
        why: "“\(words[0])” has no such subcommand",
        next: (["ssoterm help", words[0]] + (near.map { [$0] } ?? [])).joined(separator: " "))
      return
    }
    let word = words.joined(separator: "-")
    let near = nearestName(to: word, among: ManualTopic.names + Self.commands)
    self.init(
      usage: "There is no command or topic “\(words.joined(separator: " "))”.",
      why: near == nil ? "nothing has a similar name" : "",
      next: "ssoterm help" + (near.map { " " + $0 } ?? ""))
  }
}

/// The screens of `ssoterm help` that belong to no single command.
enum HelpScreen {
  /// The first screen, for a terminal of 24 lines and 80 columns.
  static var first: String {
    let topics = ManualTopic.all.compactMap { topic in topic.summary.map { row(topic.name, $0) } }
    return """
      ssoterm \(programVersion): see how apps share one sign-in, and why one of them cannot.

        ssoterm demo             Try it: three apps on a temporary store.
        ssoterm doctor PATH...   Find out from an app's files why it cannot sign in.
        ssoterm read FILE        Explain a real app's log or a browser's recording.
        ssoterm explain CODE     Explain -50000, AADSTS50011, or a pasted error.
        ssoterm serve            Let real programs sign in at a local provider.
        ssoterm run -- COMMAND   Run a program, such as your tests, against it.
        ssoterm view FILE        Show a real token cache.

      Without a command, ssoterm opens the screens on your own store.

        ssoterm help --all       All commands by group.
        ssoterm help COMMAND     One command, the same as ssoterm COMMAND --help.
        ssoterm help TOPIC       One of these topics:
      \(topics.joined(separator: "\n"))
      """
  }

  private static func row(_ name: String, _ summary: String) -> String {
    "    " + name + String(repeating: " ", count: max(1, 23 - name.count)) + summary
  }

  /// The list of all commands by group.
  static var allCommands: [ManualBlock] {
    let groups = SSOTermCommand.configuration.groupedSubcommands
    return groups.enumerated().flatMap { number, group in
      let isLast = number + 1 == groups.count
      return [
        ManualBlock.heading(group.name),
        .list((group.subcommands + (isLast ? [HelpCommand.self] : [])).map(item)),
      ]
    } + [.paragraph("See `ssoterm help COMMAND` for one of them.")]
  }

  private static func item(_ command: any ParsableCommand.Type) -> ManualItem {
    let below = command.configuration.subcommands.map { $0._commandName }
    let list = below.isEmpty ? "" : " (\(below.joined(separator: ", ")))"
    return ManualItem(command._commandName, command.configuration.abstract + list)
  }
}
