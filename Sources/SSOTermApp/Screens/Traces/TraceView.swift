import SSOCore
import TerminalUI

extension TraceScreen {
  /// Returns the panels.
  ///
  /// In a wide window, the step is beside the flow. Otherwise it is below if there is room for both, or over the flow.
  func panels(in layout: Layout) -> Layout.Panels {
    let body = layout.body
    if body.width >= Self.wide {
      // The flow has the columns that its texts need, and the details of a step have from 46 to 80.
      let wanted = FlowDrawing.width(of: flow, margin: Self.numbers + Self.phases, atMost: body.width - 46)
      let (drawing, step) = body.splitLeft(max(wanted, body.width - 80, Self.lanes + 2))
      return Layout.Panels(first: drawing, second: step)
    }
    guard needsAll(of: body) else {
      let wanted = min(lineCount(width: body.width) + 3, body.height - Self.leastStep)
      let (drawing, step) = body.splitTop(max(body.height * 3 / 5, list.count + 3, wanted))
      return Layout.Panels(first: drawing, second: step)
    }
    let height = max(body.height / 2, min(10, body.height - 4))
    let visible = list.state.visible(height: body.height - 2, count: list.count)
    // Keep the step away from the selected row.
    let isAbove = list.state.selection - visible.lowerBound >= body.height - height - 3
    let rows = isAbove ? body.rows(2, height) : body.rows(body.height - height, height)
    return Layout.Panels(first: body, second: rows)
  }

  /// The rows that the step below the flow keeps if a text of the flow needs several lines.
  private static let leastStep = 8

  /// Returns the number of lines in which no text of the flow is cut.
  private func lineCount(width: Int) -> Int {
    guard width >= Self.lanes else { return list.count }
    let rect = Rect(x: 0, y: 0, width: width - 2, height: flow.rows.count)
    let drawing = FlowDrawing(flow, in: rect, margin: Self.numbers + phaseWidth(rect))
    let lines = drawing.lines(of: list.matches.map { flow.rows[$0] }, spare: 2 * list.count)
    return lines.reduce(0) { $0 + $1.count }
  }

  /// The number of columns from which the step is beside the flow.
  private static let wide = 140
  /// The number of columns from which the flow has lanes.
  private static let lanes = 68

  private func needsAll(of body: Rect) -> Bool { list.count + 3 > body.height - 6 }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let by =
      trace.flatMap { $0.summary.isOfOthers ? $0.summary.author : nil }.map { " by \($0.displayText)" } ?? ""
    let title = "Sequence" + by + (trace?.summary.isUndone == true ? " ↶ undone" : "")
    let inner = grid.panel(panels.first, title, trailing: position, focused: shared.panel == 0)
    let isOver = !panels.first.intersection(panels.second).isEmpty
    let hasStep = !isOver || shared.panel == 1
    if let trace, list.count > 0 {
      if inner.width >= Self.lanes {
        drawFlow(trace, into: &grid, inner, mayFold: !isOver || !hasStep)
      } else {
        if !inner.isEmpty { grid.omit("the lanes") }
        drawHopList(trace, into: &grid, inner)
      }
    } else {
      grid.emptyState(
        of: list, "step", [trace == nil ? "Reading the trace…" : "This trace has no steps."], in: inner)
    }
    if hasStep { drawStep(shared, into: &grid, panels.second, isOver: isOver) }
  }

  private var position: String {
    let step = selectedRow.map { $0.first + 1 } ?? 0
    return (playback.isRunning ? "▶ \(playback.displayText)  " : "") + "step \(step)/\(flow.hops.count)"
  }

  /// The width of the columns with the numbers and with the phases.
  private static let (numbers, phases) = (8, 8)

  /// The width of the column with the phases, for which a narrow window has no room.
  private func phaseWidth(_ rect: Rect) -> Int { rect.width >= 84 ? Self.phases : 0 }

  /// Draws the lanes, an arrow for each row, and before the lanes the phases where they begin.
  ///
  /// With `mayFold`, a text that is too long for one line has several, as far as there are lines that no row needs.
  private func drawFlow(_ trace: Trace, into grid: inout Grid, _ rect: Rect, mayFold: Bool) {
    let (header, body) = rect.splitTop(1)
    let quiet: Style? = trace.summary.isUndone ? .dim : nil
    let phases = phaseWidth(rect)
    let drawing = FlowDrawing(flow, in: rect, margin: Self.numbers + phases)
    grid.put("    #", at: rect.x, header.y, width: 6, style: .dim)
    drawing.drawNames(into: &grid)
    let visible = list.state.visible(height: body.height, count: list.count)
    let spare = mayFold ? max(0, body.height - list.count) : 0
    let texts = drawing.lines(of: visible.map { flow.rows[list.matches[$0]] }, spare: spare)
    var line = 0
    for (index, lines) in zip(visible, texts) {
      let number = list.matches[index]
      let item = flow.rows[number]
      let row = body.rows(line, lines.count)
      line += lines.count
      let isSelected = index == list.state.selection
      drawing.draw(item, lines: lines, into: &grid, y: row.y, quiet: quiet)
      let sign = isMarked(step: item.first) ? "*" : trace.summary.isUndone ? "↶" : " "
      grid.put(isSelected ? ">" : " ", at: row.x, row.y)
      grid.put(sign, at: row.x + 1, row.y, width: 1, style: .accent)
      if case .run = item {
        grid.put("▸", at: row.x + 4, row.y, width: 1, style: .dim)
      } else {
        grid.put("\(item.first + 1)", at: row.x + 2, row.y, width: 3, style: .dim, align: .right)
      }
      if trace.notes[item.first] != nil { grid.put(";", at: row.x + 5, row.y, width: 1, style: .accent) }
      if phases > 0, !list.isFiltered, let phase = flow.phase(beginningAt: number) {
        grid.put(phase.rawValue, at: row.x + 7, row.y, width: phases - 1, style: .accent)
      }
      grid.add(Touch(.row(list: 0, number: index), row))
      if isSelected {
        grid.restyle(row) { $0 = $0.inSelectedRow }
        grid.cursor = Point(x: row.x, y: row.y)
      }
    }
    if let first = visible.first, first > 0 {
      grid.put("↑", at: body.maxX, body.y, width: 1, style: .dim)
    }
    if let last = visible.last, last + 1 < list.count {
      grid.put("↓", at: body.maxX, body.maxY - 1, width: 1, style: .dim)
    }
  }

  private func drawHopList(_ trace: Trace, into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect,
      columns: [
        TableColumn("#", width: .fixed(4), align: .right),
        TableColumn("STEP", width: .flexible(min: 20, weight: 1)),
      ], rowCount: list.count,
      row: { index in
        let row = flow.rows[list.matches[index]]
        let hop = flow.hops[row.first]
        let words = "\(hop.from.label) -> \(hop.to.label)  \(flow.displayText(row))"
        let style = trace.summary.isUndone ? .dim : flow.style(row)
        guard case .step(let step) = row else { return [TableCell("▸", .dim), TableCell(words, style)] }
        return [
          TableCell("\(step + 1)\(trace.notes[step] == nil ? "" : ";")", .dim), TableCell(words, style),
        ]
      }, state: list.state, isMarked: { isMarked(step: flow.rows[list.matches[$0]].first) }, list: 0)
  }

  /// Draws the steps of a row that represents several steps.
  private func drawRun(
    _ steps: Range<Int>, _ shared: SharedState, into grid: inout Grid, _ rect: Rect, isOver: Bool
  ) {
    let title = "Steps \(steps.lowerBound + 1) to \(steps.upperBound)"
    let inner =
      isOver
      ? grid.window(rect, title)
      : grid.panel(rect, title, trailing: "Enter shows each", focused: shared.panel == 1)
    let lines = steps.flatMap { step in
      let row = Flow.Row.step(step)
      return wrapped("\(step + 1)  \(flow.displayText(row))", inner.width - 2, indent: "    ").map {
        PanelLine($0)
      }
    }
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }

  /// Draws the selected step, over the flow if `isOver` is true.
  private func drawStep(_ shared: SharedState, into grid: inout Grid, _ rect: Rect, isOver: Bool) {
    if case .run(let steps) = selectedRow { return drawRun(steps, shared, into: &grid, rect, isOver: isOver) }
    let number = selectedStep.map { $0 + 1 }
    let title = number.map { "Step \($0)" } ?? "Step"
    let inner =
      isOver ? grid.window(rect, title) : grid.panel(rect, title, focused: shared.panel == 1)
    guard let hop = selectedHop else { return }
    let width = inner.width - 2
    let label = max(11, min(20, hop.sent.map { columnWidth($0.name) }.max() ?? 0) + 1)
    var lines = wrapped("\(hop.from.label) -> \(hop.to.label): \(hop.action)", width, indent: "  ")
      .map { PanelLine($0, .bold) }
    let style = selectedStep.map { flow.style(.step($0)) } ?? hop.style
    if !hop.result.isEmpty { lines += wrapped("= " + hop.result, width).map { PanelLine($0, style) } }
    if let step = selectedStep, let note = trace?.notes[step] {
      lines += wrapped("; " + note, width, indent: "  ").map { PanelLine($0, .accent) }
    }
    if !hop.actor.isEmpty { lines += fieldLines("By", hop.actor, width: width, label: label) }
    let checks = checkLines(hop.checks, width: width)
    // If not all checks fit, show the failed ones first.
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
  var hasFailed: Bool { checks.contains { $0.verdict == .failed } }
  var style: Style { hasFailed ? .bad : .plain }
  /// A mark that indicates a failed check without colour.
  var mark: String { hasFailed ? "✗ " : "" }
}

/// The columns of the list of traces.
enum TraceColumn: String, ListColumn {
  case at = "AT"
  case what = "WHAT"
  case steps = "STEPS"
  case outcome = "OUTCOME"

  var layout: TableColumn {
    switch self {
    case .at: TableColumn(rawValue, width: .fixed(8))
    case .what: TableColumn(rawValue, width: .flexible(min: 12, weight: 2))
    case .steps: TableColumn(rawValue, width: .fixed(5), align: .right, priority: 2)
    case .outcome: TableColumn(rawValue, width: .flexible(min: 12, weight: 3), priority: 1)
    }
  }

  func cell(of trace: TraceSummary, in shared: SharedState) -> TableCell {
    switch self {
    case .at: TableCell(shared.times.clock(trace.at), .dim)
    case .what: TableCell(trace.title(shared.lab), trace.isUndone ? .dim : .plain)
    case .steps: TableCell("\(trace.hopCount)", .dim)
    case .outcome:
      TableCell("\(trace.glyph) \(trace.isUndone ? "undone: " : "")\(trace.outcomeText)", trace.style)
    }
  }

  func sortKey(of trace: TraceSummary) -> SortKey {
    switch self {
    case .at: .number(Int(trace.at.milliseconds))
    case .what: .text(trace.title)
    case .steps: .number(trace.hopCount)
    case .outcome: .text(trace.verdict + trace.outcomeText)
    }
  }
}

/// A call that is running, with its steps so far.
///
/// The step that it waits for is lit.
///
/// It has not been stored yet.
struct RunningCall: Equatable, Sendable {
  let title: String
  let flow: Flow

  /// Creates a running call, or returns `nil` if it has no steps yet.
  init?(_ progress: CallProgress, title: String) {
    guard !progress.steps.isEmpty else { return nil }
    self.title = title
    flow = Flow(progress.steps)
  }

  /// The last step: `MSAL -> Provider: POST /common/oauth2/v2.0/token`.
  var stepWords: String { flow.hops.last.map { "\($0.from.label) -> \($0.to.label): \($0.action)" } ?? "" }

  func draw(into grid: inout Grid, _ rect: Rect) {
    guard rect.width >= FlowDrawing.smallestWidth, rect.height >= FlowDrawing.smallestHeight else { return }
    let inner = grid.panel(rect, title, trailing: "step \(flow.hops.count)", focused: false)
    FlowDrawing(flow, in: inner, margin: 5).drawEnd(of: flow.rows[...], into: &grid, isLit: true)
  }
}
