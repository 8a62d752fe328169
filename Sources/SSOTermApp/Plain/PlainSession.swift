import Foundation

/// Where a plain session asks and answers: a terminal, or a test.
package struct PlainTerminal {
  /// Says a line.
  var say: (String) -> Void
  /// A line that the person types; nil at the end of the input.
  var hear: (String) -> String?
  /// Asks what a flow asks, in numbered lines.
  var answer: (Prompt) -> Answer

  package init(
    say: @escaping (String) -> Void, hear: @escaping (String) -> String?,
    answer: @escaping (Prompt) -> Answer
  ) {
    (self.say, self.hear, self.answer) = (say, hear, answer)
  }
}

/// The screens without a picture, for a screen reader or a terminal that cannot draw: what is shown is said in numbered
/// lines, and what a command changes in one line.
///
/// The same model takes the same keys and commands as the screens, by key or by name.
package final class PlainSession {
  private(set) var model: AppModel
  private let runner: CommandRunner
  private let terminal: PlainTerminal
  private var result: ProgramResult?
  /// What was said last, so that only changes are said.
  private var said: PlainPicture?
  private var saidPlace: [Place] = []
  private var saidDialogs = 0
  private var saidNotice: Notice?
  private var saidStep = 0

  /// Rows of a list that are said at once.
  private static let size = Size(width: 120, height: 28)

  package init(
    lab: Lab, title: String, storeOption: String? = nil, story: ScenarioFile? = nil, terminal: PlainTerminal
  ) {
    self.terminal = terminal
    // One access at a time to what belongs to an object.
    var model = AppModel(title: title, size: Self.size)
    model.lab.isReadOnly = lab.isReadOnly
    model.lab.storeOption = storeOption
    model.times.utcOffset = TimeZone.current.secondsFromGMT()
    runner = CommandRunner(lab: lab, clipboard: ClipboardController(.off) { _ in nil }) {}
    if let story { model.screens.story.show(story, &model.shared) }
    self.model = model
  }

  /// Runs until the person quits or the input ends.
  /// - Parameter path: the first screen, as `ssoterm tui` takes it.
  package func run(at path: String) -> ProgramResult {
    terminal.say(
      "SSOTerm, \(model.lab.title). A number chooses a row. A key or the name of a command runs it; ? lists them. "
        + "The screens are \(model.tabs.map { $0.title.lowercased() }.joined(separator: ", ")).")
    carryOut(model.follow(path: path))
    tell()
    while true {
      if case .demo(let name)? = result { runDemo(name) }
      if let result { return result }
      guard let line = terminal.hear(">") else { return .cancelled }
      take(line.trimmingCharacters(in: .whitespaces))
      tell()
    }
  }

  /// A scenario as a demo, after which this session goes on.
  private func runDemo(_ name: String) {
    result = nil
    said = nil
    do {
      let file = try ScenarioLibrary().scenario(name)
      let demo = PlainSession(
        lab: try Lab.throwaway(file, clockRuns: true), title: "demo " + name, story: file, terminal: terminal)
      if demo.run(at: "apps") == .cancelled { result = .cancelled }
      carryOut(demo.model.screens.story.story.map { update(&model, .demoLeft($0)) } ?? [])
    } catch { carryOut(update(&model, .failed(Problem(error)))) }
    tell()
  }

  private func take(_ line: String) {
    switch PlainInput(line, in: model) {
    case .nothing: said = nil
    case .help: help()
    case .row(let target): choose(target)
    case .key(let key): press(key)
    case .text(let text): carryOut(update(&model, .event(.paste(text))))
    case .command(let command, let argument):
      carryOut(argument.isEmpty ? model.attempt(command) : model.run(command, argument))
    case .unknown(let word, let nearest):
      terminal.say(
        "There is no command “\(word)”." + (nearest.map { " Did you mean \($0)?" } ?? " ? lists them."))
    }
  }

  private func help() {
    for command in model.shared.keys.commands(in: model.context)
    where model.obstacle(to: command.action.value) == nil {
      let key = command.keyText.isEmpty ? "" : "\(command.keyText), "
      terminal.say("\(key)\(command.name): \(command.sentence)")
    }
  }

  private func press(_ key: KeyPress) {
    carryOut(update(&model, .event(.key(key))))
  }

  /// A row of a list is selected, and in a dialog chosen; a button is pressed.
  private func choose(_ target: Touch.Target) {
    if !model.dialogs.isEmpty {
      model.shared.changeDialog { dialog in
        switch target {
        case .row(_, let number): dialog.click(row: number)
        case .button(let number): dialog.click(button: number)
        case .tab, .text, .key, .place: break
        }
      }
      return press(.enter)
    }
    guard case .row(let list, let number) = target else { return }
    model.panel = list
    model.activeList.state.selection = number
    carryOut(model.selectionMoved())
    if let row = PlainPicture(model).selected, row == said?.selected { terminal.say("Selected: \(row.text)") }
  }

  /// Carries out what the model asks for, one after the other, and asks the person what a flow asks.
  private func carryOut(_ commands: [Command]) {
    var queue = commands
    while true {
      while !queue.isEmpty {
        let command = queue.removeFirst()
        if case .finish(let end) = command {
          result = end
          return
        }
        if let message = runner.run(command) { queue += update(&model, message) }
      }
      for answer in runner.collect() { if let message = answer.message { queue += update(&model, message) } }
      if queue.isEmpty, let asked = ask() { queue = asked }
      if queue.isEmpty { return }
    }
  }

  /// The person's answer to the prompt that is open, or the scenario's; nil if nothing is asked.
  private func ask() -> [Command]? {
    guard let prompt = model.topDialog(PromptDialog.self), prompt.intent != nil else { return nil }
    sayStep()
    guard let scripted = prompt.scripted, let answer = scripted.answer else {
      return PromptAction.send(terminal.answer(prompt.prompt), of: prompt, &model.shared)
    }
    terminal.say(prompt.sentence + ".")
    let words = prompt.words(of: answer)
    switch terminal.hear("The scenario \(words). Enter does so, a answers otherwise, < leaves the step:") {
    case "a"?: return PromptAction.send(terminal.answer(prompt.prompt), of: prompt, &model.shared)
    case "<"?, nil:
      prompt.leaveStep(&model)
      return []
    default: return PromptAction.send(answer, of: prompt, &model.shared)
    }
  }
}

/// What is said: only what has changed.
extension PlainSession {
  private func tell() {
    guard result == nil else { return }
    sayStep()
    if let notice = model.notice, notice != saidNotice {
      terminal.say([notice.text, notice.next].filter { !$0.isEmpty }.joined(separator: " "))
    }
    saidNotice = model.notice
    let picture = PlainPicture(model)
    if let said, model.stack == saidPlace, model.dialogs.count == saidDialogs {
      let known = Set(said.lines.map(\.text))
      let news = picture.lines.filter { !known.contains($0.text) }
      for line in news { terminal.say(line.text) }
      if news.isEmpty, let row = picture.selected, row != said.selected {
        terminal.say("Selected: \(row.text)")
      }
    } else {
      for line in picture.lines { terminal.say(line.text) }
    }
    (said, saidPlace, saidDialogs) = (picture, model.stack, model.dialogs.count)
    // A secret is said once; it does not stay on the screen.
    if model.revealedToken != nil { carryOut(model.ring(.conceal)) }
  }

  /// The step of the demo that is on its way, with its note.
  private func sayStep() {
    guard let story = model.screens.story.story, story.present != saidStep else { return }
    saidStep = story.present
    guard story.present > 0 else { return }
    let step = story.steps[story.present - 1]
    terminal.say("Step \(story.present) of \(story.steps.count): \(step.title). \(step.note)")
  }
}

extension PromptDialog {
  /// What the scenario does at this prompt.
  fileprivate func words(of answer: Answer) -> String {
    switch answer {
    case .account(let id):
      guard case .chooseAccount(let picker) = prompt else { return "chooses an account" }
      return "chooses \(picker.candidates.first { $0.homeAccountID == id }?.username ?? id)"
    case .useAnotherAccount: return "uses another account"
    case .username(let name): return "types \(name)"
    case .password: return "types the password"
    case .verification(let number): return "types \(number) in Authenticator"
    case .accept: return "accepts"
    case .cancel: return "cancels"
    }
  }
}
