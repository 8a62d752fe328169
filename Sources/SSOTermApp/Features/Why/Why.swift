extension KeyContext { static let why = KeyContext("why") }

/// What a "why?" is about.
enum WhySubject: Hashable, Sendable {
  /// An app's next silent call for an account; nil: for its only one.
  case app(String, account: String? = nil)
  /// Why two apps share a sign-in, or do not.
  case apps(String, String)
  case account(String)
  case token(String)
  case trace(Int64)
}

/// The decision as a list of conditions, the one that decided marked and selected.
struct Why: ListDialog {
  /// A heading, or a check of its section.
  struct Row: Equatable, Sendable {
    var section: Int
    var check: Int?
  }

  var subject: WhySubject
  var checklist: Checklist
  var rows: [Row]
  var list = RowList()

  init(_ subject: WhySubject, _ checklist: Checklist) {
    self.subject = subject
    self.checklist = checklist
    rows = checklist.sections.indices.flatMap { section in
      [Row(section: section)]
        + checklist.sections[section].checks.indices.map { Row(section: section, check: $0) }
    }
    list.replace(ids: rows.indices.map { "\($0)" }, texts: rows.map { _ in "" })
    list.select(id: "\(firstFailure ?? min(1, max(0, rows.count - 1)))")
  }

  func check(_ row: Row) -> Check? { row.check.map { checklist.sections[row.section].checks[$0] } }

  /// The row of the condition that decided.
  var firstFailure: Int? { rows.firstIndex { check($0)?.verdict == .failed } }
  var selectedRow: Row? { list.selectedRow.map { rows[$0] } }
  var selected: Check? { selectedRow.flatMap(check) }
}

extension Why {
  static let keys: [KeyContext: [KeyCommand]] = [
    .why: [
      KeyCommand(
        WhyAction.explainCheck, [.enter], "Enter", "the rule", name: "the rule",
        "Shows the source of the selected condition and the meaning of its codes."),
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
