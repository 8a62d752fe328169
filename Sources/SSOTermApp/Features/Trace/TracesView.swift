extension TracesScreen {
  func panels(in layout: Layout) -> Layout.Panels { Layout.Panels(first: layout.body) }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let sort = list.sorting.map { $0.text + "  " } ?? ""
    let inner = grid.panel(
      panels.first, "Traces \(list.countText)",
      trailing: sort + (follows ? "following, F stops" : "F follow"),
      focused: true)
    guard list.count > 0 else {
      return grid.emptyState(
        of: list, "trace",
        [
          "No trace yet.",
          shared.keys.fill("Press {apps}, then {silent} or {signin} on an app: every call writes one."),
        ],
        in: inner)
    }
    let columns = list.shown(TraceColumn.self)
    drawTable(
      into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: list.count,
      row: { index in
        let trace = rows[list.matches[index]]
        return columns.map { $0.cell(of: trace, in: shared) }
      }, state: list.state, list: 0)
  }
}
