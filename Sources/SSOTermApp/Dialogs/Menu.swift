extension KeyContext {
  static let copyMenu = KeyContext("copyMenu")
  static let exportMenu = KeyContext("exportMenu")
  static let sortMenu = KeyContext("sortMenu")
  static let columnMenu = KeyContext("columnMenu")
}

/// A pop-up of letters, in the corner above the key bar; each does one thing.
enum Menu: DialogComponent {
  case copy, export, sort, columns

  static let keys: [KeyContext: [KeyCommand]] = [
    .copyMenu: [.closeQuietly]
      + CopyItem.allCases.map { item in
        KeyCommand(
          CopyAction.copy(item), [.character(item.rawValue)], String(item.rawValue), item.words,
          name: "copy \(item.words)", "Copies the \(item.words).")
      },
    .exportMenu: [.closeQuietly]
      + ExportForm.allCases.map { form in
        KeyCommand(
          TraceAction.export(form), [.character(form.rawValue)], String(form.rawValue), form.word,
          name: "export \(form.word)", "Writes the trace as \(form.word).")
      },
    .sortMenu: [.closeQuietly] + digits, .columnMenu: [.closeQuietly] + digits,
  ]

  private static let digits = (0...9).map { number in
    KeyCommand(
      ColumnAction.pick(number), [.character(Character("\(number)"))], "\(number)", "",
      name: "column \(number)", number == 0 ? "In the order of the store." : "Column \(number).")
  }

  var context: KeyContext {
    switch self {
    case .copy: .copyMenu
    case .export: .exportMenu
    case .sort: .sortMenu
    case .columns: .columnMenu
    }
  }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let text = lines(model)
    let width = min(layout.size.width, max(30, (text.map { columnWidth($0.text) }.max() ?? 0) + 4))
    let height = min(layout.body.height, text.count + 2)
    let area = Rect(
      x: layout.size.width - width, y: layout.body.maxY - height, width: width, height: height)
    grid.lines(text, in: grid.panel(area, title, focused: true))
  }

  var title: String {
    switch self {
    case .copy: "Copy"
    case .export: "Write the trace as"
    case .sort: "Sort by"
    case .columns: "Columns"
    }
  }

  private func lines(_ model: AppModel) -> [PanelLine] {
    switch self {
    case .copy:
      return CopyItem.allCases.filter { CopyAction.copy($0).obstacle(in: model) == nil }.map { item in
        let value = item == .mermaid ? "" : model.selection.copies[item] ?? "! a secret"
        return PanelLine("\(item.rawValue)  \(item.words.padding(to: 16))\(middleTruncated(value, 28))")
      }
    case .export:
      return ExportForm.allCases.map {
        PanelLine("\($0.rawValue)  \($0.word.padding(to: 10))trace-….\($0.fileEnding)")
      }
    case .sort:
      let sorting = model.mainList.sorting
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
