import SSOLab
import TerminalUI

/// The one place where the model changes. What takes time goes out as commands and comes back as messages.
func update(_ model: inout AppModel, _ message: Message) -> [Command] {
  model.receive(message) + model.raiseSignIn() + model.readRowsInSight()
}

extension AppModel {
  fileprivate mutating func receive(_ message: Message) -> [Command] {
    switch message {
    case .event(let event): return handle(event)
    case .time(let now): return refresh(at: now)
    case .alarm(let alarm): return ring(alarm)
    case .loaded(let loaded): return receive(loaded)
    case .performed(let intent, let answers, let performance):
      return continueFlow(performance, of: intent, after: answers)
    case .telling(let telling, let intent, let performance):
      screens.story.story?.telling = telling
      return continueFlow(performance, of: intent, after: [])
    case .told(let report):
      screens.story.receive(report, &shared)
      return reload()
    case .retold(let reports):
      screens.story.receive(all: reports, &shared)
      return reload()
    case .failed(let problem):
      shared.working = nil
      screens.story.story?.telling = nil
      shared.waits.isRefreshing = false
      shared.say(problem.line, .bad)
    case .said(let text):
      shared.working = nil
      shared.say(shared.lab.named(text))
      return reload()
    case .noted(let notice): shared.notice = notice
    case .server(let news):
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

  private mutating func handle(_ event: InputEvent) -> [Command] {
    switch event {
    case .key(let key): return shared.layout.fits ? press(key) : pressUnseen(key)
    case .paste(let text):
      if shared.layout.fits { paste(text) }
    case .resize(let width, let height): shared.size = Size(width: width, height: height)
    case .storeChanged: return reload()
    case .mouse(let x, let y, let kind): return mouse(kind, x, y)
    case .focus, .background, .woken, .deadline: break
    }
    return []
  }

  private mutating func press(_ key: KeyPress) -> [Command] {
    let here = context
    if let command = KeyTable.find(key, in: here) {
      // What is typed is nobody's business; a command's name is.
      if shared.isPresenting { shared.keyEcho = "\(command.keyText)  \(command.name)" }
      return here == .filter ? command.action.value.run(on: &self) : attempt(command)
    }
    return type(key) ? [] : moveOnTop(key)
  }

  /// Moves in the dialog that has the keys, else on the screen.
  mutating func moveOnTop(_ key: KeyPress) -> [Command] {
    guard var dialog = shared.dialogs.last else { return move(key) }
    dialog.component.move(key, in: self)
    shared.dialogs[shared.dialogs.count - 1] = dialog
    return []
  }

  /// In a window too small to show what a key would act on, it can only leave, stop or draw again.
  private mutating func pressUnseen(_ key: KeyPress) -> [Command] {
    let safe: [KeyCommand] = [.leave, .suspend, .redraw]
    guard let command = KeyTable.find(key, in: context), safe.contains(command) else { return [] }
    return command.action.value.run(on: &self)
  }

  /// Runs a command, or says why it can't be run.
  mutating func attempt(_ command: KeyCommand) -> [Command] {
    guard let obstacle = obstacle(to: command.action.value) else {
      return command.action.value.run(on: &self)
    }
    if !command.action.value.isQuiet {
      let name = command.keyText.isEmpty ? command.name : "\(command.keyText) \(command.name)"
      shared.say("\(name): \(obstacle).")
    }
    return []
  }

  /// Runs a command of the palette with its argument.
  mutating func run(_ command: KeyCommand, _ argument: String) -> [Command] {
    let action = command.action.value
    if shared.lab.isReadOnly, action.changesLab { return attempt(command) }
    return action.run(with: argument, on: &self) ?? attempt(command)
  }

  /// A name that fits nothing, with the nearest that does.
  mutating func refuse(_ noun: String, _ name: String, among names: [String]) -> [Command] {
    let near = nearestName(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    shared.say("There is no \(noun) “\(name)”.\(near)", .bad)
    return []
  }

  /// Runs the action of the item that is called so.
  mutating func choose<Item>(
    _ name: String, among items: [Item], _ word: (Item) -> String, _ action: (Item) -> any FeatureAction
  ) -> [Command] {
    guard let item = items.first(where: { word($0) == name.lowercased() }) else {
      return refuse("choice", name, among: items.map(word))
    }
    guard let obstacle = obstacle(to: action(item)) else { return action(item).run(on: &self) }
    shared.say("\(name): \(obstacle).")
    return []
  }

  mutating func move(_ key: KeyPress) -> [Command] {
    guard listHasKeys else {
      scrollText(key)
      return []
    }
    let before = activeList.selectedID
    guard activeList.move(key, height: shared.layout.listHeight(of: self)), before != activeList.selectedID
    else {
      return []
    }
    extendRange()
    return selectionMoved()
  }

  mutating func selectionMoved() -> [Command] {
    shared.scroll = 0
    return withScreen { $0.selectionMoved(&$1) }
  }

  /// Gives a key to whatever text is under edit.
  private mutating func type(_ key: KeyPress) -> Bool {
    if var dialog = shared.dialogs.last {
      let isTaken = dialog.component.type(key)
      shared.dialogs[shared.dialogs.count - 1] = dialog
      return isTaken
    }
    guard activeList.isFiltering else { return false }
    let before = activeList.selectedID
    let isTaken = activeList.type(key)
    if before != activeList.selectedID { withScreen { $0.filterMoved($1) } }
    return isTaken
  }

  private mutating func paste(_ text: String) {
    if var dialog = shared.dialogs.last {
      dialog.component.paste(text)
      shared.dialogs[shared.dialogs.count - 1] = dialog
    } else if activeList.isFiltering {
      activeList.paste(text)
    }
  }

  fileprivate mutating func readRowsInSight() -> [Command] {
    guard shared.layout.fits else { return [] }
    let height = shared.layout.listHeight(of: self)
    return withScreen { screen, _ in screen.readRowsInSight(height: height) }
  }
}
