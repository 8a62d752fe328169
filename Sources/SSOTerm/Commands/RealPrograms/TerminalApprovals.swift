import Essentials
import SSOCore
import SSOLab
import SSOServer
import SSOTermApp
import Synchronization

/// A thread that asks the user at this terminal for the answers to sign-ins of external clients, one by one, in plain
/// lines.
final class TerminalApprovals: Sendable {
  private let lab: Lab
  private let console: Console
  private let log: ServerLog
  private let news = WakePipe()
  private let modes = TerminalModes()
  /// The sign-ins that were reported as ended, and the codes that were announced.
  private let told = Mutex<Set<String>>([])

  /// Starts its own thread, because it waits for key presses.
  ///
  /// `ownsInput` means that no other program reads the input of the terminal.
  init(_ lab: Lab, _ console: Console, _ log: ServerLog, ownsInput: Bool = true) {
    self.lab = lab
    self.console = console
    self.log = log
    detachThread { [self] in waitAndAsk(ownsInput: ownsInput) }
  }

  /// Makes the thread check for new sign-ins.
  func look() { news?.wake() }

  /// Asks about new sign-ins at once, and about postponed ones and device codes after Enter.
  private func waitAndAsk(ownsInput: Bool) {
    guard let news else { return log.add("no sign-in can be asked for here: too many files are open") }
    let terminal = ownsInput ? ControllingTerminal() : nil
    var answerable = 0
    while true {
      let first =
        answerable > 0 ? terminal?.wait(or: [news.descriptor]) : waitForInput(on: nil, or: [news.descriptor])
      let isWanted: Bool
      switch first ?? waitForInput(on: nil, or: [news.descriptor]) {
      case .end: return
      case .line:
        guard terminal?.readLine() != nil else { return }
        isWanted = true
      case .news: isWanted = false
      }
      askAll(withCodes: isWanted)
      let waiting = (try? lab.read { try $0.provider.waitingSignIns() }.markedIfEnded()) ?? []
      answerable = waiting.count { $0.ended == nil }
      if answerable > 0, terminal != nil { sayWhatEnterDoes(waiting) }
    }
  }

  private func sayWhatEnterDoes(_ waiting: [WaitingSignIn]) {
    let putOff = waiting.count(where: \.comesUp)
    if putOff > 0 {
      log.add("\(counted(putOff, "sign-in")) postponed; Enter lists \(putOff == 1 ? "it" : "them")")
    }
    for code in waiting where code.ended == nil && !code.comesUp {
      // The ID has a prefix, because the same sign-in may later be reported as ended.
      guard told.withLock({ $0.insert("code " + code.id).inserted }) else { continue }
      log.add("\(code.client) shows the \(code.mark); Enter answers it here")
    }
  }

  /// Restores the terminal when the program ends, which may be in the middle of a hidden answer.
  func end() { modes.restore() }

  private func askAll(withCodes: Bool) {
    guard let dialogue = console.dialogue() else {
      log.add("a sign-in waits and this process has no terminal: answer it in another ssoterm on this store")
      return
    }
    // Ask about each sign-in once, so that an unanswerable one is not asked about forever.
    var asked: Set<String> = []
    while let all = try? lab.read({ try $0.provider.waitingSignIns() }).markedIfEnded() {
      let new = all.filter { !asked.contains($0.id) }
      for one in new {
        guard let ended = one.ended, told.withLock({ $0.insert(one.id).inserted }) else { continue }
        log.add("\(one.client), \(one.mark), is not asked: \(ended).")
      }
      let next = log.holding { () -> WaitingSignIn? in
        let next = choose(new.filter { $0.comesUp || withCodes && $0.ended == nil }, dialogue)
        if let next { ask(next, dialogue) }
        return next
      }
      guard let next else { return }
      asked.insert(next.id)
    }
  }

  /// Returns the sign-in to handle next, or `nil` if no sign-in can be handled now.
  ///
  /// If another one arrives, the user is asked again.
  private func choose(_ waiting: [WaitingSignIn], _ dialogue: PlainDialogue) -> WaitingSignIn? {
    guard waiting.count > 1 else { return waiting.first }
    dialogue.line("")
    dialogue.line("\(waiting.count) sign-ins wait:")
    for (index, one) in waiting.enumerated() {
      dialogue.line("\(index + 1). \(one.client), \(one.mark). \(one.program)")
    }
    dialogue.line("0. Later.")
    while true {
      guard let text = dialogue.ask("Which one? Empty: the first.") else { return nil }
      if text.isEmpty { return waiting[0] }
      guard let number = Int(text), (0...waiting.count).contains(number) else {
        dialogue.line("There is no number \(text).")
        continue
      }
      return number == 0 ? nil : waiting[number - 1]
    }
  }

  private func ask(_ waiting: WaitingSignIn, _ dialogue: PlainDialogue) {
    dialogue.line("")
    if let caller = waiting.caller {
      dialogue.line("\(waiting.client) asks the broker. It is \(caller).")
      dialogue.line("Any program of this user may use any client ID; iOS reports the bundle ID instead.")
    } else {
      dialogue.line("\(waiting.client) waits for a sign-in. \(waiting.whichWords)")
    }
    if let code = waiting.userCode, waiting.devicePage == nil { dialogue.line("It shows the code \(code).") }
    dialogue.line("Type ! to postpone it.")
    var dialogue = dialogue
    dialogue.offersPutOff = true
    var answerer = PromptAnswerer(dialogue: dialogue)
    do {
      let intent = AnswerSignIn(id: waiting.id, client: waiting.client)
      let (outcome, _) = try runInteractively(intent, on: lab, with: &answerer)
      dialogue.line((outcome.verdict == .succeeded ? "✓ " : "✗ ") + outcome.summary)
    } catch {
      let failure = CommandFailure(error)
      dialogue.line(failure == .putOff ? failure.what : "✗ " + failure.what)
    }
  }
}

/// The modes of the controlling terminal from when the program started.
struct TerminalModes: Sendable {
  private let modes: termios?

  init() {
    var modes = termios()
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    defer { if descriptor >= 0 { close(descriptor) } }
    self.modes = descriptor >= 0 && tcgetattr(descriptor, &modes) == 0 ? modes : nil
  }

  func restore() {
    guard var modes else { return }
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    tcsetattr(descriptor, TCSANOW, &modes)
  }
}
