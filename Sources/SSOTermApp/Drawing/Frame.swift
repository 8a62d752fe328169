/// Draws the whole screen.
func view(_ model: AppModel, into grid: inout Grid) {
  var model = model
  model.shared.size = Size(width: grid.width, height: grid.height)
  let layout = model.layout
  guard layout.fits else { return drawTooSmall(into: &grid) }
  drawHeader(model, into: &grid, layout.header)
  if let prompt = model.dialogs.first?.component as? PromptDialog, !prompt.isOverlay || model.isPickerOnly {
    grid.fill(layout.body)
  } else {
    drawTabs(model, into: &grid, layout.tabs)
    model.screen.draw(model.shared, into: &grid, layout.panels(of: model))
  }
  for dialog in model.dialogs {
    // What lies below has no keys.
    grid.cursor = nil
    dialog.component.draw(in: model, into: &grid, layout)
  }
  drawPresenterBar(model, into: &grid, layout.presenter)
  drawStatus(model, into: &grid, layout.status)
  drawKeys(model, into: &grid, layout.keys)
}

private func drawTooSmall(into grid: inout Grid) {
  grid.put("SSOTerm needs 40x12.", at: 0, 0)
  grid.put("Now \(grid.width)x\(grid.height). Ctrl-C quits.", at: 0, 1)
}

/// The last line: only keys that would do something now, `? help` always among them.
private func drawKeys(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  let live = liveKeys(model)
  // The way out of zoom has its place in every window, as help has.
  let last = live.filter { $0 == .unzoom || $0 == .help }
  if model.layout.isNarrow, last.contains(.help), model.dialogs.isEmpty {
    return grid.put(" ? help", at: 0, row.y, style: .dim)
  }
  var text = ""
  let tail = last.map { "  \($0.keyText) \($0.label)" }.joined()
  for command in live where !last.contains(command) {
    let next = "  \(command.keyText) \(command.label)"
    if columnWidth(text + next + tail) + 1 > row.width { continue }
    text += next
  }
  grid.put(String((text + tail).dropFirst()), at: 0, row.y, width: row.width, style: .dim)
}

/// The commands that the key bar may name; of those with the same key the one that it runs.
func liveKeys(_ model: AppModel) -> [KeyCommand] {
  let commands = KeyTable.commands(in: model.context)
  let live = commands.indices.filter { index in
    let command = commands[index]
    return !command.label.isEmpty && model.obstacle(to: command.action.value) == nil
      && command.keys.contains { model.index(of: $0, among: commands) == index }
  }
  return live.map { commands[$0] }
}
