import SSOCore
import SSOLab
import SSOServer
import TerminalUI

/// Who sees whom (fact sheet §2.4): the pairs, and of the selected one every condition.
func drawSights(_ sights: Sights, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  let names = model.appNames
  let inner = grid.panel(
    layout.body, "Who sees what another app's sign-in left", trailing: sights.list.countText, focused: true)
  guard sights.list.count > 0 else {
    return grid.emptyState(["It takes two apps. This device has fewer."], in: inner)
  }
  let room = inner.height - (layout.isSingle ? inner.height / 2 : min(10, inner.height / 2))
  let (list, foot) = inner.splitTop(min(sights.list.count + 1, room))
  drawTable(
    into: &grid, rect: list,
    columns: [
      TableColumn("SIGNED IN WITH", width: .flexible(min: 10, weight: 1)),
      TableColumn("LOOKING FROM", width: .flexible(min: 10, weight: 1)),
      TableColumn("SEES", width: .fixed(7)),
      TableColumn("SO", width: .flexible(min: 12, weight: 2), priority: 1),
    ], rowCount: sights.list.count,
    row: { index in
      let cell = sights.cells[sights.list.matches[index]]
      let style: Style = cell.sight == .nothing ? .warning : .good
      return [
        TableCell(names[cell.signedIn] ?? cell.signedIn), TableCell(names[cell.looking] ?? cell.looking),
        TableCell(cell.sight.rawValue, style), TableCell(cell.words, .dim),
      ]
    }, state: sights.list.state, list: 0)
  guard let selected = sights.selected else { return }
  let width = foot.width - 2
  let head = wrapped(
    "\(names[selected.looking] ?? selected.looking) sees \(selected.words)", width, indent: "  ")
  // Where there is little room, the condition that decides is the one to see.
  let failed = selected.checks.filter { $0.verdict == .failed }
  let checks = layout.isSingle && !failed.isEmpty ? failed : selected.checks
  grid.lines(
    [PanelLine("")] + head.map { PanelLine($0) } + checkLines(checks, width: width), in: foot)
}

extension AppModel {
  /// Display names by bundle ID.
  var appNames: [String: String] {
    Dictionary(appRows.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  }
}
