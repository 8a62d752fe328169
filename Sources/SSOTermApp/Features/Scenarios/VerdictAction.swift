extension KeyContext { static let remark = KeyContext("remark") }

/// Judging what was tried, and writing the reports.
enum VerdictAction: FeatureAction {
  case judge(TrialResult.Verdict)
  case remark, keepRemark, report
  /// Of the palette.
  case build, person

  static let keys: [KeyCommand] = [
    KeyCommand(
      judge(.passed), [.character("p")], "p", "pass", name: "passed",
      "Notes that the selected scenario or step passed."),
    KeyCommand(
      judge(.failed), [.character("f")], "f", "fail", name: "failed",
      "Notes that the selected scenario or step failed."),
    KeyCommand(
      judge(.skipped), [.character("S")], "S", "skip", name: "skipped",
      "Notes that the selected scenario or step was skipped."),
    KeyCommand(
      remark, [.character(";")], ";", "remark", name: "remark", "Writes a remark on the verdict.",
      taking: .text),
    KeyCommand(
      report, [.character("x")], "x", "report", name: "report",
      "Writes what was tried as Markdown and as JUnit into the present folder, with time, environment and evidence."
    ),
    KeyCommand(build, name: "build under test", .text, "Names the build under test, for the reports."),
    KeyCommand(person, name: "person", .text, "Names the person who tests, for the reports."),
  ]

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.scenarios
    return switch self {
    case .judge: screen.selected == nil ? "no scenario" : nil
    case .remark, .keepRemark:
      screen.selected.map { screen.results[$0.name] == nil } != false ? "p, f or S first" : nil
    case .report: screen.run.items.isEmpty ? "nothing was tried yet" : nil
    case .build, .person: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .judge(let verdict):
      model.screens.scenarios.judge(verdict)
      model.shared.say("Noted as \(verdict.rawValue). ; writes a remark.")
    case .remark:
      let name = model.screens.scenarios.selected?.name ?? ""
      model.shared.open(RemarkField(text: model.screens.scenarios.results[name]?.remark ?? ""))
    case .keepRemark:
      guard let field = model.topDialog(RemarkField.self) else { return [] }
      model.dialogs.removeLast()
      model.screens.scenarios.remark(field.field.text)
    case .report: return model.shared.begin("Writing the reports", .report(model.screens.scenarios.run))
    case .build, .person: model.shared.sayArgumentIsMissing()
    }
    return []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    switch self {
    case .remark: model.screens.scenarios.remark(argument)
    case .build: model.screens.scenarios.build = argument
    case .person: model.screens.scenarios.person = argument
    case .judge, .keepRemark, .report: return nil
    }
    return []
  }
}

/// The line in which a remark is typed.
struct RemarkField: DialogComponent {
  var field: TextField

  init(text: String) { field = TextField(text) }

  static let keys: [KeyContext: [KeyCommand]] = [
    .remark: [
      KeyCommand(
        VerdictAction.keepRemark, [.enter], "Enter", "keep", name: "keep remark", "Keeps the remark."),
      .close([.escape], "cancel", name: "leave remark", "Leaves the remark as it was."),
    ]
  ]

  var context: KeyContext { .remark }
  mutating func type(_ key: KeyPress) -> Bool { field.handle(key) }
  mutating func paste(_ text: String) { field.insert(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let area = layout.body.centred(width: min(70, layout.size.width), height: 3)
    let inner = grid.window(area, "Remark")
    field.draw(into: &grid, at: inner.inset(x: 1, y: 0), focused: true)
  }
}
