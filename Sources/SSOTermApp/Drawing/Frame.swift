/// Draws the entire screen.
func view(_ model: AppModel, into grid: inout Grid) {
  let size = Size(width: grid.width, height: grid.height)
  guard model.shared.size == size else {
    var resized = model
    resized.shared.size = size
    return view(resized, into: &grid)
  }
  let layout = model.layout
  guard layout.fits else { return drawTooSmall(into: &grid) }
  drawHeader(model, into: &grid, layout.header)
  if let prompt = model.dialogs.first?.component as? PromptDialog, !prompt.isOverlay || model.isPickerOnly {
    grid.fill(layout.body)
  } else {
    drawTabs(model, into: &grid, layout.tabs)
    model.screen.draw(model.shared, into: &grid, layout.panels(of: model))
  }
  if let running = model.running, model.dialogs.isEmpty {
    running.draw(into: &grid, layout.body.splitBottom(layout.body.height / 2).1)
  }
  for dialog in model.dialogs {
    // The content below a dialog receives no keys and no clicks.
    grid.cursor = nil
    grid.forgetTouches()
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
