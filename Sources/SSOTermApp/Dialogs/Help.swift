extension KeyContext { static let help = KeyContext("help") }

/// The keys that work behind it; typing narrows them.
struct Help: ListDialog {
  /// All of the context's commands that have a key; those that can do nothing now come last.
  var commands: [KeyCommand]
  var list = RowList()

  static let keys: [KeyContext: [KeyCommand]] = [
    .help: [
      KeyCommand(HelpAction.run, [.enter], "Enter", "run", name: "run", "Runs the selected command."),
      .close([.escape], "close", name: "close list", "Goes back to the screen."),
    ]
  ]

  init(_ model: AppModel) {
    let all = KeyTable.commands(in: model.context).filter { !$0.keyText.isEmpty }
    let can = all.filter { model.obstacle(to: $0.action.value) == nil }
    commands = can + all.filter { !can.contains($0) }
    list.replace(
      ids: commands.map(\.name),
      texts: commands.map { "\($0.keyText) \($0.name) \($0.sentence) @\($0.keyText)" })
  }

  var context: KeyContext { .help }
  var selected: KeyCommand? { list.selectedRow.map { commands[$0] } }
  mutating func type(_ key: KeyPress) -> Bool { list.typeFilter(key) }
  mutating func paste(_ text: String) { list.paste(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let behind = model.behind
    let inner = grid.window(
      layout.body, "Keys that work here", trailing: list.countText)
    let (search, rest) = inner.splitTop(1)
    drawSearch(list.query, prompt: "filter:", into: &grid, search)
    let (table, foot) = rest.splitBottom(layout.isSingle ? 2 : 4)
    drawTable(
      into: &grid, rect: table,
      columns: [
        TableColumn("KEY", width: .fixed(6)), TableColumn("WHAT", width: .flexible(min: 20, weight: 1)),
        TableColumn("COMMAND", width: .fixed(18), priority: 1),
      ], rowCount: list.count,
      row: { index in
        let command = commands[list.matches[index]]
        let style: Style = behind.obstacle(to: command.action.value) == nil ? .plain : .dim
        return [
          TableCell(command.keyText, .accent), TableCell(command.sentence, style),
          TableCell(":" + command.name, .dim),
        ]
      }, state: list.state, list: 0)
    drawExplanation(selected, behind, into: &grid, foot)
  }

  private func drawExplanation(_ command: KeyCommand?, _ model: AppModel, into grid: inout Grid, _ rect: Rect)
  {
    guard let command else { return grid.emptyState(["No key matches."], in: rect) }
    var lines = [PanelLine("")] + wrapped(command.sentence, rect.width - 2).map { PanelLine($0) }
    if let obstacle = model.obstacle(to: command.action.value) {
      lines.append(PanelLine("Not available now: \(obstacle).", .warning))
    }
    grid.lines(lines, in: rect)
  }
}

enum HelpAction: FeatureAction {
  case open, run

  var keyGroup: KeyGroup { self == .open ? .everywhere : .act }

  func run(on model: inout AppModel) -> [Command] {
    if self == .open {
      model.shared.open(Help(model))
      return []
    }
    guard let command = model.topDialog(Help.self)?.selected else { return [] }
    model.dialogs.removeLast()
    return model.attempt(command)
  }
}
