import ArgumentParser

/// The screens of `ssoterm help` that belong to no single command.
enum HelpScreen {
  /// The first screen, for a terminal of 24 lines and 80 columns.
  static var first: String {
    let topics = ManualTopic.all.map { row($0.name, $0.summary) }
    return """
      ssoterm \(programVersion): see how apps share one sign-in, and why one of them cannot.

        ssoterm demo             Try it: three apps on a temporary store.
        ssoterm doctor PATH...   Find out from an app's files why it cannot sign in.
        ssoterm read FILE        Explain a real app's log or a browser's recording.
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
    let configuration = SSOTermCommand.configuration
    let groups = configuration.groupedSubcommands.map { ($0.name, $0.subcommands) }
    return ([("The program", configuration.ungroupedSubcommands + [HelpCommand.self])] + groups).flatMap {
      name, commands in
      [ManualBlock.heading(name), .list(commands.map(item))]
    } + [.paragraph("See `ssoterm help COMMAND` for one of them.")]
  }

  private static func item(_ command: any ParsableCommand.Type) -> ManualItem {
    let below = command.configuration.subcommands.map { $0._commandName }
    let list = below.isEmpty ? "" : " (\(below.joined(separator: ", ")))"
    return ManualItem(command._commandName, command.configuration.abstract + list)
  }
}
