extension KeyContext { static let effects = KeyContext("effects") }

/// What a change did, a line for each app.
struct Effects: DialogComponent {
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

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(84, layout.size.width)
    let text = drawn(width: width - 4)
    let area = layout.body.centred(width: width, height: min(layout.body.height, text.count + 2))
    let count = lines.count
    let inner = grid.window(
      area, "Effect", trailing: count == 1 ? "1 app" : "\(count) apps")
    grid.lines(text, in: inner)
  }

  private func drawn(width: Int) -> [PanelLine] {
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
