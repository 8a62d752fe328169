/// Draws the broker's account picker: the app with its client ID and redirect URI, and the accounts to choose from.
func drawPicker(_ picker: AccountPicker, _ dialog: PromptDialog, into grid: inout Grid, _ layout: Layout) {
  let area =
    layout.promptFrame
    ?? (dialog.isOverlay && !layout.isSingle ? layout.body.inset(x: 4, y: 1) : layout.body)
  let width = min(area.width, 92) - 4
  // If there is not enough room for everything, `i` shows the details of the request above only the selected account.
  let hasTallHead = layout.isSingle && dialog.showsDetails
  let isBrief = layout.isSingle ? !hasTallHead : dialog.showsDetails && area.height < 30
  var head = pickerHead(picker, width: width, brief: isBrief)
  // The number to compare must be visible in every window.
  let isLinux = dialog.isForRealProgram && picker.callerCheck.name == LinuxCaller.checkName
  if dialog.isForRealProgram, !isLinux {
    head[0] = PanelLine("\(picker.appName) asks. \(picker.reason)", .bold)
  }
  if dialog.isSigningOut {
    head = [PanelLine("Which account do you want to sign out of this device?", .bold), PanelLine("")]
  }
  let foot = layout.isSingle ? [] : pickerFoot(picker, dialog, width: width)
  let lines = layout.isSingle ? 1 : 2
  let wanted = head.count + lines * dialog.list.count + foot.count + (layout.isSingle ? 2 : 3)
  let rect = layout.promptFrame ?? area.centred(width: min(area.width, 92), height: max(8, wanted))
  let how =
    dialog.intent == nil
    ? "ssoterm pick"
    : dialog.isForRealProgram
      ? isLinux ? "broker, for a Linux program" : "identity provider"
      : dialog.isOverlay ? "broker, over the app" : "broker, in place of the app"
  let title = dialog.isSigningOut ? "Sign out of one account" : "Choose an account"
  let inner = grid.window(rect, title, trailing: how)
  let (top, rest) = inner.splitTop(min(head.count, max(1, inner.height - (hasTallHead ? 1 : 3))))
  grid.lines(head, in: top)
  let (list, below) = rest.splitBottom(min(foot.count, max(0, rest.height - min(3, dialog.list.count))))
  let tiles = PickerTiles(list: dialog.list, row: { PickerRow($0, in: dialog) })
  if tiles.fit(in: list) {
    tiles.draw(into: &grid, list)
  } else {
    drawRows(picker, dialog, into: &grid, list)
  }
  grid.lines(foot, in: below)
}

/// Draws a line for each account, if there is little room.
private func drawRows(
  _ picker: AccountPicker, _ dialog: PromptDialog, into grid: inout Grid, _ rect: Rect
) {
  let list = dialog.list
  drawTable(
    into: &grid, rect: rect, columns: candidateColumns(picker.candidates), rowCount: list.count,
    row: { index in
      let number = list.matches[index]
      guard case .account(let candidate) = PickerRow(number, in: dialog) else { return [] }
      return candidateCells(candidate, number: number + 1)
    }, state: list.state, list: 0)
  drawWays(dialog, into: &grid, rect)
}

/// Draws the rows below the accounts, which have no columns.
private func drawWays(_ dialog: PromptDialog, into grid: inout Grid, _ rect: Rect) {
  let list = dialog.list
  let visible = list.state.visible(height: rect.height, count: list.count)
  for place in visible {
    guard let way = PickerRow(list.matches[place], in: dialog)?.way else { continue }
    let row = rect.rows(place - visible.lowerBound, 1)
    let style: Style = place == list.state.selection ? .selected : .plain
    grid.put("\(way.sign)  \(way.words)", at: row.x + 3, row.y, width: row.width - 3, style: style)
  }
}

/// Returns the app's hint and the reason for the picker or, after `i`, all details of the selected account.
private func pickerFoot(_ picker: AccountPicker, _ dialog: PromptDialog, width: Int) -> [PanelLine] {
  guard dialog.showsDetails, let candidate = dialog.candidate else {
    if dialog.isSigningOut {
      return [
        PanelLine(dialog.countText + ".", .dim),
        PanelLine("What each app loses is listed before anything is removed.", .dim),
      ]
    }
    guard picker.signsIn else {
      return [
        PanelLine("\(dialog.countText). \(picker.reason)", .dim),
        PanelLine("Enter prints the choice, Esc ends without one.", .dim),
      ]
    }
    return [
      PanelLine(
        dialog.countText
          + (picker.loginHint.map { ". Hint from the app: \($0)" } ?? ". No hint from the app."),
        .dim),
      PanelLine(
        dialog.isForRealProgram && picker.callerCheck.name != LinuxCaller.checkName
          ? "If the \(picker.comparesCode ? "program shows another code" : "browser shows another number"), cancel: "
            + "it is not your sign-in."
          : picker.reason,
        .dim),
      PanelLine("Nothing is sent until you press Enter.", .dim),
    ]
  }
  let name = candidate.displayName.isEmpty ? candidate.username : candidate.displayName
  return [
    PanelLine(name + (candidate.isHinted ? ", hinted by the app" : ""), .bold),
    field("username", candidate.username, width: width),
  ] + wholeField("home ID", candidate.homeAccountID, width: width) + [
    field("tenant", candidate.tenantName, width: width),
    field("state", candidate.standing, width: width, style: candidate.style),
  ]
    + fieldLines(
      "", candidate.mustSignInAgain ? candidate.remark : candidate.state.sentence, width: width, style: .dim)
    + (candidate.shownBecause.isEmpty
      ? [] : fieldLines("shown", "because " + candidate.shownBecause, width: width))
    + [field("last used", candidate.lastUseWords, width: width)]
    + fieldLines("picker", picker.reason, width: width, style: .dim)
}

private func pickerHead(_ picker: AccountPicker, width: Int, brief: Bool) -> [PanelLine] {
  guard picker.signsIn else {
    let asks = picker.appName.isEmpty ? "Which account?" : "Which account, for \(picker.appName)?"
    return [PanelLine(asks, .bold)] + (brief ? [] : [PanelLine("")])
  }
  let asks = PanelLine("\(picker.appName) wants to sign you in.", .bold)
  let client = field("client", picker.clientID, width: width)
  let redirect = field("redirect", picker.redirectURI, width: width)
  if brief { return [asks, client, redirect] }
  let library = picker.sdk.isEmpty ? [] : [field("library", picker.sdk, width: width)]
  return [asks, client, redirect] + proof(of: picker, width: width) + asking(picker, width: width) + library
    + [PanelLine("")]
}

/// Returns the check of the caller.
///
/// A failure is shown in full, and a matching redirect URI is not repeated.
private func proof(of picker: AccountPicker, width: Int) -> [PanelLine] {
  let check = picker.callerCheck
  guard check.verdict == .passed else { return checkLines([check], width: width) }
  let found = check.found == picker.redirectURI ? "" : ": \(check.found)"
  return [PanelLine("\(check.glyph) \(check.name)\(found)", check.style)]
}

/// Returns the scopes in full, unless they would fill a page, and the prompt beside them if there is room.
private func asking(_ picker: AccountPicker, width: Int) -> [PanelLine] {
  let scopes = picker.scopes.joined(separator: " ")
  let prompt = picker.prompt.map { "prompt \($0)" } ?? ""
  let both = prompt.isEmpty ? scopes : scopes + "  " + prompt
  if columnWidth(both) + 11 <= width { return [field("asking", both, width: width)] }
  var lines = fieldLines("asking", scopes, width: width)
  if lines.count > 3 {
    lines = Array(lines.prefix(2)) + [field("", "… \(picker.scopes.count) in all", width: width)]
  }
  return lines + (prompt.isEmpty ? [] : [field("", prompt, width: width)])
}

/// Returns the columns.
///
/// If there is little room, the username and the state are shown in full, and the display name gives way.
private func candidateColumns(_ candidates: [PickerCandidate]) -> [TableColumn] {
  func widest(_ text: (PickerCandidate) -> String, atMost limit: Int) -> Int {
    min(limit, candidates.prefix(200).map { columnWidth(text($0)) }.max() ?? 0)
  }
  return [
    TableColumn("", width: .fixed(2), align: .right),
    TableColumn(
      "", width: .flexible(min: 8, wanted: widest(\.displayName, atMost: 24), weight: 2), priority: 1),
    TableColumn("", width: .flexible(min: 10, wanted: widest(\.username, atMost: 32), weight: 3)),
    TableColumn("", width: .flexible(min: 14, wanted: widest(\.standing, atMost: 28), weight: 3)),
  ]
}

private func candidateCells(_ candidate: PickerCandidate, number: Int) -> [TableCell] {
  return [
    TableCell("\(number)"), TableCell(candidate.displayName), TableCell(candidate.username),
    TableCell(candidate.standing, candidate.style),
  ]
}

extension PickerCandidate {
  /// The state and the remark, without repeating the state's word: `● ready, no password`.
  fileprivate var standing: String {
    if mustSignInAgain { return chip }
    let word = state.text.dropFirst(2)
    if remark.isEmpty { return state.text }
    return remark.hasPrefix(word) ? state.text.prefix(2) + remark : "\(state.text), \(remark)"
  }
}

extension PickerCandidate {
  /// The text on a tile, which says whether a password is required.
  var chip: String { state == .expired || mustSignInAgain ? "○ needs password" : state.text }
  var style: Style { mustSignInAgain ? PickerCandidate.State.expired.style : state.style }

  fileprivate var lastUseWords: String {
    lastUse.map { String($0.words.dropFirst("last used ".count)) }
      ?? "never by the broker"
  }
}

extension PickerCandidate.State {
  /// The meaning of the state for the app that asks.
  fileprivate var sentence: String {
    switch self {
    case .ready: "It has a valid refresh token here: the app gets tokens without a password."
    case .expired: "Its refresh token has expired: the password is required."
    case .signedOut: "Known on this device, but without a refresh token."
    case .blocked: "This account cannot be chosen."
    }
  }

  var text: String {
    switch self {
    case .ready: "● ready"
    case .expired: "○ expired"
    case .signedOut: "· signed out"
    case .blocked: "✗ blocked"
    }
  }

  var style: Style {
    switch self {
    case .ready: .good
    case .expired: .warning
    case .signedOut: .dim
    case .blocked: .bad
    }
  }
}
