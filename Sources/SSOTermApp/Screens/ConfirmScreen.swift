import SSOLab
import TerminalUI

/// What a removal takes from whom, before it happens. Cancel is the default.
func drawConfirmation(_ confirmation: Confirmation, into grid: inout Grid, _ layout: Layout) {
  let radius = confirmation.radius
  let width = min(70, layout.size.width)
  let lines = confirmation.lines(width: width - 4)
  let area = layout.body.centred(width: width, height: min(layout.body.height, lines.count + 4))
  let inner = grid.panel(area, confirmation.title ?? radius.title, focused: true)
  let (text, buttons) = inner.splitBottom(1)
  grid.lines(lines, in: text)
  drawButtons(["Cancel", "Remove"], selected: confirmation.isConfirming ? 1 : 0, into: &grid, buttons)
}

extension Confirmation {
  fileprivate func lines(width: Int) -> [PanelLine] {
    let items = "\(radius.itemCount) keychain \(radius.itemCount == 1 ? "item" : "items")"
    var lines = wrapped("This removes \(items)\(what). Undo with z.", width).map { PanelLine($0) }
    lines.append(PanelLine(""))
    for loss in radius.losses {
      let glyph = loss.losesSignIn ? "✗" : "·"
      lines += wrapped("\(glyph) \(loss.app) \(loss.effect)", width, indent: "  ")
        .map { PanelLine($0, loss.losesSignIn ? .bad : .plain) }
    }
    if radius.losses.isEmpty { lines.append(PanelLine("No app loses anything.", .good)) }
    return lines
  }

  /// What goes besides keychain items.
  private var what: String {
    if case .forget = intent { ", and what the broker holds of the account" } else { "" }
  }
}
