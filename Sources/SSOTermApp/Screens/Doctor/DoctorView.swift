import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import TerminalUI

extension DoctorScreen {
  /// Returns the panels: projects on the left, checks on the right, and below them the selected check if there is room.
  func panels(in layout: Layout) -> Layout.Panels {
    guard layout.isRegular else { return layout.pair(left: 0, top: layout.body.height * 2 / 5) }
    // The list is as wide as its names need, because the checks are sentences.
    let names = subjectRows.map { columnWidth($0.name) }.max().map { $0 + 10 } ?? layout.size.width / 3
    let (subjects, rest) = layout.body.splitLeft(min(38, max(28, min(names, layout.size.width / 3))))
    // A short list is only as high as its rows, with a heading and a blank line, so that the selected check is beside it.
    let (checks, detail) = rest.splitTop(min(rest.height * 11 / 20, max(Self.leastChecks, self[1].count) + 2))
    return Layout.Panels(first: subjects, second: checks, third: detail)
  }

  /// The minimum number of rows for the list of checks, so that its height seldom changes from app to app.
  private static let leastChecks = 6

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

  /// The text of an empty left panel.
  private var emptyWords: [String] {
    switch result {
    case nil: ["Reading the files…"]
    case .failure(let error): [error.what, error.why]
    case .success(let checked):
      [
        checked.diagnosis.hasNoSDK
          ? "No app here uses MSAL or ADAL: nothing to check." : "Nothing could be checked."
      ] + checked.diagnosis.notes.lines
    }
  }

  private func drawChecks(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let title = selectedSubject?.name ?? "Checks"
    let inner = grid.panel(
      rect, title, trailing: selectedSubject?.findingsText ?? "", focused: shared.panel == 1)
    guard self[1].count > 0 else { return grid.emptyState(of: self[1], "check", [], in: inner) }
    let rows = self[1].matches.map { checkRows[$0].cells }
    // A place gives way before a sentence, because the panel below states it in full.
    let sentence = rows.map { columnWidth($0[1].text) }.max() ?? 0
    let wanted = min(sentence, max(40, inner.width - Self.leastPlace - 7))
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .fixed(1)),
        TableColumn("", width: .flexible(min: 20, wanted: wanted, weight: 1)),
        TableColumn(
          "", width: .flexible(min: Self.leastPlace, weight: 3), cut: .start, priority: 1, name: "rules"),
      ], rowCount: rows.count, row: { rows[$0] }, state: self[1].state, focused: shared.panel == 1, list: 1)
  }

  /// The columns in which the name of a file, or its end, can be recognised.
  private static let leastPlace = 14

  private func drawDetail(into grid: inout Grid, _ rect: Rect) {
    let title = selectedCheck?.rule.name ?? (selectedSubject?.isSharing == true ? "Conditions" : "Check")
    let inner = grid.panel(rect, title, focused: false)
    guard let selectedRow else { return }
    grid.lines(
      selectedRow.detailLines(width: inner.width - 2, checked?.difference(of: selectedRow)), in: inner)
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
        TableCell(check.title, check.hasFailed ? .plain : .dim),
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
        TableCell(cell.sentence(names)), TableCell(cell.displayText, .dim),
      ]
    case .unread(let file):
      [TableCell("?", .warning), TableCell("\(file.error)"), TableCell(file.path, .dim)]
    case .notSeen(let what): [TableCell("?", .warning), TableCell(what), TableCell("")]
    }
  }

  /// Returns the details of the row, with the lines of a file before and after the change that fixes a check.
  func detailLines(width: Int, _ difference: [String]?) -> [PanelLine] {
    switch self {
    case .check(let check): check.summaryLines(width: width, difference)
    case .pair(let pair):
      wrapped(pair.title, width).map { PanelLine($0, .bold) }
        + wrapped(pair.answer, width).map { PanelLine($0) }
        + pair.sections.flatMap {
          [PanelLine(""), PanelLine($0.title, .dim)] + checkLines($0.checks, width: width)
        }
    case .visibility(let cell, let names):
      wrapped(cell.sentence(names), width).map { PanelLine($0, .bold) }
        + wrapped(cell.displayText, width).map { PanelLine($0) } + [PanelLine("")]
        + checkLines(cell.checks, width: width)
    case .unread(let file): wrapped("\(file.path): \(file.error)", width).map { PanelLine($0) }
    case .notSeen(let what): wrapped(what, width).map { PanelLine($0) }
    }
  }
}

extension FilePlace {
  /// The place without its folders.
  fileprivate var shortDescription: String { FilePlace(fileName(path), line: line).description }

  /// The place in its folder, such as `Expenses/Info.plist:17`.
  fileprivate var inFolder: String {
    let names = path.split(separator: "/").suffix(2).joined(separator: "/")
    return FilePlace(names, line: line).description
  }
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
  ///
  /// `difference` shows these lines in their file.
  func summaryLines(width: Int, _ difference: [String]?) -> [PanelLine] {
    var lines = wrapped("\(glyph) \(title)", width, indent: "  ").map { PanelLine($0, style) }
    lines += fieldLines("Expected", check.expected, width: width)
    lines += fieldLines("Found", check.found, width: width)
    lines += fieldLines("Where", place.inFolder, width: width)
    return lines + (difference.map { Self.lines(ofDifference: $0) } ?? fixLines)
  }

  /// Returns the lines of a file that a change removes and adds, without wrapping.
  private static func lines(ofDifference difference: [String]) -> [PanelLine] {
    [PanelLine("")]
      + difference.map { line in
        PanelLine(line, line.hasPrefix("+") ? .good : line.hasPrefix("-") ? .bad : .dim)
      }
  }

  /// The lines to write, without wrapping.
  ///
  /// Lines that are too long are truncated, and `y` copies all of them in full.
  private var fixLines: [PanelLine] {
    guard let fix else { return [] }
    return [PanelLine(""), PanelLine("Write", .dim)]
      + fix.lines.map { PanelLine("  " + $0) }
  }
}

/// A line of the left panel: a project, its apps and registrations below it, and at the end the files that cannot be
/// read.
enum SubjectRow: Equatable, Sendable {
  case project(String, findings: [DoctorCheck])
  case subject(DoctorSubject, findings: [DoctorCheck])
  /// The relationship between the apps: which of them share a sign-in.
  case sharing(DiagnosedSharing)
  case unread(count: Int)

  static func lines(of checked: CheckedProject) -> [SubjectRow] {
    let diagnosis = checked.diagnosis
    let subjects = diagnosis.subjects
    let projects = subjects.map(\.project).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let rows = projects.flatMap { project in
      let own = subjects.filter { $0.project == project }.map { subject in
        SubjectRow.subject(subject, findings: diagnosis.checks(of: subject).filter(\.hasFailed))
      }
      return [.project(project, findings: own.flatMap(\.findings))] + own
    }
    return rows + (checked.sharing.map { [.sharing($0)] } ?? [])
      + (diagnosis.unread.isEmpty ? [] : [.unread(count: diagnosis.unread.count)])
  }

  var id: String {
    switch self {
    case .project(let path, _): path
    case .subject(let subject, _): "\(subject.origin) \(subject.name)"
    case .sharing: "sharing"
    case .unread: "unread"
    }
  }

  var name: String {
    switch self {
    case .project(let path, _): fileName(path)
    case .subject(let subject, _): subject.name
    case .sharing: "sharing a sign-in"
    case .unread: "not read"
    }
  }

  var text: String {
    if case .subject(let subject, _) = self { "\(subject.name) \(subject.summary)" } else { name }
  }

  var findings: [DoctorCheck] {
    switch self {
    case .project(_, let findings), .subject(_, let findings): findings
    case .sharing, .unread: []
    }
  }

  /// Whether the line is an app or a registration with findings.
  var isWrong: Bool {
    if case .subject = self { !findings.isEmpty } else { false }
  }

  var bundleID: String? {
    if case .subject(let subject, _) = self { subject.bundleID } else { nil }
  }

  /// Returns the rows of the right panel: findings by severity, then what was not seen, then passed checks.
  func rows(in diagnosis: Diagnosis) -> [FindingRow] {
    let checks: [DoctorCheck]
    var notSeen: [FindingRow] = []
    switch self {
    case .project(let path, _):
      checks = diagnosis.subjects.filter { $0.project == path }.flatMap { diagnosis.checks(of: $0) }
      notSeen = diagnosis.notes(of: path).map { .notSeen($0.displayText) }
    case .subject(let subject, _):
      checks = diagnosis.checks(of: subject)
      notSeen = subject.notSeen.map { [.notSeen($0)] } ?? []
    case .sharing(let sharing):
      return sharing.pairs.map { .pair($0) } + sharing.visibility.map { .visibility($0, sharing.names) }
    case .unread: return diagnosis.unread.map { .unread($0) }
    }
    let found = DoctorCheck.Severity.allCases.flatMap { severity in
      checks.filter { $0.hasFailed && $0.severity == severity }
    }
    let passed = checks.filter { $0.check.verdict == .passed }
    return found.map { .check($0) } + notSeen + passed.map { .check($0) }
  }
}

/// A line of the right panel.
enum FindingRow: Equatable, Sendable {
  case check(DoctorCheck)
  /// The explanation of whether two apps share a sign-in.
  case pair(Checklist)
  /// A cell of the matrix: what one app can use of another app's sign-in, with names by bundle ID.
  case visibility(Visibility, [String: String])
  case unread(UnreadFile)
  /// Something that a built app does not show.
  case notSeen(String)

  var id: String {
    switch self {
    case .check(let check): "\(check.subject) \(check.rule.name) \(check.check.name) \(check.place.path)"
    case .pair(let pair): pair.title
    case .visibility(let cell, _): "\(cell.signedIn) \(cell.looking)"
    case .unread(let file): file.path
    case .notSeen(let what): "not seen \(what)"
    }
  }

  var text: String {
    switch self {
    case .check(let check): "\(check.title) \(check.rule.title) \(check.rule.name) \(check.place)"
    case .pair(let pair): "\(pair.title) \(pair.answer)"
    case .visibility(let cell, let names): cell.sentence(names)
    case .unread(let file): file.path
    case .notSeen(let what): what
    }
  }

  /// Whether Enter opens the row in full.
  var canOpen: Bool {
    switch self {
    case .check, .pair, .visibility: true
    case .unread, .notSeen: false
    }
  }
}

extension DiagnosedSharing {
  fileprivate var names: [String: String] {
    Dictionary(apps.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Visibility {
  /// Returns a sentence such as `In the keychain Mail finds nothing of Calendar's sign-in`.
  func sentence(_ names: [String: String]) -> String {
    "In the keychain \(names[looking] ?? looking) finds \(extent.rawValue) of \(names[signedIn] ?? signedIn)'s sign-in"
  }
}
