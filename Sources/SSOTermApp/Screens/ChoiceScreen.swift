import TerminalUI

/// A list to choose from; typing narrows it.
func drawChoice(_ choice: Choice, into grid: inout Grid, _ layout: Layout) {
  let values = choice.options.map { columnWidth($0.value) }.max() ?? 0
  let wanted = values + (choice.options.map { columnWidth($0.detail) }.max() ?? 0) + 8
  let width = min(layout.size.width, max(40, min(84, wanted), columnWidth(choice.title) + 14))
  let area = layout.body.centred(width: width, height: min(layout.body.height, choice.options.count + 3))
  let inner = grid.panel(
    area, choice.title, trailing: choice.typed.map { "Enter: \($0)" } ?? choice.list.countText, focused: true)
  let (search, rest) = inner.splitTop(1)
  drawSearch(choice.list.query, prompt: "type:", into: &grid, search)
  drawTable(
    into: &grid, rect: rest,
    columns: [
      TableColumn(
        "", width: .fixed(min(rest.width - 4, values))),
      TableColumn("", width: .flexible(min: 8, weight: 1), priority: 1),
    ], rowCount: choice.list.count,
    row: { index in
      let option = choice.options[choice.list.matches[index]]
      return [TableCell(option.value), TableCell(option.detail, .dim)]
    }, state: choice.list.state, list: 0)
}
