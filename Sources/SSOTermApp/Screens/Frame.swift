import SSOCore
import SSOLab
import SSOServer
import TerminalUI

/// Draws the whole screen.
func view(_ model: AppModel, into grid: inout Grid) {
  var model = model
  model.size = Size(width: grid.width, height: grid.height)
  let layout = model.layout
  guard layout.fits else { return drawTooSmall(into: &grid) }
  drawHeader(model, into: &grid, layout.header)
  if case .prompt(let dialog) = model.dialogs.first, !dialog.isOverlay || model.isPickerOnly {
    grid.fill(layout.body)
  } else {
    drawScreen(model, into: &grid, layout)
  }
  for dialog in model.dialogs { draw(dialog, model, into: &grid, layout) }
  drawPresenterBar(model, into: &grid, layout.presenter)
  drawStatus(model, into: &grid, layout.status)
  drawKeys(model, into: &grid, layout.keys)
}

/// What lies over the screen, and over what lies there already.
private func draw(_ dialog: Dialog, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  switch dialog {
  case .prompt(let dialog):
    if dialog.isOverlay, !model.isPickerOnly { grid.restyle(layout.body) { $0 = .dim } }
    drawPrompt(dialog, model, into: &grid, layout)
  case .confirm(let confirmation): drawConfirmation(confirmation, into: &grid, layout)
  case .help(let help): drawHelp(help, model, into: &grid, layout)
  case .palette(let palette): drawPalette(palette, model, into: &grid, layout)
  case .menu(let menu): drawMenu(menu, model, into: &grid, layout)
  case .sights(let sights): drawSights(sights, model, into: &grid, layout)
  case .why(let why): drawWhy(why, into: &grid, layout)
  case .explained(let explained): drawExplained(explained, into: &grid, layout)
  case .choice(let choice): drawChoice(choice, into: &grid, layout)
  case .edit(let edit): drawFieldEdit(edit, into: &grid, layout)
  case .effects(let effects): drawEffects(effects, into: &grid, layout)
  case .fault(let form): drawFaultForm(form, into: &grid, layout)
  case .note: break
  }
}

private func drawTooSmall(into grid: inout Grid) {
  grid.put("SSOTerm needs 40x12.", at: 0, 0)
  grid.put("Now \(grid.width)x\(grid.height). Ctrl-C quits.", at: 0, 1)
}

private func drawScreen(_ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  drawTabs(model, into: &grid, layout.tabs)
  let panels = layout.panels(of: model)
  switch model.place {
  case .apps: drawApps(model, into: &grid, panels)
  case .accounts: drawAccounts(model, into: &grid, panels)
  case .tokens: drawTokens(model, into: &grid, panels)
  case .traces: drawTraces(model, into: &grid, panels)
  case .trace: drawTrace(model, into: &grid, panels)
  case .keychain: drawKeychain(model, into: &grid, panels)
  case .story: drawStory(model, into: &grid, panels)
  case .records: drawLab(model, into: &grid, panels)
  case .provider: drawProvider(model, into: &grid, panels)
  }
}

private func drawHeader(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  // What has least room to spare comes last; the hour goes first.
  var words = model.headerWords
  while words.count > 1, columnWidth(words.joined(separator: "  ")) > row.width - 10 { words.removeFirst() }
  let right = words.joined(separator: "  ")
  let room = min(columnWidth(right), row.width - 10)
  grid.put(" SSOTerm", at: 0, row.y, style: .title)
  var x = 10
  if model.isReadOnly {
    grid.put(" RO ", at: x, row.y, style: Style(.warning, reverse: true))
    x += 5
  }
  grid.put(model.title, at: x, row.y, width: row.width - x - 3 - room, style: .dim)
  let status = model.status
  let isLoud =
    status?.clockOffset != nil || model.revealedToken != nil || (status?.faultCount ?? 0) > 0
    || (status?.waitingCount ?? 0) > 0
  let style = isLoud ? Style(.warning, reverse: true) : .dim
  grid.put(right, at: row.width - room - 1, row.y, width: room, style: style)
}

extension AppModel {
  /// The right half of the header: as of when, and all that is not as usual.
  fileprivate var headerWords: [String] {
    var words: [String] = []
    let offset = status?.clockOffset.map { "\(offsetText($0)) FAKE" }
    let moment = [asOf, offset].compactMap(\.self).joined(separator: " ")
    if !moment.isEmpty { words.append(moment) }
    if let count = status?.faultCount, count > 0 { words.append("faults \(count)") }
    if let count = status?.waitingCount, count > 0 { words.append("WAITS \(count)") }
    if hasMouse { words.append("MOUSE") }
    return words + [revealedToken == nil ? "MASKED" : "REVEALED"]
  }
}

private func drawTabs(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  if row.width < (model.story == nil ? 74 : 80) || model.stack.count > 1 {
    return grid.put(" " + model.breadcrumb, at: 0, row.y, width: row.width, style: .accent)
  }
  var x = 1
  for place in model.tabs {
    let isHere = place.tab == model.place.tab
    let name = "\(place.tab + 1) \(place.name)"
    grid.put(isHere ? "[\(name)]" : name, at: x, row.y, style: isHere ? Style(.accent, bold: true) : .dim)
    grid.note(Touch(.tab(place.tab), Rect(x: x, y: row.y, width: name.count + 2, height: 1)))
    x += name.count + (isHere ? 4 : 2)
  }
}

extension AppModel {
  /// Where the person is: `1 Apps > Mail`.
  var breadcrumb: String {
    stack.indices.map { index in
      let place = stack[index]
      let isBranch = index > 0 && place == .tokens && stack[index - 1] == .tokens
      switch place {
      case .trace: return trace.map { named($0.summary.title) } ?? "…"
      case .tokens where isBranch: return tokenScope.title
      case .tokens where !tokenScope.title.isEmpty && index == stack.count - 1:
        return "Tokens > \(tokenScope.title)"
      default: return "\(place.tab + 1) \(place.name)"
      }
    }.joined(separator: " > ")
  }
}

private func drawStatus(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  if let working = model.working {
    return grid.put(" " + working, at: 0, row.y, width: row.width, style: .accent)
  }
  if case .note(let note) = model.dialogs.last {
    return drawSearch(note.field, prompt: "note on step \(note.step + 1):", into: &grid, row)
  }
  if let list = model.filterInSight {
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
  let key = model.key(for: notice)
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

extension AppModel {
  /// The key that goes on from what is said: it takes the change back, or says what the code in an error means.
  fileprivate func key(for notice: Notice) -> String {
    if notice.canUndo, status?.canUndo != nil { return "z undo" }
    return dialogs.isEmpty && notice.hasCode ? "W explain" : ""
  }

  /// The list whose filter stands in the status line.
  fileprivate var filterInSight: RowList? {
    switch dialogs.last {
    case .prompt(let dialog): dialog.list.isFiltering || dialog.list.isFiltered ? dialog.list : nil
    case .help, .palette, .confirm, .menu, .note, .sights, .why, .explained, .choice, .edit, .effects, .fault:
      nil
    case nil:
      self[keyPath: activeList].isFiltering || (notice == nil && self[keyPath: activeList].isFiltered)
        ? self[keyPath: activeList] : nil
    }
  }
}

/// The last line: only keys that would do something now, `? help` always among them.
private func drawKeys(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  let live = liveKeys(model)
  let help = live.first { $0.action == .help }
  if model.layout.isNarrow, help != nil, model.dialogs.isEmpty {
    return grid.put(" ? help", at: 0, row.y, style: .dim)
  }
  var text = ""
  let tail = help.map { "  \($0.keyText) \($0.label)" } ?? ""
  for command in live where command.action != .help {
    let next = "  \(command.keyText) \(command.label)"
    if columnWidth(text + next + tail) + 1 > row.width { continue }
    text += next
  }
  grid.put(String((text + tail).dropFirst()), at: 0, row.y, width: row.width, style: .dim)
}

/// The commands that the key bar may name.
func liveKeys(_ model: AppModel) -> [KeyCommand] {
  KeyCommand.all(in: model.context).filter { !$0.label.isEmpty && model.obstacle(to: $0.action) == nil }
}
