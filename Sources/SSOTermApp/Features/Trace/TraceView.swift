extension TraceScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let (drawing, step) = layout.body.splitTop(layout.body.height * 3 / 5)
    return Layout.Panels(first: drawing, second: step)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let position = "step \(min(list.state.selection + 1, list.count))/\(list.count)"
    let title = trace?.summary.isUndone == true ? "Sequence ↶ undone" : "Sequence"
    let inner = grid.panel(panels.first, title, trailing: position, focused: shared.panel == 0)
    if let trace, list.count > 0 {
      if inner.width >= 68 {
        drawLifelines(trace, into: &grid, inner)
      } else {
        drawHopList(trace, into: &grid, inner)
      }
    } else {
      grid.emptyState(
        of: list, "step", [trace == nil ? "Reading the trace…" : "This trace has no steps."], in: inner)
    }
    drawStep(shared, into: &grid, panels.second)
  }

  private func drawHopList(_ trace: Trace, into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect,
      columns: [
        TableColumn("#", width: .fixed(4), align: .right),
        TableColumn("STEP", width: .flexible(min: 20, weight: 1)),
      ], rowCount: list.count,
      row: { index in
        let step = list.matches[index]
        let hop = trace.hops[step]
        let result = hop.result.isEmpty ? "" : ": \(hop.result)"
        return [
          TableCell("\(step + 1)\(trace.notes[step] == nil ? "" : ";")", .dim),
          TableCell("\(hop.mark)\(hop.from.label) -> \(hop.to.label)  \(hop.action)\(result)", hop.style),
        ]
      }, state: list.state, isMarked: { isMarked(step: list.matches[$0]) }, list: 0)
  }

  private func drawStep(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let number = list.selectedRow.map { $0 + 1 }
    let inner = grid.panel(rect, number.map { "Step \($0)" } ?? "Step", focused: shared.panel == 1)
    guard let hop = selectedHop else { return }
    let width = inner.width - 2
    let label = max(11, min(20, hop.sent.map { columnWidth($0.name) }.max() ?? 0) + 1)
    var lines = wrapped("\(hop.from.label) -> \(hop.to.label): \(hop.action)", width, indent: "  ")
      .map { PanelLine($0, .bold) }
    if !hop.result.isEmpty { lines += wrapped("= " + hop.result, width).map { PanelLine($0, hop.style) } }
    if let row = list.selectedRow, let note = trace?.notes[row] {
      lines += wrapped("; " + note, width, indent: "  ").map { PanelLine($0, .accent) }
    }
    if !hop.actor.isEmpty { lines += fieldLines("By", hop.actor, width: width, label: label) }
    let checks = checkLines(hop.checks, width: width)
    // Where not all fit, the condition that failed is the one to see.
    let failed = checks.count > inner.height - lines.count ? hop.checks.filter { $0.verdict == .failed } : []
    lines += checkLines(failed, width: width)
    lines += failed.isEmpty ? checks : checkLines(hop.checks.filter { $0.verdict != .failed }, width: width)
    lines += hop.sent.flatMap { fieldLines($0.name, $0.value, width: width, label: label) }
    if number == trace?.hops.count, let outcome = trace?.outcome {
      let notice = Notice(outcome)
      lines += wrapped(notice.text, width).map { PanelLine($0, notice.kind == .bad ? .bad : .good) }
      lines += wrapped(notice.printed, width).map { PanelLine($0) }
    }
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }
}

extension Hop {
  private var hasFailed: Bool { checks.contains { $0.verdict == .failed } }
  var style: Style { hasFailed ? .bad : .plain }
  /// Says without colour that a check of it failed.
  var mark: String { hasFailed ? "✗ " : "" }
}
