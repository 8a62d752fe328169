import SSOModel
import TerminalUI

/// What a removal takes from whom, before it happens. Cancel is the default.
func drawConfirmation(_ confirmation: Confirmation, into grid: inout Grid, _ layout: Layout) {
  let radius = confirmation.radius
  let area = layout.body.centred(
    width: min(70, layout.size.width), height: min(layout.body.height, radius.losses.count * 2 + 8))
  let inner = grid.panel(area, radius.title, focused: true)
  let width = inner.width - 2
  let items = "\(radius.itemCount) keychain \(radius.itemCount == 1 ? "item" : "items")"
  var lines = [PanelLine("This removes \(items). Undo with z."), PanelLine("")]
  for loss in radius.losses {
    let glyph = loss.losesSignIn ? "✗" : "·"
    lines += wrapped("\(glyph) \(loss.app) \(loss.effect)", width, indent: "  ")
      .map { PanelLine($0, loss.losesSignIn ? .bad : .plain) }
  }
  if radius.losses.isEmpty { lines.append(PanelLine("No app loses anything.", .good)) }
  let (text, buttons) = inner.splitBottom(1)
  grid.lines(lines, in: text)
  drawButtons(["Cancel", "Remove"], selected: confirmation.isConfirming ? 1 : 0, into: &grid, buttons)
}
