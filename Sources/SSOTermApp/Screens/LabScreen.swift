import SSOLab
import SSOServer
import TerminalUI

/// The lab's records, and the fields of the selected one.
func drawLab(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  let inner = grid.panel(panels.first, "Lab \(model.recordCountText)", focused: model.panel == 0)
  if model.records.count == 0 {
    grid.emptyState(of: model.records, "record", ["Reading the lab…"], in: inner)
  } else {
    drawRecords(model, into: &grid, inner)
  }
  drawFields(model, into: &grid, panels.second)
}

extension AppModel {
  /// `14`, or `3 of 14` under a filter; headings are no records.
  fileprivate var recordCountText: String {
    let all = labRows.count { $0.record != nil }
    return records.isFiltered ? "\(records.matches.count { labRows[$0].record != nil }) of \(all)" : "\(all)"
  }
}

private func drawRecords(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  drawTable(
    into: &grid, rect: rect,
    columns: [
      TableColumn("", width: .flexible(min: 16, weight: 3)),
      TableColumn("", width: .flexible(min: 14, weight: 2), cut: .middle, priority: 1),
    ], rowCount: model.records.count,
    row: { index in
      switch model.labRows[model.records.matches[index]] {
      case .kind(let kind, let count): [TableCell("\(kind.plural) \(count)", .dim)]
      case .record(let row): [TableCell(" " + row.title), TableCell(row.name, .dim)]
      }
    }, state: model.records.state, focused: model.panel == 0, list: 0)
}

private func drawFields(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard let row = model.selectedLabRow else {
    _ = grid.panel(rect, "Fields", focused: model.panel == 1)
    return
  }
  let title = row.record?.title ?? row.kind.plural
  let inner = grid.panel(rect, title, trailing: row.record?.kind.rawValue ?? "", focused: model.panel == 1)
  guard row.record != nil || !model.fieldRows.isEmpty else {
    return grid.emptyState([row.kind.sentence], in: inner)
  }
  guard model.fields.count > 0 else {
    return grid.emptyState(of: model.fields, "field", [], in: inner)
  }
  let names = model.fieldRows.compactMap { if case .field(let field) = $0 { field.name.count } else { nil } }
  drawTable(
    into: &grid, rect: inner,
    columns: [
      TableColumn("", width: .fixed(min(names.max() ?? 0, inner.width / 2))),
      TableColumn("", width: .flexible(min: 10, weight: 1), cut: .middle),
    ], rowCount: model.fields.count,
    row: { index in
      switch model.fieldRows[model.fields.matches[index]] {
      case .field(let field):
        [
          TableCell(field.name, field.canChange ? .plain : .dim),
          TableCell(field.value ?? "-", field.canChange && field.value != nil ? .plain : .dim),
        ]
      // Drawn below, over both columns.
      case .deed: []
      }
    }, state: model.fields.state, focused: model.panel == 1, list: 1)
  drawDeeds(model, into: &grid, inner)
}

/// What can be done has no columns.
private func drawDeeds(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let visible = model.fields.state.visible(height: rect.height, count: model.fields.count)
  for index in visible {
    guard case .deed(let deed) = model.fieldRows[model.fields.matches[index]] else { continue }
    let line = rect.rows(index - visible.lowerBound, 1)
    let isSelected = index == model.fields.state.selection && model.panel == 1
    let style: Style = isSelected ? .selected : .accent
    grid.put("[ \(deed.words) ]", at: line.x + 2, line.y, width: line.width - 2, style: style)
  }
}
