/// Draws the provider's error page, which the user can only close.
func drawErrorPage(_ page: ErrorPage, _ dialog: PromptDialog, into grid: inout Grid, _ layout: Layout) {
  grid.put(" Sign in > Error", at: 0, layout.tabs.y, width: layout.size.width, style: .bad)
  let rect = layout.promptPanels().page
  let inner = grid.window(rect, "Error page", trailing: "identity provider")
  let width = inner.width - 2
  var lines = wrapped("Sorry, but we're having trouble signing you in", width).map { PanelLine($0, .bold) }
  lines.append(PanelLine(""))
  lines += wrapped("✗ \(page.message)", width, indent: "  ").map { PanelLine($0, .bad) }
  lines += [PanelLine("")] + fieldLines("Correlation", page.correlationID, width: width, label: 12)
  let told = dialog.isForRealProgram ? "the program is not told." : "the app gets its SDK's cancelled error."
  lines += wrapped("Enter or Esc closes the page: " + told, width).map { PanelLine($0, .dim) }
  grid.lines(lines, in: inner)
}
