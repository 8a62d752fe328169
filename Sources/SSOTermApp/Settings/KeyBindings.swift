import SSOCore
import TerminalUI

extension KeyTable {
  /// Returns the conflicts in the settings.
  ///
  /// A conflict is a key that two commands of a screen would have, unless they also share it without settings, or a
  /// command that got none of its keys, because each of them is taken on every screen.
  static func conflicts(in settings: Settings, file: String) -> [SettingsError] {
    let table = KeyTable(settings)
    var conflicts: [SettingsError] = []
    for screen in Screens.all {
      let commands = table.commands(in: screen.type.context)
      for command in commands where command.isSet {
        for key in command.keys {
          let rival = commands.first {
            $0.name != command.name && $0.keys.contains(key)
              && !standard.shares(key, command.name, $0.name, in: screen.type.context)
          }
          // The command that comes later in the file must give way.
          guard let rival, !conflicts.contains(where: { $0.line == settings.line(of: command.name) }),
            !rival.isSet || settings.line(of: rival.name) < settings.line(of: command.name)
          else { continue }
          conflicts.append(
            SettingsError(
              file: file, line: settings.line(of: command.name),
              "“\(command.name)” and “\(rival.name)” would both have the key \(key.displayText) on \(screen.type.title)",
              remedy: "Give “\(rival.name)” another key too, or [] to leave it without a key."))
        }
      }
    }
    for command in settings.commands where command.scope == nil && !command.keys.isEmpty {
      let isBound = Screens.all.contains { screen in
        table.commands(in: screen.type.context).contains { $0.name == command.name && !$0.keys.isEmpty }
      }
      if isBound { continue }
      let keys = command.keys.map(\.displayText).joined(separator: " and ")
      conflicts.append(
        SettingsError(
          file: file, line: command.line,
          "other commands have \(keys) on every screen, so that “\(command.name)” has no key",
          remedy: "Give it another key: ssoterm config keys lists the keys in use."))
    }
    return conflicts
  }

  private func shares(_ key: KeyPress, _ one: String, _ other: String, in context: KeyContext) -> Bool {
    [one, other].allSatisfy { name in
      commands(in: context).contains { $0.name == name && $0.keys.contains(key) }
    }
  }
}

extension Settings {
  /// Returns the line that assigns keys to the command.
  fileprivate func line(of name: String) -> Int {
    keys.first { $0.name == name }?.line ?? commands.first { $0.name == name }?.line ?? 0
  }
}

extension KeyBinding {
  /// The binding without the keys that are text where the user types.
  var withoutText: KeyBinding {
    var binding = self
    binding.keys = keys.filter { if case .character = $0 { false } else { true } }
    return binding
  }

  /// Returns the command with these keys.
  func bind(_ command: KeyCommand) -> KeyCommand {
    var command = command
    command.keys = keys
    command.keyText = keys.first?.displayText ?? ""
    command.isSet = true
    return command
  }

  /// Returns a command of a dialog that shares keys with this command on the screens.
  ///
  /// The user's keys replace the shared keys, except for keys that another command of the dialog has. The command
  /// always keeps a key, because the palette does not contain it.
  /// - Parameters:
  ///   - command: The command of the dialog.
  ///   - usual: The keys without settings.
  ///   - taken: The keys of the dialog's other commands.
  /// - Returns: The command with its new keys.
  func bind(_ command: KeyCommand, usual: [KeyPress], taken: [KeyPress]) -> KeyCommand {
    let kept = command.keys.filter { !usual.contains($0) }
    let new = keys.filter { !taken.contains($0) && !kept.contains($0) }
    guard !(kept + new).isEmpty else { return command }
    var command = command
    if usual.contains(where: { $0.displayText == command.keyText }), let first = (new + kept).first {
      command.keyText = first.displayText
    }
    command.keys = kept + new
    command.isSet = true
    return command
  }
}

extension CustomCommand {
  /// Returns the command for the table of a screen.
  /// - Parameter taken: The keys of the screen's other commands.
  /// - Returns: The command with its keys.
  func keyCommand(taken: Set<KeyPress>) -> KeyCommand {
    let keys = scope == nil ? keys.filter { !taken.contains($0) } : keys
    var command = KeyCommand(
      CustomAction.run(self), keys, keys.first?.displayText ?? "", name, name: name, "Runs: " + text)
    command.isSet = true
    return command
  }
}

extension KeyPress {
  /// The key as written in the help, such as `C-x` or `Esc`.
  var displayText: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let letter): "C-\(letter)"
    case .function(let number): "F\(number)"
    case .escape: "Esc"
    case .backTab: "S-Tab"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .enter, .tab, .backspace, .delete, .up, .down, .left, .right, .home, .end:
      "\(self)".sentenceCased
    }
  }
}

extension KeyPress {
  /// The keys that have a name.
  private static let byName: [String: KeyPress] = {
    let keys: [KeyPress] = [
      .character(" "), .escape, .backTab, .pageUp, .pageDown, .enter, .tab, .backspace, .delete, .up, .down,
      .left,
      .right, .home, .end,
    ]
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.displayText, $0) })
  }()

  static var named: [String] { byName.keys.sorted() }

  /// Creates a key from its text in `words`, or returns `nil` if there is no such key.
  init?(displayText words: String) {
    if let key = Self.byName[words] {
      self = key
    } else if words.count == 1, let character = words.first {
      self = .character(character)
    } else if words.hasPrefix("C-"), words.count == 3, let letter = words.last, letter.isASCII,
      letter.isLowercase
    {
      self = .control(letter)
    } else if words.first == "F", let number = Int(words.dropFirst()), (1...12).contains(number) {
      self = .function(number)
    } else {
      return nil
    }
  }
}

/// A command of the screens, in the list that users consult to write a settings file.
package struct KeyListing: Equatable, Sendable {
  package var name: String
  package var keys: [String]
  /// Whether the keys come from the settings.
  package var isSet: Bool
  /// The screens that have the command.
  package var screens: [String]
  package var sentence: String

  package static func rows(_ settings: Settings) -> [KeyListing] {
    let table = KeyTable(settings)
    var rows: [KeyListing] = []
    for screen in Screens.all {
      for command in table.commands(in: screen.type.context) {
        let keys = command.keys.map(\.displayText)
        if let known = rows.firstIndex(where: { $0.name == command.name && $0.keys == keys }) {
          if !rows[known].screens.contains(screen.type.title) {
            rows[known].screens.append(screen.type.title)
          }
        } else {
          rows.append(
            KeyListing(
              name: command.name, keys: keys, isSet: command.isSet, screens: [screen.type.title],
              sentence: table.sentence(of: command)))
        }
      }
    }
    return rows
  }

  package var json: JSONValue {
    [
      "name": .string(name), "keys": .strings(keys), "isSet": .bool(isSet), "screens": .strings(screens),
      "what": .string(sentence),
    ]
  }
}

extension Settings {
  /// The number of screen commands with other keys.
  package var keyCount: Int { keys.count }
  /// The number of commands that the user has defined.
  package var commandCount: Int { commands.count }
}
