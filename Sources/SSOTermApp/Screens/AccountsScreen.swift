import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let accounts = KeyContext("accounts") }

extension Place { static let accounts = Place(.accounts) }

/// The accounts across apps: where each one is signed in, its tenant, and the apps that share its refresh token.
struct AccountsScreen: ListScreen {
  static let context = KeyContext.accounts
  static let title = "Accounts"
  static let hasLongList = true
  static let shortTitle = "Acct"
  static let keys: [KeyCommand] = .ofScreen(
    more: [
      .addAccount, .expireAll,
      KeyCommand(
        AccountAction.forget, [.character("f")], "f", "forget", name: "forget",
        "Removes the account from this device: every app of the group and the broker.", taking: .account),
    ], marks: [.mark, .range])

  var list = RowList()
  private(set) var rows = RowsRead<AccountRow>()

  var selected: AccountRow? { rows[list.selectedID] }

  func username(ofAccount id: String) -> String? { rows.all.first { $0.identifier == id }?.username }

  func loads(_ shared: SharedState) -> [Load] {
    [list.index.count == 0 ? .firstAccounts : .accounts] + (shared.lab.apps.isEmpty ? [.apps] : [])
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    switch loaded {
    case .accounts(let accounts):
      rows = RowsRead(accounts) { RowID($0.id) }
      list.replace(RowIndex(accounts.map { RowID($0.id) }, accounts))
      noteStates(&shared)
    case .accountList(var index, let accounts):
      rows.expire()
      rows.take(accounts)
      // Keep the known columns of the same rows until they have been read again.
      index.take(columnsOf: list.index)
      list.replace(index)
      noteStates(&shared)
      return [.load(index.total == nil ? .accountDetails : .accounts)]
    case .accountDetails(let details):
      var index = list.index
      index.take(columnsOf: details)
      list.replace(index)
    case .accountRows(let accounts):
      rows.take(accounts)
      noteStates(&shared)
    default: break
    }
    return []
  }

  private func noteStates(_ shared: inout SharedState) {
    if shared.place == .accounts { shared.waits.countRead(rows.all.lazy.map(\.refreshToken)) }
  }

  mutating func loadVisibleRows(height: Int) -> [Command] {
    guard list.index.isLong, let wanted = rows.missing(in: list, height: height) else { return [] }
    return [.load(.accountRows(wanted))]
  }

  func canMark(inPanel panel: Int) -> Bool { panel == 0 }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    selected == nil ? "select an account first" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if let selected {
      shared.stack.append(.tokens(TokenScope(account: selected.identifier, title: selected.username)))
    }
    return []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection(
      app: shared.lab.apps.first { selected?.apps.contains($0.displayName) ?? false } ?? shared.lab.apps.first
    )
    selection.accounts =
      list.marks.ids.isEmpty
      ? selected.map { [$0.identifier] } ?? [] : list.index.values(of: "id", inRows: list.marks.ids)
    selection.record = selected.map { RecordID(kind: .person, name: $0.username) }
    selection.why = selected.map { .account($0.identifier) }
    selection.obstacleToWhy = selected == nil ? "select an account first" : nil
    selection.explained = selected?.refreshToken.state.rawValue ?? ""
    selection.copies[.username] = selected?.username
    selection.copies[.homeAccountID] = selected?.homeAccountID
    selection.copies[.cell] = selected?.username
    selection.sentence =
      selected.map { "\($0.username): signed in to \(counted($0.apps.count, "app"))" } ?? "no account"
    return selection
  }
}

enum AccountAction: FeatureAction {
  case forget

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    model.marked.count > 1
      ? "one account at a time; Esc unmarks"
      : model.screens.accounts.selected == nil ? "select an account first" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    model.screens.accounts.selected.map { [.load(.blastRadius(of: ForgetAccount(account: $0.identifier)))] }
      ?? []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    [.load(.blastRadius(of: ForgetAccount(account: argument)))]
  }

  func object(in model: AppModel) -> String { model.screens.accounts.selected?.username ?? "" }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    (argument.isEmpty ? model.screens.accounts.selected?.username : argument).map { ["forget", $0] }
  }
}

extension AccountsScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    // The panel beside the list shows complete names in a narrow window, and the longest ID in a wide one.
    let width = layout.size.width
    return layout.pair(
      left: max(min(60, width - 36), min(width / 2, width - 90)), top: layout.body.height / 2)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let inner = grid.panel(
      panels.first, "Accounts \(list.markedCountText)", focused: shared.panel == 0)
    if list.count > 0 {
      drawRows(shared, into: &grid, inner)
    } else {
      grid.emptyState(
        of: list, "account",
        [
          "No accounts on this device.",
          shared.keys.fill("Press {apps}, then {signin} on an app, to sign in."),
        ], in: inner)
    }
    let detail = grid.panel(
      panels.second, selected?.username ?? "Account", focused: shared.panel == 1)
    if let account = selected {
      grid.lines(
        account.lines(width: detail.width - 2, isTall: detail.height > 18), in: detail,
        scroll: shared.scroll(ofPanel: 1))
    }
  }

  private func drawRows(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect,
      columns: [
        TableColumn("ACCOUNT", width: .flexible(min: 14, weight: 3)),
        TableColumn("TENANT", width: .flexible(min: 8, weight: 2), priority: 2),
        TableColumn("APPS", width: .fixed(4), align: .right, priority: 1),
        TableColumn("RT", width: .fixed(9)),
      ], rowCount: list.count,
      row: { index in
        let number = list.matches[index]
        guard let account = rows[list.ids[number]] else {
          return [
            TableCell(list.index.texts.text(number)), TableCell(""), TableCell(""), TableCell(""),
          ]
        }
        return [
          TableCell(account.username), TableCell(account.homeTenantName ?? account.homeTenantID, .dim),
          TableCell("\(account.apps.count)"),
          TableCell(account.refreshToken.text, account.refreshToken.style),
        ]
      }, state: list.state, focused: shared.panel == 0,
      isMarked: { list.isMarked(list.matches[$0]) }, list: 0)
  }
}

extension AccountRow {
  fileprivate func lines(width: Int, isTall: Bool) -> [PanelLine] {
    func names(_ title: String, _ names: [String]) -> [PanelLine] {
      let text = names.isEmpty ? "none" : names.joined(separator: ", ")
      return [PanelLine(title, .dim)] + wrapped(text, width - 2).map { PanelLine("  " + $0) }
    }
    return wholeField("Name", displayName ?? "-", width: width)
      + wholeField("Tenant", homeTenantName ?? homeTenantID, width: width)
      + (isTall
        ? wholeField("Tenant ID", homeTenantID, width: width)
          + wholeField("Home ID", homeAccountID, width: width)
        : [
          field("Tenant ID", homeTenantID, width: width),
          field("Home ID", homeAccountID, width: width),
        ])
      + [
        field("Host", environment, width: width),
        field("RT", refreshToken.text, width: width, style: refreshToken.style),
      ] + names("Signed in to", apps) + names("Share the refresh token", sharingApps)
      + names("Guest in", guestRealms) + [PanelLine("Stored in", .dim)]
      + places.flatMap { wrapped($0, width - 2) }.map { PanelLine("  " + $0) }
  }
}

/// A reader for the list of accounts, which may be very long.
struct AccountReading {
  let reader: LabReader

  /// The number of accounts up to which the list is read with all its rows.
  private static let short = 200
  private static let columns = ["user", "name", "tenant", "app", "id"]
  private static let sealedColumns = ["user", "name", "app"]

  private var accounts: AccountQueries { reader.accounts }

  /// Returns all accounts if there are few, or else a page of them, so that something is visible at once.
  func first() throws -> Loaded {
    let count = try accounts.itemCount()
    guard count > Self.short else { return .accounts(try accounts.rows()) }
    var index = RowIndex(columns: Self.columns)
    for account in try accounts.first(Self.short / 2) { index.append(account) }
    index.total = count
    return .accountList(index, try accounts.rows(index.ids.map(\.value)).byID)
  }

  /// Returns the entire list by username, with the columns that can be read at once.
  func all() throws -> Loaded {
    let expected = try accounts.itemCount()
    guard expected > Self.short else { return .accounts(try accounts.rows()) }
    var index = RowIndex(columns: Self.columns)
    try accounts.each { account in
      index.append(account)
      if index.count == 2000 { index.reserve(expected) }
    }
    index.sort(by: 0)
    return .accountList(index, [:])
  }

  /// Returns the columns of the entire list for which each account must be unsealed.
  func details() throws -> Loaded {
    let expected = try accounts.itemCount()
    var index = RowIndex(columns: Self.sealedColumns)
    try accounts.eachDetails { account in
      index.append(RowID(account.row), [account.username, account.name, account.apps])
      if index.count == 2000 { index.reserve(expected) }
    }
    return .accountDetails(index)
  }
}

extension RowIndex {
  fileprivate mutating func append(_ account: AccountSummary) {
    append(RowID(account.row), [account.username, "", account.tenant, "", account.identifier])
  }
}

extension Dictionary where Key == Int64 {
  /// The rows of the store by their IDs in a list.
  var byID: [RowID: Value] { [RowID: Value](uniqueKeysWithValues: map { (RowID($0.key), $0.value) }) }
}
