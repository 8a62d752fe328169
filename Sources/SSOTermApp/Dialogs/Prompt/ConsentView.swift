/// Draws the provider's consent page, on which the user accepts all scopes or none, as in Entra.
func drawConsent(_ page: ConsentPage, _ dialog: PromptDialog, into grid: inout Grid, _ layout: Layout) {
  grid.put(" Sign in > Permissions requested", at: 0, layout.tabs.y, width: layout.size.width, style: .accent)
  let rect = layout.promptPanels().page
  let inner = grid.window(rect, "\(page.appName) asks for permission")
  let width = inner.width - 2
  // The title of the frame contains the app's name.
  let head =
    wholeField("Client ID", page.clientID, width: width) + [
      field("Publisher", page.publisher, width: width), field("As", page.username, width: width),
    ]
  let isBrief = inner.height < 16
  let question = (page.question.map { wrapped($0, width) } ?? []).map { PanelLine($0, .bold) }
  // A question is shown in every window, because it warns the user not to sign in another person's device.
  let brief = question.isEmpty ? [field("As", page.username, width: width)] : question
  let lines = isBrief ? brief : head + (question.isEmpty ? [] : [PanelLine("")] + question) + [PanelLine("")]
  let (top, rest) = inner.splitTop(lines.count)
  grid.lines(lines, in: top)
  // The list keeps its heading and two rows, and there is a row for the buttons.
  let foot = layout.isSingle ? [] : consentFoot(page, dialog, width: width, room: rest.height - 4)
  let (list, below) = rest.splitTop(min(dialog.list.count + 2, rest.height - foot.count - 1))
  drawTable(
    into: &grid, rect: list,
    columns: [
      TableColumn("SCOPE", width: .flexible(min: 14, weight: 1)),
      TableColumn("ALLOWS TO", width: .flexible(min: 10, wanted: page.widestMeaning, weight: 2)),
      TableColumn("", width: .fixed(7)),
    ], rowCount: dialog.list.count,
    row: { index in
      let scope = page.scopes[dialog.list.matches[index]]
      return [
        TableCell(scope.scope), TableCell(scope.meaning, .dim),
        TableCell(scope.alreadyGranted ? "granted" : "new", scope.alreadyGranted ? .dim : .warning),
      ]
    }, state: dialog.list.state, list: 0)
  let (text, buttons) = below.splitTop(foot.count)
  grid.lines(foot, in: text)
  drawButtons(["Accept", "Cancel"], selected: dialog.button, into: &grid, buttons)
}

extension ConsentPage {
  fileprivate var widestMeaning: Int { scopes.map { columnWidth($0.meaning) }.max() ?? 0 }
}

/// Returns the meaning of the selected scope, and the effects of Accept and Cancel.
private func consentFoot(
  _ page: ConsentPage, _ dialog: PromptDialog, width: Int, room: Int
) -> [PanelLine] {
  let scope = dialog.list.selectedRow.map { page.scopes[$0] }
  let new = page.scopes.count { !$0.alreadyGranted }
  let words =
    (new == 0
      ? "Everything is granted already: Accept stores no new grant. "
      : "Accept stores \(counted(new, "grant")) for \(page.username), all scopes or none. ")
    + (page.question == nil ? "Cancel returns access_denied." : "Cancel tells the device that you declined.")
  let means = scope.map { wrapped("\($0.scope): \($0.meaning).", width).map { PanelLine($0) } } ?? []
  let comesTo = wrapped(words, width).map { PanelLine($0, .dim) } + [PanelLine("")]
  return [means + comesTo, comesTo].first { $0.count <= room } ?? []
}

/// Draws a row of buttons.
///
/// The selected button is reversed and has a `>`.
func drawButtons(_ names: [String], selected: Int, into grid: inout Grid, _ row: Rect) {
  var x = row.x + 2
  for (index, name) in names.enumerated() {
    let text = index == selected ? "[>\(name) ]" : "[ \(name) ]"
    grid.put(text, at: x, row.y, style: index == selected ? .selected : .plain)
    if index == selected { grid.cursor = Point(x: x + 1, y: row.y) }
    grid.note(Touch(.button(index), Rect(x: x, y: row.y, width: text.count, height: 1)))
    x += text.count + 3
  }
}
