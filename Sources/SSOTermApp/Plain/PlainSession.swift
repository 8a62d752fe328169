import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOScenarios
import TerminalUI

/// A session that prints the screens as text, for a screen reader or a terminal that cannot draw.
///
/// It prints a screen as numbered lines, and after a command only the lines that have changed. The model and its keys
/// and commands are the same as on the screens; the user runs a command by its key or its name.
package final class PlainSession {
  private(set) var model: AppModel
  private let runner: CommandRunner
  private let clipboard: ClipboardController
  private let terminal: PlainTerminal
  private let settings: Settings
  private var result: ProgramResult?
  /// The content that was printed last, so that only changes are printed.
  private var said: PlainScreen?
  private var saidPlace: [Place] = []
  private var saidDialogs = 0
  private var saidNotice: Notice?
  private var saidStep = 0
  /// A pipe that wakes the session while it waits for a line, or `nil` if the system has no file descriptors left.
  private let news: WakePipe?
  /// Descriptors that become readable when another process has written to the store.
  private let storeWatch: [Int32]
  /// The file with the progress of a demo, which `ssoterm notes` displays.
  private var progress = DemoProgressFile()

  /// The size of the screen that is printed as text, which limits the rows of a list that are printed at once.
  private static let size = Size(width: 200, height: 40)

  /// Creates a session on `terminal`.
  ///
  /// `settings` are the user's own keys, commands, and time format. `clipboard` receives copied text; a clipboard that
  /// works only through a screen is not used. `descriptors` become readable when another process has written to the
  /// store.
  package init(
    lab: Lab, title: String, settings: Settings = Settings(), clipboard: ClipboardController? = nil,
    storeOption: String? = nil, demo: ScenarioFile? = nil, watching descriptors: [Int32] = [],
    terminal: PlainTerminal
  ) {
    self.terminal = terminal
    self.settings = settings
    storeWatch = descriptors
    news = WakePipe()
    // A local variable, because two parts of a class's property cannot be accessed at the same time.
    var model = AppModel(title: title, size: Self.size)
    model.lab.isReadOnly = lab.isReadOnly
    model.lab.storeOption = storeOption
    model.times.utcOffset = StandardStreams.secondsFromUTC()
    if settings != Settings() { model.shared.keys = KeyTable(settings) }
    model.times.style = settings.time ?? model.times.style
    var copies = clipboard ?? ClipboardController(.off) { _ in nil }
    if copies.way == .terminal { copies = ClipboardController(.off) { _ in nil } }
    self.clipboard = copies
    runner = CommandRunner(lab: lab, clipboard: copies) { [news] in news?.wake() }
    if let demo { model.screens.demo.show(demo, &model.shared) }
    self.model = model
  }

  /// Runs until the user quits or the input ends.
  /// - Parameter path: The first screen, in the form that `ssoterm tui` accepts.
  /// - Returns: How the session ended.
  package func run(at path: String) -> ProgramResult {
    defer {
      clipboard.clearSecret()
      progress.remove()
    }
    terminal.say(
      "SSOTerm, \(model.lab.title). A number chooses a row, a key or a command's name runs the command, and ? lists "
        + "the commands. The screens are \(model.tabs.map { $0.title.lowercased() }.joined(separator: ", "))."
    )
    carryOut(model.follow(path: path))
    sayChanges()
    while true {
      if case .demo(let start)? = result { run(start) }
      if let result { return result }
      switch terminal.hear(">", storeWatch + (news.map { [$0.descriptor] } ?? [])) {
      case .line(let line): take(line.trimmed)
      case .news: takeNews()
      case .end: return .cancelled
      }
      sayChanges()
    }
  }

  /// Handles events that arrived while the session waited for a line: server requests, waiting sign-ins, and changes by
  /// other processes.
  private func takeNews() {
    if !storeWatch.isEmpty { runner.postIfStoreChanged(.event(.storeChanged)) }
    carryOut([], isNews: true)
  }

  /// Runs a scenario as a demo, and then continues this session.
  private func run(_ start: DemoStart) {
    result = nil
    said = nil
    do {
      let opened = try start.open()
      let demo = PlainSession(
        lab: opened.lab, title: "demo " + opened.file.name, settings: settings, clipboard: clipboard,
        terminal: terminal)
      opened.show(in: &demo.model)
      if demo.run(at: opened.path) == .cancelled { result = .cancelled }
      carryOut(demo.model.screens.demo.running.map { update(&model, .demoLeft($0)) } ?? [])
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
        "There is no command “\(word)”." + (nearest.map { " Did you mean \($0)?" } ?? " Type ? for a list."))
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

  /// Selects a row of a list, or chooses a row or presses a button in a dialog.
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
    if let row = PlainScreen(model).selected, row == said?.selected { terminal.say("Selected: \(row.text)") }
  }

  /// Runs the commands that the model requests, one after the other, and shows the user the prompts of a flow.
  ///
  /// If `isNews` is true, the commands do not result from user input.
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

  /// Opens a file in the user's editor, which has the terminal until it exits.
  private func edit(_ place: FilePlace) {
    let command = EditorCommand(place, variable: StandardStreams.variable)
    if let problem = command.problem(status: command.run()) {
      model.notice = Notice(text: problem, kind: .bad)
    }
  }

  /// Sends the user's or the scenario's answer to the open prompt, or returns `nil` if there is no prompt.
  private func ask(isNews: Bool) -> [Command]? {
    guard let prompt = model.topDialog(PromptDialog.self), prompt.intent != nil else { return nil }
    sayStep()
    if let signIn = prompt.waitingSignIn {
      let isWanted = !isNews || !prompt.answers.isEmpty || wantsToAnswer(signIn.id, signIn.client)
      guard isWanted, let answer = terminal.answer(prompt.prompt, true) else {
        return ProviderAction.putOff.run(on: &model)
      }
      return PromptAction.send(answer, of: prompt, &model.shared)
    }
    guard let scripted = prompt.scripted, let answer = scripted.answer else {
      return PromptAction.send(terminal.answer(prompt.prompt, false) ?? .cancel, of: prompt, &model.shared)
    }
    terminal.say(prompt.sentence + ".")
    let words = prompt.displayText(of: answer)
    while true {
      let heard = terminal.hear(
        "The scenario \(words). Enter sends it, a lets you answer, < leaves the step:", [])
      switch heard {
      case .line(""), .line(">"): return PromptAction.send(answer, of: prompt, &model.shared)
      case .line("y"): return PromptAction.send(answer, of: prompt, &model.shared)
      case .line("?"): terminal.say(prompt.choices)
      case .line(let number) where prompt.account(number) != nil:
        return prompt.account(number).map { PromptAction.send($0, of: prompt, &model.shared) }
      case .line("a"):
        return PromptAction.send(terminal.answer(prompt.prompt, false) ?? .cancel, of: prompt, &model.shared)
      case .line("<"), .end, .news:
        prompt.leaveStep(&model)
        return []
      case .line(let other):
        terminal.say("“\(other)” is not an answer here.")
        terminal.say(prompt.choices)
      }
    }
  }

  /// Announces an external client's sign-in, and returns whether the user wants to answer it.
  ///
  /// A line that the user was typing before does not count as the answer.
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

/// The output, which contains only what has changed.
extension PlainSession {
  private func sayChanges() {
    if let demo = model.screens.demo.running { progress.keep(demo) }
    guard result == nil else { return }
    sayStep()
    if let notice = model.notice, notice != saidNotice {
      let next = model.shared.keys.displayText(notice.next)
      terminal.say([notice.text, next].filter { !$0.isEmpty }.joined(separator: " "))
    }
    saidNotice = model.notice
    let picture = PlainScreen(model)
    if let said, model.stack == saidPlace, model.dialogs.count == saidDialogs {
      let known = Set(said.lines.map(\.text))
      // Print a newly selected row first, because the other lines describe it.
      let moved = picture.selected.flatMap { $0.target == said.selected?.target ? nil : $0 }
      if let moved { terminal.say("Selected: \(moved.text)") }
      let isNew = picture.lines.map { !known.contains($0.text) }
      for (place, line) in picture.lines.enumerated() where line != moved {
        // An unchanged line between two new lines belongs to them.
        let isWithin =
          place > 0 && place + 1 < isNew.count && isNew[place - 1] && isNew[place + 1]
        if isNew[place] || isWithin { terminal.say(line.text) }
      }
    } else {
      for line in picture.lines { terminal.say(line.text) }
      if model.dialogs.count > saidDialogs { terminal.say("(A box is open: close goes back.)") }
    }
    (said, saidPlace, saidDialogs) = (picture, model.stack, model.dialogs.count)
    // A secret is printed once and then masked again.
    if model.revealedToken != nil { carryOut(model.conceal()) }
  }

  /// Prints the current step of the demo with its note, once.
  private func sayStep() {
    guard let demo = model.screens.demo.running, demo.present != saidStep else { return }
    saidStep = demo.present
    guard demo.present > 0 else { return }
    let step = demo.steps[demo.present - 1]
    terminal.say("Step \(demo.present) of \(demo.steps.count): \(step.title). \(step.note)")
  }
}

extension PromptDialog {
  /// The lines that can be typed at a prompt that the scenario answers.
  fileprivate var choices: String {
    var words =
      "Enter, > or y sends the scripted answer; a shows the prompt and lets you answer it; < leaves the step"
    if case .chooseAccount(let picker) = prompt, !picker.candidates.isEmpty {
      words +=
        "; or a number: "
        + picker.candidates.enumerated().map { "\($0 + 1) \($1.username)" }.joined(separator: ", ")
    }
    return words + "."
  }

  /// Returns the choice of the account with a number, or `nil` if the prompt has no such account.
  fileprivate func account(_ number: String) -> Answer? {
    guard case .chooseAccount(let picker) = prompt, let number = Int(number),
      picker.candidates.indices.contains(number - 1)
    else { return nil }
    return .account(homeAccountID: picker.candidates[number - 1].homeAccountID)
  }

  /// Returns a description of the scenario's action at this prompt.
  fileprivate func displayText(of answer: Answer) -> String {
    switch answer {
    case .account(let id):
      guard case .chooseAccount(let picker) = prompt else { return "chooses an account" }
      return "chooses \(picker.candidates.first { $0.homeAccountID == id }?.username ?? id)"
    case .useAnotherAccount: return "uses another account"
    case .username(let name): return "types \(name)"
    case .password: return "types the password"
    case .verification(let number): return "types \(number) in Authenticator"
    case .accept: return "accepts"
    case .forgotPassword: return "has forgotten the password"
    case .cancel: return "cancels"
    }
  }
}
