import TerminalUI

/// A pop-up of letters, in the corner above the key bar.
func drawMenu(_ menu: Menu, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  let lines = menu.lines(model)
  let width = min(layout.size.width, max(30, (lines.map { columnWidth($0.text) }.max() ?? 0) + 4))
  let height = min(layout.body.height, lines.count + 2)
  let area = Rect(
    x: layout.size.width - width, y: layout.body.maxY - height, width: width, height: height)
  grid.lines(lines, in: grid.panel(area, menu.title, focused: true))
}

extension Menu {
  var title: String {
    switch self {
    case .copy: "Copy"
    case .export: "Write the trace as"
    case .sort: "Sort by"
    case .columns: "Columns"
    }
  }

  fileprivate func lines(_ model: AppModel) -> [PanelLine] {
    let behind = model.behind
    switch self {
    case .copy:
      return CopyItem.allCases.filter { behind.canCopy($0) }.map { item in
        let value = item == .mermaid ? "" : behind.copyText(item) ?? "! a secret"
        return PanelLine("\(item.rawValue)  \(item.words.padding(to: 16))\(middleTruncated(value, 28))")
      }
    case .export:
      return ExportForm.allCases.map {
        PanelLine("\($0.rawValue)  \($0.word.padding(to: 10))trace-….\($0.fileEnding)")
      }
    case .sort:
      let sorting = model.sorting[model.screenContext]
      return model.columns.enumerated().map { index, column in
        let isHere = sorting?.column == column.title
        let order = !isHere ? "" : sorting?.isDescending == true ? "v" : "^"
        return PanelLine("\(index + 1)  \(column.title.padding(to: 14))\(order)", isHere ? .bold : .plain)
      } + [PanelLine("0  as the store has it", .dim)]
    case .columns:
      return model.columns.enumerated().map { index, column in
        PanelLine(
          "\(index + 1)  \(column.isShown ? "[x]" : "[ ]") \(column.title)", column.isShown ? .plain : .dim)
      } + [PanelLine("0  all of them", .dim)]
    }
  }
}
