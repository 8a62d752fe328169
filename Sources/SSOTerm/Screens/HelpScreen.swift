import SSOModel
import TerminalUI

/// The keys of a screen; typing narrows them.
func drawHelp(_ help: Help, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  let behind = model.withoutTopDialog
  let inner = grid.panel(
    layout.body, "Keys that work here", trailing: help.list.countText, focused: true)
  let (search, rest) = inner.splitTop(1)
  drawSearch(help.list, prompt: "filter:", into: &grid, search)
  let commands = help.commands
  let (list, foot) = rest.splitBottom(layout.isSingle ? 2 : 4)
  drawTable(
    into: &grid, rect: list,
    columns: [
      TableColumn("KEY", width: .fixed(6)), TableColumn("WHAT", width: .flexible(min: 20, weight: 1)),
      TableColumn("COMMAND", width: .fixed(18), priority: 1),
    ], rowCount: help.list.count,
    row: { index in
      let command = commands[help.list.matches[index]]
      let style: Style = behind.obstacle(to: command.action) == nil ? .plain : .dim
      return [
        TableCell(command.keyText, .accent), TableCell(command.sentence, style),
        TableCell(":" + command.name, .dim),
      ]
    }, state: help.list.state)
  drawExplanation(help.selected, behind, into: &grid, foot)
}

/// The commands by name; typing narrows them.
func drawPalette(_ palette: Palette, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  let area = layout.body.centred(width: min(64, layout.size.width), height: min(18, layout.body.height))
  let inner = grid.panel(area, "Command", trailing: palette.list.countText, focused: true)
  let (search, rest) = inner.splitTop(1)
  drawSearch(palette.list, prompt: ":", into: &grid, search)
  let commands = palette.commands
  let (list, foot) = rest.splitBottom(layout.isSingle ? 2 : 3)
  drawTable(
    into: &grid, rect: list,
    columns: [
      TableColumn("", width: .flexible(min: 18, weight: 1)), TableColumn("", width: .fixed(6), align: .right),
    ], rowCount: palette.list.count,
    row: { index in
      let command = commands[palette.list.matches[index]]
      return [TableCell(command.name), TableCell(command.keyText, .accent)]
    }, state: palette.list.state)
  drawExplanation(palette.selected, model.withoutTopDialog, into: &grid, foot)
}

private func drawSearch(_ list: RowList, prompt: String, into grid: inout Grid, _ row: Rect) {
  grid.put(prompt, at: row.x + 1, row.y, style: .accent)
  let x = row.x + 2 + prompt.count
  list.query.draw(into: &grid, at: Rect(x: x, y: row.y, width: row.maxX - x - 1, height: 1), focused: true)
}

private func drawExplanation(_ command: KeyCommand?, _ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard let command else { return grid.emptyState(["No command matches."], in: rect) }
  var lines = [PanelLine("")] + wrapped(command.sentence, rect.width - 2).map { PanelLine($0) }
  if let obstacle = model.obstacle(to: command.action) {
    lines.append(PanelLine("Not available now: \(obstacle).", .warning))
  }
  grid.lines(lines, in: rect)
}

extension AppModel {
  /// The model as it is behind the dialog that takes the keys.
  fileprivate var withoutTopDialog: AppModel {
    var model = self
    model.dialogs = Array(dialogs.dropLast())
    return model
  }
}
