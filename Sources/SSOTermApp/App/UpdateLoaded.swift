import SSOCore
import SSODevice
import SSOLab
import TerminalUI

extension AppModel {
  /// Takes rows that were read. The selection stays on the same row IDs.
  mutating func take(_ loaded: Loaded) -> [Command] {
    switch loaded {
    case .status(let status):
      self.status = status
      waits.isRefreshing = false
    case .apps(let rows):
      if place == .apps { waits.note(rows.flatMap { [$0.accessToken, $0.refreshToken] }) }
      showApps(sorted(rows, by: AppColumn.self))
    case .accounts(let rows):
      accountRows = RowsRead(rows) { RowID($0.id) }
      accounts.replace(RowIndex(rows.map { RowID($0.id) }, rows))
      noteAccounts()
    case .accountList(var index, let rows):
      accountRows.expire()
      accountRows.take(rows)
      // What was known of the same rows stays until it has been read again.
      index.take(columnsOf: accounts.index)
      accounts.replace(index)
      noteAccounts()
      return [.load(index.total == nil ? .accountDetails : .accounts)]
    case .accountDetails(let details):
      var index = accounts.index
      index.take(columnsOf: details)
      accounts.replace(index)
    case .accountRows(let rows):
      accountRows.take(rows)
      noteAccounts()
    case .tokens(let tree):
      let before = selectedToken?.id
      tokenLines = tree.lines
      waits.note(tokenLines.lazy.compactMap { $0.token?.standing })
      marks[.tokens]?.keep(Set(tokenLines.compactMap { $0.token.map { RowID(credential: $0.id) } }))
      tokens.replace(RowIndex(tokenLines.map { RowID($0.id) }, tokenLines))
      if before == nil { selectFirstToken() }
      guard let token = selectedToken, revealedToken != token.id else { return [] }
      return [.load(.detail(token.id, revealed: false))]
    case .tokenBranches(let branches):
      tokenLines = TokenLine.lines(of: branches)
      tokens.replace(RowIndex(tokenLines.map { RowID($0.id) }, tokenLines))
    case .tokenList(let scope, let headings, let index):
      guard scope == tokenScope else { return [] }
      let isNew = tokens.index.count == 0
      tokenLines = headings
      tokenRows.expire()
      tokens.replace(index)
      if isNew, tokens.state.selection == 0 { tokens.state.selection = min(headings.count, tokens.count - 1) }
      if index.total != nil { return [.load(.allTokens(scope))] }
      marks[.tokens]?.keep(Set(index.ids))
    case .tokenRows(let rows):
      tokenRows.take(rows)
      waits.note(tokenRows.all.lazy.map(\.standing))
      guard let token = selectedToken, detail?.row.id != token.id else { return [] }
      return [.load(.detail(token.id, revealed: false))]
    case .detail(let detail, let revealed):
      // A late answer for a row that was left meanwhile is no longer wanted.
      guard let detail, detail.row.id == selectedToken?.id else { return [] }
      self.detail = detail
      if revealed { waits.reveals += 1 }
      revealedToken = revealed ? detail.row.id : nil
    case .people(let people): self.people = people
    case .groups(let rows):
      // What is empty comes last; the order is kept otherwise.
      groupRows = rows.filter { $0.itemCount > 0 } + rows.filter { $0.itemCount == 0 }
      groups.replace(ids: groupRows.map(\.id), texts: groupRows.map { $0.accessGroup })
      return selectedGroup.map { [.load(loadOfItems($0.accessGroup))] } ?? []
    case .items(let group, let rows):
      guard group == selectedGroup?.accessGroup else { return [] }
      waits.note(rows.lazy.map(\.standing))
      showItems(sorted(rows, by: ItemColumn.self))
      marks[.keychain]?.keep(Set(items.ids))
    case .itemList(let group, let index):
      guard group == selectedGroup?.accessGroup else { return [] }
      itemRows.expire()
      items.replace(index)
      if index.total != nil { return [.load(.allItems(group: group))] }
      sortItems()
      marks[.keychain]?.keep(Set(index.ids))
    case .itemRows(let rows):
      itemRows.take(rows)
      waits.note(itemRows.all.lazy.map(\.standing))
    case .traces(let rows):
      let newest = rows.first?.id != traceRows.first?.id
      showTraces(sorted(rows, by: TraceColumn.self))
      if follows, newest { traces.state.selection = 0 }
    case .trace(let trace):
      let isNew = trace?.summary.id != self.trace?.summary.id
      self.trace = trace
      if isNew { hops = RowList() }
      let steps = trace?.hops ?? []
      hops.replace(ids: steps.indices.map { "\($0)" }, texts: steps.map { "\($0.action) \($0.result)" })
    case .why(let subject, let checklist):
      guard let checklist else {
        notice = Notice(text: "That is no longer there. R reads the store again.", kind: .plain)
        return []
      }
      dialogs.append(.why(Why(subject, checklist)))
    case .records(let rows): showRecords(rows)
    case .provider(let rows): return take(rows)
    case .outcome(let trace): explain(trace?.outcome?.errorWords ?? "")
    case .sights(let cells): dialogs.append(.sights(Sights(cells, names: appNames)))
    case .blastRadius(let intent, let radius):
      dialogs.append(.confirm(Confirmation(intent: intent, radius: radius, title: title(of: intent))))
    }
    return []
  }

  /// A removal by the name of the account or the app, where the intent has an ID.
  private func title(of intent: Intent) -> String? {
    switch intent {
    case .forget(let id):
      var names = accountRows.all.filter { $0.identifier == id }.map(\.username)
      if case .prompt(let dialog) = dialogs.last, let candidate = dialog.candidate {
        names = [candidate.username]
      }
      return names.first.map { "Forget \($0)" }
    case .signOut(let bundleID, let account, let options):
      guard let app = appRows.first(where: { $0.bundleID == bundleID }) else { return nil }
      let words = options.words.map { ", " + $0 }.joined()
      return "Sign \(account ?? "the account") out of \(app.displayName)\(words)"
    default: return nil
    }
  }

  private mutating func showApps(_ rows: [AppRow]) {
    appRows = rows
    apps.replace(RowIndex(rows.map { RowID($0.id) }, rows))
    marks[.apps]?.keep(Set(apps.ids))
  }

  private mutating func showItems(_ rows: [KeychainItemRow]) {
    itemRows = RowsRead(rows) { RowID($0.id) }
    items.replace(RowIndex(rows.map { RowID($0.id) }, rows))
  }

  private mutating func sortItems() {
    guard items.index.isLong else {
      return showItems(sorted(items.ids.compactMap { itemRows[$0] }, by: ItemColumn.self))
    }
    items.sort(by: sortingOfItems == nil ? nil : 0, isDescending: sortingOfItems?.isDescending ?? false)
  }

  private mutating func noteAccounts() {
    if place == .accounts { waits.note(accountRows.all.lazy.map(\.refreshToken)) }
  }

  private mutating func showTraces(_ rows: [TraceSummary]) {
    traceRows = rows
    traces.replace(RowIndex(rows.map { RowID($0.id) }, rows))
  }

  /// The rows of the present screen in another order.
  mutating func sortAgain() {
    switch place {
    case .apps: showApps(sorted(appRows, by: AppColumn.self))
    case .traces: showTraces(sorted(traceRows, by: TraceColumn.self))
    case .keychain: sortItems()
    case .accounts, .tokens, .trace, .records, .provider, .story: break
    }
  }

  /// A tree that opens on a heading would show an empty inspector.
  private mutating func selectFirstToken() {
    guard let first = tokens.matches.firstIndex(where: { tokenLines[$0].token != nil }) else { return }
    if tokens.state.selection == 0 { tokens.state.selection = first }
  }
}
