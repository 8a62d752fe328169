/// A command of the screens, for the list that a settings file is written from.
package struct KeyListing: Equatable, Sendable {
  package var name: String
  package var keys: [String]
  /// Whether the keys come from the settings.
  package var isSet: Bool
  /// The screens that have it.
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
  /// How many commands of the screens have other keys.
  package var keyCount: Int { keys.count }
  /// How many commands of the person's own there are.
  package var commandCount: Int { commands.count }
}
