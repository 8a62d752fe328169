import SSOCore
import SSOLab
import SSOServer
import TerminalUI

/// The list of traces.
func drawTraces(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  let sort = model.sorting[.traces].map { $0.text + "  " } ?? ""
  let inner = grid.panel(
    panels.first, "Traces \(model.traces.countText)",
    trailing: sort + (model.follows ? "F follows" : "F follow"),
    focused: true)
  guard model.traces.count > 0 else {
    return grid.emptyState(
      of: model.traces, "trace", ["No trace yet.", "Press 1, then s or i on an app: every call leaves one."],
      in: inner)
  }
  let columns = model.shown(TraceColumn.self)
  drawTable(
    into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: model.traces.count,
    row: { index in
      let trace = model.traceRows[model.traces.matches[index]]
      return columns.map { $0.cell(of: trace, in: model) }
    }, state: model.traces.state, list: 0)
}

/// One trace: the steps as a drawing or a list, and the selected step in full.
func drawTrace(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  let position = "step \(min(model.hops.state.selection + 1, model.hops.count))/\(model.hops.count)"
  let inner = grid.panel(panels.first, "Sequence", trailing: position, focused: model.panel == 0)
  if let trace = model.trace, model.hops.count > 0 {
    if inner.width >= 68 {
      drawLifelines(trace, model, into: &grid, inner)
    } else {
      drawHopList(trace, model, into: &grid, inner)
    }
  } else {
    grid.emptyState(
      of: model.hops, "step", [model.trace == nil ? "Reading the trace…" : "Nothing was done."], in: inner)
  }
  drawStep(model, into: &grid, panels.second)
}

private func drawHopList(_ trace: Trace, _ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let list = model.hops
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
        TableCell("\(hop.from.label) -> \(hop.to.label)  \(hop.action)\(result)", hop.style),
      ]
    }, state: list.state, isMarked: { model.isMarked(step: list.matches[$0]) }, list: 0)
}

extension AppModel {
  func isMarked(step: Int) -> Bool { trace.flatMap { hopMarks[$0.summary.id] }?.contains(step) ?? false }
}

private func drawStep(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let number = model.hops.selectedRow.map { $0 + 1 }
  let inner = grid.panel(rect, number.map { "Step \($0)" } ?? "Step", focused: model.panel == 1)
  guard let hop = model.selectedHop else { return }
  let width = inner.width - 2
  let label = max(11, min(20, hop.sent.map { columnWidth($0.name) }.max() ?? 0) + 1)
  var lines = wrapped("\(hop.from.label) -> \(hop.to.label): \(hop.action)", width, indent: "  ")
    .map { PanelLine($0, .bold) }
  if !hop.result.isEmpty { lines += wrapped("= " + hop.result, width).map { PanelLine($0, hop.style) } }
  if let row = model.hops.selectedRow, let note = model.trace?.notes[row] {
    lines += wrapped("; " + note, width, indent: "  ").map { PanelLine($0, .accent) }
  }
  if !hop.actor.isEmpty { lines += fieldLines("By", hop.actor, width: width, label: label) }
  let checks = checkLines(hop.checks, width: width)
  // Where not all fit, the condition that failed is the one to see.
  let failed = checks.count > inner.height - lines.count ? hop.checks.filter { $0.verdict == .failed } : []
  lines += checkLines(failed, width: width)
  lines += failed.isEmpty ? checks : checkLines(hop.checks.filter { $0.verdict != .failed }, width: width)
  lines += hop.sent.flatMap { fieldLines($0.name, $0.value, width: width, label: label) }
  if number == model.trace?.hops.count, let outcome = model.trace?.outcome {
    let notice = Notice(outcome)
    lines += wrapped(notice.text, width).map { PanelLine($0, notice.kind == .bad ? .bad : .good) }
  }
  grid.lines(lines, in: inner, scroll: model.panel == 1 ? model.scroll : 0)
}

extension Hop {
  var style: Style { checks.contains { $0.verdict == .failed } ? .bad : .plain }
}
