extension DoctorScreen {
  /// Returns the panels: projects on the left, checks on the right, and below them the selected check if there is room.
  func panels(in layout: Layout) -> Layout.Panels {
    guard layout.isRegular else { return layout.pair(left: 0, top: layout.body.height * 2 / 5) }
    let (subjects, rest) = layout.body.splitLeft(min(38, max(28, layout.size.width / 3)))
    let (checks, detail) = rest.splitTop(rest.height * 11 / 20)
    return Layout.Panels(first: subjects, second: checks, third: detail)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    drawSubjects(shared, into: &grid, panels.first)
    drawChecks(shared, into: &grid, panels.second)
    drawDetail(into: &grid, panels.third)
  }

  private func drawSubjects(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let inner = grid.panel(rect, "Doctor", focused: shared.panel == 0)
    guard self[0].count > 0 else {
      return grid.emptyState(of: self[0], "project", emptyWords, in: inner)
    }
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .flexible(min: 10, weight: 1)),
        TableColumn("", width: .fixed(4), align: .right),
      ], rowCount: self[0].count,
      row: { index in
        let row = subjectRows[self[0].matches[index]]
        return [row.nameCell, row.countCell]
      }, state: self[0].state, focused: shared.panel == 0, list: 0)
  }

  /// The text of the left panel if it has no rows.
  private var emptyWords: [String] {
    switch result {
    case nil: ["Reading the files…"]
    case .failure(let error): [error.what, error.why]
    case .success(let diagnosis):
      ["No app here uses MSAL or ADAL: nothing to judge."] + diagnosis.notes.map(\.words)
    }
  }

  private func drawChecks(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let title = selectedSubject?.name ?? "Checks"
    let inner = grid.panel(
      rect, title, trailing: selectedSubject?.findingsText ?? "", focused: shared.panel == 1)
    guard self[1].count > 0 else { return grid.emptyState(of: self[1], "check", [], in: inner) }
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .fixed(1)), TableColumn("", width: .flexible(min: 40, weight: 3)),
        TableColumn("", width: .flexible(min: 14, wanted: 22, weight: 1), cut: .start, priority: 1),
      ], rowCount: self[1].count, row: { checkRows[self[1].matches[$0]].cells }, state: self[1].state,
      focused: shared.panel == 1, list: 1)
  }

  private func drawDetail(into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return }
    let title = selectedCheck?.rule.rawValue ?? (selectedSubject?.isSharing == true ? "Conditions" : "Check")
    let inner = grid.panel(rect, title, focused: false)
    if let selectedRow { grid.lines(selectedRow.detailLines(width: inner.width - 2), in: inner) }
  }
}

extension SubjectRow {
  fileprivate var isSharing: Bool { if case .sharing = self { true } else { false } }

  fileprivate var findingsText: String { isSharing ? "" : counted(findings.count, "finding") }

  fileprivate var nameCell: TableCell {
    switch self {
    case .project: TableCell(name, .dim)
    case .subject: TableCell(" " + name)
    case .sharing: TableCell(name)
    case .unread: TableCell(name, .warning)
    }
  }

  fileprivate var countCell: TableCell {
    switch self {
    case .project: TableCell("")
    case .sharing(let sharing):
      sharing.pairs.allSatisfy(\.holds) ? TableCell("✓", .good) : TableCell("·", .dim)
    case .unread(let count): TableCell("\(count)", .warning)
    case .subject(_, let findings):
      findings.map(\.severity).min().map { TableCell("\($0.glyph) \(findings.count)", $0.style) }
        ?? TableCell("✓", .good)
    }
  }
}

extension FindingRow {
  fileprivate var cells: [TableCell] {
    switch self {
    case .check(let check):
      [
        TableCell(check.glyph, check.style),
        TableCell(check.hasFailed ? check.rule.title : check.check.name, check.hasFailed ? .plain : .dim),
        TableCell(check.place.shortDescription, .dim),
      ]
    case .pair(let pair):
      [
        TableCell(pair.holds ? "✓" : "·", pair.holds ? .good : .dim), TableCell(pair.answer),
        TableCell(pair.title, .dim),
      ]
    case .visibility(let cell, let names):
      [
        TableCell(cell.extent == .nothing ? "·" : "✓", cell.extent == .nothing ? .dim : .good),
        TableCell(cell.sentence(names)), TableCell(cell.words, .dim),
      ]
    case .unread(let file):
      [TableCell("?", .warning), TableCell("\(file.error)"), TableCell(file.path, .dim)]
    case .notSeen(let what): [TableCell("?", .warning), TableCell(what), TableCell("")]
    }
  }

  /// Returns the details of the row.
  func detailLines(width: Int) -> [PanelLine] {
    switch self {
    case .check(let check): check.summaryLines(width: width)
    case .pair(let pair):
      wrapped(pair.title, width).map { PanelLine($0, .bold) }
        + wrapped(pair.answer, width).map { PanelLine($0) }
        + pair.sections.flatMap {
          [PanelLine(""), PanelLine($0.title, .dim)] + checkLines($0.checks, width: width)
        }
    case .visibility(let cell, let names):
      wrapped(cell.sentence(names), width).map { PanelLine($0, .bold) }
        + wrapped(cell.words, width).map { PanelLine($0) } + [PanelLine("")]
        + checkLines(cell.checks, width: width)
    case .unread(let file): wrapped("\(file.path): \(file.error)", width).map { PanelLine($0) }
    case .notSeen(let what): wrapped(what, width).map { PanelLine($0) }
    }
  }
}

extension FilePlace {
  /// The place without its folders.
  fileprivate var shortDescription: String { FilePlace(fileName(path), line: line).description }
}

extension DoctorCheck.Severity: Comparable {
  /// Orders severities so that failures come first.
  package static func < (one: Self, other: Self) -> Bool {
    let all = allCases
    return (all.firstIndex(of: one) ?? 0) < (all.firstIndex(of: other) ?? 0)
  }

  var style: Style { self == .fails ? .bad : .warning }
}

extension DoctorCheck {
  var glyph: String { hasFailed ? severity.glyph : check.glyph }
  var style: Style { hasFailed ? severity.style : .good }

  /// Returns the values expected and found, the place, and the lines to write.
  func summaryLines(width: Int) -> [PanelLine] {
    var lines = wrapped("\(glyph) \(check.name)", width, indent: "  ").map { PanelLine($0, style) }
    lines += fieldLines("Expected", check.expected, width: width)
    lines += fieldLines("Found", check.found, width: width)
    lines += wholeField("Where", place.description, width: width)
    return lines + fixLines
  }

  /// The lines to write, without wrapping.
  ///
  /// Lines that are too long are truncated, and `y` copies all of them in full.
  var fixLines: [PanelLine] {
    guard let fix else { return [] }
    return [PanelLine(""), PanelLine("Write", .dim)]
      + fix.split(separator: "\n", omittingEmptySubsequences: false).map { PanelLine("  " + $0) }
  }
}
