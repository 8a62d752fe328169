extension AccountsScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    layout.pair(left: layout.size.width / 2, top: layout.body.height / 2)
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
        account.lines(width: detail.width - 2), in: detail, scroll: shared.scroll(ofPanel: 1))
    }
  }

  private func drawRows(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect,
      columns: [
        TableColumn("ACCOUNT", width: .flexible(min: 14, weight: 3)),
        TableColumn("TENANT", width: .flexible(min: 8, weight: 2), priority: 2),
        TableColumn("APPS", width: .fixed(4), align: .right, priority: 1),
        TableColumn("RT", width: .fixed(8)),
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
      + names("Guest in", guestRealms) + [PanelLine("Stored in", .dim)]
      + places.flatMap { wrapped($0, width - 2) }.map { PanelLine("  " + $0) }
  }
}
