import SSOModel
import TerminalUI

/// The one place where the model changes. What takes time goes out as commands and comes back as messages.
func update(_ model: inout AppModel, _ message: Message) -> [Command] {
  switch message {
  case .event(let event): return model.handle(event)
  case .loaded(let loaded): return model.take(loaded)
  case .performed(let intent, let answers, let performance):
    return model.take(performance, of: intent, after: answers)
  case .failed(let problem):
    model.working = nil
    model.notice = Notice(text: problem.line, kind: .bad)
    return []
  case .said(let text):
    model.working = nil
    model.notice = Notice(text: text, kind: .plain)
    return model.reload()
  }
}

extension AppModel {
  fileprivate mutating func handle(_ event: InputEvent) -> [Command] {
    switch event {
    case .key(let key): return press(key)
    case .paste(let text):
      paste(text)
      return []
    case .resize(let width, let height):
      size = Size(width: width, height: height)
      return []
    case .storeChanged: return reload()
    case .deadline: return conceal()
    case .mouse, .focus, .woken: return []
    }
  }

  private mutating func press(_ key: KeyPress) -> [Command] {
    let here = context
    if here != .filter, let command = KeyCommand.find(key, in: here) { return attempt(command) }
    if here == .filter, let command = KeyCommand.find(key, in: .filter) { return run(command.action) }
    if type(key, in: here) { return [] }
    if !dialogs.isEmpty { return moveInDialog(key) }
    return move(key)
  }

  /// Runs a command, or says why it can't be run.
  mutating func attempt(_ command: KeyCommand) -> [Command] {
    if let obstacle = obstacle(to: command.action) {
      let quiet: Set<Action> = [.back, .nextHop, .previousHop, .open]
      if !quiet.contains(command.action) {
        notice = Notice(text: "\(command.keyText) \(command.name): \(obstacle).", kind: .plain)
      }
      return []
    }
    return run(command.action)
  }

  private mutating func move(_ key: KeyPress) -> [Command] {
    guard listHasKeys else {
      var state = ListState(selection: scroll)
      if state.handle(key, count: 60, height: 8) { scroll = state.selection }
      return []
    }
    let list = activeList
    let before = self[keyPath: list].selectedID
    let rows = layout.listHeight(of: self)
    guard self[keyPath: list].move(key, height: rows) else { return [] }
    return before == self[keyPath: list].selectedID ? [] : selectionMoved()
  }

  /// Loads what the panel beside the list shows.
  mutating func selectionMoved() -> [Command] {
    scroll = 0
    switch place {
    case .tokens:
      revealedToken = nil
      detail = nil
      return selectedToken.map { [.load(.detail($0.id, revealed: false))] } ?? []
    case .keychain:
      guard panel == 0, let group = selectedGroup else { return [] }
      itemRows = []
      items.replace(ids: [], texts: [])
      return [.load(.items(group: group.accessGroup))]
    default: return []
    }
  }

  private mutating func paste(_ text: String) {
    switch dialogs.last {
    case .prompt(var dialog):
      dialog.field.insert(text)
      dialogs[dialogs.count - 1] = .prompt(dialog)
    case .help(var help):
      help.list.paste(text)
      dialogs[dialogs.count - 1] = .help(help)
    case .palette(var palette):
      palette.list.paste(text)
      dialogs[dialogs.count - 1] = .palette(palette)
    case .confirm, .copyMenu: break
    case nil:
      if self[keyPath: activeList].isFiltering { self[keyPath: activeList].paste(text) }
    }
  }

  /// Masks the token again when its ten seconds are over.
  private mutating func conceal() -> [Command] {
    guard let token = revealedToken else { return [] }
    revealedToken = nil
    detail = nil
    return [.load(.detail(token, revealed: false))]
  }
}
