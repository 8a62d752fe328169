import SSOModel
import TerminalUI

/// Apps: one row per app, what its next silent call would do, and what happened last.
func drawApps(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  drawAppList(model, into: &grid, panels.first)
  drawNext(model, into: &grid, panels.second)
  drawRecent(model, into: &grid, panels.third)
}

private func drawAppList(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let inner = grid.panel(rect, "Apps \(model.apps.countText)", focused: model.panel == 0)
  guard model.apps.count > 0 else {
    return grid.emptyState(
      model.appRows.isEmpty
        ? ["No apps in this store.", "Leave with q and run ssoterm demo to see a lab with apps."]
        : ["No app matches the filter. Esc shows all."], in: inner)
  }
  let isWide = grid.width >= 100
  var columns = [
    TableColumn("APP", width: .flexible(min: isWide ? 14 : 8, weight: 2)),
    TableColumn("CLIENT ID", width: .fixed(11), cut: .middle, priority: 3),
    TableColumn("ACCOUNT", width: .flexible(min: 9, weight: 3)),
    TableColumn("AT", width: .fixed(9)),
    TableColumn("RT", width: .fixed(9)),
  ]
  if isWide {
    columns.append(
      TableColumn("REDIRECT URI", width: .flexible(min: 18, weight: 3), cut: .middle, priority: 2))
    columns.append(TableColumn("NEXT CALL", width: .flexible(min: 16, weight: 4), priority: 1))
  }
  drawTable(
    into: &grid, rect: inner, columns: columns, rowCount: model.apps.count,
    row: { index in
      let app = model.appRows[model.apps.matches[index]]
      var cells = [
        TableCell(app.displayName), TableCell(app.clientID, .dim), TableCell(app.accountText),
        TableCell(app.accessToken.text, app.accessToken.style),
        TableCell(app.refreshToken.text + (app.familyID == nil ? "" : " F"), app.refreshToken.style),
      ]
      if isWide {
        cells += [TableCell(app.redirectURI, .dim), TableCell(app.next.sentence, app.next.style)]
      }
      return cells
    }, state: model.apps.state, focused: model.panel == 0)
}

private func drawNext(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard let app = model.selectedApp else {
    _ = grid.panel(rect, "Next silent call", focused: model.panel == 1)
    return
  }
  let inner = grid.panel(rect, "\(app.displayName): next silent call", focused: model.panel == 1)
  let width = inner.width - 2
  var lines = wrapped("NEXT " + app.next.sentence, width, indent: "     ")
    .map { PanelLine($0, app.next.style) }
  lines += checkLines(app.next.checks, width: width)
  lines.append(PanelLine(""))
  lines += [
    field("Account", app.accountText, width: width),
    field("Client ID", app.clientID, width: width),
    field("Redirect", app.redirectURI, width: width),
    field("Library", "\(app.sdk) \(app.sdkVersion)  team \(app.teamID)", width: width),
    field("Broker", app.broker, width: width),
    field("Keychain", app.accessGroup, width: width),
  ]
  let mates = app.sharesGroupWith.isEmpty ? "nobody" : app.sharesGroupWith.joined(separator: ", ")
  lines += wrapped("Shares with " + mates, width, indent: "  ").map { PanelLine($0) }
  if let target = app.target { lines.append(field("Scopes", target, width: width)) }
  for warning in app.warnings {
    lines += wrapped("! " + warning, width, indent: "  ").map { PanelLine($0, .warning) }
  }
  grid.lines(lines, in: inner, scroll: model.panel == 1 ? model.scroll : 0)
}

private func drawRecent(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let inner = grid.panel(rect, "Events", trailing: "4 Trace", focused: false)
  guard !model.traceRows.isEmpty else {
    return grid.emptyState(["Nothing has happened yet. Press i to sign in."], in: inner)
  }
  let lines = model.traceRows.prefix(inner.height).map { trace in
    PanelLine(
      clockText(trace.at, east: model.utcOffset).prefix(5) + " \(verdictGlyph(trace.verdict)) " + trace.title,
      verdictStyle(trace.verdict))
  }
  grid.lines(Array(lines), in: inner)
}

extension AppRow {
  var accountText: String {
    switch accountCount {
    case 0: "-"
    case 1: accounts.first ?? "1 account"
    default: "\(accountCount) accounts"
    }
  }
}

extension Prediction {
  var style: Style {
    switch kind {
    case .cache: .good
    case .appRefreshToken, .familyRefreshToken, .broker: .accent
    case .prompt: .warning
    case .failure: .bad
    }
  }
}

func verdictGlyph(_ verdict: String) -> String {
  switch verdict {
  case "succeeded": "✓"
  case "failed": "✗"
  default: "·"
  }
}

func verdictStyle(_ verdict: String) -> Style {
  switch verdict {
  case "failed": .bad
  case "cancelled": .dim
  default: .plain
  }
}
