extension StoryScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    // The names of the steps take precedence, because the notes beside them wrap.
    let width = layout.size.width
    guard width >= 100 else { return layout.pair(left: width * 27 / 40, top: layout.body.height / 2) }
    // The number and the result are beside a title.
    let longest = story?.steps.map { columnWidth($0.title) }.max() ?? 0
    let names = min(width - 38, max(width * 3 / 5, longest + 26))
    return layout.pair(left: names, top: layout.body.height / 2)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    guard let story else { return }
    let told = "\(story.reports.count) of \(story.steps.count) done"
    let inner = grid.panel(panels.first, "Story", trailing: told, focused: shared.panel == 0)
    guard let row = list.selectedRow else {
      grid.emptyState(of: list, "step", [], in: inner)
      _ = grid.panel(panels.second, "Step", focused: shared.panel == 1)
      return
    }
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("#", width: .fixed(2), align: .right),
        TableColumn("STEP", width: .flexible(min: 12, weight: 1)),
        TableColumn(
          "",
          width: .fixed(story.steps.indices.map { columnWidth(story.result(of: $0, undone).text) }.max() ?? 0)
        ),
      ], rowCount: list.count,
      row: { index in
        let number = list.matches[index]
        return [
          TableCell("\(number + 1)", .dim), TableCell(story.steps[number].title),
          story.result(of: number, undone),
        ]
      }, state: list.state, focused: shared.panel == 0, list: 0)
    let detail = grid.panel(panels.second, "Step \(row + 1)", focused: shared.panel == 1)
    grid.lines(
      story.lines(of: row, undone, width: detail.width - 2), in: detail, scroll: shared.scroll(ofPanel: 1))
  }
}

extension Story {
  fileprivate func result(of number: Int, _ undone: Set<Int64>) -> TableCell {
    guard number < reports.count else {
      return number == reports.count ? TableCell("next: >", .accent) : TableCell("-", .dim)
    }
    if reports[number].traceID.map(undone.contains) == true { return TableCell("↶ undone", .dim) }
    return reports[number].passed ? TableCell("✓ as expected", .good) : TableCell("✗ unexpected", .bad)
  }

  fileprivate func lines(of number: Int, _ undone: Set<Int64>, width: Int) -> [PanelLine] {
    var lines =
      number == 0 ? wrapped(title + ". " + note, width).map { PanelLine($0, .dim) } + [PanelLine("")] : []
    lines += wrapped(steps[number].title, width).map { PanelLine($0, .bold) }
    lines += wrapped(steps[number].note, width).map { PanelLine($0) }
    if number < reports.count {
      lines.append(PanelLine(""))
      lines += result(reports[number], undone, width)
    }
    guard number + 1 == reports.count, let next else { return lines }
    return lines + [PanelLine(""), PanelLine("Next (>)", .accent)]
      + wrapped(next.title, width).map { PanelLine($0, .bold) }
      + wrapped(next.note, width).map { PanelLine($0) }
  }

  private func result(_ report: StepReport, _ undone: Set<Int64>, _ width: Int) -> [PanelLine] {
    let isUndone = report.traceID.map(undone.contains) == true
    let head =
      isUndone
      ? PanelLine("↶ undone since", .dim)
      : report.passed ? PanelLine("✓ as expected", .good) : PanelLine("✗ not as expected", .bad)
    let differences = report.mismatches.flatMap { mismatch in
      wrapped("expected  " + mismatch.expected, width, indent: "  ").map { PanelLine($0) }
        + wrapped("found     " + mismatch.found, width, indent: "  ").map { PanelLine($0, .bad) }
    }
    return [head] + differences + [PanelLine(report.traceID == nil ? "" : "Enter opens its trace.", .dim)]
  }
}
