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
    let wasFailed = firstFailure != nil
    checklist = new
    showRows()
    if wasFailed { selectFailure() }
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
  /// The text for the hidden conditions: `18 more conditions hold: a lists them`.
  var foldedText: String { checklist.foldedText + ": a lists them" }
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

  /// The number of conditions that are hidden if only failed conditions are shown: `18 more conditions hold`.
  package var foldedText: String {
    let (held, failed, unneeded) = counts
    guard held > 0 else { return "\(unneeded) not needed" }
    return "\(held) \(failed > 0 ? "more " : "")\(held == 1 ? "condition holds" : "conditions hold")"
  }
}

extension Why {
  static let keys: [KeyContext: [KeyCommand]] = [
    .why: [
      KeyCommand(
        WhyAction.mend, [.character("f")], "f", "fix", name: "fix",
        "Opens the field that decides the selected condition, with the value after which it holds."),
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
