/// The drawing of a decision: the answer, the conditions in the order in which they are checked, and the selected
/// condition in full.
extension Why {
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = layout.size.width
    grid.fill(layout.tabs)
    grid.fill(layout.body)
    grid.put(" " + model.lab.named(checklist.title), at: 0, layout.tabs.y, width: width, style: .accent)
    let answer = answerLines(width: width - 2, brief: layout.isSingle)
    let (top, rest) = layout.body.splitTop(answer.count)
    grid.lines(answer, in: top)
    let (conditions, detail) =
      layout.isRegular
      ? rest.splitLeft(width / 2) : rest.splitTop(rest.height * (layout.isSingle ? 3 : 2) / 5)
    drawConditions(into: &grid, conditions)
    drawCondition(into: &grid, detail, brief: layout.isSingle)
  }

  /// Returns the sentence, the values found and expected, and the key that fixes the condition.
  private func answerLines(width: Int, brief: Bool) -> [PanelLine] {
    let cause = checklist.firstFailure
    let sentence = wrapped("\(cause == nil ? "✓" : "✗") \(checklist.answer)", width, indent: "  ")
    var lines = sentence.prefix(brief ? 1 : 3).map { PanelLine($0, .bold) }
    guard let cause, !brief else { return lines }
    let values = "\(cause.found)  ≠  \(cause.expected)"
    lines += fieldLines(
      "  " + cause.name, values, width: width, label: columnWidth(cause.name) + 4, style: .bad
    )
    .prefix(3)
    if let remedy = cause.remedy {
      lines.append(PanelLine(truncated("  f  set \(remedy.change)  in \(remedy.record)", width), .accent))
    }
    return lines
  }

  private func drawConditions(into grid: inout Grid, _ rect: Rect) {
    let (held, failed, unneeded) = counts
    let inner = grid.panel(
      rect, "Conditions \(held + failed + unneeded)",
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
        return cells(rows[row], isFirst: row == first)
      }, state: list.state, isMarked: { list.matches[$0] == first }, list: 0)
  }

  private func cells(_ row: Row, isFirst: Bool) -> [TableCell] {
    switch row {
    case .heading(let number):
      let section = checklist.sections[number]
      let held = section.checks.count { $0.verdict == .passed }
      return [TableCell(section.title, .bold), TableCell(showsAll || held == 0 ? "" : "\(held) hold", .dim)]
    case .folded: return [TableCell(" · \(foldedText)", .dim)]
    case .check:
      guard let check = check(row) else { return [] }
      return [
        TableCell(" \(check.glyph) \(check.name)", check.style),
        TableCell(isFirst ? "<- here" : "", .warning),
      ]
    }
  }

  private func drawCondition(into grid: inout Grid, _ rect: Rect, brief: Bool) {
    switch selectedRow {
    case nil: _ = grid.panel(rect, "Condition", focused: false)
    case .folded:
      let inner = grid.panel(rect, "Not shown", focused: false)
      let rest = checklist.sections.flatMap(\.checks).filter { $0.verdict != .failed }
      grid.lines(
        rest.flatMap { wrapped("\($0.glyph) \($0.name)", inner.width - 2, indent: "  ") }.map {
          PanelLine($0, .dim)
        }, in: inner)
    case .heading(let number):
      let inner = grid.panel(
        rect, "Section \(number + 1) of \(checklist.sections.count)", focused: false)
      grid.lines(checklist.sections[number].lines(width: inner.width - 2), in: inner)
    case .check(let section, let number):
      let checks = checklist.sections[section].checks
      draw(checks[number], "Condition \(number + 1) of \(checks.count)", into: &grid, rect, brief: brief)
    }
  }

  private func draw(_ check: Check, _ title: String, into grid: inout Grid, _ rect: Rect, brief: Bool) {
    let inner = grid.panel(rect, title, trailing: check.source, focused: false)
    let width = inner.width - 2
    var lines = wrapped("\(check.glyph) \(check.name)", width, indent: "  ").map {
      PanelLine($0, check.style)
    }
    lines += fieldLines("Expected", check.expected, width: width)
    lines += fieldLines("Found", check.found, width: width, style: check.verdict == .failed ? .bad : .plain)
    if let remedy = check.remedy {
      lines += fieldLines("Fix (f)", "\(remedy.record): \(remedy.change)", width: width, style: .accent)
    }
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
  /// Returns the text for a heading, which says how many of its conditions hold.
  fileprivate func lines(width: Int) -> [PanelLine] {
    let failed = checks.filter { $0.verdict == .failed }
    var lines = wrapped(title, width).map { PanelLine($0, .bold) }
    let held = checks.count { $0.verdict == .passed }
    lines.append(PanelLine("\(held) of \(checks.count) conditions hold.", failed.isEmpty ? .good : .plain))
    lines += checkLines(failed, width: width)
    lines += checks.filter { $0.verdict != .failed }.flatMap {
      wrapped("\($0.glyph) \($0.name)", width, indent: "  ")
    }.map { PanelLine($0, .dim) }
    return lines
  }
}
