import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let apps = KeyContext("apps") }

extension Place { static let apps = Place(.apps) }

/// The apps with their next silent calls, and the latest events.
///
/// There is one row for each app or, if an app has several accounts, one for each of them.
struct AppsScreen: ListScreen {
  static let context = KeyContext.apps
  static let title = "Apps"
  static let columns = AppColumn.allCases.map(\.layout)

  var list = RowList()
  /// The latest events, newest first.
  var events: [TraceSummary] = []
  /// The facts that the apps of each client ID share.
  var groups: [String: AppGroup] = [:]
  /// The client ID of each row.
  var clients: [String] = []
  /// The columns that the rows need.
  private(set) var widths = AppWidths()
  /// The number of simulated apps, and what each can use of another's sign-in if a column shows it.
  private(set) var appCount = 0
  private(set) var sharing: [Visibility] = []
  /// The drawing of the last call, or `nil` if no call is being drawn.
  var picture: CallPicture?
  /// The newest call of the selected app, in a window that has room for it: not read yet, none, or read.
  private(set) var lastCall = LastCall.Reading.awaited(nil)
  private var awaitedPicture: Int64?
  /// The app and the account whose row is selected when the rows are read next, after a step of a demo.
  var awaitedRow: AwaitedRow?
  /// Whether the call was drawn while it ran.
  private var hasSeenCall = false

  struct AwaitedRow: Equatable, Sendable {
    var app: String
    var account: String?
  }

  func loads(_ shared: SharedState) -> [Load] { [.apps, .traces] }

  func selected(_ shared: SharedState) -> AppRow? { list.selectedRow.map { shared.lab.apps[$0] } }

  /// Returns the marked apps, or else the selected one.
  func targets(_ shared: SharedState) -> [AppRow] {
    list.marks.ids.isEmpty
      ? selected(shared).map { [$0] } ?? []
      : shared.lab.apps.filter { list.marks.ids.contains(RowID($0.id)) }
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    switch loaded {
    case .apps(let rows):
      if shared.place == .apps { shared.waits.countRead(rows.flatMap { [$0.accessToken, $0.refreshToken] }) }
      // A user who is already signed in continues with the second step.
      if shared.coach == .signIn, rows.contains(where: { !$0.accounts.isEmpty }) { shared.coach = .silent }
      show(rows, &shared)
      appCount = Set(rows.lazy.filter { $0.kind == .simulated }.map(\.bundleID)).count
      return readLastCall(shared) + readSharing(shared)
    case .sharing(let pairs): sharing = pairs
    case .traces(let rows):
      events = rows
      return readLastCall(shared)
    case .lastCall(let trace):
      if let trace, case .awaited(let awaited?) = lastCall, awaited.id == trace.summary.id {
        lastCall = .read(LastCall(trace))
      }
    case .callPicture(let trace, let outcome):
      guard let trace, trace.summary.id == awaitedPicture, shared.place == .apps, shared.dialogs.isEmpty
      else {
        break
      }
      picture = CallPicture(trace, Notice(outcome), shared.lab, wasSeen: hasSeenCall)
    default: break
    }
    return []
  }

  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] { readLastCall(shared) }

  mutating func resized(_ shared: inout SharedState) -> [Command] {
    readLastCall(shared) + readSharing(shared)
  }

  private func readSharing(_ shared: SharedState) -> [Command] {
    hasSharingColumn(shared.layout) ? [.load(.sharing)] : []
  }

  private mutating func readLastCall(_ shared: SharedState) -> [Command] {
    var layout = shared.layout
    // The bar for an audience appears and disappears.
    layout.isPresenting = false
    guard !panels(in: layout).fourth.isEmpty, let app = selected(shared) else {
      lastCall = .awaited(nil)
      return []
    }
    guard let newest = LastCall.newest(of: app, in: events) else {
      lastCall = .none
      return []
    }
    if case .read(let call) = lastCall, call.summary == newest { return [] }
    lastCall = .awaited(newest)
    return [.load(.lastCall(newest.id))]
  }

  /// Requests the drawing of a call that has ended without a prompt.
  ///
  /// It is shown unless a key is pressed first.
  mutating func awaitPicture(of outcome: Outcome, traceID: Int64?, wasSeen: Bool) -> [Command] {
    (awaitedPicture, hasSeenCall) = (traceID, wasSeen)
    return traceID.map { [.load(.callPicture(trace: $0, outcome))] } ?? []
  }

  mutating func endPicture() { (picture, awaitedPicture) = (nil, nil) }

  private mutating func show(_ rows: [AppRow], _ shared: inout SharedState) {
    let before = selected(shared)?.bundleID
    let awaited = awaitedRow
    awaitedRow = nil
    shared.lab.apps = list.sorting == nil ? rows.byClient : list.sorted(rows, by: AppColumn.self)
    groups = rows.groups
    clients = shared.lab.apps.map(\.clientID)
    widths = AppWidths(shared.lab.apps)
    list.replace(RowIndex(shared.lab.apps.map { RowID($0.id) }, shared.lab.apps))
    // If an account signs in or out, the app's rows change, and the selection stays with the app.
    if let before, selected(shared)?.bundleID != before,
      let row = shared.lab.apps.first(where: { $0.bundleID == before })
    {
      list.select(id: row.id)
    }
    if let awaited, let row = shared.lab.row(ofApp: awaited.app, account: awaited.account) {
      list.select(id: row.id)
    }
    list.marks.keep(Set(list.ids))
  }

  mutating func applySortOrder(_ shared: inout SharedState) { show(shared.lab.apps, &shared) }

  func canMark(inPanel panel: Int) -> Bool { panel == 0 }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    selected(shared) == nil ? "select an app first" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if let app = selected(shared) {
      shared.stack.append(
        .tokens(TokenScope(clientID: app.clientID, redirectURI: app.redirectURI, title: app.displayName)))
    }
    return []
  }

  /// Returns the credentials that a change applies to: for each app, those of its client ID and redirect URI for the
  /// row's account.
  func target(of change: ChangeCredentials.Change?, _ shared: SharedState) throws(UnavailableReason) -> Target
  {
    let apps = targets(shared)
    let scopes = apps.map {
      $0.kind == .real
        ? TokenScope(clientID: $0.clientID)
        : TokenScope(clientID: $0.clientID, redirectURI: $0.redirectURI, account: $0.tokenOwner)
    }
    switch change {
    case .expire:
      guard apps.contains(where: { $0.accessToken.state != .none }) else {
        throw UnavailableReason(text: "no access token")
      }
      return .accessTokens(scopes)
    case .invalidate:
      guard apps.contains(where: { $0.refreshToken.state != .none }) else {
        throw UnavailableReason(text: "no refresh token")
      }
      return .refreshTokens(scopes)
    case .delete, nil: throw UnavailableReason(text: "select a token first")
    }
  }

  func selection(_ shared: SharedState) -> Selection {
    let app = selected(shared)
    let targets = targets(shared)
    var selection = Selection(app: app)
    selection.record = app.map {
      $0.kind == .real
        ? RecordID(kind: .registration, name: $0.clientID) : RecordID(kind: .app, name: $0.bundleID)
    }
    let bundleIDs = targets.reduce(into: [String]()) {
      if !$0.contains($1.bundleID) { $0.append($1.bundleID) }
    }
    selection.why =
      bundleIDs.count == 2
      ? .apps(bundleIDs[0], bundleIDs[1])
      : targets.first.map { .app($0.bundleID, account: targets.count == 1 ? $0.account : nil) }
    if targets.isEmpty {
      selection.obstacleToWhy = "select an app first"
    } else if bundleIDs.count > 2 {
      selection.obstacleToWhy = "two apps at most; Esc unmarks"
    } else if targets.contains(where: { $0.kind == .real }) {
      selection.obstacleToWhy = "an external client decides in its own process; its traces show its requests"
    }
    selection.explained = app.map { "\($0.next.kind.rawValue) \($0.next.sentence)" } ?? ""
    selection.isSentenceExplained = true
    selection.copies[.username] = app?.accounts.first
    selection.copies[.clientID] = app?.clientID
    selection.copies[.redirectURI] = app?.redirectURI
    selection.copies[.cell] = app?.bundleID
    selection.sentence = app.map { "\($0.title): \($0.next.sentence)" } ?? "no app"
    return selection
  }
}

extension AppRow {
  /// The account whose credentials a change applies to, or `nil` for all accounts if the row is not for an account.
  fileprivate var tokenOwner: String? { account == nil ? accounts.first { $0.contains("@") } : accountName }
}

extension AppsScreen {
  static let keys: [KeyCommand] = .ofScreen(
    own: [
      KeyCommand(
        CallAction.silent, [.character("s")], "s", "silent", name: "silent",
        "Acquires a token silently for the selected app and account, as acquireTokenSilent does.",
        taking: .call),
      KeyCommand(
        CallAction.interactive, [.character("i")], "i", "interactive", name: "signin",
        "Signs in to the selected app interactively, with a prompt only if one is needed.", taking: .call),
      .expire, .invalidate,
      KeyCommand(
        VisibilityAction.show, [.character("m")], "m", "who reuses", name: "who reuses",
        "Shows who can reuse whose sign-in, for each pair of apps, and why not, as ssoterm why --matrix does."
      ),
    ],
    more: [
      KeyCommand(
        CallAction.chooseAccount, [.character("c")], "c", "choose account", name: "choose account",
        "Signs in with select_account: in the broker's picker, without a broker on the provider's page.",
        taking: .call),
      .addAccount,
      KeyCommand(
        CallAction.signOut, [.character("o")], "o", "sign out", name: "signout",
        "Signs the account out of the selected app, and of the apps that share its tokens; shows first what each "
          + "app loses.", taking: .call),
      TimelineAction.key, CoachAction.key,
    ], marks: [.mark, .range], isTable: true)
}

extension KeyCommand {
  static let addAccount = KeyCommand(
    CallAction.addAccount, [.character("a")], "a", "add account", name: "add account",
    "Signs in another account with prompt=login.", taking: .app)
  static let repeatFlow = KeyCommand(
    CallAction.repeatCall, [.character(".")], ".", "repeat", name: "repeat",
    "Repeats the last silent call or sign-in.")
}

extension CallAction {
  /// The commands that only the palette has.
  static let paletteKeys: [KeyCommand] = [
    KeyCommand(
      CallAction.currentAccount, name: "current", .app,
      "Calls getCurrentAccount: which account is signed in, and which was before."),
    KeyCommand(
      CallAction.signOutOfBrowser, name: "browser signout", .call,
      "Signs out of the app, and ends the provider's session in the browser too (signoutFromBrowser)."),
    KeyCommand(
      CallAction.wipeAccount, name: "wipe account", .call,
      "Signs out for all clients of the group, account items too (wipeAccount)."),
    KeyCommand(
      CallAction.wipeCache, name: "wipe cache", .call,
      "Signs out and removes every item of the group (wipeCacheForAllAccounts)."),
  ]
}
