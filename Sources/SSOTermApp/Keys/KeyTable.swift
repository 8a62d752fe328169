/// The keys of all screens and dialogs, put together from their own tables.
enum KeyTable {
  /// Sorted out once: every key press and every frame asks.
  private static let byContext: [KeyContext: [KeyCommand]] = {
    var table = [KeyContext.filter: filterKeys + everywhere]
    for screen in Screens.all { table[screen.type.context] = screen.type.keys + paletteOnly }
    for dialog in Dialog.all {
      for (context, keys) in dialog.keys { table[context] = keys + everywhere }
    }
    return table
  }()

  static var contexts: [KeyContext] { Array(byContext.keys) }

  /// The commands of all screens, each once, in the order of the screens.
  static let ofScreens = Screens.all.reduce(into: [KeyCommand]()) { all, screen in
    all += commands(in: screen.type.context).filter { !all.contains($0) }
  }

  /// All commands of a context, in the order of the key bar.
  static func commands(in context: KeyContext) -> [KeyCommand] { byContext[context] ?? [] }

  static func find(_ key: KeyPress, in context: KeyContext) -> KeyCommand? {
    commands(in: context).first { $0.keys.contains(key) }
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
        ClockAction.move, name: "clock", .offset, "Moves the lab's clock, or sets it back to real time.")
    ] + CallAction.paletteKeys + [
      KeyCommand(
        DoctorAction.open, name: "doctor", .path,
        "Judges the files of a real app: a project, a built app, a registration."),
      KeyCommand(NavigationAction.go, name: "go", .place, "Opens a screen by its path, as ssoterm tui does."),
    ] + KeyCommand.setRecord
}
