/// The commands of one context, in the order of the key bar, with what each frame and each key asks of them worked out once.
struct ContextKeys: Equatable, Sendable {
  let commands: [KeyCommand]
  /// Where the commands of a key are among all.
  private let places: [KeyPress: [Int]]
  /// What the key bar has to know of the commands that may be in it; those that always do come first.
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
  /// Where it is among the commands of its context.
  let place: Int
  let group: KeyGroup
  /// The columns of the key and of both with the label.
  let keyWidth: Int
  let width: Int
  let isHelp: Bool
  /// The way out of zoom has its place in every window, as help has.
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
