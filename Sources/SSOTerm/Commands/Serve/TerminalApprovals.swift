import Dispatch
import Foundation

/// Asks the person at this terminal what the sign-ins of real clients want to know, one after the other, in plain lines.
final class TerminalApprovals: Sendable {
  private let lab: Lab
  private let console: Console
  private let log: HeldLines
  private let wake = DispatchSemaphore(value: 0)
  private let modes = TerminalModes()

  /// Uses its own thread, because it waits for key presses.
  init(_ lab: Lab, _ console: Console, _ log: HeldLines) {
    self.lab = lab
    self.console = console
    self.log = log
    let thread = Thread { [self] in
      while true {
        wake.wait()
        askAll()
      }
    }
    thread.name = "answers"
    thread.start()
  }

  /// Something new may wait.
  func look() { wake.signal() }

  /// The program ends, perhaps in the middle of a hidden answer.
  func end() { modes.restore() }

  private func askAll() {
    guard let dialogue = console.dialogue() else {
      log.add("a sign-in waits and this process has no terminal: answer it in another ssoterm on this store")
      return
    }
    // Each once: one that cannot be answered must not be asked for ever.
    var asked: Set<String> = []
    while let next = try? lab.read({ try $0.provider.waitingSignIns() }).first(where: {
      !asked.contains($0.id)
    }) {
      asked.insert(next.id)
      log.holding { ask(next, dialogue) }
    }
  }

  private func ask(_ waiting: WaitingSignIn, _ dialogue: PlainDialogue) {
    dialogue.line("")
    dialogue.line("\(waiting.client) waits for a sign-in. Its page shows the number \(waiting.number).")
    if let code = waiting.userCode { dialogue.line("It shows the code \(code).") }
    var answerer = PromptAnswerer(dialogue: dialogue)
    do {
      let intent = Intent.answerSignIn(id: waiting.id, client: waiting.client)
      let (outcome, _) = try runInteractively(intent, on: lab, with: &answerer)
      dialogue.line((outcome.verdict == .succeeded ? "✓ " : "✗ ") + outcome.summary)
    } catch {
      dialogue.line("✗ " + CommandFailure(error).what)
    }
  }
}
