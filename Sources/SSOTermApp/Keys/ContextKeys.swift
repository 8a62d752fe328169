/// The commands of one context in the order of the key bar, with precomputed values for each frame and each key.
struct ContextKeys: Equatable, Sendable {
  let commands: [KeyCommand]
  /// The positions of the commands for each key.
  private let places: [KeyPress: [Int]]
  /// The commands that may be in the key bar.
  ///
  /// Commands that are always in it come first.
  let bar: [BarKey]

  init(_ commands: [KeyCommand]) {
    self.commands = commands
    var places: [KeyPress: [Int]] = [:]
    for (place, command) in commands.enumerated() {
      for key in command.keys where places[key]?.last != place { places[key, default: []].append(place) }
    }
    self.places = places
    let bar = commands.enumerated().filter { !$1.label.isEmpty }.map { BarKey($1, at: $0) }
    self.bar = bar.filter(\.isAlwaysNamed) + bar.filter { !$0.isAlwaysNamed }
  }

  func places(of key: KeyPress) -> [Int] { places[key] ?? [] }
}

/// A command as the key bar draws it.
struct BarKey: Equatable, Sendable {
  /// The position among the commands of its context.
  let place: Int
  let group: KeyGroup
  /// The widths, in columns, of the key and of the key with its label.
  let keyWidth: Int
  let width: Int
  let isHelp: Bool
  /// Whether the command has a place in every window: the help, and the way out of the zoom.
  let isAlwaysNamed: Bool

  fileprivate init(_ command: KeyCommand, at place: Int) {
    self.place = place
    group = command.action.value.keyGroup
    keyWidth = columnWidth(command.keyText)
    width = keyWidth + 1 + columnWidth(command.label)
    isHelp = command.action == KeyCommand.help.action
    isAlwaysNamed = isHelp || command.action == KeyCommand.unzoom.action
  }
}
