import SSOCore
import SSODevice
import SSOLab
import SSOScenarios
import TerminalUI

/// Updates the model, which changes only here.
///
/// Work that takes time is returned as commands, and its results come back as messages.
func update(_ model: inout AppModel, _ message: Message) -> [Command] {
  model.receive(message) + LabAnswers.raiseSignIn(&model) + model.loadVisibleRows()
}

extension AppModel {
  fileprivate mutating func receive(_ message: Message) -> [Command] {
    switch message {
    case .event(let event): return InputHandling.handle(event, &self)
    case .time(let now): return refresh(at: now)
    case .alarm(let alarm): return ring(alarm)
    case .loaded(let loaded): return LabAnswers.receive(loaded, &self)
    case .performed(let intent, let answers, let performance):
      return LabAnswers.continueFlow(performance, of: intent, after: answers, &self)
    case .callRuns(let intent, let progress): LabAnswers.show(progress, of: intent, &self)
    case .stepRuns(let execution, let intent, let performance):
      screens.demo.running?.execution = execution
      return LabAnswers.continueFlow(performance, of: intent, after: [], &self)
    case .stepEnded(let report):
      screens.demo.receive(report, &shared)
      return reload()
    case .stepEndedByHand(let report):
      screens.demo.receive(byHand: report, &shared)
    case .stepsRerun(let reports):
      screens.demo.receive(all: reports, &shared)
      return reload()
    case .scenarioRun(let name, let result):
      return screens.scenarios.receive(result, of: name, &shared)
    case .evidenceRead(let evidence, let name):
      screens.scenarios.add(evidence, to: name)
      shared.say("Added the \(evidence.name).")
      return []
    case .demoLeft(let demo): return screens.scenarios.receive(demo, &shared)
    case .failed(let problem):
      screens.scenarios.abandon()
      screens.reproduction.abandon()
      // A sign-in of an external client may no longer be waiting. If it is, it is in the list.
      let cannotBeAnswered = shared.working != nil && topDialog(PromptDialog.self)?.isForRealProgram == true
      if cannotBeAnswered { shared.dialogs.removeLast() }
      shared.working = nil
      screens.demo.running?.execution = nil
      shared.waits.isRefreshing = false
      shared.notice = Notice(problem)
      if cannotBeAnswered { return [.load(.provider)] }
    case .undone(let change):
      if change != nil { shared.coach(.undone) }
      let commands = receive(.said(change.map { "Undone: \($0)" } ?? "Nothing to undo."))
      // A step of the demo that was performed by hand may be undone.
      let isTracked = screens.demo.running?.stepsByHand.isEmpty == false
      return commands + (isTracked && !commands.contains(.load(.traces)) ? [.load(.traces)] : [])
    case .said(let text):
      shared.working = nil
      shared.say(shared.lab.named(text))
      return reload()
    case .written(let text):
      shared.working = nil
      shared.say(text, .good)
    case .noted(let notice): shared.notice = notice
    case .projectChanged:
      return switch shared.place.screen {
      case .doctor: reload()
      case .reproduction: screens.reproduction.searchAgain()
      default: []
      }
    case .server(let news):
      let commands = screens.provider.receive(news, &shared)
      if case .served = news { return reload() }
      return commands
    case .bus(let news):
      let commands = screens.provider.receive(news, &shared)
      if case .served = news { return reload() }
      return commands
    case .secret(let copy): return [.copy(copy)]
    case .secretCopied(let notice):
      shared.notice = notice
      shared.waits.secretCopies += 1
      shared.waits.hasSecretOnClipboard = true
    }
    return []
  }

  /// Runs a command, or says why it is not available.
  ///
  /// `key` is the key that was pressed, if any.
  mutating func attempt(_ command: KeyCommand, by key: KeyPress? = nil) -> [Command] {
    guard let obstacle = obstacle(to: command.action.value) else {
      return command.action.value.run(on: &self)
    }
    shared.say("\(key?.displayText ?? command.name): \(obstacle).")
    return []
  }

  /// Runs a command of the palette with its argument.
  mutating func run(_ command: KeyCommand, _ argument: String) -> [Command] {
    let action = command.action.value
    if shared.lab.isReadOnly, action.changesLab { return attempt(command) }
    return action.run(with: argument, on: &self) ?? attempt(command)
  }

  /// - Returns: `nil` if the key does not move.
  mutating func move(_ key: KeyPress) -> [Command]? {
    guard listHasKeys else { return InputHandling.scrollText(key, &self) ? [] : nil }
    let height = shared.layout.listHeight(of: self)
    let (isTaken, isMoved) = withScreen { screen, shared in
      let before = screen[shared.panel].selectedID
      let isTaken = screen[shared.panel].move(key, height: height)
      return (isTaken, before != screen[shared.panel].selectedID)
    }
    guard isTaken else { return nil }
    guard isMoved else { return [] }
    extendRange()
    return selectionMoved()
  }

  /// Extends the range that is being marked to the selected row.
  mutating func extendRange() {
    let list = activeList
    guard let start = list.marks.rangeStart, canMark,
      let first = list.matches.firstIndex(where: { list.ids[$0] == start })
    else { return }
    let rows = list.matches[min(first, list.state.selection)...max(first, list.state.selection)]
    let ids = rows.flatMap { screen.markIDs(ofRow: $0) ?? [] }
    activeList.marks.extend(to: ids)
  }

  mutating func selectionMoved() -> [Command] {
    shared.scroll = 0
    return withScreen { $0.selectionMoved(&$1) }
  }

  /// Requests the rows of a long list that have become visible.
  fileprivate mutating func loadVisibleRows() -> [Command] {
    guard Screens.entry(of: shared.screenContext).type.hasLongList, shared.layout.fits else { return [] }
    let height = shared.layout.listHeight(of: self)
    return withScreen { screen, _ in screen.loadVisibleRows(height: height) }
  }
}
