import SSOModel
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
    case .accounts(let rows, let index):
      if place == .accounts { waits.note(rows.lazy.map(\.refreshToken)) }
      accountRows = rows
      accounts.replace(ids: rows.map(\.id), index: index)
    case .tokens(let tree):
      let before = selectedToken?.id
      tokenLines = tree.lines
      waits.note(tokenLines.lazy.compactMap { $0.token?.standing })
      marks[.tokens]?.keep(Set(tokenLines.compactMap { $0.token?.id }))
      tokens.replace(ids: tokenLines.map(\.id), rows: tokenLines)
      if before == nil { selectFirstToken() }
      guard let token = selectedToken, revealedToken != token.id else { return [] }
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
      return selectedGroup.map { [.load(.items(group: $0.accessGroup))] } ?? []
    case .items(let group, let rows):
      guard group == selectedGroup?.accessGroup else { return [] }
      waits.note(rows.lazy.map(\.standing))
      showItems(sorted(rows, by: ItemColumn.self))
      marks[.keychain]?.keep(Set(items.ids))
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
      var names = accountRows.filter { $0.homeAccountID == id }.map(\.username)
      if case .prompt(let dialog) = dialogs.last, let candidate = dialog.candidate {
        names = [candidate.username]
      }
      return names.first.map { "Forget \($0)" }
    case .signOut(let bundleID, let account):
      guard let app = appRows.first(where: { $0.bundleID == bundleID }) else { return nil }
      return "Sign \(account ?? "the account") out of \(app.displayName)"
    default: return nil
    }
  }

  private mutating func showApps(_ rows: [AppRow]) {
    appRows = rows
    apps.replace(ids: rows.map(\.id), rows: rows)
    marks[.apps]?.keep(Set(apps.ids))
  }

  private mutating func showItems(_ rows: [KeychainItemRow]) {
    itemRows = rows
    items.replace(ids: rows.map { "\($0.id)" }, rows: rows)
  }

  private mutating func showTraces(_ rows: [TraceSummary]) {
    traceRows = rows
    traces.replace(ids: rows.map { "\($0.id)" }, rows: rows)
  }

  /// The rows of the present screen in another order.
  mutating func sortAgain() {
    switch place {
    case .apps: showApps(sorted(appRows, by: AppColumn.self))
    case .traces: showTraces(sorted(traceRows, by: TraceColumn.self))
    case .keychain: showItems(sorted(itemRows, by: ItemColumn.self))
    case .accounts, .tokens, .trace: break
    }
  }

  /// A tree that opens on a heading would show an empty inspector.
  private mutating func selectFirstToken() {
    guard let first = tokens.matches.firstIndex(where: { tokenLines[$0].token != nil }) else { return }
    if tokens.state.selection == 0 { tokens.state.selection = first }
  }
}
