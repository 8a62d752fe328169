import SSOLab
import TerminalUI

/// The one place where the model changes. What takes time goes out as commands and comes back as messages.
func update(_ model: inout AppModel, _ message: Message) -> [Command] {
  model.take(message) + model.raiseSignIn() + model.readRowsInSight()
}

extension AppModel {
  fileprivate mutating func take(_ message: Message) -> [Command] {
    switch message {
    case .event(let event): return handle(event)
    case .time(let now): return refresh(at: now)
    case .alarm(let alarm): return ring(alarm)
    case .loaded(let loaded): return take(loaded)
    case .performed(let intent, let answers, let performance):
      return take(performance, of: intent, after: answers)
    case .telling(let telling, let intent, let performance):
      story?.telling = telling
      return take(performance, of: intent, after: [])
    case .told(let report): return take(told: report)
    case .retold(let reports): return take(retold: reports)
    case .failed(let problem):
      working = nil
      story?.telling = nil
      waits.isRefreshing = false
      notice = Notice(text: problem.line, kind: .bad)
      return []
    case .said(let text):
      working = nil
      notice = Notice(text: named(text), kind: .plain)
      return reload()
    case .noted(let notice):
      self.notice = notice
      return []
    case .server(let news): return take(news)
    case .secret(let copy): return [.copy(copy)]
    case .secretCopied(let notice):
      self.notice = notice
      waits.secretCopies += 1
      waits.hasSecretOnClipboard = true
      return []
    }
  }

  fileprivate mutating func handle(_ event: InputEvent) -> [Command] {
    switch event {
    case .key(let key): return layout.fits ? press(key) : pressUnseen(key)
    case .paste(let text):
      if layout.fits { paste(text) }
      return []
    case .resize(let width, let height):
      size = Size(width: width, height: height)
      return []
    case .storeChanged: return reload()
    case .mouse(let x, let y, let kind): return mouse(kind, x, y)
    case .focus, .background, .woken, .deadline: return []
    }
  }

  private mutating func press(_ key: KeyPress) -> [Command] {
    let here = context
    if let command = KeyCommand.find(key, in: here) {
      // What is typed is nobody's business; a command's name is.
      if isPresenting { keyEcho = "\(command.keyText)  \(command.name)" }
      return here == .filter ? run(command.action) : attempt(command)
    }
    if type(key, in: here) { return [] }
    if !dialogs.isEmpty { return moveInDialog(key) }
    return move(key)
  }

  /// In a window too small to show what a key would act on, it can only leave, stop or draw again.
  private mutating func pressUnseen(_ key: KeyPress) -> [Command] {
    let safe: Set<Action> = [.leave, .suspend, .redraw]
    guard let command = KeyCommand.find(key, in: context), safe.contains(command.action),
      case .control = key
    else { return [] }
    return run(command.action)
  }

  /// Runs a command, or says why it can't be run.
  mutating func attempt(_ command: KeyCommand) -> [Command] {
    if let obstacle = obstacle(to: command.action) {
      let quiet: Set<Action> = [.back, .nextHop, .previousHop, .open]
      if !quiet.contains(command.action) {
        let name = command.keyText.isEmpty ? command.name : "\(command.keyText) \(command.name)"
        notice = Notice(text: "\(name): \(obstacle).", kind: .plain)
      }
      return []
    }
    return run(command.action)
  }

  mutating func move(_ key: KeyPress) -> [Command] {
    guard listHasKeys else {
      scrollText(key)
      return []
    }
    let list = activeList
    let before = self[keyPath: list].selectedID
    let rows = layout.listHeight(of: self)
    guard self[keyPath: list].move(key, height: rows) else { return [] }
    guard before != self[keyPath: list].selectedID else { return [] }
    extendRange()
    return selectionMoved()
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
      itemRows = RowsRead()
      items.replace(RowIndex())
      marks[.keychain] = nil
      return [.load(.items(group: group.accessGroup))]
    case .records:
      if panel == 0 { showFields() }
      return []
    default: return []
    }
  }

  private mutating func paste(_ text: String) {
    switch dialogs.last {
    case .prompt(var dialog):
      if dialog.list.isFiltering { dialog.list.paste(text) } else { dialog.field.insert(text) }
      dialogs[dialogs.count - 1] = .prompt(dialog)
    case .help, .choice: dialogs[dialogs.count - 1].list?.paste(text)
    case .palette(var palette):
      palette.paste(text)
      dialogs[dialogs.count - 1] = .palette(palette)
    case .edit(var edit):
      edit.field.insert(text)
      dialogs[dialogs.count - 1] = .edit(edit)
    case .note(var note):
      note.field.insert(text)
      dialogs[dialogs.count - 1] = .note(note)
    case .confirm, .menu, .sights, .why, .explained, .effects, .fault: break
    case nil:
      if self[keyPath: activeList].isFiltering { self[keyPath: activeList].paste(text) }
    }
  }
}
