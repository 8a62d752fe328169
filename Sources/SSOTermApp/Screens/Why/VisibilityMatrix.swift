import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let visibility = KeyContext("visibility") }

/// The matrix of what an app can use of another app's sign-in: the pairs of apps, and every condition of the selected
/// pair.
struct VisibilityMatrix: ListDialog {
  var cells: [Visibility]
  var list = RowList()

  init(_ cells: [Visibility], names: [String: String]) {
    self.cells = cells
    list.replace(
      ids: cells.map { $0.signedIn + " " + $0.looking },
      texts: cells.map { cell in
        [cell.signedIn, cell.looking].map { names[$0] ?? $0 }.joined(separator: " ") + " " + cell.displayText
      })
  }

  var selected: Visibility? { list.selectedRow.map { cells[$0] } }

  static let keys: [KeyContext: [KeyCommand]] = [
    .visibility: [
      KeyCommand(
        VisibilityAction.why, [.enter, .character("w")], "Enter", "why", name: "why these",
        "Shows each condition for sharing a sign-in between the two apps."),
      .close(
        [.escape, .character("q"), .character("m")], "close", name: "close matrix", "Goes back to the screen."
      ),
      .help,
    ]
  ]

  var context: KeyContext { .visibility }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let names = model.lab.appNames
    let inner = grid.window(
      layout.body, "What an app can use right after another's sign-in (keychain)",
      trailing: list.countText)
    guard list.count > 0 else {
      return grid.emptyState(["This needs two apps. This device has fewer."], in: inner)
    }
    let room = inner.height - (layout.isSingle ? inner.height / 2 : min(10, inner.height / 2))
    let (table, foot) = inner.splitTop(min(list.count + 1, room))
    drawTable(
      into: &grid, rect: table,
      columns: [
        TableColumn("SIGNED IN WITH", width: .flexible(min: 10, weight: 1)),
        TableColumn("USED BY", width: .flexible(min: 10, weight: 1)),
        TableColumn("ACCESS", width: .fixed(7)),
        TableColumn("RESULT", width: .flexible(min: 12, weight: 2), priority: 1),
      ], rowCount: list.count,
      row: { index in
        let cell = cells[list.matches[index]]
        let style: Style = cell.extent == .nothing ? .warning : .good
        return [
          TableCell(names[cell.signedIn] ?? cell.signedIn), TableCell(names[cell.looking] ?? cell.looking),
          TableCell(cell.extent.rawValue, style), TableCell(cell.displayText, .dim),
        ]
      }, state: list.state, list: 0)
    guard let selected else { return }
    let width = foot.width - 2
    let head = wrapped(
      "\(names[selected.looking] ?? selected.looking): \(selected.displayText)", width, indent: "  ")
    // If there is little room, show the condition that decides.
    let failed = selected.checks.filter { $0.verdict == .failed }
    let checks = layout.isSingle && !failed.isEmpty ? failed : selected.checks
    grid.lines(
      [PanelLine("")] + head.map { PanelLine($0) } + checkLines(checks, width: width)
        + (layout.isSingle
          ? [] : wrapped(Visibility.assumption, width, indent: "").map { PanelLine($0, .dim) }),
      in: foot)
  }
}

enum VisibilityAction: FeatureAction {
  var keyGroup: KeyGroup { .explain }
  case show, why

  func obstacle(in model: AppModel) -> String? {
    self == .why && model.topDialog(VisibilityMatrix.self)?.selected == nil ? "select an app first" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    if self == .show { return [.load(.visibility)] }
    let pair = model.topDialog(VisibilityMatrix.self)?.selected
    return pair.map { [.load(.why(.apps($0.looking, $0.signedIn)))] } ?? []
  }
}
