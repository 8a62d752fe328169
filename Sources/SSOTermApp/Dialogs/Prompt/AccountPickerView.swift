import SSOCore
import SSODevice
import SSOLab
import TerminalUI

/// Draws the broker's account picker: the app with its client ID and redirect URI, and the accounts to choose from.
func drawPicker(_ picker: AccountPicker, _ dialog: PromptDialog, into grid: inout Grid, _ layout: Layout) {
  let area =
    layout.promptFrame
    ?? (dialog.isOverlay && !layout.isSingle ? layout.body.inset(x: 4, y: 1) : layout.body)
  let width = min(area.width, 92) - 4
  // If there is not enough room for everything, `i` shows the details of the request above only the selected account.
  let hasTallHead = layout.isSingle && dialog.showsDetails
  let isCompact = layout.promptFrame.map { $0.height < 20 } ?? false
  let isBrief = layout.isSingle ? !hasTallHead : isCompact || dialog.showsDetails && area.height < 30
  var head = pickerHead(picker, width: width, brief: isBrief)
  if isCompact, picker.signsIn {
    head = dialog.showsDetails ? Array(head.prefix(1)) : head + proof(of: picker, width: width)
  }
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
      ? isLinux ? "broker, for a Linux program" : "provider"
      : dialog.isOverlay ? "broker, over the app" : "broker (the app is in the background)"
  let title = dialog.isSigningOut ? "Sign out of one account" : "Choose an account"
  if !dialog.isOverlay, dialog.intent != nil, !dialog.isForRealProgram {
    grid.put(" Sign in > \(title)", at: 0, layout.tabs.y, width: layout.size.width, style: .accent)
  }
  let inner = grid.window(rect, title, trailing: how)
  let (top, rest) = inner.splitTop(min(head.count, max(1, inner.height - (hasTallHead ? 1 : 3))))
  grid.lines(head, in: top)
  // If there is no room for the remarks below the tiles, each account has one line. The details that the user asked for
  // have precedence over the accounts.
  let tileRows = 2 * min(dialog.list.count, 4)
  let kept =
    isCompact
    ? dialog.showsDetails
      ? 1
      : tileRows + foot.count <= rest.height
        ? tileRows : min(dialog.list.count, max(4, rest.height - foot.count))
    : min(3, dialog.list.count)
  let (list, below) = rest.splitBottom(min(foot.count, max(0, rest.height - kept)))
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
    grid.put("\(way.sign)  \(way.displayText)", at: row.x + 3, row.y, width: row.width - 3, style: style)
  }
}

/// Returns the app's hint and the reason for the picker or, after `i`, all details of the selected account.
private func pickerFoot(_ picker: AccountPicker, _ dialog: PromptDialog, width: Int) -> [PanelLine] {
  guard dialog.showsDetails, let candidate = dialog.candidate else {
    if dialog.isSigningOut {
      return [
        PanelLine(dialog.countText + ".", .dim),
        PanelLine("What each app loses is listed before anything is deleted.", .dim),
      ]
    }
    guard picker.signsIn else {
      return [
        PanelLine("\(dialog.countText). \(picker.reason)", .dim),
        PanelLine("Enter prints the choice, Esc ends without one.", .dim),
      ]
    }
    return [
      // Without a hint, the reason below says that the app named no account.
      PanelLine(
        dialog.countText + (picker.loginHint.map { ". The app suggested \($0)" } ?? "."), .dim),
      PanelLine(
        dialog.isForRealProgram && picker.callerCheck.name != LinuxCaller.checkName
          ? "If the \(picker.comparesCode ? "program shows another code" : "browser shows another number"), decline: "
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
    field("state", candidate.status, width: width, style: candidate.style),
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
  if check.verdict == .skipped, picker.isOfAnyProgram {
    return wrapped("! Caller not verified: any program can use this client ID.", width, indent: "  ")
      .map { PanelLine($0, .warning) }
  }
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
    TableColumn("", width: .flexible(min: 14, wanted: widest(\.status, atMost: 28), weight: 3)),
  ]
}

private func candidateCells(_ candidate: PickerCandidate, number: Int) -> [TableCell] {
  return [
    TableCell("\(number)"), TableCell(candidate.displayName), TableCell(candidate.username),
    TableCell(candidate.status, candidate.style),
  ]
}

extension PickerCandidate {
  /// The state and the remark, without repeating the state's word: `● ready, no password`.
  fileprivate var status: String {
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
    lastUse.map { String($0.displayText.dropFirst("last used ".count)) }
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
    case .unknown: "Its tokens were issued elsewhere: only their provider knows whether they are valid."
    }
  }

  var text: String {
    switch self {
    case .ready: "● ready"
    case .expired: "○ expired"
    case .signedOut: "· signed out"
    case .blocked: "✗ blocked"
    case .unknown: "· unknown"
    }
  }

  var style: Style {
    switch self {
    case .ready: .good
    case .expired: .warning
    case .signedOut, .unknown: .dim
    case .blocked: .bad
    }
  }
}

/// A row of the account picker: an account, or one of the two other options below the accounts.
enum PickerRow: Equatable, Sendable {
  case account(PickerCandidate)
  /// "Use another account".
  case other
  /// “Sign out of one…”, after which the picker asks which account to sign out.
  case signOut

  /// The IDs of the other options in the list.
  ///
  /// The ID of an account is its home account ID.
  static let otherID = "+"
  static let signOutID = "-"

  /// The key and the text of an option other than an account, or `nil` for an account.
  var way: (sign: String, displayText: String)? {
    switch self {
    case .account: nil
    case .other: (Self.otherID, "Use another account")
    case .signOut: (Self.signOutID, "Sign out of one…")
    }
  }
}

extension PickerRow {
  /// Creates a row from its number among all rows of the picker, or returns `nil` if there is no such row.
  init?(_ number: Int, in dialog: PromptDialog) {
    guard case .chooseAccount(let picker) = dialog.prompt, dialog.list.ids.indices.contains(number) else {
      return nil
    }
    self =
      if picker.candidates.indices.contains(number) {
        .account(picker.candidates[number])
      } else if dialog.list.ids[number] == RowID(Self.signOutID) { .signOut } else { .other }
  }
}

extension PickerRow {
  /// Returns how many accounts the picker's filter finds, and of how many.
  ///
  /// The other options below them are not counted.
  static func found(in dialog: PromptDialog) -> String? {
    guard case .chooseAccount(let picker) = dialog.prompt else { return nil }
    let ways = Set([otherID, signOutID].map { RowID($0) })
    let list = dialog.list
    let found = list.count - list.matches.suffix(ways.count).count { ways.contains(list.ids[$0]) }
    return "\(found) of \(picker.candidates.count)"
  }
}

extension PromptDialog {
  /// The selected row of the picker, or `nil` if no row matches the filter.
  var pickerRow: PickerRow? { list.selectedRow.flatMap { PickerRow($0, in: self) } }

  /// The selected account of the picker, or `nil` on a row without an account.
  var candidate: PickerCandidate? {
    if case .account(let candidate) = pickerRow { candidate } else { nil }
  }

  /// Whether an account can be signed out of the device here.
  ///
  /// An external client's picker lists users who were never on the device.
  var canSignOutOne: Bool {
    guard case .chooseAccount(let picker) = prompt else { return false }
    return picker.signsIn && !picker.candidates.isEmpty && !isForRealProgram && !isSigningOut
  }

  /// Lists the accounts and the other options below them.
  ///
  /// While an account is being signed out, lists only the accounts.
  mutating func showRows(of picker: AccountPicker) {
    var ways: [(sign: String, displayText: String)] = []
    if picker.signsIn, !isSigningOut { ways += [PickerRow.other.way].compactMap(\.self) }
    if canSignOutOne { ways += [PickerRow.signOut.way].compactMap(\.self) }
    list.replace(
      RowIndex(
        ids: picker.candidates.map { RowID($0.id) } + ways.map { RowID($0.sign) },
        texts: picker.candidates.map(\.searchValues) + ways.map { [$0.displayText] },
        columns: PickerCandidate.searchColumns))
  }

  /// Asks which account to sign out, or goes back to choosing an account.
  mutating func ask(whomToSignOut: Bool) {
    guard case .chooseAccount(let picker) = prompt else { return }
    isSigningOut = whomToSignOut
    showsDetails = false
    list.clearFilter()
    showRows(of: picker)
    list.state.selection = 0
  }
}

/// The accounts of the picker, with two lines for each: the user, and whether a password is required.
struct PickerTiles {
  var list: RowList
  /// A closure that returns the content of a row by its number.
  var row: (Int) -> PickerRow?

  /// Returns whether all rows, or at least four of them, have room for two lines.
  func fit(in rect: Rect) -> Bool { rect.height >= 2 * min(list.count, 4) }

  /// Draws only the visible tiles, so many accounts take no longer than a few.
  func draw(into grid: inout Grid, _ rect: Rect) {
    let visible = list.state.visible(height: rect.height / 2, count: list.count)
    for place in visible {
      let area = rect.rows(2 * (place - visible.lowerBound), 2)
      let number = list.matches[place]
      if case .account(let candidate) = row(number) {
        draw(candidate, number: number + 1, into: &grid, area)
      } else if let way = row(number)?.way {
        grid.put(way.sign, at: area.x + Self.chip + 1, area.y, width: 1, style: .title)
        grid.put(way.displayText, at: area.x + Self.name, area.y, width: area.width - Self.name)
      }
      grid.add(Touch(.row(list: 0, number: place), area))
      guard place == list.state.selection else { continue }
      grid.put(">", at: area.x, area.y, width: 1)
      grid.restyle(area) { $0 = .selected }
      grid.cursor = Point(x: area.x, y: area.y)
    }
    guard visible.upperBound < list.count else { return }
    grid.put("↓", at: rect.maxX - 1, rect.maxY - 1, width: 1, style: .dim)
  }

  /// The columns where the initials and the name begin.
  private static let chip = 6
  private static let name = 12

  private func draw(_ candidate: PickerCandidate, number: Int, into grid: inout Grid, _ area: Rect) {
    let state = candidate.chip
    let room = area.width - Self.name - columnWidth(state) - 3
    let name = candidate.displayName.isEmpty ? candidate.username : candidate.displayName
    grid.put("\(number)", at: area.x + 1, area.y, width: Self.chip - 2, style: .dim, align: .right)
    grid.put(
      " \(candidate.initials) ", at: area.x + Self.chip, area.y, width: Self.name - Self.chip - 1,
      style: Style(bold: true, reverse: true))
    grid.put(name, at: area.x + Self.name, area.y, width: room, style: .bold)
    grid.put(
      state, at: area.maxX - columnWidth(state) - 2, area.y, width: columnWidth(state),
      style: candidate.style)
    let about = [
      candidate.isHinted ? "hint of the app" : "", candidate.username, candidate.tenantName,
      candidate.remarkBesideState, candidate.lastUse?.displayText ?? "",
    ]
    grid.put(
      about.filter { !$0.isEmpty }.joined(separator: " · "),
      at: area.x + Self.name, area.y + 1, width: area.width - Self.name - 1,
      style: candidate.state == .blocked ? .plain : .dim)
  }
}

extension PickerCandidate {
  /// The first letters of the first two words of the name or, without a name, of the username.
  var initials: String {
    let words = (displayName.isEmpty ? username : displayName).split { !$0.isLetter && !$0.isNumber }
    let letters = words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
    // There is no room for two wide letters.
    return letters.isEmpty ? "?" : columnWidth(letters) > 3 ? String(letters.prefix(1)) : letters
  }

  /// The part of the remark that the chip does not already say, which is whether a password is required.
  var remarkBesideState: String {
    let isSaid = remark == chip.dropFirst(2) || state == .ready && remark == "no password"
    return isSaid ? "" : remark
  }
}

extension AccountPicker {
  /// Whether the caller is a program outside the lab, whose identity no system reports.
  fileprivate var isOfAnyProgram: Bool { callerCheck.name != LinuxCaller.checkName }

  /// The numbers of accounts: `4 accounts, 1 ready`.
  var countText: String {
    "\(counted(candidates.count, "account")), \(candidates.count { $0.state == .ready && !$0.mustSignInAgain }) ready"
  }
}
