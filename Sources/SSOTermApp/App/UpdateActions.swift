import SSOLab
import TerminalUI

extension AppModel {
  /// Runs a command that has no obstacle.
  mutating func run(_ action: Action) -> [Command] {
    switch action {
    case .open: return open()
    case .back: return goBack()
    case .quit: return stack.count > 1 ? goBack() : leave()
    case .leave: return leave()
    case .screen(let number): return show(Place.tabs[number])
    case .previousScreen: return previousTab.map { show($0) } ?? []
    case .nextPanel: return focusPanel(panel + 1)
    case .previousPanel: return focusPanel(panel - 1)
    case .silent, .interactive, .chooseAccount, .addAccount, .signOut, .signOutOfBrowser, .wipeAccount,
      .wipeCache, .currentAccount, .forget, .repeatFlow, .expire,
      .invalidate, .delete, .expireAll, .clockForward, .clockReal:
      return act(action)
    case .undo: return begin("Undoing", .undo)
    case .redo: return begin("Redoing", .redo)
    case .filter: startFilter()
    case .nextMatch: return goToMatch(forward: true)
    case .previousMatch: return goToMatch(forward: false)
    case .help: openHelp()
    case .palette: return openPalette()
    case .redraw: return [.redraw]
    case .reload: return reload()
    case .suspend: return [.suspend]
    case .mark: return toggleMark()
    case .range: toggleRange()
    case .nextHop: hops.state.selection += 1
    case .previousHop: hops.state.selection -= 1
    case .markHop, .jumpToMark, .note: changeHop(action)
    case .follow:
      follows.toggle()
      notice = Notice(text: follows ? "Following new traces." : "Not following.", kind: .plain)
    case .reveal: return reveal()
    case .copyMenu: dialogs.append(.menu(.copy))
    case .exportMenu: dialogs.append(.menu(.export))
    case .sortMenu: dialogs.append(.menu(.sort))
    case .columnMenu: dialogs.append(.menu(.columns))
    case .copy(let item): return copy(item)
    case .export(let form): return export(form)
    case .column(let number): return pickColumn(number)
    case .timeStyle:
      timeStyle = timeStyle.next
      notice = Notice(text: "Times as \(timeStyle == .utc ? "UTC" : timeStyle.rawValue).", kind: .plain)
    case .zoom: isZoomed = true
    case .unzoom: isZoomed = false
    case .presenter:
      isPresenting.toggle()
      keyEcho = ""
    case .mouse: return toggleMouse()
    case .moveClock, .go, .setRecord:
      notice = Notice(text: "That needs to be told what: press :", kind: .plain)
    case .sights: return [.load(.sights)]
    case .why: return whySubject.map { [.load(.why($0))] } ?? []
    case .explain: return explainSelection()
    case .explainCheck: explainCheck()
    case .secondApp: chooseSecondApp()
    case .choose: return choose()
    case .tellNext: return tellNext()
    case .tellBack: return tellBack()
    case .change: return changeSelection()
    case .undoEffects: return undoEffects()
    case .faults: return showFaults()
    case .server: return toggleServer()
    case .approval: askApproval()
    case .port: askPort()
    case .addFault: openFaultForm()
    case .clearFault:
      return selectedFault.map { begin("Clearing", .perform(.clearFault($0), [])) } ?? []
    case .clearFaults: return begin("Clearing", .perform(.clearFaults, []))
    case .setFault: return setFault()
    case .acceptFilter: return acceptFilter()
    case .closeDialog: return closeDialog()
    case .runSelected: return runSelected()
    case .complete: complete()
    case .copyCommand: return copyCommand()
    case .pick, .otherAccount, .forgetCandidate, .details, .submit, .cancel, .otherButton, .testPerson,
      .revealPassword:
      return answer(action)
    }
    return []
  }

  private func leave() -> [Command] { [.finish(isPickerOnly ? .cancelled : .quit)] }

  mutating func begin(_ words: String, _ command: Command) -> [Command] {
    working = words + "…"
    notice = nil
    return [command]
  }

  private mutating func reveal() -> [Command] {
    guard let token = selectedToken else { return [] }
    return [.load(.detail(token.id, revealed: true))]
  }

  private mutating func toggleMouse() -> [Command] {
    hasMouse.toggle()
    let words =
      hasMouse ? "The mouse selects rows here; M gives it back." : "The mouse is the terminal's again."
    notice = Notice(text: words, kind: .plain)
    return [.mouse(hasMouse)]
  }

  /// Copies a value; a menu that asked which is closed.
  private mutating func copy(_ item: CopyItem) -> [Command] {
    if case .menu = dialogs.last { dialogs.removeLast() }
    switch item {
    case .token, .authHeader: return selectedToken.map { [.copySecret(credential: $0.id, item)] } ?? []
    default: return copyText(item).map { [.copy(Copy(text: $0, label: item.words))] } ?? []
    }
  }

  private mutating func export(_ form: ExportForm) -> [Command] {
    if case .menu = dialogs.last { dialogs.removeLast() }
    return traceInSight.map { [.export(trace: $0, form)] } ?? []
  }

  /// `n` and `N`: rows that the last filter finds, round and round.
  private mutating func goToMatch(forward: Bool) -> [Command] {
    let list = activeList
    guard self[keyPath: list].selectMatch(of: lastQuery, forward: forward) else {
      notice = Notice(text: "Nothing matches “\(lastQuery)”.", kind: .plain)
      return []
    }
    extendRange()
    return selectionMoved()
  }
}
