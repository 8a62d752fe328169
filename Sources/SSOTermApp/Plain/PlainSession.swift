import Essentials

/// The screens without a picture, for a screen reader or a terminal that cannot draw: what is shown is said in numbered
/// lines, and what a command changes in one line.
///
/// The same model takes the same keys and commands as the screens, by key or by name.
package final class PlainSession {
  private(set) var model: AppModel
  private let runner: CommandRunner
  private let clipboard: ClipboardController
  private let terminal: PlainTerminal
  private let settings: Settings
  private var result: ProgramResult?
  /// What was said last, so that only changes are said.
  private var said: PlainPicture?
  private var saidPlace: [Place] = []
  private var saidDialogs = 0
  private var saidNotice: Notice?
  private var saidStep = 0
  /// Wakes the session while it waits for a line; nil if the system gives no more files.
  private let news: WakePipe?
  /// Readable when another process has written to the store.
  private let storeWatch: [Int32]
  /// What `ssoterm notes` shows of a demo.
  private var progress = StoryProgressFile()

  /// Rows of a list that are said at once.
  private static let size = Size(width: 200, height: 40)

  /// Prepares a session on `terminal`.
  ///
  /// `settings` are the person's own keys, commands and way to show times. `clipboard` takes what is copied; one that only
  /// a screen has is not used. `descriptors` become readable when another process has written to the store.
  package init(
    lab: Lab, title: String, settings: Settings = Settings(), clipboard: ClipboardController? = nil,
    storeOption: String? = nil, story: ScenarioFile? = nil, watching descriptors: [Int32] = [],
    terminal: PlainTerminal
  ) {
    self.terminal = terminal
    self.settings = settings
    storeWatch = descriptors
    news = WakePipe()
    // One access at a time to what belongs to an object.
    var model = AppModel(title: title, size: Self.size)
    model.lab.isReadOnly = lab.isReadOnly
    model.lab.storeOption = storeOption
    model.times.utcOffset = TimeZone.current.secondsFromGMT()
    if settings != Settings() { model.shared.keys = KeyTable(settings) }
    model.times.style = settings.time ?? model.times.style
    var copies = clipboard ?? ClipboardController(.off) { _ in nil }
    if copies.way == .terminal { copies = ClipboardController(.off) { _ in nil } }
    self.clipboard = copies
    runner = CommandRunner(lab: lab, clipboard: copies) { [news] in news?.wake() }
    if let story { model.screens.story.show(story, &model.shared) }
    self.model = model
  }

  /// Runs until the person quits or the input ends.
  /// - Parameter path: the first screen, as `ssoterm tui` takes it.
  /// - Returns: how it ended.
  package func run(at path: String) -> ProgramResult {
    defer {
      clipboard.clearSecret()
      progress.remove()
    }
    terminal.say(
      "SSOTerm, \(model.lab.title). A number chooses a row. A key or the name of a command runs it; ? lists them. "
        + "The screens are \(model.tabs.map { $0.title.lowercased() }.joined(separator: ", ")).")
    carryOut(model.follow(path: path))
    sayChanges()
    while true {
      if case .demo(let name)? = result { runDemo(name) }
      if let result { return result }
      switch terminal.hear(">", storeWatch + (news.map { [$0.descriptor] } ?? [])) {
      case .line(let line): take(line.trimmed)
      case .news: takeNews()
      case .end: return .cancelled
      }
      sayChanges()
    }
  }

  /// What came while a line was awaited: requests at the server, sign-ins that wait, changes of other processes.
  private func takeNews() {
    if !storeWatch.isEmpty { runner.postIfStoreChanged(.event(.storeChanged)) }
    carryOut([], isNews: true)
  }

  /// A scenario as a demo, after which this session goes on.
  private func runDemo(_ name: String) {
    result = nil
    said = nil
    do {
      let file = try ScenarioLibrary().scenario(name)
      let demo = PlainSession(
        lab: try Lab.temporary(file, clockRuns: true), title: "demo " + file.name, settings: settings,
        clipboard: clipboard, story: file, terminal: terminal)
      if demo.run(at: "apps") == .cancelled { result = .cancelled }
      carryOut(demo.model.screens.story.story.map { update(&model, .demoLeft($0)) } ?? [])
    } catch { carryOut(update(&model, .failed(Problem(error)))) }
    sayChanges()
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
    let table = model.shared.keys
    for command in table.commands(in: model.context)
    where model.obstacle(to: command.action.value) == nil {
      let key = command.keyText.isEmpty ? "" : "\(command.keyText), "
      terminal.say("\(key)\(command.name): \(table.sentence(of: command))")
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
  ///
  /// With `isNews`, nothing that the person did led to it.
  private func carryOut(_ commands: [Command], isNews: Bool = false) {
    var queue = commands
    while true {
      while !queue.isEmpty {
        let command = queue.removeFirst()
        if case .finish(let end) = command {
          result = end
          return
        }
        if case .runProgram(let program) = command {
          model.notice = program.run()
        } else if case .edit(let place) = command {
          edit(place)
        } else if let message = runner.run(command) {
          queue += update(&model, message)
        }
      }
      for answer in runner.collect() { if let message = answer.message { queue += update(&model, message) } }
      if queue.isEmpty, let asked = ask(isNews: isNews) { queue = asked }
      if queue.isEmpty { return }
    }
  }

  /// A file in the person's editor, which has the terminal until it ends.
  private func edit(_ place: FilePlace) {
    let command = EditorCommand(place, variable: StandardStreams.variable)
    let program = try? SpawnedProgram(
      ["sh", "-c", command.line], environment: ProcessInfo.processInfo.environment)
    let status = program.map { ForegroundChild.ending(of: $0.pid) } ?? 127
    if let problem = command.problem(status: status) { model.notice = Notice(text: problem, kind: .bad) }
  }

  /// The person's answer to the prompt that is open, or the scenario's; nil if nothing is asked.
  private func ask(isNews: Bool) -> [Command]? {
    guard let prompt = model.topDialog(PromptDialog.self), let intent = prompt.intent else { return nil }
    sayStep()
    if case .answerSignIn(let id, let client) = intent {
      let isWanted = !isNews || !prompt.answers.isEmpty || wantsToAnswer(id, client)
      guard isWanted, let answer = terminal.answer(prompt.prompt, true) else {
        return ProviderAction.putOff.run(on: &model)
      }
      return PromptAction.send(answer, of: prompt, &model.shared)
    }
    guard let scripted = prompt.scripted, let answer = scripted.answer else {
      return PromptAction.send(terminal.answer(prompt.prompt, false) ?? .cancel, of: prompt, &model.shared)
    }
    terminal.say(prompt.sentence + ".")
    let words = prompt.words(of: answer)
    while true {
      let heard = terminal.hear(
        "The scenario \(words). Enter sends it, a lets you answer, < leaves the step:", [])
      switch heard {
      case .line(""), .line(">"): return PromptAction.send(answer, of: prompt, &model.shared)
      case .line("a"):
        return PromptAction.send(terminal.answer(prompt.prompt, false) ?? .cancel, of: prompt, &model.shared)
      case .line("<"), .end, .news:
        prompt.leaveStep(&model)
        return []
      case .line(let other): terminal.say("“\(other)” is not an answer here.")
      }
    }
  }

  /// Says that a real program's sign-in has come up by itself; what the person was typing is no answer to it.
  private func wantsToAnswer(_ id: String, _ client: String) -> Bool {
    let waiting = model.screens.provider.rows.waiting.first { $0.id == id }
    let which = waiting.map { " " + $0.whichWords } ?? ""
    while true {
      switch terminal.hear("\(client) waits for a sign-in.\(which) Enter answers it, ! puts it off:", []) {
      case .line(""): return true
      case .line("!"), .end, .news: return false
      case .line: continue
      }
    }
  }
}

/// What is said: only what has changed.
extension PlainSession {
  private func sayChanges() {
    if let story = model.screens.story.story { progress.keep(story) }
    guard result == nil else { return }
    sayStep()
    if let notice = model.notice, notice != saidNotice {
      terminal.say([notice.text, notice.next].filter { !$0.isEmpty }.joined(separator: " "))
    }
    saidNotice = model.notice
    let picture = PlainPicture(model)
    if let said, model.stack == saidPlace, model.dialogs.count == saidDialogs {
      let known = Set(said.lines.map(\.text))
      // Where another row is selected, that comes first: the rest is about it.
      let moved = picture.selected.flatMap { $0.target == said.selected?.target ? nil : $0 }
      if let moved { terminal.say("Selected: \(moved.text)") }
      let isNew = picture.lines.map { !known.contains($0.text) }
      for (place, line) in picture.lines.enumerated() where line != moved {
        // A line that was there before belongs to what is new around it.
        let isWithin =
          place > 0 && place + 1 < isNew.count && isNew[place - 1] && isNew[place + 1]
        if isNew[place] || isWithin { terminal.say(line.text) }
      }
    } else {
      for line in picture.lines { terminal.say(line.text) }
      if model.dialogs.count > saidDialogs { terminal.say("(A box is open: close goes back.)") }
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
