/// One run of the screens: events go in, and what the model asks for is carried out.
@MainActor
final class TerminalSession {
  var model: AppModel
  private(set) var result = ProgramResult.quit
  private let lab: Lab
  private let driver: NcursesDriver
  private let clipboard: ClipboardController
  private let runner: CommandRunner
  private var alarms = AlarmClock()

  init(_ model: AppModel, lab: Lab, driver: NcursesDriver, clipboard: ClipboardController) {
    self.model = model
    self.lab = lab
    self.driver = driver
    self.clipboard = clipboard
    let waker = driver.waker
    runner = CommandRunner(lab: lab, clipboard: clipboard) { waker.wake() }
  }

  /// Reads before the first frame, which is then the full one; of a long list all but its first page comes later.
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
    later.forEach(runner.start)
    alarms.set(model.alarms, at: .now)
  }

  var nextWake: Int? { alarms.next(at: .now) }

  func handle(_ event: InputEvent) -> LoopVerdict {
    if event == .storeChanged {
      runner.postIfStoreChanged(.event(event))
      return .ignore
    }
    for command in messages(of: event).flatMap({ update(&model, $0) }) {
      if case .finish(let end) = command {
        result = end
        return .quit
      }
      carryOut(command)
    }
    alarms.set(model.alarms, at: .now)
    return .redraw
  }

  private func messages(of event: InputEvent) -> [Message] {
    switch event {
    case .woken: runner.collect()
    case .deadline: alarms.ring(at: .now).map { .alarm($0) }
    case .key, .paste, .mouse, .focus(true): [.time(lab.realTime()), .event(event)]
    case .focus, .background, .resize, .storeChanged: [.event(event)]
    }
  }

  private func carryOut(_ command: Command) {
    switch command {
    case .redraw: driver.repaint()
    case .suspend: driver.suspend()
    case .mouse(let on): driver.setMouse(on)
    case .copy(let copy) where clipboard.way == .terminal: model.notice = notice(of: copy)
    default: runner.start(command)
    }
  }

  /// OSC 52: the terminal does not say whether it took it, and cannot be asked what it holds.
  private func notice(of copy: Copy) -> Notice {
    guard driver.copy(copy.text) else {
      return Notice(text: "Too much text for a terminal's clipboard; x writes a file.", kind: .bad)
    }
    let words = "Copied the \(copy.label) by OSC 52"
    guard copy.isSecret else { return Notice(text: words + ".", kind: .plain) }
    return Notice(
      text: "! \(words): a secret; it stays on the clipboard until you copy something else.", kind: .bad)
  }
}
