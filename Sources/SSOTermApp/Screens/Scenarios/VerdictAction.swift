import SSOScenarios
import TerminalUI

extension KeyContext {
  static let remark = KeyContext("remark")
  static let evidence = KeyContext("evidence")
}

/// The actions that record verdicts and write the reports.
enum VerdictAction: FeatureAction {
  case assess(TrialResult.Verdict)
  /// Withdraws a verdict.
  case withdraw
  case remark, keepRemark, report
  /// Adds evidence by hand: a file, or the screen that was shown before.
  case attach, keepEvidence
  /// Only in the palette.
  case build, person

  static let keys: [KeyCommand] = [
    KeyCommand(
      assess(.passed), [.character("p")], "p", "pass", name: "passed",
      "Records that the selected scenario or step passed."),
    KeyCommand(
      assess(.failed), [.character("f")], "f", "fail", name: "failed",
      "Records that the selected scenario or step failed."),
    KeyCommand(
      assess(.skipped), [.character("S")], "S", "skip", name: "skipped",
      "Records that the selected scenario or step was skipped."),
    KeyCommand(
      withdraw, [.character("d")], "d", "withdraw", name: "withdraw",
      "Withdraws your verdict. The result of the last run applies again; without a run, the row is open."),
    KeyCommand(
      remark, [.character(";")], ";", "remark", name: "remark", "Writes a remark on the verdict.",
      taking: .text),
    KeyCommand(
      report, [.character("x")], "x", "report", name: "report",
      "Writes the results as Markdown and as JUnit into the current folder, with time, environment and evidence."
    ),
    KeyCommand(
      attach, [.character("a")], "a", "evidence", name: "evidence",
      "Adds evidence to the selected row: a file, or the screen that you came from as text.", taking: .text),
    KeyCommand(build, name: "build under test", .text, "Names the build under test, for the reports."),
    KeyCommand(person, name: "person", .text, "Names the tester, for the reports."),
  ]

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.scenarios
    return switch self {
    case .assess, .attach, .keepEvidence: screen.selected == nil ? "no scenario" : nil
    case .withdraw:
      screen.selected.map { screen.results[$0.name] == nil } != false ? "it has no verdict" : nil
    case .remark, .keepRemark:
      screen.selected.map { screen.results[$0.name] == nil } != false ? "p, f or S first" : nil
    case .report: screen.run.items.isEmpty ? "nothing was tried yet" : nil
    case .build, .person: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .assess(let verdict):
      model.screens.scenarios.assess(verdict)
      model.shared.say("Noted as \(verdict.rawValue). ; writes a remark.")
    case .withdraw:
      model.screens.scenarios.withdraw()
      let name = model.screens.scenarios.selected?.name ?? ""
      let left = model.screens.scenarios.results[name]?.verdict
      model.shared.say(left.map { "The run counts again: \($0.rawValue)." } ?? "No verdict any more.")
    case .attach: model.shared.open(EvidenceField(hasScreen: model.previousTab != nil))
    case .keepEvidence:
      guard let path = model.topDialog(EvidenceField.self)?.field.text else { return [] }
      model.dialogs.removeLast()
      return add(path, to: &model)
    case .remark:
      let name = model.screens.scenarios.selected?.name ?? ""
      model.shared.open(RemarkField(text: model.screens.scenarios.results[name]?.remark ?? ""))
    case .keepRemark:
      guard let field = model.topDialog(RemarkField.self) else { return [] }
      model.dialogs.removeLast()
      model.screens.scenarios.remark(field.field.text)
    case .report:
      model.screens.scenarios.isReported = true
      return model.shared.begin("Writing the reports", .report(model.screens.scenarios.run))
    case .build, .person: model.shared.sayArgumentIsMissing()
    }
    return []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    switch self {
    case .remark: model.screens.scenarios.remark(argument)
    case .attach: return add(argument, to: &model)
    case .build: model.screens.scenarios.build = argument
    case .person: model.screens.scenarios.person = argument
    case .assess, .withdraw, .keepRemark, .keepEvidence, .report: return nil
    }
    return []
  }

  /// Adds the file at `path` as evidence.
  ///
  /// An empty path stands for the screen that was shown before.
  private func add(_ path: String, to model: inout AppModel) -> [Command] {
    guard let name = model.screens.scenarios.selected?.name else { return [] }
    guard path.isEmpty else { return [.readEvidence(path, of: name)] }
    guard let evidence = TrialResult.Evidence(screenBefore: model) else {
      model.shared.say("No other screen was shown yet: name a file.", .bad)
      return []
    }
    model.screens.scenarios.add(evidence, to: name)
    model.shared.say("Added the \(evidence.name).")
    return []
  }
}

extension TrialResult.Evidence {
  /// Creates evidence from the screen that was shown before this one, as text.
  ///
  /// A secret that it revealed is masked again.
  fileprivate init?(screenBefore model: AppModel) {
    guard let place = model.shared.previousTab else { return nil }
    var before = model
    before.shared.stack = [place]
    before.shared.dialogs = []
    (before.shared.notice, before.shared.revealedToken, before.shared.isZoomed) = (nil, nil, false)
    var grid = Grid(width: model.shared.size.width, height: model.shared.size.height)
    view(before, into: &grid)
    self.init(name: "screen \(place.title)", text: grid.text())
  }
}

/// The field for the path of a file with evidence.
struct EvidenceField: DialogComponent {
  var field = TextField()
  /// Whether an empty field stands for the screen that was shown before.
  var hasScreen: Bool

  static let keys: [KeyContext: [KeyCommand]] = [
    .evidence: [
      KeyCommand(
        VerdictAction.keepEvidence, [.enter], "Enter", "add", name: "add evidence",
        "Adds the file; without a name the screen that you came from, as text."),
      .close([.escape], "cancel", name: "leave evidence", "Adds nothing."),
    ]
  ]

  var context: KeyContext { .evidence }
  mutating func type(_ key: KeyPress) -> Bool { field.handle(key) }
  mutating func paste(_ text: String) { field.insert(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let area = layout.body.centred(width: min(70, layout.size.width), height: hasScreen ? 4 : 3)
    let inner = grid.window(area, "Evidence: a file")
    field.draw(into: &grid, at: inner.rows(0, 1).inset(x: 1, y: 0), focused: true)
    guard hasScreen else { return }
    grid.lines([PanelLine("Empty: the screen that you came from, as text.", .dim)], in: inner.rows(1, 1))
  }
}

/// The field for a remark.
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
