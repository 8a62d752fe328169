extension KeyContext { static let effects = KeyContext("effects") }

/// The effects of a change, with a line for each app.
struct Effects: TextWindow {
  var summary: String
  var lines: [String]

  static let keys: [KeyContext: [KeyCommand]] = [
    .effects: [
      KeyCommand(
        EffectsAction.undo, [.escape, .character("z")], "Esc", "undo", name: "undo this",
        "Undoes the change, as {undo} does."),
      .close(
        [.enter, .character("q")], "keep it", name: "keep this",
        "Keeps the change; {undo} on the screen can still undo it.", keyText: "Enter"),
      .storyNext,
      .help,
    ]
  ]

  var context: KeyContext { .effects }
  var title: String { "Effect" }
  var remark: String { counted(lines.count, "app") }

  func lines(width: Int) -> [PanelLine] {
    wrapped("✓ " + summary, width, indent: "  ").map { PanelLine($0, .good) } + [PanelLine("")]
      + lines.flatMap { wrapped("→ " + $0, width, indent: "  ") }.map { PanelLine($0, .accent) }
  }
}

enum EffectsAction: FeatureAction {
  case undo

  var changesLab: Bool { true }

  func run(on model: inout AppModel) -> [Command] {
    model.dialogs.removeLast()
    return model.shared.begin("Undoing", .undo)
  }
}
