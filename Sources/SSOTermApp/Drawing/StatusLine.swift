/// What happens, what is typed, or what happened last.
func drawStatus(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  if let working = model.working {
    return grid.put(" " + working, at: 0, row.y, width: row.width, style: .accent)
  }
  if let note = model.topDialog(NoteField.self) {
    return drawSearch(note.field, prompt: "note on step \(note.step + 1):", into: &grid, row)
  }
  if let list = filterInSight(model) {
    grid.put(" /", at: 0, row.y, style: .accent)
    let count = list.countText
    let field = Rect(x: 2, y: row.y, width: max(8, row.width - count.count - 5), height: 1)
    list.query.draw(into: &grid, at: field, focused: list.isFiltering)
    if list.query.text.isEmpty {
      let columns = list.index.texts.columnNames.map { $0 + ":" }.joined(separator: " ")
      grid.put("words  !not  ~fuzzy  " + columns, at: 4, row.y, width: field.width - 3, style: .dim)
    }
    return grid.put(count, at: field.maxX + 1, row.y, style: .dim)
  }
  guard let notice = model.notice else { return }
  let style: Style =
    switch notice.kind {
    case .good: .good
    case .bad: .bad
    case .plain: .plain
    }
  let key = key(for: notice, model)
  let room = row.width - key.count - 2
  // An error is of use only if it can be read to its end, what to do next.
  let isLong = notice.kind == .bad && columnWidth(notice.text) >= room && model.layout.presenter.isEmpty
  let mayCover = model.dialogs.isEmpty ? model.layout.body.height / 3 : 1
  let lines = isLong && mayCover > 1 ? Array(wrapped(notice.text, room - 1).prefix(mayCover)) : [notice.text]
  let top = row.y - lines.count + 1
  grid.fill(Rect(x: 0, y: top, width: row.width, height: lines.count))
  for (index, line) in lines.enumerated() {
    grid.put(" " + line, at: 0, top + index, width: room, style: style)
  }
  grid.put(key, at: row.width - key.count - 1, row.y, style: .dim)
}

/// The key that goes on from what is said: it takes the change back, or says what the code in an error means.
private func key(for notice: Notice, _ model: AppModel) -> String {
  if notice.canUndo, model.lab.status?.canUndo != nil { return "z undo" }
  return model.dialogs.isEmpty && notice.hasCode ? "W explain" : ""
}

/// The list whose filter stands in the status line.
private func filterInSight(_ model: AppModel) -> RowList? {
  if !model.dialogs.isEmpty {
    let list = model.topDialog(PromptDialog.self)?.list
    return list.map { $0.isFiltering || $0.isFiltered } == true ? list : nil
  }
  let list = model.activeList
  return list.isFiltering || (model.notice == nil && list.isFiltered) ? list : nil
}
