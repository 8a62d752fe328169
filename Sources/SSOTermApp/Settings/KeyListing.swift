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
        let keys = command.keys.map(\.words)
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
