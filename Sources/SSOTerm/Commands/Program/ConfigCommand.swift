import ArgumentParser
import SSOCore
import SSOTermApp

/// `ssoterm config check|keys`: the user's own settings.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "config", "Check your settings file, or list the commands that keys can be assigned to.",
    examples: ["ssoterm config check", "ssoterm config keys"],
    subcommands: [ConfigCheckCommand.self, ConfigKeysCommand.self])
}

struct ConfigCheckCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "check", "List all mistakes in the settings file, each with its line.",
    examples: ["ssoterm config check", "ssoterm config check ./config.yaml"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The file (default: your settings file).", completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  func perform(on console: Console) throws -> ExitStatus {
    let path = file ?? settingsPath()
    guard let (settings, mistakes) = try Settings.examined(at: path) else {
      throw CommandFailure(
        status: .nothingMatched, kind: "noSettings", what: "There is no settings file at \(path).",
        why: "the file is optional, and without it the defaults apply", next: "ssoterm help settings")
    }
    guard mistakes.isEmpty else {
      complain(about: mistakes, on: console)
      return .usage
    }
    let counts = [counted(settings.keyCount, "key"), counted(settings.commandCount, "command")]
    return try console.show([
      "file": .string(path), "keys": .count(settings.keyCount), "commands": .count(settings.commandCount),
    ]) {
      console.ink.draw("✓ ", .good) + console.ink.draw("\(path): \(counts.joined(separator: ", "))")
    }
  }

  /// Prints one mistake per line, as editors expect, and the text that applies to all mistakes only once.
  private func complain(about mistakes: [SettingsError], on console: Console) {
    for mistake in mistakes {
      console.complain(safe([mistake.what, mistake.remedy].compactMap(\.self).joined(separator: " ")))
    }
    console.complain(
      "ssoterm: \(counted(mistakes.count, "mistake")): the settings are used as a whole or not at all; "
        + "see ssoterm help settings")
    guard console.json else { return }
    let errors = mistakes.map { CommandFailure($0).json }
    console.print(document: ["errors": .array(errors)])
  }
}

struct ConfigKeysCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "keys", "List the commands of the screens with their keys, including your own.",
    examples: ["ssoterm config keys", "ssoterm config keys | grep -i expire"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let (settings, mistakes) = try Settings.examined(at: settingsPath()) ?? (Settings(), [])
    if !mistakes.isEmpty {
      console.note(
        "these are the keys without your settings, which have \(counted(mistakes.count, "mistake")): ssoterm config check"
      )
    }
    let rows = KeyListing.rows(mistakes.isEmpty ? settings : Settings())
    return try console.show(["keys": .array(rows.map(\.json))]) {
      return TextTable(["COMMAND", "KEYS", "SCREENS", "WHAT"], dispensable: ["SCREENS"], of: rows) { row in
        [
          InkedText(row.name, .strong),
          InkedText(dashed(row.keys.joined(separator: " ")), row.isSet ? .good : .plain),
          InkedText(row.screens.joined(separator: ", "), .faint), InkedText(row.sentence),
        ]
      }.text(console.ink)
    }
  }
}
