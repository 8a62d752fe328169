import TerminalUI

/// Marks on the rows of the present screen.
extension AppModel {
  /// The IDs under marks.
  var marked: Set<RowID> { mainList.marks.ids }

  /// Whether rows can be marked here: the lists whose commands act on many.
  var canMark: Bool { screen.canMark(inPanel: shared.panel) }

  mutating func toggleMark() -> [Command] {
    guard let row = activeList.selectedRow, let ids = screen.markIDs(ofRow: row) else { return [] }
    activeList.marks.toggle(ids)
    // A heading stands for all that is below it, and stays selected.
    return screen.isHeading(row) ? [] : move(.down)
  }

  mutating func toggleRange() {
    guard let row = activeList.selectedRow, let id = activeList.selectedID,
      let ids = screen.markIDs(ofRow: row)
    else { return }
    activeList.marks.toggleRange(at: id, ids)
    shared.say(activeList.marks.rangeStart != nil ? "Range: move to mark, v ends it." : "Range marked.")
  }

  /// The selection has moved while a range is being marked.
  mutating func extendRange() {
    let list = activeList
    guard canMark, let start = list.marks.rangeStart,
      let first = list.matches.firstIndex(where: { list.ids[$0] == start })
    else { return }
    let rows = list.matches[min(first, list.state.selection)...max(first, list.state.selection)]
    let ids = rows.flatMap { screen.markIDs(ofRow: $0) ?? [] }
    activeList.marks.extend(to: ids)
  }
}
