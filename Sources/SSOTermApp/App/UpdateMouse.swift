import TerminalUI

extension AppModel {
  /// Rows that a turn of the wheel goes.
  private static let wheelRows = 3

  /// A click selects, and on what is selected it opens; the wheel moves.
  mutating func mouse(_ kind: MouseAction, _ x: Int, _ y: Int) -> [Command] {
    switch kind {
    case .wheelUp: return wheel(.up)
    case .wheelDown: return wheel(.down)
    case .press: return click(x, y)
    case .release, .drag: return []
    }
  }

  private mutating func wheel(_ key: KeyPress) -> [Command] {
    (0..<Self.wheelRows).flatMap { _ in dialogs.isEmpty ? move(key) : moveInDialog(key) }
  }

  /// The picture itself says what lies where, so that no second layout can disagree with it.
  private mutating func click(_ x: Int, _ y: Int) -> [Command] {
    var grid = Grid(width: size.width, height: size.height)
    grid.noticesTouches = true
    view(self, into: &grid)
    switch grid.touch(at: x, y) {
    case .row(_, let number) where !dialogs.isEmpty: return clickInDialog(number)
    case .row(let list, let number): return click(row: number, panel: list)
    case .tab(let number): return dialogs.isEmpty ? show(Place.tabs[number]) : []
    case .button(let number): return press(button: number)
    case .text, nil: return []
    }
  }

  /// A panel of text that has the keys scrolls to its end and no further: the picture knows how long the text is.
  mutating func scrollText(_ key: KeyPress) {
    var grid = Grid(width: size.width, height: size.height)
    grid.noticesTouches = true
    view(self, into: &grid)
    let area = layout.panels(of: self).second.inset(by: 1)
    guard case .text(let lines) = grid.touch(at: area.x, area.y) else { return }
    var state = ListState(selection: scroll)
    if state.handle(key, count: max(1, lines - area.height + 1), height: area.height) {
      scroll = state.selection
    }
  }

  private mutating func click(row: Int, panel number: Int) -> [Command] {
    let before = (panel, self[keyPath: activeList].state.selection)
    panel = number
    self[keyPath: activeList].state.selection = row
    guard before == (number, row) else { return selectionMoved() }
    return obstacle(to: .open) == nil ? open() : []
  }

  private mutating func clickInDialog(_ row: Int) -> [Command] {
    switch dialogs.last {
    case .prompt, .help, .sights, .why, .choice, .fault:
      dialogs[dialogs.count - 1].list?.state.selection = row
    case .palette(var palette):
      palette.state.selection = row
      dialogs[dialogs.count - 1] = .palette(palette)
    case .confirm, .menu, .note, .explained, .edit, .effects, nil: break
    }
    return []
  }

  /// A click only marks the button: pressing it is Enter's.
  private mutating func press(button number: Int) -> [Command] {
    switch dialogs.last {
    case .confirm(var confirmation):
      confirmation.isConfirming = number == 1
      dialogs[dialogs.count - 1] = .confirm(confirmation)
    case .prompt(var dialog):
      dialog.button = number
      dialogs[dialogs.count - 1] = .prompt(dialog)
    default: break
    }
    return []
  }
}
