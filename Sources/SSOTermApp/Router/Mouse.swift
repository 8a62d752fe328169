import TerminalUI

/// The mouse. The picture itself says what lies where, so that no second layout can disagree with it.
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
    (0..<Self.wheelRows).flatMap { _ in moveOnTop(key) }
  }

  private var touchableGrid: Grid {
    var grid = Grid(width: shared.size.width, height: shared.size.height)
    grid.noticesTouches = true
    view(self, into: &grid)
    return grid
  }

  private mutating func click(_ x: Int, _ y: Int) -> [Command] {
    let target = touchableGrid.touch(at: x, y)
    if var dialog = shared.dialogs.last {
      switch target {
      case .row(_, let number): dialog.component.click(row: number)
      // A click only marks the button: pressing it is Enter's.
      case .button(let number): dialog.component.click(button: number)
      case .tab, .text, nil: break
      }
      shared.dialogs[shared.dialogs.count - 1] = dialog
      return []
    }
    switch target {
    case .row(let panel, let row): return click(row: row, panel: panel)
    case .tab(let number): return show(Place.tabs[number])
    case .button, .text, nil: return []
    }
  }

  private mutating func click(row: Int, panel number: Int) -> [Command] {
    let before = (shared.panel, activeList.state.selection)
    shared.panel = number
    activeList.state.selection = row
    guard before == (number, row) else { return selectionMoved() }
    return obstacle(to: NavigationAction.open) == nil ? open() : []
  }

  /// A panel of text that has the keys scrolls to its end and no further: the picture knows how long the text is.
  mutating func scrollText(_ key: KeyPress) {
    let area = shared.layout.panels(of: self).second.inset(by: 1)
    guard case .text(let lines) = touchableGrid.touch(at: area.x, area.y) else { return }
    var state = ListState(selection: shared.scroll)
    if state.handle(key, count: max(1, lines - area.height + 1), height: area.height) {
      shared.scroll = state.selection
    }
  }
}
