import Synchronization
import TerminalUI

/// The keys of all screens and dialogs, assembled from their own tables and the user's settings.
///
/// The keys of a context are assembled when they are first requested, because the first frame needs those of only one
/// screen.
final class KeyTable: Sendable {
  /// The table without settings.
  static let standard = KeyTable(Settings())

  private let settings: Settings
  private let bindings: [String: KeyBinding]
  private let contexts = Mutex<[KeyContext: ContextKeys]>([:])
  private let screens = Mutex<[KeyCommand]?>(nil)
  /// The key texts that were requested before, because each frame requests the same few.
  private let keyTexts = Mutex<[String: String]>([:])

  init(_ settings: Settings) {
    self.settings = settings
    bindings = Dictionary(settings.keys.map { ($0.name, $0) }) { $1 }
  }

  /// The commands of all screens, each of them once, in the order of the screens.
  var ofScreens: [KeyCommand] {
    if let known = screens.withLock({ $0 }) { return known }
    var known: [String: [KeyCommand]] = [:]
    let found = Screens.all.flatMap { screen in
      commands(in: screen.type.context).filter { command in
        guard known[command.name]?.contains(command) != true else { return false }
        known[command.name, default: []].append(command)
        return true
      }
    }
    screens.withLock { $0 = found }
    return found
  }

  /// Returns a text with the keys of the commands that it names: `{undo}` becomes `z`.
  func fill(_ text: String) -> String {
    // Bytes, not characters, because each frame has several of these texts.
    var filled = ""
    var rest = text[...]
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      filled += rest[..<start]
      rest = rest[rest.utf8.index(after: start)...]
      if let end = rest.utf8.firstIndex(of: UInt8(ascii: "}")), let key = keyText(of: String(rest[..<end])) {
        filled += key
        rest = rest[rest.utf8.index(after: end)...]
      } else {
        filled += "{"
      }
    }
    return filled + rest
  }

  /// Returns the description of a command, with the keys of other commands that it names.
  func sentence(of command: KeyCommand) -> String { fill(command.sentence) }

  /// Returns the keys of the first command with this name, or the line to type in the palette if it has no key.
  private func keyText(of name: String) -> String? {
    if let known = keyTexts.withLock({ $0[name] }) { return known }
    for screen in Screens.all {
      guard let command = commands(in: screen.type.context).first(where: { $0.name == name }) else {
        continue
      }
      let text = command.keyText.isEmpty ? ":" + name : command.keyText
      keyTexts.withLock { $0[name] = text }
      return text
    }
    return nil
  }

  subscript(context: KeyContext) -> ContextKeys {
    if let keys = contexts.withLock({ $0[context] }) { return keys }
    // Outside the lock, because a table may request another one.
    let keys = ContextKeys(table(of: context))
    contexts.withLock { $0[context] = keys }
    return keys
  }

  private func table(of context: KeyContext) -> [KeyCommand] {
    if let screen = Screens.all.first(where: { $0.type.context == context }) {
      return commands(of: screen.type)
    }
    let dialog = Dialog.all.lazy.compactMap { $0.keys[context] }.first
    if let dialog { return Self.dialog(dialog, bindings) + everywhere }
    return context == .filter ? Self.filterKeys + everywhere : []
  }

  private func commands(of screen: any Screen.Type) -> [KeyCommand] {
    let commands = (screen.keys + Self.paletteOnly).map { bindings[$0.name]?.bind($0) ?? $0 }
    let taken = Set(commands.flatMap(\.keys))
    let own = settings.commands.filter { $0.scope?.contains(screen.context) ?? true }
    return commands + own.map { $0.keyCommand(taken: taken) }
  }

  /// The commands that dialogs and the filter have too.
  private var everywhere: [KeyCommand] {
    [.leave, .redraw, .suspend].map {
      bindings[$0.name]?.withoutText.bind($0, usual: $0.keys, taken: []) ?? $0
    }
  }

  /// Returns the commands of a dialog.
  ///
  /// Commands that a screen has too, or that correspond to a screen's command, have the user's keys for it.
  private static func dialog(
    _ commands: [KeyCommand], _ bindings: [String: KeyBinding]
  ) -> [KeyCommand] {
    guard !bindings.isEmpty else { return commands }
    return commands.indices.map { index in
      let command = commands[index]
      let name =
        command.action.value is DialogAction ? "quit" : sameAsOnScreens[command.name] ?? command.name
      guard let binding = bindings[name], let usual = standard.ofScreens.first(where: { $0.name == name })
      else { return command }
      let taken = commands.indices.filter { $0 != index }.flatMap { commands[$0].keys }
      return binding.bind(command, usual: usual.keys, taken: taken)
    }
  }

  /// The commands of dialogs that do the same as a command of the screens with another name.
  private static let sameAsOnScreens = [
    "undo this": "undo", "the rule": "explain", "with another app": "why", "why these": "why",
    "copy ID": "copy",
  ]

  static var contexts: [KeyContext] {
    [.filter] + Screens.all.map { $0.type.context } + Dialog.all.flatMap { $0.keys.keys }
  }
  var names: [String] { ofScreens.map(\.name) }

  /// Returns all commands of a context, in the order of the key bar.
  func commands(in context: KeyContext) -> [KeyCommand] { self[context].commands }

  func find(_ key: KeyPress, in context: KeyContext) -> KeyCommand? {
    let keys = self[context]
    return keys.places(of: key).first.map { keys.commands[$0] }
  }

  private static let filterKeys: [KeyCommand] = [
    KeyCommand(
      ListAction.acceptFilter, [.enter], "Enter", "keep filter", name: "keep filter",
      "Keeps the filter and moves the focus back to the list."),
    KeyCommand(
      ListAction.clearFilter, [.escape], "Esc", "clear", name: "clear filter", "Shows all rows again."),
  ]

  private static let paletteOnly: [KeyCommand] =
    [
      KeyCommand(
        ClockAction.move, name: "clock", .offset, "Moves the lab's clock, or resets it.")
    ] + CallAction.paletteKeys + [
      KeyCommand(
        DoctorAction.open, name: "doctor", .path,
        "Checks the files of a real app: a project, a built app, a registration."),
      KeyCommand(NavigationAction.go, name: "go", .place, "Opens a screen by its path, as ssoterm tui does."),
    ] + KeyCommand.setRecord
}

extension KeyTable: Equatable {
  static func == (one: KeyTable, other: KeyTable) -> Bool {
    one === other || one.settings == other.settings
  }
}

/// The commands of one context in the order of the key bar, with precomputed values for each frame and each key.
struct ContextKeys: Equatable, Sendable {
  let commands: [KeyCommand]
  /// The positions of the commands for each key.
  private let places: [KeyPress: [Int]]
  /// Whether each command is the only one with its keys.
  private let haveOwnKeys: [Bool]
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
    haveOwnKeys = commands.map { $0.keys.allSatisfy { places[$0]?.count == 1 } }
    let bar = commands.enumerated().filter { !$1.label.isEmpty }.map { BarKey($1, at: $0) }
    self.bar = bar.filter(\.isAlwaysNamed) + bar.filter { !$0.isAlwaysNamed }
  }

  func places(of key: KeyPress) -> [Int] { places[key] ?? [] }

  /// Returns whether no other command has one of the keys of the command at a position.
  func hasOwnKeys(_ place: Int) -> Bool { haveOwnKeys[place] }
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
