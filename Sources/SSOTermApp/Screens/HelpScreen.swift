import SSOServer
import TerminalUI

/// The keys of a screen; typing narrows them.
func drawHelp(_ help: Help, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  let behind = model.behind
  let inner = grid.panel(
    layout.body, "Keys that work here", trailing: help.list.countText, focused: true)
  let (search, rest) = inner.splitTop(1)
  drawSearch(help.list.query, prompt: "filter:", into: &grid, search)
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
    }, state: help.list.state, list: 0)
  drawExplanation(help.selected, behind, into: &grid, foot)
}

/// A line to type into, behind its prompt.
func drawSearch(_ field: TextField, prompt: String, into grid: inout Grid, _ row: Rect) {
  grid.put(prompt, at: row.x + 1, row.y, style: .accent)
  let x = row.x + 2 + prompt.count
  field.draw(into: &grid, at: Rect(x: x, y: row.y, width: row.maxX - x - 1, height: 1), focused: true)
}

private func drawExplanation(_ command: KeyCommand?, _ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard let command else { return grid.emptyState(["No key matches."], in: rect) }
  var lines = [PanelLine("")] + wrapped(command.sentence, rect.width - 2).map { PanelLine($0) }
  if let obstacle = model.obstacle(to: command.action) {
    lines.append(PanelLine("Not available now: \(obstacle).", .warning))
  }
  grid.lines(lines, in: rect)
}
