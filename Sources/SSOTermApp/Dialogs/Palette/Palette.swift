extension KeyContext { static let palette = KeyContext("palette") }

/// The command line of the screens.
struct Palette: DialogComponent {
  /// The screen whose commands are offered first.
  var screen: KeyContext
  var field = TextField()
  var state = ListState()
  /// The number of lines back in the history that the field's text is from, or 0 while it is being typed.
  var age = 0
  private var draft = ""

  let table: KeyTable

  init(screen: KeyContext, _ table: KeyTable) {
    self.screen = screen
    self.table = table
  }

  /// The screen's own commands, followed by commands of other screens for which an argument is sufficient.
  var commands: [KeyCommand] {
    let own = table.commands(in: screen).filter { $0.action != Action(PaletteAction.open) }
    let names = Set(own.map(\.name))
    let others = table.ofScreens.filter { !names.contains($0.name) && Self.standsAlone($0) }
    return own + others
  }

  /// Returns whether the argument alone determines the target, whatever is selected.
  private static func standsAlone(_ command: KeyCommand) -> Bool {
    switch command.argument {
    case .app, .call, .account: true
    default: false
    }
  }

  func needsArgument(_ command: KeyCommand) -> Bool {
    command.keys.isEmpty || !table.commands(in: screen).contains(command)
  }

  /// Handles a key that edits the line, and returns whether the key was used.
  mutating func type(_ key: KeyPress) -> Bool {
    guard field.handle(key) else { return false }
    edited()
    return true
  }

  mutating func paste(_ text: String) {
    field.insert(text)
    edited()
  }

  private mutating func edited() {
    age = 0
    state = ListState()
  }

  mutating func set(_ line: String) {
    field = TextField(line)
    edited()
  }

  /// Moves up in the list and, from its top, into the history.
  ///
  /// Down leads back the same way.
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let count = suggestions(in: model.behind).count
    let (history, height) = (model.history, model.layout.paletteRows)
    switch key {
    case .up where state.selection == 0:
      guard age < history.count else { return true }
      if age == 0 { draft = field.text }
      recall(age + 1, history)
    case .down where age > 0: recall(age - 1, history)
    case .up, .down, .pageUp, .pageDown: return state.handle(key, count: count, height: height)
    default: return false
    }
    return true
  }

  private mutating func recall(_ lines: Int, _ history: [String]) {
    age = lines
    field = TextField(lines == 0 ? draft : history[history.count - lines])
    state = ListState()
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .palette: [
      KeyCommand(
        PaletteAction.complete, [.tab], "Tab", "complete", name: "complete",
        "Completes the name or the argument."),
      KeyCommand(PaletteAction.run, [.enter], "Enter", "run", name: "run", "Runs the selected command."),
      KeyCommand(
        PaletteAction.copyCommand, [.control("x")], "C-x", "copy as CLI", name: "copy as command",
        "Copies what the command line of ssoterm would be."),
      .close([.escape], "close", name: "close list", "Goes back to the screen."),
    ]
  ]

  var context: KeyContext { .palette }
  mutating func click(row: Int) { state.selection = row }

  /// Returns the suggestion that Enter would run.
  func chosen(in model: AppModel) -> Suggestion? {
    let all = suggestions(in: model)
    return all.indices.contains(state.selection) ? all[state.selection] : nil
  }
}
