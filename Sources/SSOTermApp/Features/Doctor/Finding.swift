extension KeyContext { static let finding = KeyContext("finding") }

/// One check of the Doctor screen in full: the rule, why it matters, who was bitten, what the SDK prints, what to write.
struct Finding: DialogComponent {
  let check: DoctorCheck
  private var scroll = 0

  init(_ check: DoctorCheck) { self.check = check }

  static let keys: [KeyContext: [KeyCommand]] = [
    .finding: [
      .close([.escape, .enter, .character("q")], "back", name: "close", "Goes back to the checks."),
      .editPlace, .copyFix,
    ]
  ]

  var context: KeyContext { .finding }

  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let area = model.layout.explainedArea
    let hidden = lines(width: area.width - 4).count - (area.height - 2)
    var state = ListState(selection: scroll)
    guard state.handle(key, count: max(1, hidden + 1), height: area.height - 2) else { return false }
    scroll = state.selection
    return true
  }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let most = layout.explainedArea
    let text = lines(width: most.width - 4)
    let area = layout.body.centred(width: most.width, height: min(most.height, text.count + 2))
    let inner = grid.window(area, check.subject, trailing: check.rule.rawValue)
    grid.lines(text, in: inner, scroll: scroll)
  }

  private func lines(width: Int) -> [PanelLine] {
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
