import SSOLab
import TerminalUI

/// Draws the status line: the work in progress, the text being typed, or the last notice.
func drawStatus(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  if let working = model.working {
    // Show why it takes so long.
    let reason = model.notice.flatMap { $0.kind == .bad ? $0.text : nil }
    let step = model.running.map { " " + $0.stepWords } ?? ""
    return grid.put(
      " " + (reason ?? working + step), at: 0, row.y, width: row.width, style: reason == nil ? .accent : .bad)
  }
  if let note = model.topDialog(NoteField.self) {
    return drawSearch(note.field, prompt: "note on step \(note.step + 1):", into: &grid, row)
  }
  if let paste = model.topDialog(PasteField.self) {
    grid.cursor = Point(x: min(columnWidth(paste.displayText) + 2, row.maxX - 1), y: row.y)
    return grid.put(" " + paste.displayText, at: 0, row.y, width: row.width, style: .accent)
  }
  if let list = filterInSight(model) {
    grid.put(" /", at: 0, row.y, style: .accent)
    let count =
      model.dialogs.isEmpty
      ? model.screen.countText(inPanel: model.panel)
      : model.topDialog(PromptDialog.self).flatMap(PickerRow.found) ?? list.countText
    let field = Rect(x: 2, y: row.y, width: max(8, row.width - count.count - 5), height: 1)
    list.query.draw(into: &grid, at: field, focused: list.isFiltering)
    if list.query.text.isEmpty {
      let columns = list.index.texts.columnNames.map { $0 + ":" }.joined(separator: " ")
      grid.put("words  !not  ~fuzzy  " + columns, at: 4, row.y, width: field.width - 3, style: .dim)
    }
    return grid.put(count, at: field.maxX + 1, row.y, style: .dim)
  }
  if let hint = model.topDialog(PromptDialog.self)?.scriptHint, model.notice == nil {
    return grid.put(
      " " + withOmissions(hint, model, in: grid), at: 0, row.y, width: row.width, style: .accent)
  }
  guard let notice = model.notice, model.noticeDepth >= model.dialogs.count else {
    guard let omitted = omitted(model, in: grid) else { return }
    return grid.put(omitted, at: 1, row.y, width: row.width - 1, style: .dim)
  }
  let link = linked(by: notice, model)
  let key = link.map { model.shared.keys.fill("{" + $0.command + "} " + $0.words) } ?? ""
  let next = model.shared.keys.displayText(notice.next)
  // An error is useful only if it can be read to its end, and the next step is never cut off.
  let mayCover = model.dialogs.isEmpty && model.layout.presenter.isEmpty ? model.layout.body.height / 3 : 1
  let width = row.width >= 200 && mayCover > 1 ? longestLine : row.width
  let room = min(width, row.width - key.count - 2)
  let text = notice.chip == nil ? notice.text : notice.text.prefix(1) + " " + notice.text.dropFirst()
  let tail = next.isEmpty ? "" : (text.last?.isPunctuation == true && text.last != ")" ? " " : ". ") + next
  var lines = [truncated(text, room - 1 - columnWidth(tail)) + tail]
  if columnWidth(text + tail) >= room, mayCover > 1 {
    // The chip is one column wider than its glyph.
    lines = errorLines(
      notice.text, tail, width: width - (notice.chip == nil ? 2 : 3), lastWidth: room - 2,
      atMost: mayCover)
    if notice.chip != nil { lines[0] = lines[0].prefix(1) + " " + lines[0].dropFirst() }
  }
  let top = row.y - lines.count + 1
  grid.fill(Rect(x: 0, y: top, width: row.width, height: lines.count))
  for (index, line) in lines.enumerated() {
    let space = index == lines.count - 1 ? room : row.width
    grid.put(" " + line, at: 0, top + index, width: space, style: notice.kind == .bad ? .bold : .plain)
  }
  if let chip = notice.chip { grid.restyle(Rect(x: 0, y: top, width: 3, height: 1)) { $0 = chip } }
  guard let link else { return }
  let end = Rect(x: row.width - key.count - 1, y: row.y, width: key.count, height: 1)
  grid.put(key, at: end.x, end.y, style: .dim)
  grid.noteKey(of: link.command, end, model)
}

extension Grid {
  /// Lets a click on a text do what the key that it names does here.
  mutating func noteKey(of command: String, _ rect: Rect, _ model: AppModel) {
    let found = model.shared.keys.commands(in: model.context).first { $0.name == command }
    if let key = found?.keys.first { add(Touch(.key(key), rect)) }
  }
}

/// Returns the text about the columns and panels that a window below 80x24 has no room for, or `nil` if there are none.
private func omitted(_ model: AppModel, in grid: Grid) -> String? {
  guard model.layout.isSmall, !grid.omissions.isEmpty else { return nil }
  let hasOtherPanel =
    model.layout.isSingle && model.dialogs.isEmpty && type(of: model.screen).panelCount > 1
  let names = grid.omissions.joined(separator: ", ")
  let way = hasOtherPanel ? model.shared.keys.fill("{next panel}: other panel. ") : ""
  let text = "\(way)No room for \(names)."
  guard hasOtherPanel, columnWidth(text) > grid.width - 2 else { return text }
  return model.shared.keys.fill("{next panel}: more. No room: ") + names + "."
}

/// Returns the hint about a scripted answer with what a small window has no room for, the one or the other in fewer words
/// if there is no room for both.
private func withOmissions(_ hint: String, _ model: AppModel, in grid: Grid) -> String {
  guard let omitted = omitted(model, in: grid) else { return hint }
  let names = grid.omissions.joined(separator: ", ")
  let brief = model.shared.keys.fill("{demo next} answers.")
  return [hint + " " + omitted, brief + " " + omitted, brief + " No room: \(names)."]
    .first { columnWidth($0) < grid.width } ?? hint
}

/// Returns the lines of an error followed by the next step.
///
/// Only the error is truncated if they do not fit.
///
/// `tail` is the next step with the separator before it; `lastWidth` is the width of the last line, which ends with a
/// key.
private func errorLines(
  _ text: String, _ tail: String, width: Int, lastWidth: Int, atMost limit: Int
) -> [String] {
  var lines = wrapped(text, width)
  let last = (lines.last ?? "") + tail
  if lines.count <= limit, columnWidth(last) <= lastWidth { return lines.dropLast() + [last] }
  let parting = String(tail.prefix { $0 == "." })
  if !lines.isEmpty { lines[lines.count - 1] += parting }
  let ending = tail.isEmpty ? [""] : wrapped(String(tail.dropFirst(parting.count)), lastWidth)
  let most = max(1, limit - ending.count)
  if lines.count > most {
    lines = lines.prefix(most - 1) + [truncated(lines[(most - 1)...].joined(separator: " "), width)]
  }
  return lines + ending
}

extension Notice {
  /// The style that sets the notice's glyph apart, or `nil` if it has no glyph.
  fileprivate var chip: Style? {
    guard let first = text.first, "✓✗!".contains(first), text.dropFirst().first == " " else { return nil }
    return switch kind {
    case .good: Style(.good, bold: true, reverse: true)
    case .bad: Style(.bad, bold: true, reverse: true)
    case .plain: Style(bold: true, reverse: true)
    }
  }
}

/// Returns the key that follows up on a notice: it undoes the change, leads to the fix for an error, or explains its
/// code.
private func linked(by notice: Notice, _ model: AppModel) -> (command: String, words: String)? {
  if notice.canUndo, model.lab.status?.canUndo != nil { return ("undo", "undo") }
  guard model.dialogs.isEmpty, notice.hasCode else { return nil }
  let isOfApp = model.place == .apps && model.selection.why != nil
  return notice.canFix && isOfApp ? ("why", "why and fix") : ("explain", "explain")
}

/// Returns the list whose filter is shown in the status line.
private func filterInSight(_ model: AppModel) -> RowList? {
  if !model.dialogs.isEmpty {
    let list = model.topDialog(PromptDialog.self)?.list
    return list.map { $0.isFiltering || $0.isFiltered } == true ? list : nil
  }
  let list = model.activeList
  return list.isFiltering || (model.notice == nil && list.isFiltered) ? list : nil
}

/// Draws a text field after its prompt.
func drawSearch(_ field: TextField, prompt: String, into grid: inout Grid, _ row: Rect) {
  grid.put(prompt, at: row.x + 1, row.y, style: .accent)
  let x = row.x + 2 + prompt.count
  field.draw(into: &grid, at: Rect(x: x, y: row.y, width: row.maxX - x - 1, height: 1), focused: true)
}
