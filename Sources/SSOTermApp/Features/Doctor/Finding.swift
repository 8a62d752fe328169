extension KeyContext { static let finding = KeyContext("finding") }

/// A row of the Doctor screen in full.
///
/// The text for a check contains the rule, the reason that it matters, the number of public reports, the text that the
/// SDK prints, and the lines to write. The text for two apps contains every condition for sharing a sign-in.
struct Finding: TextDialog {
  private let row: FindingRow
  var scroll = 0

  init(_ row: FindingRow) { self.row = row }

  var check: DoctorCheck? { if case .check(let check) = row { check } else { nil } }

  static let keys: [KeyContext: [KeyCommand]] = [
    .finding: [
      .close([.escape, .enter, .character("q")], "back", name: "close", "Goes back to the checks."),
      .editPlace, .copyFix,
    ]
  ]

  var context: KeyContext { .finding }

  var title: String { check?.subject ?? "Sharing a sign-in" }
  var remark: String { check?.rule.rawValue ?? "" }

  func lines(width: Int) -> [PanelLine] {
    guard let check else { return row.detailLines(width: width) }
    var lines = wrapped(check.rule.title, width).map { PanelLine($0, .bold) }
    if check.hasFailed { lines.append(PanelLine(check.severity.rawValue, check.severity.style)) }
    lines += [PanelLine("")] + check.summaryLines(width: width)
    lines += [PanelLine("")] + fieldLines("Why", check.rule.why, width: width)
    if let reports = check.rule.reports {
      lines += fieldLines("Seen", "in \(counted(reports, "public report"))", width: width)
    }
    if let refusal = check.refusal {
      lines += [PanelLine(""), PanelLine("As the SDK or the provider says it", .dim)]
      lines += wrapped(refusal.text, width).map { PanelLine($0) }
    }
    for code in check.explanations { lines += [PanelLine("")] + code.lines(width: width) }
    return lines
  }
}
