import SSOLab
import TerminalUI

/// Accounts across apps: who is signed in where, from which tenant, and who shares the refresh token.
func drawAccounts(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  let inner = grid.panel(
    panels.first, "Accounts \(model.countText(of: model.accounts, in: .accounts))", focused: model.panel == 0)
  if model.accounts.count > 0 {
    drawAccountTable(model, into: &grid, inner)
  } else {
    grid.emptyState(
      of: model.accounts, "account",
      ["No account is known on this device.", "Press 1, then i on an app, to sign somebody in."], in: inner)
  }
  let detail = grid.panel(
    panels.second, model.selectedAccount?.username ?? "Account", focused: model.panel == 1)
  if let account = model.selectedAccount {
    grid.lines(
      account.lines(width: detail.width - 2), in: detail, scroll: model.panel == 1 ? model.scroll : 0)
  }
}

private func drawAccountTable(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  drawTable(
    into: &grid, rect: rect,
    columns: [
      TableColumn("ACCOUNT", width: .flexible(min: 14, weight: 3)),
      TableColumn("TENANT", width: .flexible(min: 8, weight: 2), priority: 2),
      TableColumn("APPS", width: .fixed(4), align: .right, priority: 1),
      TableColumn("RT", width: .fixed(8)),
    ], rowCount: model.accounts.count,
    row: { index in
      let number = model.accounts.matches[index]
      guard let account = model.accountRows[model.accounts.ids[number]] else {
        return [
          TableCell(model.accounts.index.texts.text(number)), TableCell(""), TableCell(""), TableCell(""),
        ]
      }
      return [
        TableCell(account.username), TableCell(account.homeTenantName ?? account.homeTenantID, .dim),
        TableCell("\(account.apps.count)"),
        TableCell(account.refreshToken.text, account.refreshToken.style),
      ]
    }, state: model.accounts.state, focused: model.panel == 0,
    isMarked: { model.isMarked(row: model.accounts.matches[$0]) }, list: 0)
}

extension AccountRow {
  fileprivate func lines(width: Int) -> [PanelLine] {
    func names(_ title: String, _ names: [String]) -> [PanelLine] {
      let text = names.isEmpty ? "none" : names.joined(separator: ", ")
      return [PanelLine(title, .dim)] + wrapped(text, width - 2).map { PanelLine("  " + $0) }
    }
    return [
      field("Name", displayName ?? "-", width: width),
      field("Tenant", homeTenantName ?? homeTenantID, width: width),
      field("Tenant ID", homeTenantID, width: width),
      field("Home ID", homeAccountID, width: width),
      field("Host", environment, width: width),
      field("RT", refreshToken.text, width: width, style: refreshToken.style),
    ] + names("Signed in to", apps) + names("Share the refresh token", sharingApps)
      + names("Guest in", guestRealms) + [PanelLine("Kept in", .dim)]
      + places.flatMap { wrapped($0, width - 2) }.map { PanelLine("  " + $0) }
  }
}
