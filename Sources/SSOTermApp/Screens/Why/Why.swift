import SSOCore
import SSOLab
import SSOReference
import TerminalUI

extension KeyContext { static let why = KeyContext("why") }

/// The subject of a “why?” question.
enum WhySubject: Hashable, Sendable {
  /// An app's next silent call for an account, or for the app's only account if it is `nil`.
  case app(String, account: String? = nil)
  /// The reason that two apps share a sign-in, or do not.
  case apps(String, String)
  case account(String)
  case token(String)
  case trace(Int64)
}

/// A decision: the answer in one sentence, and the conditions, of which only the failed ones are shown at first.
struct Why: ListDialog {
  /// A heading, a check of its section, or the line that represents all hidden checks.
  enum Row: Equatable, Sendable {
    case heading(Int)
    case check(section: Int, Int)
    case folded
  }

  let subject: WhySubject
  private(set) var checklist: Checklist
  /// Whether conditions that hold are shown too.
  private(set) var showsAll = false
  private(set) var rows: [Row] = []
  var list = RowList()

  init(_ subject: WhySubject, _ checklist: Checklist) {
    self.subject = subject
    self.checklist = checklist
    showRows()
    selectFailure()
  }

  /// Shows another answer to the same question after something in the lab has changed.
  mutating func show(_ new: Checklist) {
    let before = checklist.firstFailure
    checklist = new
    // A condition that was fixed stays visible.
    if let before, new.firstFailure == nil {
      showsAll = new.sections.contains { $0.checks.contains { $0.name == before.name } }
    }
    showRows()
    let mended = before.flatMap { before in
      rows.firstIndex { check($0)?.name == before.name && check($0)?.source == before.source }
    }
    if firstFailure == nil, let mended {
      list.select(id: "\(mended)")
    } else if before != nil || firstFailure != nil {
      selectFailure()
    }
  }

  /// The change that makes the selected condition hold, or else the change that the answer proposes.
  var remedy: Remedy? {
    selected == checklist.firstFailure ? checklist.remedy : selected?.remedy ?? checklist.remedy
  }

  mutating func toggleAll() {
    showsAll.toggle()
    let check = selected
    showRows()
    if let row = rows.firstIndex(where: { self.check($0) == check && check != nil }) {
      list.select(id: "\(row)")
    } else {
      selectFailure()
    }
  }

  private mutating func showRows() {
    rows = checklist.sections.indices.flatMap { section in
      let checks = checklist.sections[section].checks
      let shown = checks.indices.filter { showsAll || checks[$0].verdict == .failed }
      // If all conditions hold, the headings say how many each section had.
      guard showsAll || checklist.holds || !shown.isEmpty else { return [Row]() }
      return [Row.heading(section)] + shown.map { .check(section: section, $0) }
    }
    if !showsAll, counts.held + counts.unneeded > 0 { rows.append(.folded) }
    list.replace(ids: rows.indices.map { "\($0)" }, texts: rows.map { _ in "" })
  }

  private mutating func selectFailure() {
    let start = firstFailure ?? min(showsAll ? 1 : 0, max(0, rows.count - 1))
    list.select(id: "\(start)")
  }

  func check(_ row: Row) -> Check? {
    if case .check(let section, let number) = row { checklist.sections[section].checks[number] } else { nil }
  }

  /// The row of the condition that decided.
  var firstFailure: Int? { rows.firstIndex { check($0)?.verdict == .failed } }
  var selectedRow: Row? { list.selectedRow.map { rows[$0] } }
  var selected: Check? { selectedRow.flatMap(check) }

  var counts: (held: Int, failed: Int, unneeded: Int) { checklist.counts }
  /// The text for the hidden conditions, which fits in half of 80 columns: `18 more hold; press a`.
  var foldedText: String {
    checklist.foldedText(isBrief: true) + "; press a"
  }
}

extension Checklist {
  /// The number of conditions of each kind.
  package var counts: (held: Int, failed: Int, unneeded: Int) {
    let checks = sections.flatMap(\.checks)
    return (
      checks.count { $0.verdict == .passed }, checks.count { $0.verdict == .failed },
      checks.count { $0.verdict == .skipped }
    )
  }

  /// Returns the number of conditions that are hidden if only failed conditions are shown: `18 more conditions hold`, or
  /// `18 more hold` where there is little room.
  package func foldedText(isBrief: Bool = false) -> String {
    let (held, failed, unneeded) = counts
    guard held > 0 else { return "\(unneeded) not relevant" }
    let noun = isBrief ? "" : held == 1 ? " condition" : " conditions"
    return "\(held)\(failed > 0 ? " more" : "")\(noun) \(held == 1 ? "holds" : "hold")"
  }
}

extension Why {
  static let keys: [KeyContext: [KeyCommand]] = [
    .why: [
      KeyCommand(
        WhyAction.mend, [.character("f")], "f", "fix", name: "fix",
        "Opens the field that decides the selected condition, or the first that fails, with the value after which it "
          + "holds."),
      KeyCommand(
        WhyAction.explainCheck, [.character("W")], "W", "the rule", name: "the rule",
        "Shows the source of the selected condition and the meaning of its codes."),
      KeyCommand(
        WhyAction.showAll, [.character("a")], "a", "all", name: "all conditions",
        "Shows the conditions that hold too, or only the failed conditions."),
      KeyCommand(
        WhyAction.openRow, [.enter], "Enter", "", name: "open row",
        "Fixes the selected condition; where no field decides it, shows its rule; on other rows shows all conditions."
      ),
      KeyCommand(
        WhyAction.secondApp, [.character("w")], "w", "with another app", name: "with another app",
        "Shows whether this app and another one share a sign-in, and why."),
      .close(
        [.escape, .character("q")], "back", name: "back from here", "Goes back to the previous screen."),
      .help,
    ]
  ]

  var context: KeyContext { .why }
}

/// The drawing of a decision: the answer, the conditions in the order in which they are checked, and the selected
/// condition in full.
extension Why {
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = layout.size.width
    grid.fill(layout.tabs)
    grid.fill(layout.body)
    grid.put(" " + model.lab.named(checklist.title), at: 0, layout.tabs.y, width: width, style: .accent)
    let answer = answerLines(width: min(width - 2, longestLine), brief: layout.isSingle)
    let (top, rest) = layout.body.splitTop(answer.count)
    grid.lines(answer, in: top)
    // A list that would be cut beside the condition is above it, unless it is too high.
    let isCut = wanted > width - Self.leastDetail && list.count + 1 <= rest.height * 3 / 5
    let (conditions, detail) =
      width >= Self.sideBySide && !layout.isSingle && !isCut
      ? rest.splitLeft(max(width / 2, min(wanted, width - Self.leastDetail)))
      : rest.splitTop(min(list.count + 1, rest.height * 3 / 5))
    drawConditions(into: &grid, conditions)
    drawCondition(into: &grid, detail, brief: layout.isSingle)
  }

  /// The columns of a window from which its half has room for the sentence of a condition.
  private static let sideBySide = 100
  /// The columns that the selected condition keeps beside the list.
  private static let leastDetail = 46

  /// The columns in which the list's texts are whole, with the frame, the margin, and the mark.
  private var wanted: Int {
    let texts = rows.map { columnWidth(cells($0, isFirst: false).first?.text ?? "") }
    return (texts.max() ?? 0) + 4 + (firstFailure == nil ? 0 : Self.mark + 2)
  }

  /// The columns of the mark beside the condition that decided.
  private static let mark = 7

  /// Returns the sentence, the values found and expected, and the key that fixes the condition.
  private func answerLines(width: Int, brief: Bool) -> [PanelLine] {
    let cause = checklist.firstFailure
    let sentence = wrapped("\(cause == nil ? "✓" : "✗") \(checklist.answer)", width, indent: "  ")
    var lines = sentence.prefix(brief ? 2 : 3).map { PanelLine($0, .bold) }
    if sentence.count > lines.count, let last = lines.popLast() {
      lines.append(PanelLine(truncated(last.text + " …", width), .bold))
    }
    guard !brief else { return lines }
    if let cause {
      let values = "\(cause.found)  ≠  \(cause.expected)"
      lines += fieldLines(
        "  " + cause.name, values, width: width, label: columnWidth(cause.name) + 4, style: .bad
      )
      .prefix(3)
    }
    if let remedy = checklist.remedy {
      lines.append(PanelLine(truncated("  f  set \(remedy.change)  in \(remedy.record)", width), .accent))
    }
    return lines
  }

  private func drawConditions(into grid: inout Grid, _ rect: Rect) {
    let (held, failed, unneeded) = counts
    let inner = grid.panel(
      rect, "Conditions \(held + failed + unneeded)",
      trailing: failed == 1
        ? "1 fails" : failed > 1 ? "\(failed) fail" : unneeded > 0 ? "\(unneeded) not relevant" : "all hold",
      focused: true)
    let first = firstFailure
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("", width: .flexible(min: 34, weight: 1)),
        TableColumn("", width: .fixed(Self.mark), priority: 1),
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
        TableCell(" \(check.glyph) \(check.listText)", check.style),
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
    var lines = wrapped("\(check.glyph) \(check.listText)", width, indent: "  ").map {
      PanelLine($0, check.style)
    }
    if check.listText != check.name { lines += fieldLines("Condition", check.name, width: width) }
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
    case .failed: isFirst ? "first failure" : "fails"
    case .skipped: "not relevant"
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
