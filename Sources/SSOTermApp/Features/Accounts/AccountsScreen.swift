extension KeyContext { static let accounts = KeyContext("accounts") }

extension Place { static let accounts = Place(.accounts) }

/// The accounts across apps: where each one is signed in, its tenant, and the apps that share its refresh token.
struct AccountsScreen: ListScreen, LongListScreen {
  static let context = KeyContext.accounts
  static let title = "Accounts"
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
      // The known columns of the same rows stay until they have been read again.
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
    if shared.place == .accounts { shared.waits.note(rows.all.lazy.map(\.refreshToken)) }
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
