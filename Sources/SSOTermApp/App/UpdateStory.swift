import SSOLab
import SSOScenarios
import TerminalUI

extension AppModel {
  mutating func show(story file: ScenarioFile) {
    guard !file.steps.isEmpty else { return }
    let story = Story(title: file.title, note: file.note, steps: file.steps)
    self.story = story
    storySteps.replace(ids: story.steps.indices.map { "\($0)" }, texts: story.steps.map(\.title))
    notice = Notice(
      text: "A story of \(story.steps.count) steps: > tells the next one, \(Place.story.tab + 1) lists them.",
      kind: .plain)
  }

  mutating func tellNext() -> [Command] {
    guard let story, let step = story.next else { return [] }
    let number = story.reports.count + 1
    return begin(
      "Step \(number) of \(story.steps.count): \(step.title)", .tell(StepTelling(step, index: number)))
  }

  mutating func tellBack() -> [Command] {
    guard let story else { return [] }
    return begin("A step back", .retell(Array(story.steps.prefix(max(0, story.reports.count - 1)))))
  }

  /// Fills the story's answer in. The person may give another one; the step is then judged by what came of it.
  mutating func tell(_ prompt: Prompt, of intent: Intent, in dialog: inout PromptDialog) {
    guard let step = story?.telling, step.intent == intent else { return }
    guard let answer = story?.telling?.answer(prompt) else {
      notice = Notice(text: "Step \(step.index): the story has no answer to this.", kind: .plain)
      return
    }
    dialog.fill(answer)
    let key = dialog.answer == answer ? "Enter sends the story's answer" : "the story leaves here: Esc"
    notice = Notice(text: "Step \(step.index): \(key).", kind: .plain)
  }

  /// The flow of a step is over.
  mutating func judge(_ outcome: Outcome, _ traceID: Int64?, of intent: Intent) -> [Command] {
    guard var telling = story?.telling, telling.intent == intent else { return [] }
    telling.end(outcome, traceID: traceID)
    story?.telling = nil
    // The screens show what the audience has just been told about.
    if let app = intent.app.flatMap({ app(named: $0) }) { apps.select(id: app.bundleID) }
    return [.judge(telling)]
  }

  mutating func take(told report: StepReport) -> [Command] {
    working = nil
    story?.telling = nil
    story?.reports.append(report)
    storySteps.state.selection = report.index - 1
    notice = Notice(report)
    return reload()
  }

  mutating func take(retold reports: [StepReport]) -> [Command] {
    working = nil
    story?.reports = reports
    storySteps.state.selection = max(0, reports.count - 1)
    notice = reports.last.map(Notice.init) ?? Notice(text: "The story is at its beginning.", kind: .plain)
    return reload()
  }
}

extension Intent {
  /// The app that a step is about.
  fileprivate var app: String? {
    switch self {
    case .signIn(let app, _, _, _, _), .acquireSilently(let app, _, _, _, _), .signOut(let app, _, _),
      .disturb(let app, _), .reinstall(let app), .openURL(_, from: let app), .enroll(let app, _),
      .handOver(_, to: let app), .endApp(let app), .currentAccount(let app):
      app
    default: nil
    }
  }
}

extension Notice {
  init(_ report: StepReport) {
    guard let mismatch = report.mismatches.first else {
      self.init(text: "✓ Step \(report.index) held: \(report.title).", kind: .good)
      return
    }
    self.init(
      text: "✗ Step \(report.index): expected \(mismatch.expected), found \(mismatch.found).", kind: .bad)
  }
}

extension PromptDialog {
  /// Enters an answer as a person would; whoever looks on sees it, and Enter sends it.
  mutating func fill(_ answer: Answer) {
    switch answer {
    case .account(let id): list.select(id: id)
    case .useAnotherAccount: list.select(id: Self.otherAccount)
    case .username(let text), .password(let text), .verification(let text): field = TextField(text)
    case .accept: button = 0
    case .cancel: button = 1
    }
  }
}
