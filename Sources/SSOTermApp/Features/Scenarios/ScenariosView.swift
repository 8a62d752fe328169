extension ScenariosScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    layout.pair(left: layout.size.width * 11 / 20, top: layout.body.height / 2)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let sort = list.sorting.map { $0.text } ?? ""
    let inner = grid.panel(
      panels.first, "\(checklist ?? "Scenarios") \(list.countText)", trailing: sort,
      focused: shared.panel == 0)
    guard let selected else {
      grid.emptyState(
        of: list, "scenario", [entries.isEmpty ? "Reading the scenarios…" : "No scenario."], in: inner)
      _ = grid.panel(panels.second, "Scenario", focused: shared.panel == 1)
      return
    }
    let columns = list.shown(ScenarioColumn.self)
    drawTable(
      into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: list.count,
      row: { index in
        let row = row(entries[list.matches[index]])
        return columns.map { $0.cell(of: row, in: shared) }
      }, state: list.state, focused: shared.panel == 0, list: 0)
    let detail = grid.panel(panels.second, "Scenario", focused: shared.panel == 1)
    grid.lines(
      row(selected).lines(width: detail.width - 2), in: detail, scroll: shared.scroll(ofPanel: 1))
  }
}

extension ScenarioColumn.Row {
  /// Returns the scenario's title and note, the text of its claims, and the result of each step.
  fileprivate func lines(width: Int) -> [PanelLine] {
    if let problem = entry.problem { return wrapped(problem, width).map { PanelLine($0, .bad) } }
    let head = wrapped(entry.isManual ? entry.name : entry.title, width).map { PanelLine($0, .bold) }
    if entry.isManual {
      let expected = entry.title.isEmpty ? [] : fieldLines("expected", entry.title, width: width)
      return head + expected + verdict(width)
    }
    let claims = entry.claims.flatMap { id -> [PanelLine] in
      let words = Claim.all.first { $0.id == id }?.words ?? ""
      return fieldLines("claim \(id)", words, width: width)
    }
    let steps = entry.steps.enumerated().flatMap { number, title in
      step(title, result?.report?.steps.dropFirst(number).first, number: number + 1, width: width)
    }
    return head + verdict(width)
      + wrapped(entry.note, width).map { PanelLine($0) } + [PanelLine("")] + steps
      + (claims.isEmpty ? [] : [PanelLine("")]) + claims
  }

  /// Returns the verdict with the user's remark, and the evidence.
  private func verdict(_ width: Int) -> [PanelLine] {
    guard let result else {
      return added.isEmpty ? [] : evidence(added.map(\.name), "p, f or S gives the verdict", width)
    }
    let remark = result.remark.isEmpty ? "" : ": " + result.remark
    return wrapped("\(result.verdict.glyph) \(result.verdict.rawValue)\(remark)", width).map {
      PanelLine($0, result.style)
    } + evidence((result.evidence + added).map(\.name), "x writes the reports", width)
  }

  private func evidence(_ names: [String], _ next: String, _ width: Int) -> [PanelLine] {
    let own = added.isEmpty ? "" : ": " + added.map(\.name).joined(separator: ", ")
    let count =
      switch names.count {
      case 0: "no evidence"
      case 1: "1 piece of evidence"
      case let count: "\(count) pieces of evidence"
      }
    return wrapped("\(count)\(own); \(next)", width).map { PanelLine($0, .dim) }
  }

  private func step(_ title: String, _ report: StepReport?, number: Int, width: Int) -> [PanelLine] {
    let glyph = report.map { $0.passed ? "✓" : "✗" } ?? "·"
    let style: Style = report.map { $0.passed ? .good : .bad } ?? .plain
    return wrapped("\(glyph) \(number) \(title)", width, indent: "    ").map { PanelLine($0, style) }
      + (report?.mismatches ?? []).flatMap { mismatch in
        fieldLines("    expected", mismatch.expected, width: width, label: 13)
          + fieldLines("    found", mismatch.found, width: width, label: 13, style: .bad)
      }
  }
}
