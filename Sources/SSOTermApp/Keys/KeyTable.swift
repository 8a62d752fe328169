/// The keys of all screens and dialogs, put together from their own tables and from the person's settings.
struct KeyTable: Equatable, Sendable {
  /// Without settings.
  static let standard = KeyTable(Settings())

  private let byContext: [KeyContext: ContextKeys]

  /// The commands of all screens, each once, in the order of the screens.
  let ofScreens: [KeyCommand]

  private let keyTexts: KeyTexts

  /// A text with the keys of the commands that it names: `{undo}` becomes `z`.
  func fill(_ text: String) -> String { keyTexts.fill(text) }
  /// An advice of the command line, as it is followed on the screens.
  func onScreens(_ advice: String) -> String { keyTexts.onScreens(advice) }

  init(_ settings: Settings) {
    let bindings = Dictionary(settings.keys.map { ($0.name, $0) }) { $1 }
    let everywhere = Self.everywhere.map {
      bindings[$0.name]?.withoutText.bind($0, usual: $0.keys, taken: []) ?? $0
    }
    var table = [KeyContext.filter: Self.filterKeys + everywhere]
    for screen in Screens.all {
      let context = screen.type.context
      let commands = (screen.type.keys + Self.paletteOnly).map { bindings[$0.name]?.bind($0) ?? $0 }
      let taken = Set(commands.flatMap(\.keys))
      let own = settings.commands.filter { $0.scope?.contains(context) ?? true }
      table[context] = commands + own.map { $0.keyCommand(taken: taken) }
    }
    for dialog in Dialog.all {
      for (context, keys) in dialog.keys { table[context] = Self.dialog(keys, bindings) + everywhere }
    }
    let texts = KeyTexts(of: Screens.all.flatMap { table[$0.type.context] ?? [] })
    byContext = table.mapValues { commands in
      ContextKeys(
        commands.map { command in
          var command = command
          command.sentence = texts.fill(command.sentence)
          return command
        })
    }
    keyTexts = texts
    let filled = byContext
    ofScreens = Screens.all.reduce(into: []) { all, screen in
      all += (filled[screen.type.context]?.commands ?? []).filter { command in
        !all.contains { $0.name == command.name && $0 == command }
      }
    }
  }

  /// The commands of a dialog; those that a screen has too, or that follow one of a screen, have the person's keys for it.
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

  /// The commands of dialogs that do what a command of the screens does under another name.
  private static let sameAsOnScreens = [
    "undo this": "undo", "the rule": "explain", "with another app": "why", "why these": "why",
    "copy ID": "copy",
  ]

  var contexts: [KeyContext] { Array(byContext.keys) }
  var names: [String] { ofScreens.map(\.name) }

  private static let none = ContextKeys([])

  subscript(context: KeyContext) -> ContextKeys { byContext[context] ?? Self.none }

  /// All commands of a context, in the order of the key bar.
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

  private static let everywhere: [KeyCommand] = [.leave, .redraw, .suspend]

  private static let paletteOnly: [KeyCommand] =
    [
      KeyCommand(
        ClockAction.move, name: "clock", .offset, "Moves the lab's clock, or takes that back.")
    ] + CallAction.paletteKeys + [
      KeyCommand(
        DoctorAction.open, name: "doctor", .path,
        "Judges the files of a real app: a project, a built app, a registration."),
      KeyCommand(NavigationAction.go, name: "go", .place, "Opens a screen by its path, as ssoterm tui does."),
    ] + KeyCommand.setRecord
}
