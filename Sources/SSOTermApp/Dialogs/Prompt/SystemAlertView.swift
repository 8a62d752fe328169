/// Draws the system's alert over the app, which asks whether the app may use the site.
func drawSystemAlert(
  _ alert: SystemAlert, _ dialog: PromptDialog, into grid: inout Grid, _ layout: Layout
) {
  let area = layout.promptFrame ?? layout.body
  let rect = area.centred(width: min(area.width, 54), height: min(area.height, 10))
  let inner = grid.window(rect, "iOS", trailing: "before the web session")
  let width = inner.width - 2
  let lines =
    wrapped(alert.title, width).map { PanelLine($0, .bold) } + [PanelLine("")]
    + wrapped(SystemAlert.message, width).map { PanelLine($0) }
  let (text, buttons) = inner.splitBottom(1)
  grid.lines(lines, in: text)
  drawButtons(["Continue", "Cancel"], selected: dialog.button, into: &grid, buttons)
}
