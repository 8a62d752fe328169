import TerminalUI

extension KeyContext {
  static let copyMenu = KeyContext("copyMenu")
  static let exportMenu = KeyContext("exportMenu")
  static let sortMenu = KeyContext("sortMenu")
  static let columnMenu = KeyContext("columnMenu")
}

/// A menu in the corner above the key bar.
///
/// Each letter does one thing, and so does Enter on a row.
struct Menu: DialogComponent {
  enum Kind { case copy, export, sort, columns }

  var kind: Kind
  var state = ListState()

  init(_ kind: Kind) { self.kind = kind }

  static let keys: [KeyContext: [KeyCommand]] = [
    .copyMenu: shared
      + CopyItem.allCases.map { item in
        KeyCommand(
          CopyAction.copy(item), [.character(item.rawValue)], String(item.rawValue), item.displayText,
          name: "copy \(item.displayText)", "Copies the \(item.displayText).")
      },
    .exportMenu: shared
      + ExportForm.allCases.map { form in
        KeyCommand(
          TraceAction.export(form), [.character(form.rawValue)], String(form.rawValue), form.word,
          name: "export \(form.word)", "Writes the trace as \(form.word).")
      },
    .sortMenu: shared + digits, .columnMenu: shared + digits,
  ]

  private static let shared: [KeyCommand] = [
    KeyCommand(
      MenuAction.choose, [.enter], "Enter", "choose", name: "choose row",
      "Runs the action of the selected row."),
    DialogAction.closeQuietly,
  ]

  private static let digits = (0...9).map { number in
    KeyCommand(
      ColumnAction.pick(number), [.character(Character("\(number)"))], "\(number)", "",
      name: "column \(number)", number == 0 ? "In the order of the store." : "Column \(number).")
  }

  var context: KeyContext {
    switch kind {
    case .copy: .copyMenu
    case .export: .exportMenu
    case .sort: .sortMenu
    case .columns: .columnMenu
    }
  }

  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let count = rows(in: model).count
    return state.handle(key, count: count, height: count)
  }

  mutating func click(row: Int) { state.selection = row }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let rows = rows(in: model)
    let texts = rows.map { "\($0.letter)  \($0.text)" }
    let width = min(layout.size.width, max(30, (texts.map { columnWidth($0) }.max() ?? 0) + 6))
    let height = min(layout.body.height, rows.count + 2)
    let area = Rect(
      x: layout.size.width - width, y: layout.body.maxY - height, width: width, height: height)
    drawTable(
      into: &grid, rect: grid.window(area, title),
      columns: [TableColumn("", width: .flexible(min: 10, weight: 1))], rowCount: rows.count,
      row: { [TableCell(texts[$0], rows[$0].style)] }, state: state, list: 0)
  }

  var title: String {
    switch kind {
    case .copy: "Copy"
    case .export: "Write the trace as"
    case .sort: "Sort by"
    case .columns: "Columns"
    }
  }
}

extension Menu {
  /// A row that can be chosen by its letter, or by Enter.
  struct Row {
    var letter: Character
    var text: String
    var style: Style = .plain
    var action: any FeatureAction
  }

  func rows(in model: AppModel) -> [Row] {
    switch kind {
    case .copy:
      let room = max(28, model.size.width - 30)
      return CopyItem.allCases.filter { CopyAction.copy($0).obstacle(in: model) == nil }.map { item in
        let value = item == .mermaid ? "" : model.selection.copies[item] ?? "! a secret"
        return Row(
          letter: item.rawValue, text: item.displayText.padding(to: 16) + middleTruncated(value, room),
          action: CopyAction.copy(item))
      }
    case .export:
      let number = model.selection.trace.map { "\($0)" } ?? "…"
      return ExportForm.allCases.map {
        Row(
          letter: $0.rawValue, text: $0.word.padding(to: 10) + "trace-\(number).\($0.fileEnding)",
          action: TraceAction.export($0))
      }
    case .sort:
      let sorting = model.mainList.sorting
      return columns(model, last: "as the store has it") { column in
        let isHere = sorting?.column == column.title
        let order = !isHere ? "" : sorting?.isDescending == true ? "v" : "^"
        return (column.title.padding(to: 14) + order, isHere ? .bold : .plain)
      }
    case .columns:
      return columns(model, last: "all of them") { column in
        let state = column.isShown ? column.hasRoom ? "" : "  no room in this window" : ""
        return ("\(column.isShown ? "[x]" : "[ ]") \(column.title)\(state)", column.hasRoom ? .plain : .dim)
      }
    }
  }

  private func columns(
    _ model: AppModel, last: String, _ line: (ColumnFacts) -> (String, Style)
  ) -> [Row] {
    model.columns.enumerated().map { index, column in
      let (text, style) = line(column)
      return Row(
        letter: Character("\(index + 1)"), text: text, style: style, action: ColumnAction.pick(index + 1))
    } + [Row(letter: "0", text: last, style: .dim, action: ColumnAction.pick(0))]
  }
}

enum MenuAction: FeatureAction {
  /// Enter: runs the action of the selected row.
  case choose

  func run(on model: inout AppModel) -> [Command] {
    guard let menu = model.topDialog(Menu.self) else { return [] }
    let rows = menu.rows(in: model)
    return rows.indices.contains(menu.state.selection)
      ? rows[menu.state.selection].action.run(on: &model) : []
  }
}
