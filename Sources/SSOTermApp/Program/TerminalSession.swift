import SSODoctor
import SSOLab
import TerminalUI

/// A run of the screens, which handles events and carries out the model's commands.
@MainActor
final class TerminalSession {
  var model: AppModel
  private(set) var result = ProgramResult.quit
  private let lab: Lab
  private let driver: NcursesDriver
  private let clipboard: ClipboardController
  private let runner: CommandRunner
  private var alarms = AlarmClock()
  private var typedAhead = TypeAheadBuffer()
  /// Whether a secret was copied to the terminal's clipboard by OSC 52, and nothing else of ours since.
  private var hasSecretInTerminal = false
  /// The choices that the next start remembers.
  var memory: ScreenMemory?
  /// The file with the progress of a demo, which `ssoterm notes` displays.
  private var progress = DemoProgressFile()

  init(_ model: AppModel, lab: Lab, driver: NcursesDriver, clipboard: ClipboardController) {
    self.model = model
    self.lab = lab
    self.driver = driver
    self.clipboard = clipboard
    let waker = driver.waker
    runner = CommandRunner(lab: lab, clipboard: clipboard) { waker.wake() }
  }

  /// Reads data before the first frame, which is then complete.
  ///
  /// All but the first page of a long list is read later.
  func start(with commands: [Command]) {
    var queue = commands
    var later: [Command] = []
    while !queue.isEmpty {
      let command = queue.removeFirst()
      if case .load(let load) = command, load.isOfAllRows {
        later.append(command)
      } else if let message = runner.run(command) {
        queue += update(&model, message)
      }
    }
    for command in later { runner.start(command) }
    alarms.set(model.alarms, at: .now)
  }

  /// Resumes the screens after a demo that was started from them.
  func resume(after message: Message) {
    result = .quit
    driver.setMouse(model.hasMouse)
    for command in update(&model, message) + model.reload() { carryOut(command, awaited: nil) }
    alarms.set(model.alarms, at: .now)
  }

  /// Ends the entire program after ^C in a demo.
  func end(_ result: ProgramResult) { self.result = result }

  /// Prepares to wait for the next event, after the frame was drawn, and returns the milliseconds until the next alarm.
  func rest() -> Int? {
    if let demo = model.screens.demo.running { progress.keep(demo) }
    return alarms.next(at: .now)
  }

  func handle(_ event: InputEvent) -> LoopVerdict {
    if event == .storeChanged {
      runner.postIfStoreChanged(.event(event))
      return .ignore
    }
    typedAhead.isServerSilent = runner.isServerSilent
    typedAhead.isAsking = model.topDialog(PromptDialog.self) != nil
    if typedAhead.holds(event) { return .ignore }
    var goesOn = take(event)
    while goesOn, let key = typedAhead.next() {
      let notice = model.notice
      goesOn = take(key)
      // The key was typed before the notice appeared, so it does not clear it.
      if model.notice == nil { model.notice = notice }
    }
    alarms.set(model.alarms, at: .now)
    if let theme = model.shownTheme { driver.use(theme) }
    memory?.keep(model)
    return goesOn ? .redraw : .quit
  }

  /// - Returns: `false` if the program ends.
  private func take(_ event: InputEvent) -> Bool {
    switch event {
    case .woken:
      return runner.collect().allSatisfy { answer in
        defer { if let work = answer.awaited { typedAhead.answered(work) } }
        return answer.message.map { take($0, byKey: answer.awaited != nil) } ?? true
      }
    case .deadline: return alarms.ring(at: .now).allSatisfy { take(.alarm($0)) }
    case .key, .paste:
      return take(.time(lab.realTime())) && take(.event(event), byKey: true)
    case .mouse, .focus(true): return take(.time(lab.realTime())) && take(.event(event))
    case .focus, .background, .resize, .storeChanged: return take(.event(event))
    }
  }

  /// Handles a message.
  ///
  /// If `byKey` is true, a key led to it, and later keys wait for its result.
  private func take(_ message: Message, byKey: Bool = false) -> Bool {
    // An external client's sign-in appeared on its own, so no held key was meant for it.
    if !byKey, case .performed(let intent, answers: [], _) = message, intent.value is AnswerSignIn {
      typedAhead.drop()
    }
    for command in update(&model, message) {
      if case .finish(let end) = command {
        result = end
        return false
      }
      carryOut(command, awaited: byKey ? command.work : nil)
    }
    return true
  }

  private func carryOut(_ command: Command, awaited: TypeAheadBuffer.Work?) {
    switch command {
    case .redraw: driver.repaint()
    case .suspend: driver.suspend()
    case .runProgram(let program):
      model.notice = driver.lend { program.run() }
    case .mouse(let on): driver.setMouse(on)
    case .edit(let place): edit(place)
    case .copy(let copy) where clipboard.way == .terminal: copyByTerminal(copy)
    case .clearClipboard where clipboard.way == .terminal: clearTerminalsClipboard()
    default:
      if runner.start(command, awaited: awaited), let awaited { typedAhead.started(awaited) }
    }
  }

  private func edit(_ place: FilePlace) {
    let command = EditorCommand(place, variable: StandardStreams.variable)
    let status = driver.lend { command.run() }
    let size = driver.size
    _ = update(&model, .event(.resize(width: size.width, height: size.height)))
    if let problem = command.problem(status: status) { model.notice = Notice(text: problem, kind: .bad) }
  }

  /// Copies text by OSC 52.
  ///
  /// The terminal does not confirm the copy, and cannot be asked what its clipboard contains.
  private func copyByTerminal(_ copy: Copy) {
    guard driver.copy(copy.text) else {
      model.notice = Notice(
        text: "Too much text for the terminal's clipboard. Press x to write a file.", kind: .bad)
      return
    }
    hasSecretInTerminal = copy.isSecret
    driver.overwriteClipboardAtCrash(copy.isSecret)
    let words = "Copied the \(copy.label) by OSC 52"
    guard copy.isSecret else {
      model.notice = Notice(text: words + ".", kind: .plain)
      return
    }
    let warning =
      "! \(words): a secret; in 45 s or when you leave, the clipboard is overwritten, whatever it then holds."
    _ = update(&model, .secretCopied(Notice(text: warning, kind: .bad)))
  }

  private func clearTerminalsClipboard() {
    guard hasSecretInTerminal else { return }
    hasSecretInTerminal = false
    driver.copy(" ")
    driver.overwriteClipboardAtCrash(false)
    model.notice = Notice(text: "The clipboard was overwritten.", kind: .plain)
  }

  /// Removes what must not outlive the session: a copied secret on the clipboard, and the notes of a demo.
  func leave() {
    clearTerminalsClipboard()
    clipboard.clearSecret()
    progress.remove()
    if memory != nil { ScreenMemory.finish() }
  }
}

/// A buffer for key presses that arrive while the lab is still processing an earlier one.
///
/// They wait for its result, so that each acts on the screen that it was meant for.
struct TypeAheadBuffer {
  /// The kind of work that keys wait for.
  enum Work: Sendable { case reading, change }

  /// Whether the lab's server is away.
  ///
  /// Keys then act on the rows that are present, but still wait for the result of an answer to a prompt.
  var isServerSilent = false
  /// Whether a prompt of a flow is on the screen.
  var isAsking = false
  private var held: [InputEvent] = []
  /// The numbers of commands in progress whose results decide what the next key acts on.
  private var readings = 0
  private var changes = 0

  private var isBusy: Bool { changes > 0 && (isAsking || !isServerSilent) || readings > 0 && !isServerSilent }

  /// Records that a command was started by a key.
  mutating func started(_ work: Work) { count(work, 1) }

  /// Records that the result of a command has been shown.
  mutating func answered(_ work: Work) { count(work, -1) }

  private mutating func count(_ work: Work, _ number: Int) {
    switch work {
    case .reading: readings += number
    case .change: changes += number
    }
  }

  /// Returns whether a key must wait, and holds it if so.
  ///
  /// Keys that quit, suspend, or redraw never wait.
  mutating func holds(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.control("c")), .key(.control("z")), .key(.control("l")): return false
    case .key, .paste: break
    default: return false
    }
    guard isBusy || !held.isEmpty else { return false }
    held.append(event)
    return true
  }

  /// Drops keys typed before the current screen appeared.
  mutating func drop() { held = [] }

  /// Removes and returns the next key, or returns `nil` while an earlier key is still being processed.
  mutating func next() -> InputEvent? {
    isBusy || held.isEmpty ? nil : held.removeFirst()
  }
}

extension Command {
  /// The work that later keys wait for if a key led to this command, or `nil` if its result does not decide what they
  /// act on.
  var work: TypeAheadBuffer.Work? {
    switch self {
    case .perform, .change, .undo, .redo, .runStep, .checkStep, .checkByHand, .rerunSteps, .note, .readLog:
      .change
    case .load(let load): load.decidesKeys ? .reading : nil
    case .runScenario, .report, .readEvidence, .serve, .stopServing, .serveBus, .copy, .copySecret,
      .clearClipboard, .redraw, .suspend, .runProgram, .mouse, .export, .writeIssue, .writeScenario, .edit,
      .finish, .writeComparison:
      nil
    }
  }
}

extension Load {
  /// Whether the load opens something or fills a list.
  ///
  /// Further columns and details only add to what is already there.
  fileprivate var decidesKeys: Bool {
    switch self {
    case .status, .accountRows, .tokenRows, .itemRows, .detail, .callPicture, .lastCall: false
    default: !isOfAllRows
    }
  }
}
