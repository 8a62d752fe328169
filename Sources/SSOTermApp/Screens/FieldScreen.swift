import SSOCore
import SSOLab
import TerminalUI

/// One field of a record: what it is now, and what it is to be.
func drawFieldEdit(_ edit: FieldEdit, into grid: inout Grid, _ layout: Layout) {
  let width = min(76, layout.size.width)
  let hints = edit.hints(width: width - 4)
  let area = layout.body.centred(width: width, height: min(layout.body.height, hints.count + 4))
  let inner = grid.panel(area, "\(edit.title): \(edit.name)", trailing: edit.kind.rawValue, focused: true)
  let now =
    edit.isNew ? "there is none" : edit.isSecret ? "a secret, which is not shown" : edit.before ?? "not set"
  grid.lines([field("Now", now, width: inner.width - 2)], in: inner)
  let row = inner.rows(1, 1)
  grid.put("To be", at: row.x + 1, row.y, style: .accent)
  edit.field.draw(
    into: &grid, at: Rect(x: row.x + 12, y: row.y, width: row.width - 13, height: 1), masked: edit.isSecret,
    focused: true)
  grid.lines(hints, in: inner.rows(2, inner.height - 2))
}

extension FieldEdit {
  fileprivate func hints(width: Int) -> [PanelLine] {
    var sentences: [String] = []
    if hasParts { sentences.append("Several are parted by commas.") }
    if isOptional { sentences.append("An empty field takes it away.") }
    if isNew { sentences.append("It gets what is usual; its fields can be changed then.") }
    sentences.append(
      "Enter \(isNew ? "adds" : "changes") it and says what that does to the apps; z takes it back.")
    return [PanelLine("")] + wrapped(sentences.joined(separator: " "), width).map { PanelLine($0, .dim) }
  }
}

/// What a change did to the apps.
func drawEffects(_ effects: Effects, into grid: inout Grid, _ layout: Layout) {
  let width = min(84, layout.size.width)
  let lines = effects.drawn(width: width - 4)
  let area = layout.body.centred(width: width, height: min(layout.body.height, lines.count + 2))
  let count = effects.lines.count
  let inner = grid.panel(
    area, "What this does", trailing: count == 1 ? "1 app" : "\(count) apps", focused: true)
  grid.lines(lines, in: inner)
}

extension Effects {
  fileprivate func drawn(width: Int) -> [PanelLine] {
    wrapped("✓ " + summary, width, indent: "  ").map { PanelLine($0, .good) } + [PanelLine("")]
      + lines.flatMap { wrapped("! " + $0, width, indent: "  ") }.map { PanelLine($0, .warning) }
  }
}
