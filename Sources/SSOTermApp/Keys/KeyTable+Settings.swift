extension KeyTable {
  /// Looks for a key that two commands of a screen would have, unless they share it without settings too.
  static func check(_ settings: Settings, file: String) throws(SettingsError) {
    let table = KeyTable(settings)
    for screen in Screens.all {
      let commands = table.commands(in: screen.type.context)
      for command in commands where command.isSet {
        for key in command.keys {
          let rival = commands.first {
            $0.name != command.name && $0.keys.contains(key)
              && !standard.shares(key, command.name, $0.name, in: screen.type.context)
          }
          guard let rival else { continue }
          throw SettingsError(
            file: file, line: settings.line(of: command.name),
            "“\(command.name)” and “\(rival.name)” would both have the key \(key.words) on \(screen.type.title)",
            remedy: "Give “\(rival.name)” another key too, or [] for none.")
        }
      }
    }
  }

  private func shares(_ key: KeyPress, _ one: String, _ other: String, in context: KeyContext) -> Bool {
    [one, other].allSatisfy { name in
      commands(in: context).contains { $0.name == name && $0.keys.contains(key) }
    }
  }
}

extension Settings {
  /// The line that gives a command its keys.
  fileprivate func line(of name: String) -> Int {
    keys.first { $0.name == name }?.line ?? commands.first { $0.name == name }?.line ?? 0
  }
}

extension KeyBinding {
  /// The command with these keys.
  func bind(_ command: KeyCommand) -> KeyCommand {
    var command = command
    command.keys = keys
    command.keyText = keys.first?.words ?? ""
    command.isSet = true
    return command
  }
}

extension CustomCommand {
  /// As the tables of keys have it.
  var keyCommand: KeyCommand {
    var command = KeyCommand(
      CustomAction.run(self), keys, keys.first?.words ?? "", name, name: name, "Runs: " + text)
    command.isSet = true
    return command
  }
}
