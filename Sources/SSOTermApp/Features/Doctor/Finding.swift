extension KeyContext { static let finding = KeyContext("finding") }

/// One check of the Doctor screen in full: the rule, why it matters, who was bitten, what the SDK prints, what to write.
struct Finding: TextDialog {
  let check: DoctorCheck
  var scroll = 0

  init(_ check: DoctorCheck) { self.check = check }

  static let keys: [KeyContext: [KeyCommand]] = [
    .finding: [
      .close([.escape, .enter, .character("q")], "back", name: "close", "Goes back to the checks."),
      .editPlace, .copyFix,
    ]
  ]

  var context: KeyContext { .finding }

  var title: String { check.subject }
  var remark: String { check.rule.rawValue }

  func lines(width: Int) -> [PanelLine] {
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
