import SSOCore
import SSOLab
import SSOReproduce
import TerminalUI

extension ReproductionScreen {
  /// The number of columns from which the steps are beside the assumptions.
  private static let wide = 110
  /// The rows that the selected row or step keeps below both lists.
  private static let leastDetail = 9

  /// Returns the panels: the assumptions, the steps of both, and the selected row or step in full.
  func panels(in layout: Layout) -> Layout.Panels {
    let body = layout.body
    guard layout.isRegular else { return layout.pair(left: 0, top: body.height / 2) }
    guard body.width >= Self.wide else {
      let (facts, rest) = body.splitTop(body.height * 9 / 20)
      let (steps, detail) = rest.splitTop(rest.height * 6 / 11)
      return Layout.Panels(first: facts, second: steps, third: detail)
    }
    // Below each other, the lists cut the least, if no row is out of sight then.
    let (all, steps) = (rows.count + 2, stepRows.count + 2)
    if !rows.isEmpty, all + steps + Self.leastDetail <= body.height {
      let (facts, rest) = body.splitTop(all)
      let (below, detail) = rest.splitTop(steps)
      return Layout.Panels(first: facts, second: below, third: detail)
    }
    let (left, right) = body.splitLeft(body.width / 2)
    let (facts, detail) = left.splitTop(min(left.height * 3 / 5, max(rows.count + 1, left.height / 2)))
    return Layout.Panels(first: facts, second: right, third: detail)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    drawFacts(shared, into: &grid, panels.first)
    drawSteps(shared, into: &grid, panels.second)
    drawDetail(shared, into: &grid, panels.third)
  }

  private func drawFacts(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let inner = grid.panel(
      rect, "Reproduce", trailing: isSearching ? "tries…" : result?.verdict.text ?? "",
      focused: shared.panel == 0)
    guard self[0].count > 0 else {
      let words =
        isSearching
        ? "The causes are tried in the lab…" : "It is no longer there, or a call of the lab itself."
      return grid.emptyState(of: self[0], "row", [words], in: inner)
    }
    // A value that is whole is worth more than its origin, which the panel below shows too.
    let longest = min(99, rows.map { columnWidth($0.value) }.max() ?? 0)
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .fixed(9)), TableColumn("", width: .fixed(13)),
        TableColumn("", width: .flexible(min: 20, wanted: longest, weight: 0)),
        TableColumn("", width: .flexible(min: 24, weight: 1), priority: 1),
      ], rowCount: self[0].count,
      row: { cells(ofRow: self[0].matches[$0]) }, state: self[0].state, focused: shared.panel == 0, list: 0)
  }

  /// Returns the cells of a row; only the first row of a section names it.
  private func cells(ofRow number: Int) -> [TableCell] {
    let row = rows[number]
    let isFirst = number == 0 || rows[number - 1].section != row.section
    return [
      TableCell(isFirst ? row.section : "", .dim), TableCell(row.name, row.canChange ? .accent : .dim),
      TableCell(row.value, row.style), TableCell(row.origin, .dim),
    ]
  }

  private func drawSteps(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let hasSource = stepRows.contains { $0.source != nil }
    let title = hasSource ? "Steps of the source, and of the lab" : "Steps of the lab"
    let inner = grid.panel(
      rect, title, trailing: hasSource ? "\(result?.steps?.shared ?? 0) in both" : "",
      focused: shared.panel == 1)
    guard self[1].count > 0 else {
      return grid.emptyState(
        of: self[1], "step", [isSearching ? "" : "No call of the lab fails so."], in: inner)
    }
    let side = TableColumn("", width: .flexible(min: 16, weight: 1))
    drawTable(
      into: &grid, rect: inner,
      columns: [TableColumn("", width: .fixed(1))] + (hasSource ? [side, side] : [side]),
      rowCount: self[1].count,
      row: { index in
        let row = stepRows[self[1].matches[index]]
        let style: Style = row.labStep != nil && row.labStep == result?.failedStep ? .bad : .plain
        return [row.mark] + (hasSource ? [TableCell(row.source ?? "-", .plain)] : [])
          + [TableCell(row.lab ?? "-", style)]
      }, state: self[1].state, focused: shared.panel == 1, list: 1)
  }

  private func drawDetail(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return }
    let step = shared.panel == 1 ? selectedStep : nil
    let inner = grid.panel(rect, step == nil ? selectedRow?.title ?? "Details" : "Step", focused: false)
    let width = inner.width - 2
    if let step { return grid.lines(lines(of: step, width: width), in: inner) }
    grid.lines(selectedRow?.lines(width: width) ?? [], in: inner)
  }

  /// Returns the two texts in full, with the checks of the lab's step.
  private func lines(of step: StepComparison.Row, width: Int) -> [PanelLine] {
    var lines = step.source.map { fieldLines("Source", $0, width: width) } ?? []
    lines += step.lab.map { fieldLines("Lab", $0, width: width) } ?? []
    guard let hop = selectedHop else { return lines }
    if !hop.result.isEmpty { lines += fieldLines("", "= " + hop.result, width: width, style: hop.style) }
    let failed = hop.checks.filter { $0.verdict == .failed }
    return lines + checkLines(failed + hop.checks.filter { $0.verdict != .failed }, width: width)
  }
}

extension Reproduction.Verdict {
  fileprivate var text: String {
    switch self {
    case .reproduced: "✓ reproduced"
    case .nearest: "~ only the nearest"
    case .notReproduced, .nothingRead: "✗ not reproduced"
    }
  }

  fileprivate var style: Style {
    switch self {
    case .reproduced: .good
    case .nearest: .warning
    case .notReproduced, .nothingRead: .bad
    }
  }
}

extension StepComparison.Row {
  /// The mark of a step that both have, only the lab, or only the source.
  fileprivate var mark: TableCell {
    switch (source, lab) {
    case (.some, .some): TableCell("=", .good)
    case (nil, _): TableCell("+", .dim)
    case (_, nil): TableCell("-", .dim)
    }
  }
}

extension ReproductionRow {
  fileprivate var canChange: Bool {
    if case .assumption(let assumption) = self { assumption.canChange } else { false }
  }

  fileprivate var style: Style {
    switch self {
    case .outcome(_, let verdict, _): verdict.style
    case .change: .good
    case .assumption, .fact: .plain
    }
  }

  fileprivate var title: String {
    switch self {
    case .outcome: "Outcome"
    case .assumption: "Assumed"
    case .change: "What fixes it"
    case .fact: "Read"
    }
  }

  fileprivate func lines(width: Int) -> [PanelLine] {
    let head = wrapped(value, width).map { PanelLine($0, .bold) }
    switch self {
    case .outcome(_, _, let details), .change(_, _, let details):
      return head + details.flatMap { wrapped($0, width, indent: "  ").map { PanelLine($0) } }
    case .assumption(let assumption):
      return head + fieldLines("Because", origin, width: width, style: .dim)
        + (assumption.canChange ? [PanelLine("Enter assumes another, and runs the call again.", .dim)] : [])
    case .fact: return head + wholeField("Where", origin, width: width)
    }
  }
}
