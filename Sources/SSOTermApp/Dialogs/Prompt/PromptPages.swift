import SSOCore
import SSOLab
import SSOProvider
import TerminalUI

/// Draws the provider's sign-in page, which asks for a username, a password, or the number for multifactor
/// authentication.
///
/// `caller` says which app the broker signs in for, or is empty. `cancelled` is the result of a cancelled call.
func drawSignIn(
  _ page: SignInPage, _ dialog: PromptDialog, for caller: String, cancelled: String, _ people: [TestPerson],
  into grid: inout Grid, _ layout: Layout
) {
  grid.put(
    " Sign in to \(page.appName)\(caller)", at: 0, layout.tabs.y, width: layout.size.width, style: .accent)
  let rect = layout.promptPanels().page
  let inner = grid.window(rect, page.tenantName, trailing: "provider")
  let width = inner.width - 2
  var lines: [PanelLine] = []
  if !page.username.isEmpty, page.asks != .username { lines.append(PanelLine(page.username, .bold)) }
  if case .verification(let number) = page.asks {
    if layout.isSingle {
      lines += wrapped("Open Authenticator and enter \(number).", width).map { PanelLine($0, .bold) }
    } else {
      lines += wrapped("Open Authenticator and enter the number shown here:", width).map { PanelLine($0) }
      lines += [PanelLine("  \(number)", .bold), PanelLine("")]
    }
  }
  lines.append(PanelLine(page.fieldName, .dim))
  grid.lines(lines, in: inner)
  let fieldRow = Rect(x: inner.x + 1, y: inner.y + lines.count, width: min(40, width), height: 1)
  dialog.field.draw(into: &grid, at: fieldRow, masked: page.isSecret && !dialog.isRevealed, focused: true)
  var below: [PanelLine] = [PanelLine("")]
  if let failure = page.failure {
    below += wrapped("! " + failure, width, indent: "  ").map { PanelLine($0, .bad) }
  }
  if case .username = page.asks, !page.accountsInSession.isEmpty {
    below.append(PanelLine("Signed in to this browser, no password (Down fills in):", .dim))
    below += page.accountsInSession.prefix(6).map { PanelLine("  " + $0) }
  }
  below += [PanelLine("")] + wholeField("client", page.clientID, width: width)
  below += [
    field(
      "redirect", page.redirectURI.isEmpty ? "none: another device" : page.redirectURI, width: width
    )
  ]
  let escape =
    dialog.isForRealProgram
    ? "Esc postpones, C-x declines."
    : dialog.escapeLeavesStep ? "Esc goes back." : "Esc cancels: \(cancelled)."
  below += wrapped(escape, width).map { PanelLine($0, .dim) }
  if !people.isEmpty {
    below += [PanelLine(""), PanelLine("Test users (Ctrl-T fills in)", .dim)]
    below += people.prefix(SignInPage.listed(people.count)).map {
      PanelLine("  \($0.username.padding(to: 24))\($0.remark)")
    }
  }
  grid.lines(below, in: inner.rows(lines.count + 1, inner.height - lines.count - 1))
}

extension SignInPage {
  /// Returns how many of the test users the page lists.
  static func listed(_ people: Int) -> Int { min(people, 8) }

  var awaited: String {
    if case .verification = asks { "the number" } else { fieldName.lowercased() }
  }

  fileprivate var fieldName: String {
    switch asks {
    case .username: "Username"
    case .password: "Password"
    case .verification: "In Authenticator"
    }
  }

  fileprivate var isSecret: Bool {
    if case .password = asks { true } else { false }
  }
}

/// Draws the provider's consent page, on which the user accepts either all scopes or no scope, as in Entra.
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
  let isBrief = inner.height < 14
  let question = (page.question.map { wrapped($0, width) } ?? []).map { PanelLine($0, .bold) }
  // A question is shown in every window, because it warns the user not to sign in on another person's device.
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
      : "Accept stores \(counted(new, "grant")) for \(page.username): all scopes together. ")
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
    grid.add(Touch(.button(index), Rect(x: x, y: row.y, width: text.count, height: 1)))
    x += text.count + 3
  }
}

/// Draws the provider's error page, which the user can only close.
func drawErrorPage(
  _ page: ErrorPage, _ dialog: PromptDialog, cancelled: String, into grid: inout Grid, _ layout: Layout
) {
  grid.put(" Sign in > Error", at: 0, layout.tabs.y, width: layout.size.width, style: .bad)
  let rect = layout.promptPanels().page
  let inner = grid.window(rect, "Error page", trailing: "provider")
  let width = inner.width - 2
  var lines = wrapped("Sorry, but we're having trouble signing you in", width).map { PanelLine($0, .bold) }
  lines.append(PanelLine(""))
  lines += wrapped("✗ \(page.message)", width, indent: "  ").map { PanelLine($0, .bad) }
  lines += [PanelLine("")] + fieldLines("Correlation", page.correlationID, width: width, label: 12)
  let effect = dialog.isForRealProgram ? "the program is not notified" : cancelled
  lines += wrapped("Enter or Esc closes the page: \(effect).", width).map { PanelLine($0, .dim) }
  grid.lines(lines, in: inner)
}

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
