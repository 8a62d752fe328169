import SSOModel
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
    case .silent, .interactive, .chooseAccount, .signOut, .forget, .expire, .invalidate, .delete, .expireAll,
      .clockForward, .clockReal:
      return act(action)
    case .undo: return begin("Undoing", .undo)
    case .redo: return begin("Redoing", .redo)
    case .filter: startFilter()
    case .help: openHelp()
    case .palette: openPalette()
    case .redraw: return [.redraw]
    case .reload: return reload()
    case .suspend: return [.suspend]
    case .nextHop: hops.state.selection += 1
    case .previousHop: hops.state.selection -= 1
    case .follow:
      follows.toggle()
      notice = Notice(text: follows ? "Following new traces." : "Not following.", kind: .plain)
    case .exportTrace: return trace.map { [.exportTrace($0.summary.id)] } ?? []
    case .reveal: return reveal()
    case .copyMenu: dialogs.append(.copyMenu)
    case .copy(let item): return copy(item)
    case .timeStyle:
      timeStyle = timeStyle.next
      notice = Notice(text: "Times as \(timeStyle == .utc ? "UTC" : timeStyle.rawValue).", kind: .plain)
    case .acceptFilter: return acceptFilter()
    case .closeDialog: return closeDialog()
    case .runSelected: return runSelected()
    case .pick, .otherAccount, .submit, .cancel, .otherButton, .testPerson: return answer(action)
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
    return [.load(.detail(token.id, revealed: true)), .wake(afterMilliseconds: 10_000)]
  }

  private mutating func copy(_ item: CopyItem) -> [Command] {
    guard let text = copyText(item) else {
      notice = Notice(text: "No \(item.words) here. A token must be revealed first.", kind: .plain)
      dialogs.removeLast()
      return []
    }
    dialogs.removeLast()
    return [.copy(text, label: item.words)]
  }
}
