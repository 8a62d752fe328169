extension LabScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    layout.pair(left: layout.size.width * 9 / 20, top: layout.body.height * 2 / 5)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let inner = grid.panel(panels.first, "Lab \(recordCountText)", focused: shared.panel == 0)
    if records.count == 0 {
      grid.emptyState(of: records, "record", ["Reading the lab…"], in: inner)
    } else {
      drawRecords(shared, into: &grid, inner)
    }
    drawFields(shared, into: &grid, panels.second)
  }

  func countText(inPanel panel: Int) -> String { panel == 0 ? recordCountText : fields.countText }

  /// The number of records: `14`, or `3 of 14` under a filter.
  ///
  /// Headings are not counted.
  private var recordCountText: String {
    let all = rows.count { $0.record != nil }
    return records.isFiltered ? "\(records.matches.count { rows[$0].record != nil }) of \(all)" : "\(all)"
  }

  private func drawRecords(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect,
      columns: [
        TableColumn("", width: .flexible(min: 16, weight: 3)),
        TableColumn("", width: .flexible(min: 14, weight: 2), cut: .middle, priority: 1),
      ], rowCount: records.count,
      row: { index in
        switch rows[records.matches[index]] {
        case .kind(let kind, let count): [TableCell("\(kind.plural) \(count)", .dim)]
        case .record(let row): [TableCell(" " + row.title), TableCell(row.name, .dim)]
        }
      }, state: records.state, focused: shared.panel == 0, list: 0)
  }

  private func drawFields(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard let row = selected else {
      _ = grid.panel(rect, "Fields", focused: shared.panel == 1)
      return
    }
    let title = row.record?.title ?? row.kind.plural
    let inner = grid.panel(rect, title, trailing: row.record?.kind.rawValue ?? "", focused: shared.panel == 1)
    guard row.record != nil || !fieldRows.isEmpty else {
      return grid.emptyState([row.kind.sentence], in: inner)
    }
    guard fields.count > 0 else {
      return grid.emptyState(of: fields, "field", [], in: inner)
    }
    let names = fieldRows.compactMap { if case .field(let field) = $0 { field.name.count } else { nil } }
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .fixed(min(names.max() ?? 0, inner.width / 2))),
        TableColumn("", width: .flexible(min: 10, weight: 1), cut: .middle),
      ], rowCount: fields.count,
      row: { index in
        switch fieldRows[fields.matches[index]] {
        case .field(let field):
          [
            TableCell(field.name, field.canChange ? .plain : .dim),
            TableCell(field.value ?? "-", field.canChange && field.value != nil ? .plain : .dim),
          ]
        // Drawn below, across both columns.
        case .action: []
        }
      }, state: fields.state, focused: shared.panel == 1, list: 1)
    drawActions(shared, into: &grid, inner)
  }

  /// Draws the actions, which have no columns.
  private func drawActions(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let visible = fields.state.visible(height: rect.height, count: fields.count)
    for index in visible {
      guard case .action(let action) = fieldRows[fields.matches[index]] else { continue }
      let line = rect.rows(index - visible.lowerBound, 1)
      let isSelected = index == fields.state.selection && shared.panel == 1
      let style: Style = isSelected ? .selected : .accent
      grid.put("[ \(action.words) ]", at: line.x + 2, line.y, width: line.width - 2, style: style)
    }
  }
}
