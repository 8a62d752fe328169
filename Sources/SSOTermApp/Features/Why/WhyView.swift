/// A decision: the answer, the conditions in the order in which they are asked, and all of the selected one.
extension Why {
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = layout.size.width
    grid.fill(layout.tabs)
    grid.fill(layout.body)
    grid.put(" " + checklist.title, at: 0, layout.tabs.y, width: width, style: .accent)
    let answer = wrapped(checklist.answer, width - 2).prefix(layout.isSingle ? 1 : 2)
    let (top, rest) = layout.body.splitTop(answer.count)
    grid.lines(answer.map { PanelLine($0, .bold) }, in: top)
    let (conditions, detail) =
      layout.isRegular
      ? rest.splitLeft(width / 2) : rest.splitTop(rest.height * (layout.isSingle ? 3 : 2) / 5)
    drawConditions(into: &grid, conditions)
    drawCondition(into: &grid, detail, brief: layout.isSingle)
  }

  private func drawConditions(into grid: inout Grid, _ rect: Rect) {
    let checks = checklist.sections.flatMap(\.checks)
    let failed = checks.count { $0.verdict == .failed }
    let unneeded = checks.count { $0.verdict == .skipped }
    let inner = grid.panel(
      rect, "Conditions \(checks.count)",
      trailing: failed == 1
        ? "1 fails" : failed > 1 ? "\(failed) fail" : unneeded > 0 ? "\(unneeded) not needed" : "all hold",
      focused: true)
    let first = firstFailure
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .flexible(min: 34, weight: 1)), TableColumn("", width: .fixed(7), priority: 1),
      ], rowCount: list.count,
      row: { index in
        let row = list.matches[index]
        guard let check = check(rows[row]) else {
          return [TableCell(checklist.sections[rows[row].section].title, .bold)]
        }
        return [
          TableCell(" \(check.glyph) \(check.name)", check.style),
          TableCell(row == first ? "<- here" : "", .warning),
        ]
      }, state: list.state, isMarked: { list.matches[$0] == first }, list: 0)
  }

  private func drawCondition(into grid: inout Grid, _ rect: Rect, brief: Bool) {
    guard let row = selectedRow else {
      _ = grid.panel(rect, "Condition", focused: false)
      return
    }
    guard let check = check(row) else {
      let section = checklist.sections[row.section]
      let inner = grid.panel(
        rect, "Section \(row.section + 1) of \(checklist.sections.count)", focused: false)
      return grid.lines(section.lines(width: inner.width - 2), in: inner)
    }
    let place = (row.check ?? 0) + 1
    let count = checklist.sections[row.section].checks.count
    let inner = grid.panel(rect, "Condition \(place) of \(count)", trailing: check.source, focused: false)
    let width = inner.width - 2
    var lines = wrapped("\(check.glyph) \(check.name)", width, indent: "  ").map {
      PanelLine($0, check.style)
    }
    lines += fieldLines("Expected", check.expected, width: width)
    lines += fieldLines("Found", check.found, width: width, style: check.verdict == .failed ? .bad : .plain)
    if !brief {
      lines += fieldLines(
        "Verdict", verdict(of: check, isFirst: list.selectedRow == firstFailure), width: width)
      lines += fieldLines("Source", check.source, width: width)
      for sentence in RuleSource(check.source).sentences {
        lines += [PanelLine("")] + wrapped(sentence, width).map { PanelLine($0, .dim) }
      }
    }
    grid.lines(lines, in: inner)
  }

  private func verdict(of check: Check, isFirst: Bool) -> String {
    switch check.verdict {
    case .passed: "holds"
    case .failed: isFirst ? "fails, and decides" : "fails"
    case .skipped: "not needed"
    }
  }
}

extension Checklist.Section {
  /// What a heading says: how many of its conditions hold.
  fileprivate func lines(width: Int) -> [PanelLine] {
    let failed = checks.filter { $0.verdict == .failed }
    var lines = wrapped(title, width).map { PanelLine($0, .bold) }
    let held = checks.count { $0.verdict == .passed }
    lines.append(PanelLine("\(held) of \(checks.count) conditions hold.", failed.isEmpty ? .good : .plain))
    lines += checkLines(failed, width: width)
    return lines
  }
}
