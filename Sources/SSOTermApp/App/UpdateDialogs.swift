import TerminalUI

extension AppModel {
  /// Gives a key to whatever text is under edit.
  mutating func type(_ key: KeyPress, in context: Context) -> Bool {
    guard Context.typing.contains(context) else { return false }
    switch dialogs.last {
    case .prompt(var dialog):
      let taken =
        context == .filter ? dialog.list.type(key) : dialog.field.handle(key)
      dialogs[dialogs.count - 1] = .prompt(dialog)
      return taken
    case .help, .choice: return dialogs[dialogs.count - 1].list?.type(key) ?? false
    case .palette(var palette):
      let taken = palette.type(key)
      dialogs[dialogs.count - 1] = .palette(palette)
      return taken
    case .edit(var edit):
      let taken = edit.field.handle(key)
      dialogs[dialogs.count - 1] = .edit(edit)
      return taken
    case .note(var note):
      let taken = note.field.handle(key)
      dialogs[dialogs.count - 1] = .note(note)
      return taken
    case .confirm, .menu, .sights, .why, .explained, .effects, .fault: return false
    case nil:
      let list = activeList
      let before = self[keyPath: list].selectedID
      let taken = self[keyPath: list].type(key)
      if before != self[keyPath: list].selectedID {
        detail = nil
        if place == .records, panel == 0 { showFields() }
      }
      return taken
    }
  }

  mutating func moveInDialog(_ key: KeyPress) -> [Command] {
    let rows = max(1, size.height - 12)
    switch dialogs.last {
    case .palette(let palette): movePalette(key, palette)
    case .explained(let explained): scrollExplained(key, explained)
    case .prompt, .help, .sights, .why, .choice, .fault:
      _ = dialogs[dialogs.count - 1].list?.move(key, height: rows)
    case .confirm, .menu, .note, .edit, .effects, nil: break
    }
    return []
  }

  /// Esc: the filter first, then the dialog.
  mutating func closeDialog() -> [Command] {
    if case .prompt(var dialog) = dialogs.last {
      dialog.list.clearFilter()
      dialogs[dialogs.count - 1] = .prompt(dialog)
      return []
    }
    if dialogs.isEmpty {
      self[keyPath: activeList].clearFilter()
      return selectionMoved()
    }
    dialogs.removeLast()
    return []
  }

  mutating func acceptFilter() -> [Command] {
    if case .prompt(var dialog) = dialogs.last {
      dialog.list.isFiltering = false
      dialogs[dialogs.count - 1] = .prompt(dialog)
      return []
    }
    self[keyPath: activeList].isFiltering = false
    let query = self[keyPath: activeList].query.text
    if !query.isEmpty { lastQuery = query }
    return selectionMoved()
  }

  mutating func startFilter() {
    if case .prompt(var dialog) = dialogs.last {
      dialog.list.isFiltering = true
      dialogs[dialogs.count - 1] = .prompt(dialog)
    } else {
      if !place.hasTwoLists { panel = 0 }
      self[keyPath: activeList].isFiltering = true
    }
  }

  mutating func openHelp() {
    var help = Help(context: context)
    let all = KeyCommand.all(in: context).filter { !$0.keyText.isEmpty }
    let rows = all.filter { obstacle(to: $0.action) == nil } + all.filter { obstacle(to: $0.action) != nil }
    help.commands = rows
    help.list.replace(
      ids: rows.map(\.name), texts: rows.map { "\($0.keyText) \($0.name) \($0.sentence) @\($0.keyText)" })
    dialogs.append(.help(help))
  }

  /// Enter in help or palette.
  mutating func runSelected() -> [Command] {
    switch dialogs.last {
    case .palette(let palette): return runPalette(palette)
    case .help(let help):
      guard let command = help.selected else { return [] }
      dialogs.removeLast()
      return attempt(command)
    default: return []
    }
  }
}

extension Help {
  var selected: KeyCommand? { list.selectedRow.map { commands[$0] } }
}
